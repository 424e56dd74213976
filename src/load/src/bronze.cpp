#include "bronze.h"

#include <contract/model.h>

namespace load {

base::Result<table::Snapshot> open_bronze(const table::Access& access, const std::string& path) {
  TRY(table::Snapshot snapshot, table::open(access, path));
  for (delta::Field& field : snapshot.schema.fields) field.name = contract::bronze_name(field.name);
  return snapshot;
}

}  // namespace load
