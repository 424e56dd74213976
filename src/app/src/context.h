// What every command starts from: the project, the home, the run's instant, the engine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <base/result.h>
#include <engine/engine.h>
#include <project/home.h>
#include <project/project.h>
#include <project/run.h>
#include <world/world.h>

namespace app {

struct GlobalOptions {
  std::string project;  // --project; empty: the current folder
  std::string home;     // --home; empty: TENTER_HOME, else <project>/.tenter
  bool json = false;
  bool quiet = false;
  int threads = 0;                 // --threads; 0: one for each processor
  std::uint64_t memory_bytes = 0;  // --memory; 0: the engine's own bound
};

class Context {
 public:
  Context(world::World& world, GlobalOptions options, std::function<void(std::string_view)> progress);

  world::World& world() { return world_; }
  const GlobalOptions& options() const { return options_; }
  base::Result<std::string> project_root() const;  // absolute
  base::Result<std::string> home_path() const;

  base::Result<project::Project> open_project() const;
  // A project without errors in its documents; else the first error.
  base::Result<project::Project> open_sound_project(std::vector<base::Error>& errors) const;
  // Opens the home and takes the command's instant from it, once.
  base::Status open_home();
  const project::Home& home() const { return *home_; }
  std::int64_t now_us() const { return now_us_; }
  engine::LazyEngine& engine() { return engine_; }
  project::Session session();

 private:
  world::World& world_;
  GlobalOptions options_;
  std::function<void(std::string_view)> progress_;
  std::optional<project::Home> home_;
  std::int64_t now_us_ = 0;
  // Goes after the engine, with what it left there.
  struct TemporaryFolder {
    TemporaryFolder(std::shared_ptr<world::Files> disk, std::string folder)
        : files(std::move(disk)), path(std::move(folder)) {}
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
      if (!path.empty()) (void)files->remove_all(path);
    }
    std::shared_ptr<world::Files> files;
    std::string path;
  };
  std::unique_ptr<TemporaryFolder> temporary_folder_;
  engine::LazyEngine engine_;
};

std::string user_of(const world::World& world);

}  // namespace app
