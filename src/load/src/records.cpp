#include <load/records.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include <base/hash.h>
#include <base/text.h>

#include "decoded_file.h"
#include "file_window.h"
#include "records_marks.h"
#include "records_splitter.h"

namespace load {

namespace {

using base::Kind;

constexpr std::uint64_t kHashAsideBytesMin = std::uint64_t{8} << 20;

std::string column_list(const std::vector<std::string>& header, std::size_t first) {
  std::string text;
  for (std::size_t i = first; i < header.size(); ++i) text += (i == first ? "" : ", ") + header[i];
  return text;
}

std::string encoding_reason(contract::Encoding encoding) {
  if (encoding == contract::Encoding::utf_16) return "not UTF-16";
  return encoding == contract::Encoding::windows_1252 ? "not windows-1252" : "not UTF-8";
}

std::string reason_text(Malformation cause, std::size_t fields, const std::vector<std::string>& header,
                        std::size_t record_bytes_max, contract::Encoding encoding) {
  switch (cause) {
    case Malformation::missing_field:
      return (header.size() - fields == 1 ? "missing field " : "missing fields ") +
             column_list(header, fields);
    case Malformation::extra_field: {
      const std::size_t extra = fields - header.size();
      return std::to_string(extra) + (extra == 1 ? " extra field" : " extra fields");
    }
    case Malformation::open_quote:
      return "quote never closed";
    case Malformation::text_after_quote:
      return "text after a closing quote";
    case Malformation::encoding:
      return encoding_reason(encoding);
    case Malformation::too_long:
      return "record longer than " + std::to_string(record_bytes_max) + " bytes";
    default:
      return {};  // of other formats
  }
  return {};
}

}  // namespace

std::string malformation_code(Malformation cause) {
  switch (cause) {
    case Malformation::missing_field:
      return "malformed.missing_field";
    case Malformation::extra_field:
      return "malformed.extra_field";
    case Malformation::open_quote:
      return "malformed.open_quote";
    case Malformation::text_after_quote:
      return "malformed.text_after_quote";
    case Malformation::encoding:
      return "malformed.encoding";
    case Malformation::too_long:
      return "malformed.too_long";
    case Malformation::json:
      return "malformed.json";
    case Malformation::not_object:
      return "malformed.not_object";
    case Malformation::repeated_key:
      return "malformed.repeated_key";
  }
  return {};
}

class CsvScan::Work {
 public:
  Work(std::shared_ptr<const CsvFile> file, std::size_t first, std::size_t last,
       std::vector<std::size_t> columns)
      : file_(std::move(file)),
        splitter_(file_->format_, file_->limits_.record_bytes_max),
        plain_(file_->format_, file_->limits_, file_->header_.size()),
        columns_(std::move(columns)),
        position_(file_->starts_[first].offset),
        line_(file_->starts_[first].line),
        end_(file_->starts_[last].offset),
        window_(file_->file_, file_->name_, file_->size_, position_, file_->limits_.block_bytes) {}

  base::Result<bool> read(std::size_t rows_max, RecordBatch& batch) {
    batch.width = columns_.size();
    batch.lines.clear();
    batch.malformed.clear();
    batch.bytes.reset();
    batch.cells.resize(rows_max * columns_.size());
    Extent extent;
    while (position_ < end_ && batch.rows() < rows_max && batch.malformed.size() < rows_max) {
      const std::string_view bytes = window_.from(position_);
      if (plain_.split(bytes, position_, extent) && take_plain(bytes, extent, batch)) {
        position_ += extent.next;
        ++line_;
        continue;
      }
      if (bytes.empty() || !splitter_.split(bytes, window_.at_end(), file_->header_.size(), extent, spans_)) {
        if (batch.rows() > 0) break;  // its cells point into the window
        // One byte more than the range: whether a \n follows a \r.
        TRY_STATUS(window_.more(position_, end_ + 1));
        continue;
      }
      if (extent.fields > 0) take(bytes.substr(0, extent.size), extent, batch);
      position_ += extent.next;
      line_ += extent.line_ends;
    }
    batch.cells.resize(batch.rows() * columns_.size());
    if (batch.rows() > 0) batch.bytes = window_.bytes();
    return batch.rows() > 0 || !batch.malformed.empty();
  }

 private:
  // Its cells; every one of them is written.
  std::string_view* next_row(RecordBatch& batch) const {
    return batch.cells.data() + batch.rows() * columns_.size();
  }

  // A row or a blank line; false for everything else.
  bool take_plain(std::string_view bytes, const Extent& extent, RecordBatch& batch) {
    if (extent.fields == 0) return true;
    if (extent.fields != file_->header_.size()) return false;
    if (!plain_.is_ascii() && !is_text(bytes.substr(0, extent.size))) return false;
    const std::vector<std::uint32_t>& ends = plain_.ends();
    std::string_view* cell = next_row(batch);
    for (const std::size_t column : columns_) {
      const std::size_t begin = column == 0 ? 0 : ends[column - 1] + 1;
      *cell++ = ends[column] > begin ? std::string_view(bytes.data() + begin, ends[column] - begin)
                                     : std::string_view();
    }
    batch.lines.push_back(line_);
    return true;
  }

  void take(std::string_view record, const Extent& extent, RecordBatch& batch) {
    const std::vector<std::string>& header = file_->header_;
    std::optional<Malformation> cause = extent.cause;
    if (!cause && !is_text(record)) cause = Malformation::encoding;
    if (!cause && extent.fields < header.size()) cause = Malformation::missing_field;
    if (!cause && extent.fields > header.size()) cause = Malformation::extra_field;
    if (cause) {
      batch.malformed.push_back(
          MalformedRecord{line_, *cause,
                          reason_text(*cause, extent.fields, header, file_->limits_.record_bytes_max,
                                      file_->format_.encoding),
                          file_->decoded_ ? file_->decoded_->undecode(record) : std::string(record)});
      return;
    }
    char* const bytes = window_.at(position_);
    std::string_view* cell = next_row(batch);
    for (const std::size_t column : columns_) {
      const Span& span = spans_[column];
      char* const text = bytes + span.begin;
      if (span.size == 0 && !span.quoted) {
        *cell++ = {};
      } else {
        *cell++ = std::string_view(text, span.escaped ? splitter_.unescape(text, span.size) : span.size);
      }
    }
    batch.lines.push_back(line_);
  }

  std::shared_ptr<const CsvFile> file_;
  Splitter splitter_;
  PlainRecords plain_;
  std::vector<std::size_t> columns_;
  std::uint64_t position_;
  std::int64_t line_;
  std::uint64_t end_;
  Window window_;
  std::vector<Span> spans_;
};

CsvScan::CsvScan(std::unique_ptr<Work> work) : work_(std::move(work)) {}
CsvScan::~CsvScan() = default;
CsvScan::CsvScan(CsvScan&&) noexcept = default;
CsvScan& CsvScan::operator=(CsvScan&&) noexcept = default;

base::Result<bool> CsvScan::read(std::size_t rows_max, RecordBatch& batch) {
  return work_->read(std::max<std::size_t>(rows_max, 1), batch);
}

base::Status CsvFile::decode(const Decoding& decoding) {
  TRY(decoded_, DecodedFile::open(file_, name_, decoding));
  file_ = decoded_;
  size_ = 0;
  TRY(const world::FileInfo info, decoded_->info());
  size_ = info.size;
  return {};
}

base::Status CsvFile::hash() {
  TRY(sha256_, hash_file(*file_, name_, size_));
  return {};
}

// The first record that is not blank. Leaves data_ behind it.
base::Status CsvFile::read_header() {
  const Splitter splitter(format_, limits_.record_bytes_max);
  std::uint64_t position = 0;
  Window window(file_, name_, size_, 0, std::max(limits_.block_bytes, kByteOrderMark.size()));
  if (size_ > 0) TRY_STATUS(window.more(0, size_));
  if (window.from(0).starts_with(kByteOrderMark)) position = kByteOrderMark.size();
  std::int64_t line = 1;
  data_ = Start{position, line};
  if (!format_.header) return {};

  Extent extent;
  std::vector<Span> spans;
  while (position < size_) {
    if (!splitter.split(window.from(position), window.at_end(), SIZE_MAX, extent, spans)) {
      TRY_STATUS(window.more(position, size_));
      continue;
    }
    if (extent.fields > 0) break;
    position += extent.next;
    line += extent.line_ends;
  }
  data_ = Start{position, line};
  if (position >= size_) return {};

  const base::Place place{name_, line, 0};
  const std::string_view record = window.from(position).substr(0, extent.size);
  std::optional<Malformation> cause = extent.cause;
  if (!cause && !is_text(record)) cause = Malformation::encoding;
  if (cause)
    return base::fail(Kind::invalid, "land.header_malformed",
                      "the header cannot be read: " +
                          reason_text(*cause, 0, {}, limits_.record_bytes_max, format_.encoding),
                      "correct the first line of the file", place);
  std::string empty_places;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    char* const text = window.at(position) + spans[i].begin;
    const std::size_t size = spans[i].escaped ? splitter.unescape(text, spans[i].size) : spans[i].size;
    if (size == 0) empty_places += (empty_places.empty() ? "" : ", ") + std::to_string(i + 1);
    header_.emplace_back(text, size);
  }
  if (!empty_places.empty())
    return base::fail(
        Kind::invalid, "land.empty_header",
        "the header has no name at position " + empty_places + " of " + std::to_string(spans.size()),
        "give every column a name", place);
  data_ = Start{position + extent.next, line + extent.line_ends};
  return {};
}

// Without a header the first record that splits says how many columns there are.
base::Status CsvFile::count_columns() {
  const Splitter splitter(format_, limits_.record_bytes_max);
  Window window(file_, name_, size_, data_.offset, limits_.block_bytes);
  Extent extent;
  std::vector<Span> spans;
  for (std::uint64_t position = data_.offset; position < size_;) {
    const std::string_view bytes = window.from(position);
    if (bytes.empty() || !splitter.split(bytes, window.at_end(), 0, extent, spans)) {
      TRY_STATUS(window.more(position, size_));
      continue;
    }
    if (extent.fields > 0 && !extent.cause && is_text(bytes.substr(0, extent.size))) {
      for (std::size_t i = 0; i < extent.fields; ++i) header_.push_back("_c" + std::to_string(i));
      return {};
    }
    position += extent.next;
  }
  return {};
}

// Where the records of each block begin. Line ends alone decide it where there is no quote;
// elsewhere each record is split.
base::Status CsvFile::find_starts() {
  if (decoded_) {  // is read forward only
    starts_ = {data_, Start{size_, 0}};
    return {};
  }
  const Splitter splitter(format_, limits_.record_bytes_max);
  Window window(file_, name_, size_, data_.offset, limits_.block_bytes);
  Extent extent;
  std::vector<Span> spans;
  Start here = data_;
  const std::uint64_t blocks = (size_ + limits_.block_bytes - 1) / limits_.block_bytes;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const std::uint64_t boundary = block * limits_.block_bytes;
    while (here.offset < boundary && here.offset < size_) {
      std::string_view bytes = window.from(here.offset);
      // The last line start before the boundary, when no quote is in between.
      std::string_view plain = bytes.substr(0, static_cast<std::size_t>(boundary - here.offset));
      if (!plain.empty() && plain.back() == '\r') plain.remove_suffix(1);
      const std::size_t last = plain.find_last_of("\r\n");
      if (last != std::string_view::npos && plain.find(format_.quote) == std::string_view::npos) {
        here.line += count_line_ends(plain.substr(0, last + 1));
        here.offset += last + 1;
        bytes = window.from(here.offset);
      }
      if (bytes.empty() || !splitter.split(bytes, window.at_end(), 0, extent, spans)) {
        if (here.offset < size_) TRY_STATUS(window.more(here.offset, size_));
        continue;
      }
      here.offset += extent.next;
      here.line += extent.line_ends;
    }
    starts_.push_back(here);
  }
  starts_.push_back(Start{size_, 0});
  return {};
}

base::Result<std::shared_ptr<const CsvFile>> CsvFile::open(std::shared_ptr<const world::ReadFile> file,
                                                           std::string name,
                                                           const contract::CsvFormat& format,
                                                           const CsvLimits& limits) {
  std::shared_ptr<CsvFile> opened(new CsvFile);
  TRY(const world::FileInfo before, file->info());
  opened->file_ = std::move(file);
  opened->name_ = std::move(name);
  opened->format_ = format;
  opened->limits_ = limits;
  opened->delivered_size_ = opened->size_ = before.size;
  const Decoding decoding{is_gzip(format.compression, opened->name_), format.encoding};
  if (decoding.is_needed() && before.size > 0) TRY_STATUS(opened->decode(decoding));
  TRY_STATUS(opened->read_header());

  base::Status hashed;
  std::thread aside;
  if (opened->decoded_) {
    opened->sha256_ = opened->decoded_->delivered_sha256();
  } else if (before.size >= kHashAsideBytesMin) {
    aside = std::thread([&] { hashed = opened->hash(); });
  } else {
    hashed = opened->hash();
  }
  base::Status found;
  if (!format.header) found = opened->count_columns();
  if (found) found = opened->find_starts();
  if (aside.joinable()) aside.join();
  TRY_STATUS(hashed);
  TRY_STATUS(found);
  if (opened->decoded_) opened->decoded_->forget_passes();
  TRY(const world::FileInfo after, opened->file_->info());
  if (after.size != opened->size_ || after.modified_us != before.modified_us)
    return base::fail(changed_while_read(opened->name_));
  return std::shared_ptr<const CsvFile>(std::move(opened));
}

// Holds even for a file that changes under its readers: a line has at least its end, and a scan counts from
// the line that was found for its block.
std::optional<std::int64_t> CsvFile::last_line_max() const {
  if (decoded_) return std::nullopt;
  std::int64_t last = data_.line;
  for (std::size_t i = 0; i + 1 < starts_.size(); ++i)
    last = std::max(last,
                    starts_[i].line + static_cast<std::int64_t>(starts_[i + 1].offset - starts_[i].offset));
  return last;
}

CsvScan CsvFile::scan(std::size_t first, std::size_t last, std::vector<std::size_t> columns) const {
  return CsvScan(std::make_unique<CsvScan::Work>(shared_from_this(), first, last, std::move(columns)));
}

std::unique_ptr<RecordScan> CsvFile::begin(std::size_t first, std::size_t last,
                                           std::vector<std::size_t> columns) const {
  return std::make_unique<CsvScan>(scan(first, last, std::move(columns)));
}

CsvScan CsvFile::scan_all() const {
  std::vector<std::size_t> columns(header_.size());
  for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = i;
  return scan(0, block_count(), std::move(columns));
}

}  // namespace load
