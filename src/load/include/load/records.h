// CSV files as records: our own splitter, because the engine's gives no line numbers, silently
// cuts extra fields and lets one open quote swallow the file.
//
// The rules. Lines end with \n, \r\n or a lone \r, mixed as they come; a blank line is no
// record. A quote opens only at the start of a field; inside, a doubled quote (or the escape
// before a quote or before itself) is one character, and line ends are text. A byte order mark
// at the start is dropped. An unquoted empty field is null, "" is empty text. A record is
// malformed when, in this order of precedence,
//   its quote is never closed, or it is longer than the limit: it then ends with its first
//     physical line, and reading goes on at the next one;
//   text follows a closing quote;
//   its bytes are not UTF-8;
//   it has fewer or more fields than the header.
// Malformed records keep their bytes, without the line end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <world/files.h>

namespace load {

// Tests make them small; users do not see them.
struct CsvLimits {
  std::size_t block_bytes = std::size_t{1} << 20;
  std::size_t record_bytes_max = std::size_t{16} << 20;
};

enum class Malformation { missing_field, extra_field, open_quote, text_after_quote, encoding, too_long };
std::string malformation_code(Malformation cause);  // "malformed.open_quote"

struct MalformedRecord {
  std::int64_t line = 0;  // physical line where it starts, from 1
  Malformation cause = Malformation::missing_field;
  std::string reason;  // "missing field b"
  std::string raw;     // its bytes
};

// Some records of one scan, in file order. Cells are row after row, `width` in each.
struct RecordBatch {
  std::size_t width = 0;                // columns asked for
  std::vector<std::string_view> cells;  // null is data() == nullptr
  std::vector<std::int64_t> lines;      // one for each row
  std::vector<MalformedRecord> malformed;
  std::shared_ptr<const void> bytes;  // what the cells point into; they are good while it is held

  std::size_t rows() const { return lines.size(); }
  std::string_view cell(std::size_t row, std::size_t column) const { return cells[row * width + column]; }
};

class CsvFile;
class DecodedFile;
struct Decoding;

// Reads some blocks of a file. Not thread-safe; any number of scans may run beside one another.
class CsvScan {
 public:
  ~CsvScan();
  CsvScan(CsvScan&&) noexcept;
  CsvScan& operator=(CsvScan&&) noexcept;
  // Fills `batch` with up to `rows_max` rows, and up to as many malformed records met on the way.
  // False at the end, with nothing in the batch.
  base::Result<bool> read(std::size_t rows_max, RecordBatch& batch);

 private:
  friend class CsvFile;
  class Work;
  explicit CsvScan(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work_;
};

// A file whose header, content hash and block starts are known. Immutable; safe to share.
// A file that changes under it gives wrong records, never undefined behaviour: compare the
// file's size and time before and after.
class CsvFile : public std::enable_shared_from_this<CsvFile> {
 public:
  // Reads the whole file once, a packed or encoded one twice. `name` is for errors:
  // land.header_malformed, land.empty_header, land.line_too_long, land.changed, land.bad_gzip,
  // land.bad_encoding, and those of the file itself.
  static base::Result<std::shared_ptr<const CsvFile>> open(std::shared_ptr<const world::ReadFile> file,
                                                           std::string name,
                                                           const contract::CsvFormat& format,
                                                           const CsvLimits& limits = {});

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return delivered_size_; }  // bytes as delivered
  const std::string& sha256() const { return sha256_; }   // of the bytes as delivered, lower-case hex
  // As sent, or _c0, _c1, … without a header; empty when the file holds no record.
  const std::vector<std::string>& header() const { return header_; }
  std::size_t block_count() const { return starts_.size() - 1; }
  // The records that start in blocks [first, last), with the cells of `columns` (places in the
  // header) in that order. The blocks' answers in order are the answer of one serial reading.
  CsvScan scan(std::size_t first, std::size_t last, std::vector<std::size_t> columns) const;
  CsvScan scan_all() const;  // every block, every column

 private:
  friend class CsvScan;
  struct Start {
    std::uint64_t offset = 0;
    std::int64_t line = 1;
  };
  struct Measure;  // what opening needs beside the file itself

  CsvFile() = default;
  base::Status decode(const Decoding& decoding);
  base::Status hash();
  base::Status read_header();
  base::Status count_columns();
  base::Status find_starts();

  std::shared_ptr<const world::ReadFile> file_;  // `decoded_`, where that is
  std::shared_ptr<const DecodedFile> decoded_;
  std::string name_;
  contract::CsvFormat format_;
  CsvLimits limits_;
  std::uint64_t delivered_size_ = 0;
  std::uint64_t size_ = 0;  // of the bytes that are split
  std::string sha256_;
  std::vector<std::string> header_;
  Start data_;                 // where the records after the header begin
  std::vector<Start> starts_;  // one for each block, and the end
};

}  // namespace load
