// Landing of Delta tables: each version is a delivery, whose rows are those of the data files that came since
// the version landed before it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <base/result.h>
#include <table/table.h>

#include "land_files.h"
#include "land_ledger.h"
#include "typed_file.h"

namespace load {

// The newest version of each table that the globs name, as "<folder>@v<N>": its log entry is what is looked
// at, known by and hashed (the checkpoint where the entry was cleaned away).
base::Result<FoundFiles> find_delta_versions(const world::Files& files, const GlobPlace& place,
                                             const std::vector<std::string>& globs);

class DeltaVersion final : public TypedFile {
 public:
  // Codes: "land.bad_delta" (the log cannot be read, or needs what is not built), "land.column_type",
  // "land.changed".
  static base::Result<std::shared_ptr<const DeltaVersion>> open(const table::Access& access,
                                                                const FoundFile& found,
                                                                const LandedBefore& before);

  const std::string& name() const override { return name_; }
  std::uint64_t size() const override { return size_; }
  const std::string& sha256() const override { return sha256_; }
  const std::vector<std::string>& header() const override { return header_; }
  const std::vector<std::string>& types() const override { return types_; }
  std::int64_t rows() const override { return rows_; }
  base::Result<std::string> select(const std::vector<delta::Field>& fields,
                                   const std::vector<std::string>& names) const override;
  bool has_news() const override { return !fresh_.empty(); }
  // Why more was landed than is new, for people; empty when it is all new.
  const std::string& warning() const { return warning_; }

 private:
  base::Status describe();
  base::Status choose_files(const table::Access& access, const LandedBefore& before);
  base::Status count_rows(const table::Access& access);

  std::string name_;
  std::string folder_;  // as named: landing/orders
  std::uint64_t size_ = 0;
  std::string sha256_;
  table::Snapshot snapshot_;
  std::vector<std::size_t> fresh_;  // of snapshot_.files()
  std::int64_t rows_ = 0;
  std::vector<std::string> header_;
  std::vector<std::string> types_;
  std::string warning_;
};

}  // namespace load
