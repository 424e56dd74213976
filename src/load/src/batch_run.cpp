#include "batch_run.h"

namespace load {

base::Result<std::unique_ptr<BatchRun>> BatchRun::prepare(RunInput input) {
  const sql::Context context{input.contract.time_zone, input.place.run_at_us};
  TRY(Judge judge, Judge::prepare(input.contract, input.bronze.schema, context));
  TRY(engine::Engine * engine, input.place.engine->engine());
  TRY(engine::Connection * connection, input.place.engine->connection());
  if (const auto zone = world::zone(*input.place.world, input.contract.time_zone); !zone)
    return base::fail(zone.error());
  return std::unique_ptr<BatchRun>(new BatchRun(std::move(input), std::move(judge), *engine, *connection));
}

}  // namespace load
