#include <base/text.h>

namespace base {

namespace {

// Goes through the text once; `word_` is what was read of the word at hand.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  Result<std::vector<std::string>> run() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t') {
        end_word();
      } else if (c == '\'' || c == '"') {
        if (!quoted(c))
          return fail(Kind::invalid, "words.open_quote",
                      "the quote " + std::string(1, c) + " is never closed: " + std::string(text_));
      } else {
        if (c == '\\' && at_ + 1 < text_.size()) ++at_;
        take(text_[at_]);
      }
    }
    end_word();
    return std::move(words_);
  }

 private:
  void take(char c) {
    word_ += c;
    is_open_ = true;
  }
  void end_word() {
    if (is_open_) words_.push_back(std::move(word_));
    word_.clear();
    is_open_ = false;
  }
  bool quoted(char quote) {
    is_open_ = true;
    while (++at_ < text_.size()) {
      const char c = text_[at_];
      if (c == quote) return true;
      const bool is_escape = quote == '"' && c == '\\' && at_ + 1 < text_.size() &&
                             (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\');
      if (is_escape) ++at_;
      word_ += text_[at_];
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
  bool is_open_ = false;
  std::vector<std::string> words_;
};

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view text) {
  return Words(text).run();
}

}  // namespace base
