#include "land_rows.h"

#include <algorithm>

#include <base/text.h>

#include "land_header.h"
#include "run.h"

namespace load {

namespace {

// The table's columns in the judged relation, by the names that judging gives them.
std::string judged_value(const Judge& judge, const std::string& column, const std::string& batch) {
  if (column == "_source_file") return "sf";
  if (column == "_source_line") return "sl";
  if (column == "_loaded_at") return "la";
  if (column == "_batch_id") return base::sql_quote(batch);
  const auto& names = judge.bronze_columns();
  return "r" + std::to_string(std::find(names.begin(), names.end(), column) - names.begin());
}

class RowWriter {
 public:
  RowWriter(const Place& place, const RowsToLand& what)
      : place_(place), what_(what), sent_(sent_columns(what.schema, what.files)) {}

  base::Result<LandedRows> write(const std::shared_ptr<EarlyJudgement>& early) {
    TRY(engine::Engine* const engine, place_.engine->engine());
    const auto counts = std::make_shared<std::vector<SourceCounts>>(what_.files.size());
    const RegisteredSource source(*engine, row_source(what_.files, sent_, counts, place_.world->processors));
    const auto hash = std::make_shared<HashTap>();
    const Registered hashing(*engine, hash);
    std::optional<Registered> judging;
    std::string rows =
        landed_select(what_.schema, sent_, LandedAs{what_.batch, what_.loaded_at_us}, source.sql());
    if (early) {
      judging.emplace(*engine, early->tap());
      rows = early->relation(rows);
    }
    const table::Access access{place_.world, place_.engine};
    TRY(auto data, table::write_data_file(access, what_.path, what_.metadata,
                                          select_columns(early.get(), hashing, judging, rows)));
    LandedRows landed{std::move(data), {}, {}, Hashed{hash->sum(), hash->rows()}, early};
    for (const SourceCounts& one : *counts) {
      landed.rows.push_back(one.rows);
      landed.malformed.push_back(one.malformed);
    }
    return landed;
  }

 private:
  // The taps give 0: they ride on a number that is written anyway.
  std::string select_columns(const EarlyJudgement* early, const Registered& hashing,
                             const std::optional<Registered>& judging, const std::string& rows) const {
    std::vector<std::string> values;
    std::vector<std::string> columns;
    for (const delta::Field& field : what_.schema.fields)
      values.push_back(early != nullptr ? judged_value(early->judge(), field.name, what_.batch)
                                        : base::sql_name(field.name));
    const std::string taps = " + " + hashing.call(base::join(values, ", ")) +
                             (judging ? " + " + judging->call(early->judge().tap_arguments()) : "");
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string& name = what_.schema.fields[i].name;
      columns.push_back(values[i] + (name == kSourceLine ? taps : "") + " AS " + base::sql_name(name));
    }
    return "SELECT " + base::join(columns, ", ") + " FROM (" + rows + ")";
  }

  const Place& place_;
  const RowsToLand& what_;
  std::vector<std::string> sent_;  // columns that at least one file has
};

}  // namespace

base::Result<LandedRows> write_landed_rows(const Place& place, const RowsToLand& what) {
  RowWriter writer(place, what);
  std::shared_ptr<EarlyJudgement> early;
  if (what.loaded_next) {
    // What a contract is like must not keep files from landing.
    auto prepared = EarlyJudgement::prepare(place, *what.loaded_next, what.table, what.schema, what.files);
    if (prepared) early = *std::move(prepared);
  }
  auto landed = writer.write(early);
  if (landed || !early || landed.error().code != "engine.query") return landed;
  return writer.write(nullptr);
}

}  // namespace load
