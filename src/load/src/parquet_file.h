// A delivered Parquet file: its columns with their types. The engine reads its rows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <base/result.h>
#include <delta/schema.h>
#include <engine/engine.h>
#include <world/files.h>

#include "typed_file.h"

namespace load {

class ParquetFile final : public TypedFile {
 public:
  // `absolute` is where the engine finds it, `name` is for errors: "land.bad_parquet" (the engine cannot
  // read it), "land.column_type" (a type that no landing table has), "land.empty_header", "land.changed".
  static base::Result<std::shared_ptr<const ParquetFile>> open(const world::ReadFile& file,
                                                               const std::string& absolute,
                                                               const std::string& name,
                                                               engine::Connection& connection);

  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return size_; }
  const std::string& sha256() const override { return sha256_; }
  const std::vector<std::string>& header() const override { return header_; }
  const std::vector<std::string>& types() const override { return types_; }
  std::int64_t rows() const override { return rows_; }
  base::Result<std::string> select(const std::vector<delta::Field>& fields,
                                   const std::vector<std::string>& names) const override;

 private:
  base::Status describe(engine::Connection& connection);

  std::string absolute_;
  std::string name_;
  std::uint64_t size_ = 0;
  std::string sha256_;
  std::int64_t rows_ = 0;
  std::vector<std::string> header_;
  std::vector<std::string> engine_names_;  // as the engine calls them: none twice
  std::vector<std::string> types_;
};

}  // namespace load
