#include <world/files.h>

namespace world {

namespace {

class Within final : public Files {
 public:
  Within(std::shared_ptr<Files> files, std::string folder)
      : files_(std::move(files)), folder_(std::move(folder)) {}

  base::Result<std::string> read(const std::string& path) const override { return files_->read(full(path)); }
  base::Result<std::unique_ptr<ReadFile>> open(const std::string& path) const override {
    return files_->open(full(path));
  }
  base::Result<FileInfo> info(const std::string& path) const override { return files_->info(full(path)); }
  bool exists(const std::string& path) const override { return files_->exists(full(path)); }
  base::Result<std::vector<FileInfo>> list(const std::string& directory) const override {
    return files_->list(full(directory));
  }
  base::Result<std::string> real_path(const std::string& path) const override {
    return files_->real_path(full(path));
  }

  base::Result<PutOutcome> put_if_absent(const std::string& path, std::string_view bytes) override {
    TRY_STATUS(check(path));
    return files_->put_if_absent(full(path), bytes);
  }
  base::Status replace(const std::string& path, std::string_view bytes) override {
    TRY_STATUS(check(path));
    return files_->replace(full(path), bytes);
  }
  base::Status sync(const std::string& path) override { return files_->sync(full(path)); }
  base::Status make_directories(const std::string& path) override {
    TRY_STATUS(check(path));
    return files_->make_directories(full(path));
  }
  base::Status remove(const std::string& path) override {
    TRY_STATUS(check(path));
    return files_->remove(full(path));
  }
  base::Status remove_all(const std::string& path) override {
    TRY_STATUS(check(path));
    return files_->remove_all(full(path));
  }

 private:
  std::string full(const std::string& path) const {
    if (path.starts_with('/')) return path;
    return path.empty() || path == "." ? folder_ : path_join(folder_, path);
  }

  base::Status check(const std::string& path) const {
    const std::string whole = full(path) + "/";
    if (whole.starts_with(folder_ + "/") && whole.find("/../") == std::string::npos) return {};
    return base::fail(base::Kind::denied, "world.outside_folder",
                      path + " lies outside the folder that may be written to", "name a path inside it");
  }

  std::shared_ptr<Files> files_;
  std::string folder_;
};

}  // namespace

std::unique_ptr<Files> files_within(std::shared_ptr<Files> files, std::string folder) {
  return std::make_unique<Within>(std::move(files), std::move(folder));
}

}  // namespace world
