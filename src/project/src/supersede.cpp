// Which landing table two batches are of, and which tables a supersession is about.
#include <algorithm>

#include <base/text.h>
#include <project/run.h>

namespace project {

using base::Kind;

namespace {

bool same_name(const contract::TableName& a, const contract::TableName& b) {
  return base::equal_ignoring_case(a.text(), b.text());
}

// A landing table with its batches and the contract tables that load from it.
struct Source {
  std::string tables_root;
  contract::TableName landing;
  std::vector<contract::TableName> readers;
  std::vector<load::Batch> batches;
};

base::Result<std::vector<Source>> sources(const Session& session) {
  std::vector<Source> found;
  TRY(const std::vector<HomeTable> tables, session.home->tables(*session.world));
  for (const HomeTable& table : tables) {
    const load::Place place = session.place(table.tables_root);
    const auto installed = load::installed(place, table.name);
    if (!installed && installed.error().code == "load.no_contract") continue;
    if (!installed) return base::fail(installed.error());
    if (!*installed) continue;
    const contract::TableName& from = (*installed)->contract.from;
    const auto known = std::find_if(found.begin(), found.end(), [&](const Source& source) {
      return source.tables_root == table.tables_root && same_name(source.landing, from);
    });
    if (known != found.end()) {
      known->readers.push_back(table.name);
      continue;
    }
    TRY(std::vector<load::Batch> batches, load::landed_batches(place, from));
    found.push_back(Source{table.tables_root, from, {table.name}, std::move(batches)});
  }
  return found;
}

bool concerns(const Source& source, const std::optional<contract::TableName>& table) {
  if (!table || same_name(source.landing, *table)) return true;
  return std::any_of(source.readers.begin(), source.readers.end(),
                     [&](const contract::TableName& reader) { return same_name(reader, *table); });
}

base::Result<SupersededBatch> supersede_in(const Session& session, const Source& source,
                                           const load::Batch& old, const load::Batch& by,
                                           const std::string& because) {
  SupersededBatch result{old.id, by.id, source.landing, {}};
  TRY(result.done, load::supersede_batch(session.place(source.tables_root), source.landing, source.readers,
                                         old, by, because));
  for (const auto& [name, version] : result.done.targets) {
    TRY(const HomeTable table, session.home->find(*session.world, name));
    TRY_STATUS(session.home->forget_failure(*session.world, table, old.id));
  }
  return result;
}

}  // namespace

base::Result<SupersededBatch> supersede(const Session& session, const std::string& old, const std::string& by,
                                        const std::optional<contract::TableName>& table,
                                        const std::string& because) {
  if (table) TRY_STATUS(session.home->find(*session.world, *table));
  TRY(const std::vector<Source> all, sources(session));
  std::vector<std::pair<const Source*, load::Batch>> matching;
  std::optional<base::Error> unknown;
  for (const Source& source : all) {
    if (!concerns(source, table)) continue;
    const auto found = load::find_batch(source.batches, old);
    if (found)
      matching.emplace_back(&source, *found);
    else if (!unknown || unknown->code == "batch.unknown")
      unknown = found.error();
  }
  if (matching.empty()) {
    if (unknown) return base::fail(*unknown);
    return base::fail(Kind::not_found, "batch.unknown", "no batch is called " + old,
                      "`tenter batches` lists them");
  }
  if (matching.size() > 1)
    return base::fail(Kind::invalid, "batch.ambiguous",
                      "batches of " + std::to_string(matching.size()) + " landing tables are called " + old,
                      "name one of the tables: tenter batch supersede " + old + " " + by + " S.O");
  const auto& [source, old_batch] = matching.front();
  TRY(const load::Batch by_batch, load::find_batch(source->batches, by));
  if (old_batch.id == by_batch.id)
    return base::fail(Kind::invalid, "usage.same_batch", "a batch cannot stand in its own place",
                      "name the batch that is replaced, then the one that replaces it");
  return supersede_in(session, *source, old_batch, by_batch, because);
}

}  // namespace project
