// Records read twice: by the product, and by a slow twin that looks at the whole text byte by byte. For the
// unit tests and the fuzzer.
#pragma once

#include <load/records.h>

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <base/hash.h>
#include <base/text.h>
#include <world/world.h>

namespace slow_records {

using contract::CsvFormat;
using load::CsvFile;
using load::CsvLimits;
using load::Malformation;
using load::MalformedRecord;
using load::RecordBatch;

using Cell = std::optional<std::string>;

struct Row {
  std::int64_t line = 0;
  std::vector<Cell> cells;
  friend bool operator==(const Row&, const Row&) = default;
};

struct Answer {
  std::vector<std::string> header;
  std::vector<Row> rows;
  std::vector<std::string> malformed;  // line, code, reason and bytes in one text
  std::string refused;                 // the code
  friend bool operator==(const Answer&, const Answer&) = default;
};

inline std::string show(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\r') {
      text += "\\r";
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      text += "\\x" + base::hex(std::vector<std::uint8_t>{static_cast<std::uint8_t>(c)});
    } else {
      text += c;
    }
  }
  return text;
}

inline void PrintTo(const Answer& answer, std::ostream* out) {
  *out << "refused [" << answer.refused << "] header";
  for (const std::string& name : answer.header) *out << " [" << show(name) << "]";
  for (const Row& row : answer.rows) {
    *out << "\n  line " << row.line;
    for (const Cell& cell : row.cells) *out << (cell ? " [" + show(*cell) + "]" : " null");
  }
  for (const std::string& record : answer.malformed) *out << "\n  malformed " << show(record);
}

// ---- The slow twin ----

class SlowReader {
 public:
  SlowReader(const std::string& bytes, const CsvFormat& format, std::size_t record_bytes_max)
      : text_(bytes), format_(format), max_(record_bytes_max) {}

  Answer read() {
    Answer answer;
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    bool have_header = false;
    std::vector<std::pair<std::int64_t, Found>> records;
    while (at_ < text_.size()) {
      const std::int64_t line = line_;
      const Found found = next();
      if (found.raw.empty()) continue;
      if (format_.header && !have_header) {
        have_header = true;
        if (!found.code.empty()) {
          answer.refused = "land.header_malformed";
          return answer;
        }
        for (const Cell& cell : found.cells) answer.header.push_back(cell.value_or(""));
        for (const Cell& cell : found.cells)
          if (cell.value_or("").empty()) answer.refused = "land.empty_header";
        if (!answer.refused.empty()) return Answer{{}, {}, {}, answer.refused};
        continue;
      }
      records.emplace_back(line, found);
    }
    if (!format_.header)
      for (const auto& [line, found] : records)
        if (found.code.empty()) {
          for (std::size_t i = 0; i < found.cells.size(); ++i)
            answer.header.push_back("_c" + std::to_string(i));
          break;
        }
    for (const auto& [line, found] : records) judge(line, found, answer);
    return answer;
  }

 private:
  struct Found {
    std::string raw, code;
    std::vector<Cell> cells;
  };

  static void judge(std::int64_t line, const Found& found, Answer& answer) {
    std::string code = found.code;
    std::string reason = code == "open_quote"         ? "quote never closed"
                         : code == "text_after_quote" ? "text after a closing quote"
                         : code == "encoding"         ? "not UTF-8"
                                                      : "too long";
    const std::size_t have = found.cells.size();
    const std::size_t want = answer.header.size();
    if (code.empty() && have < want) {
      code = "missing_field";
      reason = want - have == 1 ? "missing field " : "missing fields ";
      for (std::size_t i = have; i < want; ++i) reason += (i > have ? ", " : "") + answer.header[i];
    }
    if (code.empty() && have > want) {
      code = "extra_field";
      reason = std::to_string(have - want) + (have - want == 1 ? " extra field" : " extra fields");
    }
    if (code.empty()) {
      answer.rows.push_back(Row{line, found.cells});
    } else {
      answer.malformed.push_back(std::to_string(line) + " malformed." + code + " (" + reason + ") " +
                                 found.raw);
    }
  }

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  bool more() const { return at_ < text_.size(); }
  bool at_line_end() const { return more() && (peek() == '\n' || peek() == '\r'); }
  void pass_line_end() {
    const bool pair = peek() == '\r' && at_ + 1 < text_.size() && peek(1) == '\n';
    at_ += pair ? 2U : 1U;
    ++line_;
  }

  Found next() {
    const std::size_t begin = at_;
    const std::int64_t line = line_;
    Found found;
    bool open = false;
    bool text_after_quote = false;
    for (;;) {
      Cell cell;
      if (more() && peek() == format_.quote) {
        open = true;
        cell = "";
        ++at_;
        while (more() && open) one_quoted(*cell, open);
        if (open) break;
      }
      while (more() && !at_line_end() && peek() != format_.delimiter) {
        if (cell && text_[begin_of_field(begin)] == format_.quote) text_after_quote = true;
        if (!cell) cell = "";
        *cell += text_[at_++];
      }
      found.cells.push_back(cell);
      if (!more() || peek() != format_.delimiter) break;
      ++at_;
      field_begin_ = at_;
    }
    found.raw = text_.substr(begin, at_ - begin);
    if (open || found.raw.size() > max_) {
      found.code = found.raw.size() > max_ ? "too_long" : "open_quote";
      at_ = begin;
      line_ = line;
      while (more() && !at_line_end()) ++at_;
      found.raw = text_.substr(begin, at_ - begin);
    } else if (text_after_quote) {
      found.code = "text_after_quote";
    } else if (!base::is_utf8(found.raw)) {
      found.code = "encoding";
    }
    if (more()) pass_line_end();
    field_begin_ = at_;
    return found;
  }

  std::size_t begin_of_field(std::size_t record_begin) const { return std::max(record_begin, field_begin_); }

  void one_quoted(std::string& cell, bool& open) {
    const char escape = format_.escape;
    const bool pair =
        peek() == escape && at_ + 1 < text_.size() && (peek(1) == format_.quote || peek(1) == escape);
    if (pair) {
      cell += peek(1);
      at_ += 2;
    } else if (peek() == format_.quote) {
      open = false;
      ++at_;
    } else if (at_line_end()) {
      const std::size_t before = at_;
      pass_line_end();
      cell += text_.substr(before, at_ - before);
    } else {
      cell += text_[at_++];
    }
  }

  std::string text_;
  CsvFormat format_;
  std::size_t max_;
  std::size_t at_ = 0;
  std::size_t field_begin_ = 0;
  std::int64_t line_ = 1;
};

// ---- Ours ----

inline std::shared_ptr<const world::ReadFile> file_of(const std::string& bytes) {
  const auto files = world::memory_files();
  (void)files->replace("/given.csv", bytes);
  return *files->open("/given.csv");
}

inline void take(const RecordBatch& batch, Answer& answer) {
  for (std::size_t row = 0; row < batch.rows(); ++row) {
    Row taken{batch.lines[row], {}};
    for (std::size_t column = 0; column < batch.width; ++column) {
      const std::string_view cell = batch.cell(row, column);
      taken.cells.push_back(cell.data() == nullptr ? Cell() : Cell(std::string(cell)));
    }
    answer.rows.push_back(std::move(taken));
  }
  for (const MalformedRecord& record : batch.malformed) {
    const bool too_long = record.cause == Malformation::too_long;
    answer.malformed.push_back(std::to_string(record.line) + " " + load::malformation_code(record.cause) +
                               " (" + (too_long ? "too long" : record.reason) + ") " + record.raw);
  }
}

// Reads in `pieces`: 1 is one scan over everything, else one scan for each block.
inline Answer ours(const std::string& bytes, const CsvFormat& format = {}, const CsvLimits& limits = {},
                   bool in_blocks = false, std::size_t rows_max = 3) {
  Answer answer;
  const auto file = CsvFile::open(file_of(bytes), "given.csv", format, limits);
  if (!file) {
    answer.refused = file.error().code;
    return answer;
  }
  answer.header = (*file)->header();
  if ((*file)->sha256() != base::sha256_hex(bytes) || (*file)->size() != bytes.size())
    answer.refused = "size or hash differ";
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < answer.header.size(); ++i) columns.push_back(i);
  const std::size_t step = in_blocks ? 1 : std::max<std::size_t>((*file)->block_count(), 1);
  for (std::size_t block = 0; block < (*file)->block_count(); block += step) {
    load::CsvScan scan = (*file)->scan(block, block + step, columns);
    RecordBatch batch;
    for (;;) {
      const auto more = scan.read(rows_max, batch);
      if (!more.has_value()) answer.refused = more.error().code;
      if (!more.has_value() || !*more) break;
      take(batch, answer);
    }
  }
  return answer;
}

}  // namespace slow_records
