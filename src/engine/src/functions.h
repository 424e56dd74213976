// The functions that every engine knows. Each registers itself in the database of `connection`.
#pragma once

#include <duckdb.h>

#include <memory>

#include <base/result.h>

#include "registry.h"

namespace engine {

using RegistryHandle = std::shared_ptr<Registry>;

// tenter_call(id, arguments…) -> BIGINT
base::Status register_call(duckdb_connection connection, const RegistryHandle& registry);
// tenter_source(id) -> table
base::Status register_source(duckdb_connection connection, const RegistryHandle& registry);
// tenter_text, tenter_payload, tenter_sha256, tenter_table_hash (docs/signature.md)
base::Status register_payload(duckdb_connection connection);

// For duckdb_*_set_extra_info: a registry handle that lives as long as the function.
inline void* new_handle(const RegistryHandle& registry) {
  return new RegistryHandle(registry);
}
inline void delete_handle(void* handle) {
  delete static_cast<RegistryHandle*>(handle);
}

}  // namespace engine
