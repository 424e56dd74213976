#include <verify/verify.h>

#include <algorithm>

#include <base/zone.h>
#include <world/zones.h>

#include "examination.h"

namespace verify {

namespace {

base::Status open_neighbours(Examination& examination, const contract::Contract& contract) {
  TRY(examination.source, open_table(examination, contract.from, std::nullopt));
  TRY(examination.quarantine, open_table(examination, contract.quarantine, std::nullopt));
  TRY(examination.malformed,
      open_table(examination, {"quarantine", contract.from.object + "_malformed"}, std::nullopt));
  // Rules are read in the contract's time zone.
  const auto zone = world::zone(*examination.request.world, contract.time_zone);
  return zone ? base::Status() : base::fail(zone.error());
}

base::Status check_table(Examination& examination, const std::optional<Table>& table) {
  if (!table) return {};
  TRY_STATUS(check_receipts(examination, *table));
  return check_files(examination, *table);
}

base::Status check_target(Examination& examination, const Table& target) {
  if (!examination.source)
    examination.not_covered("verify.source", target, -1, "", "the table that it loads from is not there");
  TRY_STATUS(check_table(examination, examination.source));
  if (examination.source && is_landing(*examination.source)) {
    TRY_STATUS(check_ledgers(examination, *examination.source));
    TRY_STATUS(check_supersessions(examination, *examination.source));
  }
  TRY_STATUS(check_table(examination, examination.malformed));
  TRY_STATUS(check_table(examination, examination.quarantine));
  if (examination.source && examination.quarantine)
    TRY_STATUS(check_reject_ids(examination, *examination.quarantine, *examination.source));
  TRY_STATUS(check_table(examination, examination.target));
  TRY_STATUS(check_contract(examination, target));
  TRY_STATUS(check_counts(examination, target));
  return examination.request.deep ? check_deep(examination, target) : base::Status();
}

base::Status check_other(Examination& examination, const Table& table) {
  TRY_STATUS(check_table(examination, examination.target));
  for (const Entry& entry : table.log.entries)
    if (const Receipt* receipt = table.receipt(entry); receipt && receipt->loads_batch()) {
      examination.failed("verify.contract", table, table.log.newest, "", "an installed contract", "none");
      return {};
    }
  if (!is_landing(table)) return {};
  TRY(examination.malformed,
      open_table(examination, {"quarantine", table.name.object + "_malformed"}, std::nullopt));
  TRY_STATUS(check_supersessions(examination, table));
  return check_ledgers(examination, table);
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return "ok";
    case Verdict::failed:
      return "failed";
    case Verdict::not_covered:
      break;
  }
  return "not_covered";
}

std::string print(const Finding& finding) {
  std::string text = finding.table;
  if (finding.version >= 0) text += " version " + std::to_string(finding.version);
  text += ": ";
  if (!finding.subject.empty()) text += finding.subject + ": ";
  if (finding.verdict == Verdict::ok) text += "proven";
  if (finding.verdict == Verdict::failed) text += "found " + finding.found + ", expected " + finding.expected;
  if (finding.verdict == Verdict::not_covered) text += "not covered, " + finding.found;
  return text + " (" + finding.code + ")";
}

bool Report::ok() const {
  return count(Verdict::failed) == 0;
}

std::int64_t Report::count(Verdict verdict) const {
  return std::count_if(findings.begin(), findings.end(),
                       [&](const Finding& finding) { return finding.verdict == verdict; });
}

base::Result<Report> verify(const Request& request) {
  Report report;
  report.table = request.table.text();
  report.deep = request.deep;
  Examination examination(request, report);
  TRY(examination.target, open_table(examination, request.table, request.version));
  if (!examination.target)
    return base::fail(base::Kind::not_found, "verify.no_table", "there is no table " + request.table.text());
  const Table& target = *examination.target;
  report.version = target.log.newest;
  for (const Entry& entry : target.log.entries) report.versions.push_back(entry.version);
  const contract::Contract* contract = examination.contract_of(target.state());
  if (!contract && target.state().property("tenter.contract").empty()) {
    TRY_STATUS(check_other(examination, target));
    return report;
  }
  if (contract) TRY_STATUS(open_neighbours(examination, *contract));
  TRY_STATUS(check_target(examination, target));
  return report;
}

}  // namespace verify
