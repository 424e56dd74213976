#include "land_source.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>

#include <base/hash.h>
#include <base/text.h>
#include <base/time.h>

#include "judge.h"
#include "land_header.h"

namespace load {

namespace {

using engine::Output;
using engine::SourceColumn;
using engine::SourceType;

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
constexpr std::size_t kRejectIdDigits = 32;

// ---- rows ----

class RowScan final : public engine::SourceScan {
 public:
  // What a column of the output is: one of `columns`, or one of ours.
  RowScan(const std::vector<SourceFile>& files, const std::vector<std::string>& columns,
          std::vector<SourceCounts>& counts, SourceBlocks& blocks, std::vector<std::size_t> wanted)
      : files_(files), columns_(columns), counts_(counts), blocks_(blocks), wanted_(std::move(wanted)) {}

  base::Status next(Output& output) override {
    // The engine may look at two earlier chunks' texts.
    if (kept_.size() == 3) {
      kept_.push_back(std::move(kept_.front()));
      kept_.pop_front();
    } else {
      kept_.emplace_back();
    }
    RecordBatch& batch = kept_.back();
    for (;;) {
      if (!scan_ && !open_next()) {
        output.set_rows(0);
        return {};
      }
      TRY(const bool more, scan_->read(output.capacity(), batch));
      if (!more) {
        scan_.reset();
        continue;
      }
      SourceCounts& counts = counts_[block_.file];
      counts.rows += static_cast<std::int64_t>(batch.rows());
      counts.malformed += static_cast<std::int64_t>(batch.malformed.size());
      if (batch.rows() > 0) break;
    }
    fill(batch, output);
    return {};
  }

 private:
  bool open_next() {
    if (!blocks_.next(block_)) return false;
    const SourceFile& file = files_[block_.file];
    std::vector<std::size_t> asked;
    cells_.clear();
    for (const std::size_t column : wanted_) {
      cells_.push_back(kNowhere);
      if (column >= columns_.size()) continue;
      const auto at = std::find(file.columns.begin(), file.columns.end(), columns_[column]);
      if (at == file.columns.end()) continue;
      cells_.back() = asked.size();
      asked.push_back(static_cast<std::size_t>(at - file.columns.begin()));
    }
    scan_ = file.file->begin(block_.block, block_.block + 1, std::move(asked));
    return true;
  }

  void fill(const RecordBatch& batch, Output& output) const {
    const std::string_view path = files_[block_.file].path;
    for (std::size_t slot = 0; slot < wanted_.size(); ++slot) {
      const std::size_t column = wanted_[slot];
      if (column < columns_.size()) {
        fill_cells(batch, slot, output);
      } else if (column == columns_.size()) {
        output.set_borrowed_texts(slot, &path, 0, batch.rows());
      } else if (column == columns_.size() + 1) {
        for (std::size_t row = 0; row < batch.rows(); ++row) output.set_int64(slot, row, batch.lines[row]);
      } else {
        const auto file = static_cast<std::int64_t>(block_.file);
        for (std::size_t row = 0; row < batch.rows(); ++row) output.set_int64(slot, row, file);
      }
    }
    output.set_rows(batch.rows());
  }

  void fill_cells(const RecordBatch& batch, std::size_t slot, Output& output) const {
    const std::size_t column = cells_[slot];
    if (column == kNowhere) {
      for (std::size_t row = 0; row < batch.rows(); ++row) output.set_null(slot, row);
    } else {
      output.set_borrowed_texts(slot, batch.cells.data() + column, batch.width, batch.rows());
    }
  }

  const std::vector<SourceFile>& files_;
  const std::vector<std::string>& columns_;
  std::vector<SourceCounts>& counts_;
  SourceBlocks& blocks_;
  std::vector<std::size_t> wanted_;
  std::vector<std::size_t> cells_;  // for each wanted column its place in the scan's cells, or kNowhere
  SourceBlocks::Block block_;
  std::unique_ptr<RecordScan> scan_;
  std::deque<RecordBatch> kept_;
};

class Rows final : public engine::RowSource {
 public:
  Rows(std::vector<SourceFile> files, std::vector<std::string> columns,
       std::shared_ptr<std::vector<SourceCounts>> counts, int scans_max, bool is_repeatable = false)
      : files_(std::move(files)),
        columns_(std::move(columns)),
        counts_(std::move(counts)),
        is_repeatable_(is_repeatable),
        blocks_(files_),
        scans_max_(std::min(scans_max, static_cast<int>(std::min<std::size_t>(blocks_.size(), 1024)))) {}

  std::vector<SourceColumn> columns() const override {
    std::vector<SourceColumn> all;
    for (const std::string& name : columns_) all.push_back({name, SourceType::text});
    all.push_back({std::string(kSourceFile), SourceType::text});
    all.push_back({std::string(kSourceLine), SourceType::int64});
    all.push_back({"_file_index", SourceType::int64});
    return all;
  }
  int scans_max() const override { return scans_max_; }
  base::Result<std::unique_ptr<engine::SourceScan>> begin(const std::vector<std::size_t>& wanted) override {
    return std::make_unique<RowScan>(files_, columns_, *counts_, blocks_, wanted);
  }
  std::shared_ptr<engine::RowSource> anew() const override {
    if (!is_repeatable_) return nullptr;
    auto counts = std::make_shared<std::vector<SourceCounts>>(files_.size());
    return std::make_shared<Rows>(files_, columns_, std::move(counts), scans_max_);
  }

 private:
  std::vector<SourceFile> files_;
  std::vector<std::string> columns_;
  std::shared_ptr<std::vector<SourceCounts>> counts_;
  bool is_repeatable_;
  SourceBlocks blocks_;
  int scans_max_;
};

// ---- malformed records ----

enum MalformedColumn : std::size_t { reject_id, source_file, source_line, raw, reject_codes, reject_reason };

class MalformedScan final : public engine::SourceScan {
 public:
  MalformedScan(const std::vector<SourceFile>& files, SourceBlocks& blocks, std::vector<std::size_t> wanted)
      : files_(files), blocks_(blocks), wanted_(std::move(wanted)) {}

  base::Status next(Output& output) override {
    for (;;) {
      if (!scan_) {
        if (!blocks_.next(block_)) {
          output.set_rows(0);
          return {};
        }
        scan_ = files_[block_.file].file->begin(block_.block, block_.block + 1, {});
      }
      TRY(const bool more, scan_->read(output.capacity(), batch_));
      if (!more) scan_.reset();
      if (!batch_.malformed.empty()) break;
    }
    for (std::size_t row = 0; row < batch_.malformed.size(); ++row)
      for (std::size_t slot = 0; slot < wanted_.size(); ++slot)
        fill(batch_.malformed[row], row, slot, output);
    output.set_rows(batch_.malformed.size());
    return {};
  }

 private:
  void fill(const MalformedRecord& record, std::size_t row, std::size_t slot, Output& output) const {
    const SourceFile& file = files_[block_.file];
    switch (wanted_[slot]) {
      case reject_id:
        return output.set_text(slot, row, malformed_id(file.file->sha256(), record));
      case source_file:
        return output.set_text(slot, row, file.path);
      case source_line:
        return output.set_int64(slot, row, record.line);
      case raw:
        return output.set_text(slot, row, record.raw);
      case reject_codes:
        return output.set_text(slot, row, malformation_code(record.cause));
      case reject_reason:
        return output.set_text(slot, row, record.reason);
      default:
        return output.set_null(slot, row);
    }
  }

  const std::vector<SourceFile>& files_;
  SourceBlocks& blocks_;
  std::vector<std::size_t> wanted_;
  SourceBlocks::Block block_;
  std::unique_ptr<RecordScan> scan_;
  RecordBatch batch_;
};

class MalformedRecords final : public engine::RowSource {
 public:
  MalformedRecords(std::vector<SourceFile> files, int scans_max)
      : files_(std::move(files)), blocks_(files_), scans_max_(scans_max) {}
  std::vector<SourceColumn> columns() const override {
    return {{"_reject_id", SourceType::text},
            {std::string(kSourceFile), SourceType::text},
            {std::string(kSourceLine), SourceType::int64},
            {"_raw", SourceType::blob},
            {"_reject_codes", SourceType::text},
            {"_reject_reason", SourceType::text}};
  }
  int scans_max() const override { return scans_max_; }
  base::Result<std::unique_ptr<engine::SourceScan>> begin(const std::vector<std::size_t>& wanted) override {
    return std::make_unique<MalformedScan>(files_, blocks_, wanted);
  }

 private:
  std::vector<SourceFile> files_;
  SourceBlocks blocks_;
  int scans_max_;
};

}  // namespace

SourceBlocks::SourceBlocks(const std::vector<SourceFile>& files) {
  for (std::size_t file = 0; file < files.size(); ++file)
    for (std::size_t block = 0; block < files[file].file->block_count(); ++block)
      blocks_.push_back({file, block});
}

bool SourceBlocks::next(Block& block) {
  const std::size_t at = next_++;
  if (at >= blocks_.size()) return false;
  block = blocks_[at];
  return true;
}

std::shared_ptr<engine::RowSource> row_source(std::vector<SourceFile> files, std::vector<std::string> columns,
                                              std::shared_ptr<std::vector<SourceCounts>> counts,
                                              int scans_max) {
  return std::make_shared<Rows>(std::move(files), std::move(columns), std::move(counts), scans_max);
}

std::shared_ptr<engine::RowSource> repeated_rows(std::vector<SourceFile> files,
                                                 std::vector<std::string> columns, int scans_max) {
  auto counts = std::make_shared<std::vector<SourceCounts>>(files.size());
  return std::make_shared<Rows>(std::move(files), std::move(columns), std::move(counts), scans_max, true);
}

std::shared_ptr<engine::RowSource> malformed_source(std::vector<SourceFile> files, int scans_max) {
  return std::make_shared<MalformedRecords>(std::move(files), scans_max);
}

std::vector<std::string> sent_columns(const delta::Schema& schema, const std::vector<SourceFile>& files) {
  std::set<std::string_view> known;
  for (const SourceFile& file : files) known.insert(file.columns.begin(), file.columns.end());
  std::vector<std::string> sent;
  for (const delta::Field& field : schema.fields)
    if (known.contains(field.name)) sent.push_back(field.name);
  return sent;
}

std::string landed_select(const delta::Schema& schema, const std::vector<std::string>& sent,
                          const LandedAs& as, const std::string& source) {
  const auto holds = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  std::string text = "SELECT ";
  for (const delta::Field& field : schema.fields)
    if (!holds(metadata_columns(), field.name))
      text += (holds(sent, field.name) ? "" : "NULL::VARCHAR AS ") + base::sql_name(field.name) + ", ";
  return text + "_source_file, _source_line, " + instant_sql(as.loaded_at_us) + " AS _loaded_at, " +
         base::sql_quote(as.batch) + " AS _batch_id, _file_index FROM " + source;
}

std::string instant_sql(std::int64_t us) {
  return "TIMESTAMPTZ " + base::sql_quote(base::print_instant(us));
}

std::string malformed_id(const std::string& content_sha256, const MalformedRecord& record) {
  std::string payload;
  const auto add = [&](const std::string& text) { payload += std::to_string(text.size()) + ":" + text; };
  add(content_sha256);
  add(std::to_string(record.line));
  if (record.offset > 0) add(std::to_string(record.offset));
  return base::sha256_hex(payload).substr(0, kRejectIdDigits);
}

}  // namespace load
