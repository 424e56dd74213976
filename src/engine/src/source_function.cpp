// tenter_source(id): lets the engine scan a RowSource, one scan a thread.
#include "functions.h"
#include "vectors.h"

namespace engine {

namespace {

using base::Kind;

struct BindData {
  RegistryHandle registry;
  std::shared_ptr<RowSource> source;
  std::vector<SourceColumn> columns;
};

// Which of the source's columns a scan delivers, and into which vector of the chunk each goes.
struct Wanted {
  std::vector<std::size_t> columns;
  std::vector<idx_t> slots;
};

// One use of the source in one query.
struct Use {
  std::shared_ptr<RowSource> source;
};

struct LocalScan {
  std::unique_ptr<SourceScan> scan;  // begun by the first call for rows
  Wanted wanted;
};

template <typename T>
void delete_as(void* pointer) {
  delete static_cast<T*>(pointer);
}

duckdb_type engine_type(SourceType type) {
  switch (type) {
    case SourceType::blob:
      return DUCKDB_TYPE_BLOB;
    case SourceType::int64:
      return DUCKDB_TYPE_BIGINT;
    case SourceType::timestamp:
      return DUCKDB_TYPE_TIMESTAMP_TZ;
    case SourceType::text:
      break;
  }
  return DUCKDB_TYPE_VARCHAR;
}

class ChunkOutput final : public Output {
 public:
  ChunkOutput(duckdb_data_chunk chunk, const Wanted& wanted)
      : chunk_(chunk), capacity_(duckdb_vector_size()) {
    vectors_.reserve(wanted.slots.size());
    for (const idx_t slot : wanted.slots) {
      const duckdb_vector vector = duckdb_data_chunk_get_vector(chunk, slot);
      vectors_.push_back({vector, duckdb_vector_get_data(vector)});
    }
  }

  std::size_t capacity() const override { return capacity_; }
  void set_null(std::size_t column, std::size_t row) override {
    engine::set_null(vectors_[column].vector, row);
  }
  void set_int64(std::size_t column, std::size_t row, std::int64_t value) override {
    static_cast<std::int64_t*>(vectors_[column].data)[row] = value;
  }
  void set_text(std::size_t column, std::size_t row, std::string_view value) override {
    if (value.size() <= kInlineBytes)
      set_borrowed_text(column, row, value);
    else
      duckdb_vector_assign_string_element_len(vectors_[column].vector, row, value.data(), value.size());
  }
  void set_borrowed_text(std::size_t column, std::size_t row, std::string_view value) override {
    static_cast<duckdb_string_t*>(vectors_[column].data)[row] = borrowed_string(value);
  }
  void set_borrowed_texts(std::size_t column, const std::string_view* values, std::size_t step,
                          std::size_t count) override {
    auto* const slots = static_cast<duckdb_string_t*>(vectors_[column].data);
    for (std::size_t row = 0; row < count; ++row, values += step) {
      if (values->data() != nullptr)
        slots[row] = borrowed_string(*values);
      else
        engine::set_null(vectors_[column].vector, row);
    }
  }
  void set_rows(std::size_t count) override { duckdb_data_chunk_set_size(chunk_, count); }

 private:
  struct Vector {
    duckdb_vector vector;
    void* data;
  };
  duckdb_data_chunk chunk_;
  std::size_t capacity_;
  std::vector<Vector> vectors_;
};

void on_bind(duckdb_bind_info info) {
  const auto& registry = *static_cast<RegistryHandle*>(duckdb_bind_get_extra_info(info));
  duckdb_value parameter = duckdb_bind_get_parameter(info, 0);
  const std::int64_t id = duckdb_get_int64(parameter);
  duckdb_destroy_value(&parameter);
  auto source = registry->source(static_cast<std::uint64_t>(id));
  if (!source) {
    const base::Error error{Kind::internal,
                            "engine.unknown_source",
                            "tenter_source has no source with id " + std::to_string(id),
                            {},
                            {}};
    duckdb_bind_set_error(info, registry->keep(error).c_str());
    return;
  }
  auto data = std::make_unique<BindData>(BindData{registry, source, source->columns()});
  for (const SourceColumn& column : data->columns)
    duckdb_bind_add_result_column(info, column.name.c_str(), Type(engine_type(column.type)).get());
  duckdb_bind_set_bind_data(info, data.release(), delete_as<BindData>);
}

void on_init(duckdb_init_info info) {
  const auto* bound = static_cast<const BindData*>(duckdb_init_get_bind_data(info));
  duckdb_init_set_max_threads(info, static_cast<idx_t>(std::max(1, bound->source->scans_max())));
  std::shared_ptr<RowSource> source = bound->source->anew();
  if (source == nullptr) source = bound->source;
  duckdb_init_set_init_data(info, new Use{std::move(source)}, delete_as<Use>);
}

void on_local_init(duckdb_init_info info) {
  const auto* bound = static_cast<const BindData*>(duckdb_init_get_bind_data(info));
  auto local = std::make_unique<LocalScan>();
  const idx_t count = duckdb_init_get_column_count(info);
  for (idx_t slot = 0; slot < count; ++slot) {
    // A query that needs only the number of rows asks for a column that no source has.
    const idx_t column = duckdb_init_get_column_index(info, slot);
    if (column >= bound->columns.size()) continue;
    local->wanted.columns.push_back(column);
    local->wanted.slots.push_back(slot);
  }
  duckdb_init_set_init_data(info, local.release(), delete_as<LocalScan>);
}

void on_next(duckdb_function_info info, duckdb_data_chunk chunk) {
  const auto* bound = static_cast<const BindData*>(duckdb_function_get_bind_data(info));
  auto* local = static_cast<LocalScan*>(duckdb_function_get_local_init_data(info));
  duckdb_data_chunk_set_size(chunk, 0);
  const auto fill = [&]() -> base::Status {
    if (!local->scan) {
      const auto* use = static_cast<const Use*>(duckdb_function_get_init_data(info));
      TRY(local->scan, use->source->begin(local->wanted.columns));
    }
    ChunkOutput output(chunk, local->wanted);
    return local->scan->next(output);
  };
  if (const auto status = fill(); !status)
    duckdb_function_set_error(info, bound->registry->keep(status.error()).c_str());
}

}  // namespace

base::Status register_source(duckdb_connection connection, const RegistryHandle& registry) {
  duckdb_table_function function = duckdb_create_table_function();
  duckdb_table_function_set_name(function, "tenter_source");
  const Type bigint(DUCKDB_TYPE_BIGINT);
  duckdb_table_function_add_parameter(function, bigint.get());
  duckdb_table_function_set_extra_info(function, new_handle(registry), delete_handle);
  duckdb_table_function_set_bind(function, on_bind);
  duckdb_table_function_set_init(function, on_init);
  duckdb_table_function_set_local_init(function, on_local_init);
  duckdb_table_function_set_function(function, on_next);
  duckdb_table_function_supports_projection_pushdown(function, true);
  const duckdb_state state = duckdb_register_table_function(connection, function);
  duckdb_destroy_table_function(&function);
  if (state != DuckDBSuccess)
    return base::fail(Kind::internal, "engine.open", "cannot register tenter_source");
  return {};
}

}  // namespace engine
