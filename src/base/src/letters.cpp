#include <base/letters.h>

#include <algorithm>
#include <optional>
#include <span>

#include "letter_tables.h"

namespace base {

namespace {

constexpr std::uint32_t kCapitalSigma = 0x3A3;
constexpr std::uint32_t kFinalSigma = 0x3C2;
constexpr std::uint32_t kDottedI = 0x130;  // stays two letters in lower case

std::uint32_t read_letter(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(at);
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  std::uint32_t letter = size == 1 ? lead : lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size && at + i < text.size(); ++i)
    letter = (letter << 6) | (byte(at + i) & 0x3F);
  at = std::min(at + size, text.size());
  return letter;
}

void append_letter(std::string& out, std::uint32_t letter) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (letter < 0x80) return put(letter);
  if (letter < 0x800) {
    put(0xC0 | (letter >> 6));
  } else {
    if (letter < 0x10000) {
      put(0xE0 | (letter >> 12));
    } else {
      put(0xF0 | (letter >> 18));
      put(0x80 | ((letter >> 12) & 0x3F));
    }
    put(0x80 | ((letter >> 6) & 0x3F));
  }
  put(0x80 | (letter & 0x3F));
}

std::uint32_t moved(std::span<const LetterRun> runs, std::uint32_t letter) {
  const auto next =
      std::upper_bound(runs.begin(), runs.end(), letter,
                       [](std::uint32_t code, const LetterRun& run) { return code < run.first; });
  if (next == runs.begin()) return letter;
  const LetterRun& run = *std::prev(next);
  if (letter > run.last || (letter - run.first) % run.stride != 0) return letter;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(letter) + run.distance);
}

bool append_text(std::string& out, std::span<const LetterText> texts, std::uint32_t letter) {
  const auto found =
      std::lower_bound(texts.begin(), texts.end(), letter,
                       [](const LetterText& text, std::uint32_t code) { return text.letter < code; });
  if (found == texts.end() || found->letter != letter) return false;
  out += found->text;
  return true;
}

bool has_case(std::uint32_t letter) {
  if (letter < 0x80) return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
  return letter == kFinalSigma || moved(kUpper, letter) != letter || moved(kLower, letter) != letter;
}

// Signs that do not end a word for the question whether a sigma is its last letter.
bool is_passed_over(std::uint32_t letter) {
  return letter == '.' || letter == '\'' || letter == ':' || letter == 0xAD || letter == 0xB7 ||
         letter == 0x2019 || (letter >= 0x300 && letter <= 0x36F);
}

// Whether a letter with case stands next in `text`, from `at` on.
bool letter_follows(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const std::uint32_t letter = read_letter(text, at);
    if (!is_passed_over(letter)) return has_case(letter);
  }
  return false;
}

}  // namespace

std::string upper_letters(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  for (std::size_t at = 0; at < utf8.size();) {
    const std::uint32_t letter = read_letter(utf8, at);
    if (letter < 0x80) {
      out += static_cast<char>(letter >= 'a' && letter <= 'z' ? letter - 32 : letter);
    } else if (!append_text(out, kUpperTexts, letter)) {
      append_letter(out, moved(kUpper, letter));
    }
  }
  return out;
}

std::string lower_letters(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  bool behind_letter = false;
  for (std::size_t at = 0; at < utf8.size();) {
    const std::uint32_t letter = read_letter(utf8, at);
    if (letter < 0x80) {
      out += static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
    } else if (letter == kCapitalSigma && behind_letter && !letter_follows(utf8, at)) {
      append_letter(out, kFinalSigma);
    } else if (!append_text(out, kLowerTexts, letter)) {
      append_letter(out, moved(kLower, letter));
    }
    if (!is_passed_over(letter)) behind_letter = has_case(letter) || letter == kDottedI;
  }
  return out;
}

}  // namespace base
