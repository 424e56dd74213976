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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>
#include <contract/model.h>
#include <world/files.h>

namespace load {

// Which instructions may be used; the answers are the same.
enum class Vectors {
  best,    // what the machine has
  narrow,  // what every machine of its kind has
  bytes,   // none
  none     // nor the plain record's own way
};

// Tests make them small; users do not see them.
struct CsvLimits {
  std::size_t block_bytes = std::size_t{1} << 20;
  std::size_t record_bytes_max = std::size_t{16} << 20;
  Vectors vectors = Vectors::best;
};

enum class Malformation {
  missing_field,
  extra_field,
  open_quote,
  text_after_quote,
  encoding,
  too_long,
  json,        // breaks the grammar of JSON
  not_object,  // JSON, but no object
  repeated_key
};
std::string malformation_code(Malformation cause);  // "malformed.open_quote"

struct MalformedRecord {
  std::int64_t line = 0;  // physical line where it starts, from 1
  Malformation cause = Malformation::missing_field;
  std::string reason;  // "missing field b"
  std::string raw;     // its bytes
  // Where other records may begin in its line: the byte of the file (unpacked) where it begins. Else 0.
  std::uint64_t offset = 0;
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

// Reads some blocks of a file. Not thread-safe; any number of scans may run beside one another.
class RecordScan {
 public:
  virtual ~RecordScan() = default;
  // Fills `batch` with up to `rows_max` rows, and up to as many malformed records met on the way.
  // False at the end, with nothing in the batch.
  virtual base::Result<bool> read(std::size_t rows_max, RecordBatch& batch) = 0;
};

// A delivered file of any text format, opened. Immutable; safe to share.
class RecordFile {
 public:
  virtual ~RecordFile() = default;
  virtual const std::string& name() const = 0;
  virtual std::uint64_t size() const = 0;                      // bytes as delivered
  virtual const std::string& sha256() const = 0;               // of the bytes as delivered, lower-case hex
  virtual const std::vector<std::string>& header() const = 0;  // the columns' names as sent
  virtual std::size_t block_count() const = 0;
  // No record has a greater line; nothing where a line does not name one record, or that is not known.
  virtual std::optional<std::int64_t> last_line_max() const { return std::nullopt; }
  // The records that start in blocks [first, last), with the cells of `columns` (places in the
  // header) in that order. The blocks' answers in order are the answer of one serial reading.
  virtual std::unique_ptr<RecordScan> begin(std::size_t first, std::size_t last,
                                            std::vector<std::size_t> columns) const = 0;
};

class CsvFile;
class DecodedFile;
struct Decoding;

class CsvScan final : public RecordScan {
 public:
  ~CsvScan() override;
  CsvScan(CsvScan&&) noexcept;
  CsvScan& operator=(CsvScan&&) noexcept;
  base::Result<bool> read(std::size_t rows_max, RecordBatch& batch) override;

 private:
  friend class CsvFile;
  class Work;
  explicit CsvScan(std::unique_ptr<Work> work);
  std::unique_ptr<Work> work_;
};

// A file whose header, content hash and block starts are known. Immutable; safe to share.
// A file that changes under it gives wrong records, never undefined behaviour: compare the
// file's size and time before and after.
class CsvFile final : public RecordFile, public std::enable_shared_from_this<CsvFile> {
 public:
  // Reads the whole file once, a packed or encoded one twice. `name` is for errors:
  // land.header_malformed, land.empty_header, land.line_too_long, land.changed, land.bad_gzip,
  // land.bad_encoding, and those of the file itself.
  static base::Result<std::shared_ptr<const CsvFile>> open(std::shared_ptr<const world::ReadFile> file,
                                                           std::string name,
                                                           const contract::CsvFormat& format,
                                                           const CsvLimits& limits = {});

  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return delivered_size_; }
  const std::string& sha256() const override { return sha256_; }
  // As sent, or _c0, _c1, … without a header; empty when the file holds no record.
  const std::vector<std::string>& header() const override { return header_; }
  std::size_t block_count() const override { return starts_.size() - 1; }
  std::optional<std::int64_t> last_line_max() const override;
  std::unique_ptr<RecordScan> begin(std::size_t first, std::size_t last,
                                    std::vector<std::size_t> columns) const override;
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
