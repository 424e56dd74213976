#include <load/json_records.h>

#include <algorithm>

#include "decoded_file.h"
#include "file_window.h"
#include "json_judge.h"
#include "json_walk.h"

namespace load {

namespace {

using base::Kind;

constexpr std::size_t kColumnsMax = 10'000;

}  // namespace

struct JsonFile::Inside {
  std::shared_ptr<const world::ReadFile> file;
  std::shared_ptr<const DecodedFile> decoded;  // `file`, where it is packed
  std::string name;
  JsonFormat format;
  CsvLimits limits;
  std::uint64_t size = 0;  // of the bytes that are split
  std::uint64_t delivered_size = 0;
  std::string sha256;
  JsonShape shape;
  JsonColumns columns;
  std::vector<JsonPlace> starts;  // of each block's first record, and the end

  base::Status open();
  base::Status read_all();
  base::Status add_columns(const std::vector<std::string>& keys, std::int64_t line);
};

class JsonFile::Scan final : public RecordScan {
 public:
  Scan(std::shared_ptr<const JsonFile> file, std::size_t first, std::size_t last,
       const std::vector<std::size_t>& columns)
      : file_(std::move(file)),
        inside_(*file_->inside_),
        end_(inside_.starts[last].offset),
        judge_(inside_.columns, inside_.limits.record_bytes_max),
        walk_(inside_.file, inside_.name, inside_.size, inside_.shape, inside_.limits.block_bytes,
              inside_.starts[first]),
        width_(columns.size()),
        slots_(inside_.columns.names.size()) {
    is_done_ = inside_.starts[first].offset >= end_;
    for (std::size_t slot = 0; slot < columns.size(); ++slot) slots_[columns[slot]].push_back(slot);
  }

  base::Result<bool> read(std::size_t rows_max, RecordBatch& batch) override {
    batch.width = width_;
    batch.cells.clear();
    batch.lines.clear();
    batch.malformed.clear();
    batch.bytes.reset();
    rows_max = std::max<std::size_t>(rows_max, 1);
    while (!is_done_ && batch.rows() < rows_max && batch.malformed.size() < rows_max) {
      if (!is_found_) TRY_STATUS(find());
      if (is_done_) break;
      // Cells point into one window; its successor serves the next batch.
      if (batch.rows() > 0 && walk_.owner() != batch.bytes) break;
      take(batch);
      is_found_ = false;
    }
    return batch.rows() > 0 || !batch.malformed.empty();
  }

 private:
  base::Status find() {
    TRY(const bool any, walk_.next());
    is_found_ = any && walk_.place().offset < end_;
    is_done_ = !is_found_;
    return {};
  }

  void take(RecordBatch& batch) {
    const std::string_view record = walk_.record();
    const auto cause = judge_.judge(record);
    if (cause) {
      batch.malformed.push_back(MalformedRecord{walk_.place().line, *cause, judge_.reason(*cause),
                                                std::string(record),
                                                inside_.format.is_lines ? 0 : walk_.place().offset});
      return;
    }
    batch.bytes = walk_.owner();
    const std::size_t row = batch.cells.size();
    batch.cells.resize(row + width_);
    for (std::size_t i = 0; i < judge_.members().size(); ++i) {
      const std::size_t place = judge_.places()[i];
      if (place == kNoColumn || slots_[place].empty()) continue;
      const std::string_view cell = cell_of(judge_.members()[i], record);
      for (const std::size_t slot : slots_[place]) batch.cells[row + slot] = cell;
    }
    batch.lines.push_back(walk_.place().line);
  }

  std::string_view cell_of(const JsonMember& member, std::string_view record) {
    if (member.kind == JsonMember::Kind::null) return {};
    char* const text = walk_.bytes() + (member.value.data() - record.data());
    if (!member.value_escaped) return {text, member.value.size()};
    return {text, resolve_escapes(text, member.value.size())};
  }

  std::shared_ptr<const JsonFile> file_;
  const Inside& inside_;
  std::uint64_t end_;
  JsonJudge judge_;
  JsonWalk walk_;
  std::size_t width_;
  std::vector<std::vector<std::size_t>> slots_;  // for each column, where its cell is asked for
  bool is_found_ = false;
  bool is_done_ = false;
};

base::Status JsonFile::Inside::add_columns(const std::vector<std::string>& keys, std::int64_t line) {
  const base::Place place{name, static_cast<int>(std::min<std::int64_t>(line, INT32_MAX)), 0};
  for (const std::string& key : keys) {
    if (key.empty())
      return base::fail(Kind::invalid, "land.empty_header", "a record has a key of no characters",
                        "give every key a name", place);
    if (columns.names.size() == kColumnsMax)
      return base::fail(Kind::invalid, "land.too_many_columns",
                        "its records have more than " + std::to_string(kColumnsMax) + " keys in all",
                        "look whether values stand where keys should", place);
    columns.places.emplace(key, columns.names.size());
    columns.names.push_back(key);
  }
  return {};
}

// All keys, and where the blocks begin.
base::Status JsonFile::Inside::read_all() {
  shape.is_lines = format.is_lines;
  JsonWalk walk(file, name, size, shape, limits.block_bytes, JsonPlace{});
  JsonJudge judge(columns, limits.record_bytes_max);
  std::uint64_t boundary = 0;
  for (;;) {
    TRY(const bool any, walk.next());
    if (!any) break;
    if (walk.place().offset >= boundary && (starts.empty() || !decoded)) {
      starts.push_back(walk.place());
      boundary = walk.place().offset + limits.block_bytes;
    }
    const bool is_row = !judge.judge(walk.record());
    if (is_row && !judge.fresh().empty()) TRY_STATUS(add_columns(judge.fresh(), walk.place().line));
  }
  starts.push_back(JsonPlace{size, 0});
  shape.is_single = walk.is_single();
  return {};
}

base::Status JsonFile::Inside::open() {
  TRY(const world::FileInfo before, file->info());
  delivered_size = size = before.size;
  const Decoding decoding{is_gzip(format.compression, name), contract::Encoding::utf_8};
  if (decoding.is_needed() && size > 0) {
    TRY(decoded, DecodedFile::open(file, name, decoding));
    file = decoded;
    sha256 = decoded->delivered_sha256();
    TRY(const world::FileInfo unpacked, file->info());
    size = unpacked.size;
  } else {
    TRY(sha256, hash_file(*file, name, size));
  }
  TRY_STATUS(read_all());
  if (decoded) decoded->forget_passes();
  TRY(const world::FileInfo after, file->info());
  if (after.size != size || after.modified_us != before.modified_us)
    return base::fail(changed_while_read(name));
  return {};
}

JsonFile::JsonFile() : inside_(std::make_unique<Inside>()) {}
JsonFile::~JsonFile() = default;

base::Result<std::shared_ptr<const JsonFile>> JsonFile::open(std::shared_ptr<const world::ReadFile> file,
                                                             std::string name, const JsonFormat& format,
                                                             const CsvLimits& limits) {
  std::shared_ptr<JsonFile> opened(new JsonFile);
  Inside& inside = *opened->inside_;
  inside.file = std::move(file);
  inside.name = std::move(name);
  inside.format = format;
  inside.limits = limits;
  TRY_STATUS(inside.open());
  return std::shared_ptr<const JsonFile>(std::move(opened));
}

const std::string& JsonFile::name() const {
  return inside_->name;
}
std::uint64_t JsonFile::size() const {
  return inside_->delivered_size;
}
const std::string& JsonFile::sha256() const {
  return inside_->sha256;
}
const std::vector<std::string>& JsonFile::header() const {
  return inside_->columns.names;
}
std::size_t JsonFile::block_count() const {
  return inside_->starts.size() - 1;
}
std::unique_ptr<RecordScan> JsonFile::begin(std::size_t first, std::size_t last,
                                            std::vector<std::size_t> columns) const {
  return std::make_unique<Scan>(shared_from_this(), first, last, columns);
}

}  // namespace load
