#include "early_judgement.h"

#include <algorithm>
#include <map>

#include <base/json.h>
#include <base/text.h>
#include <world/zones.h>

namespace load {

namespace {

// tenter_call(id, _source_file) -> the file's place in the list.
class FileIndex final : public engine::RowFunction {
 public:
  explicit FileIndex(const std::vector<std::string>& files) {
    for (std::size_t i = 0; i < files.size(); ++i) places_.emplace(files[i], static_cast<std::int64_t>(i));
  }

  base::Status call(const engine::Input& input, std::span<std::int64_t> out) override {
    std::string_view file;  // rows of a file stand together
    std::int64_t place = -1;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::string_view text = input.text(0, i);
      if (place < 0 || text != file) {
        const auto found = places_.find(text);
        if (found == places_.end())
          return base::fail(base::Kind::corrupt, "load.unknown_file",
                            "the batch holds rows of " + std::string(text) + ", which it did not land",
                            "load it again");
        file = text;
        place = found->second;
      }
      out[i] = place;
    }
    return {};
  }

 private:
  std::map<std::string, std::int64_t, std::less<>> places_;
};

bool is_judged_by_rows_alone(const contract::Contract& contract) {
  return !contract.delete_when &&
         std::none_of(contract.checks.begin(), contract.checks.end(),
                      [](const contract::Check& check) { return check.reference.has_value(); });
}

}  // namespace

base::Result<std::shared_ptr<EarlyJudgement>> EarlyJudgement::prepare(const Place& place,
                                                                      const contract::TableName& target,
                                                                      const contract::TableName& landing,
                                                                      const delta::Schema& schema,
                                                                      const std::vector<SourceFile>& files) {
  const std::shared_ptr<EarlyJudgement> none;
  std::vector<std::int64_t> lines;
  for (const SourceFile& file : files) {
    const std::optional<std::int64_t> last = file.file->last_line_max();
    if (!last) return none;
    lines.push_back(*last + 1);
  }
  TRY(const std::optional<Installed> current, installed(place, target));
  if (!current || !base::equal_ignoring_case(current->contract.from.text(), landing.text()) ||
      !is_judged_by_rows_alone(current->contract) || !world::zone(*place.world, current->contract.time_zone))
    return none;
  auto early = std::make_shared<EarlyJudgement>();
  TRY(Judge judge,
      Judge::prepare(current->contract, schema, sql::Context{current->contract.time_zone, place.run_at_us}));
  early->target_ = target;
  early->contract_hash_ = current->hash;
  early->schema_ = schema;
  for (const SourceFile& file : files) early->files_.push_back(file.path);
  early->judge_ = std::make_unique<Judge>(std::move(judge));
  early->numbers_ = std::make_unique<RowNumbers>(lines);
  early->states_ = std::make_unique<RowStates>(early->numbers_->size());
  early->tap_ = std::make_shared<JudgeTap>(*early->numbers_, *early->states_, early->judge_->words(),
                                           early->judge_->warning_words());
  return early;
}

std::string EarlyJudgement::relation(const std::string& rows) const {
  return judge_->judged("SELECT *, _source_line AS _file_row FROM (" + rows + ")");
}

void EarlyJudgement::landed(const std::string& landing_id, const std::string& batch,
                            const table::DataFile& file) {
  landing_id_ = landing_id;
  batch_ = batch;
  file_ = file;
}

bool EarlyJudgement::fits(const contract::TableName& target, const std::string& contract_hash,
                          const Batch& batch, const table::Snapshot& bronze) const {
  return !is_used_ && file_ && base::equal_ignoring_case(target.text(), target_.text()) &&
         contract_hash == contract_hash_ && batch.id == batch_ && batch.files.size() == files_.size() &&
         bronze.id() == landing_id_ && bronze.schema == schema_ &&
         bronze.state.files.contains(file_->add.path) && tap_->rows() == file_->rows && not_null();
}

base::Result<BatchRows> EarlyJudgement::rows(engine::Engine& engine, const table::Snapshot& bronze) {
  is_used_ = true;
  std::vector<std::size_t> only;
  const std::vector<delta::Add> files = bronze.files();
  for (std::size_t i = 0; i < files.size(); ++i)
    if (files[i].path == file_->add.path) only.push_back(i);
  TRY(const std::string scan, bronze.scan(false, only));
  BatchRows rows{"", *numbers_, nullptr};
  std::string place = "0::BIGINT";
  if (files_.size() > 1) {
    rows.file_index = std::make_shared<Registered>(engine, std::make_shared<FileIndex>(files_));
    place = rows.file_index->call("_source_file");
  }
  rows.select = "SELECT *, " + place + " AS _file_index, _source_line AS _file_row FROM (" + scan + ")";
  return rows;
}

std::optional<std::vector<std::int64_t>> EarlyJudgement::not_null() const {
  const auto statistics = base::Json::parse(file_->add.stats.value_or(""));
  const base::Json* const nulls = statistics ? statistics->find("nullCount") : nullptr;
  std::vector<std::int64_t> counts;
  for (const std::string& column : judge_->bronze_columns()) {
    const auto count = nulls == nullptr ? std::nullopt : nulls->int64(column);
    if (!count) return std::nullopt;
    counts.push_back(file_->rows - *count);
  }
  return counts;
}

}  // namespace load
