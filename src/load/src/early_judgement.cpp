#include "early_judgement.h"

#include <algorithm>

#include <base/json.h>
#include <base/text.h>
#include <world/zones.h>

namespace load {

namespace {

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
  early->files_ = files;
  early->judge_ = std::make_unique<Judge>(std::move(judge));
  early->numbers_ = std::make_unique<RowNumbers>(lines);
  early->states_ = std::make_unique<RowStates>(early->numbers_->size());
  early->tap_ = std::make_shared<JudgeTap>(*early->numbers_, *early->states_, tap_shape(*early->judge_),
                                           key_room(place));
  return early;
}

std::string EarlyJudgement::relation(const std::string& rows) const {
  return judge_->judged("SELECT *, _source_line AS _file_row FROM (" + rows + ")");
}

void EarlyJudgement::landed(const std::string& landing_id, LandedAs as, const table::DataFile& file) {
  landing_id_ = landing_id;
  as_ = std::move(as);
  file_ = file;
}

bool EarlyJudgement::fits(const contract::TableName& target, const std::string& contract_hash,
                          const Batch& batch, const table::Snapshot& bronze) const {
  return !is_used_ && file_ && base::equal_ignoring_case(target.text(), target_.text()) &&
         contract_hash == contract_hash_ && batch.id == as_.batch && batch.files.size() == files_.size() &&
         bronze.id() == landing_id_ && bronze.schema == schema_ &&
         bronze.state.files.contains(file_->add.path) && tap_->rows() == file_->rows && not_null();
}

BatchRows EarlyJudgement::rows(engine::Engine& engine, int scans_max) {
  is_used_ = true;
  const std::vector<std::string> sent = sent_columns(schema_, files_);
  auto source = std::make_shared<RegisteredSource>(engine, repeated_rows(files_, sent, scans_max));
  const std::string select =
      "SELECT *, _source_line AS _file_row FROM (" + landed_select(schema_, sent, as_, source->sql()) + ")";
  return BatchRows{select, *numbers_, std::move(source)};
}

base::Status EarlyJudgement::check_files(const world::Files& files) const {
  for (const SourceFile& file : files_) {
    const auto now = files.info(file.absolute);
    if (!now && now.error().kind != base::Kind::not_found) return base::fail(now.error());
    if (now && now->size == file.file->size() && now->modified_us == file.modified_us) continue;
    return base::fail(base::Kind::denied, kContractChanged, file.path + " changed while it was being loaded",
                      "nothing was changed; load again");
  }
  return {};
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
