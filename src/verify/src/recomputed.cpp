#include "recomputed.h"

#include <algorithm>

#include <base/hash.h>
#include <base/text.h>

#include "standing.h"

namespace verify {

base::Result<std::vector<std::string>> batches_in_order(Examination& examination, const State& landed,
                                                        std::vector<std::string> batches) {
  TRY(const std::string rows, examination.rows.relation(live_files(landed), landed.fields));
  TRY(const engine::Rows first, examination.rows.query("SELECT _batch_id, epoch_us(min(_loaded_at)) FROM (" +
                                                       in_place(landed, rows) + ") GROUP BY 1"));
  std::map<std::string, std::int64_t> instants;
  for (std::size_t i = 0; i < first.size(); ++i) instants[first.text(i, 0)] = first.int64(i, 1);
  std::stable_sort(batches.begin(), batches.end(),
                   [&](const std::string& a, const std::string& b) { return instants[a] < instants[b]; });
  return batches;
}

base::Status check_recomputed_batches(Examination& examination, const Table& target, const Entry& entry,
                                      const Receipt& receipt, const State& landed,
                                      std::vector<std::string> loaded) {
  TRY(const std::vector<std::string> batches, batches_in_order(examination, landed, std::move(loaded)));
  base::Json list = base::Json::array();
  for (const std::string& batch : batches) list.push(batch);
  const bool is_hash = receipt.batches->is_string();
  examination.compare("verify.batches", target, entry.version, "",
                      is_hash ? base::sha256_hex(list.print()) : list.print(),
                      is_hash ? std::string(*receipt.batches->as_string()) : receipt.batches->print());
  return {};
}

}  // namespace verify
