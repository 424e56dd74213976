#include "context.h"

#include <world/zones.h>

namespace app {

namespace {

class CommandClock final : public world::Clock {
 public:
  explicit CommandClock(std::int64_t now_us) : now_us_(now_us) {}
  std::int64_t now_us() const override { return now_us_; }

 private:
  std::int64_t now_us_;
};

std::string temporary_folder_of(const world::World& world) {
  const auto named = world.variable ? world.variable("TMPDIR") : std::nullopt;
  return named && !named->empty() ? *named : "/tmp";
}

// For the engine of one command; empty where it is not bounded, for then it does not spill.
std::string own_temporary_folder(const world::World& world, const GlobalOptions& options) {
  if (options.memory_bytes == 0) return {};
  return world::path_join(temporary_folder_of(world), "tenter-" + world.random->uuid());
}

// The engine gets a third of the memory; the rest is for what stands beside it: a byte and some for each row,
// the buffers of readers and writers, the program.
engine::Settings engine_settings(const world::World& world, const GlobalOptions& options,
                                 const std::string& temporary_folder) {
  engine::Settings settings;
  settings.threads = options.threads;
  if (options.memory_bytes > 0) {
    settings.memory_limit = std::to_string(options.memory_bytes / 3'000'000) + "MB";
    settings.temp_directory = temporary_folder;
  }
  settings.zone_named = [&world](const std::string& name) -> std::optional<base::Zone> {
    auto zone = world::zone(world, name);
    return zone ? std::optional(*std::move(zone)) : std::nullopt;
  };
  return settings;
}

}  // namespace

Context::Context(world::World& world, GlobalOptions options, std::function<void(std::string_view)> progress)
    : world_(world),
      options_(std::move(options)),
      progress_(std::move(progress)),
      temporary_folder_(
          std::make_unique<TemporaryFolder>(world.files, own_temporary_folder(world, options_))),
      engine_(engine_settings(world, options_, temporary_folder_->path)) {
  if (options_.threads > 0) world_.processors = options_.threads;
}

base::Result<std::string> Context::project_root() const {
  const std::string folder = options_.project.empty() ? "." : options_.project;
  auto root = world_.files->real_path(folder);
  if (!root)
    return base::fail(base::Kind::not_found, "project.not_found", "no folder " + folder,
                      "name the project's folder with --project");
  return root;
}

base::Result<std::string> Context::home_path() const {
  std::string path = options_.home;
  if (path.empty()) path = world_.variable("TENTER_HOME").value_or("");
  if (path.empty()) {
    TRY(const std::string root, project_root());
    return world::path_join(root, ".tenter");
  }
  if (path.front() == '/') return path;
  TRY(const std::string here, world_.files->real_path("."));
  return world::path_join(here, path);
}

base::Result<project::Project> Context::open_project() const {
  TRY(const std::string root, project_root());
  return project::open(world_, root);
}

base::Result<project::Project> Context::open_sound_project(std::vector<base::Error>& errors) const {
  TRY(project::Project project, open_project());
  if (project.errors.empty()) return project;
  errors.assign(project.errors.begin() + 1, project.errors.end());
  return base::fail(project.errors.front());
}

base::Status Context::open_home() {
  if (home_) return {};
  TRY(const std::string path, home_path());
  auto home = project::Home::open(world_, path);
  if (!home && home.error().code == "home.not_found" && options_.home.empty() &&
      world_.variable("TENTER_HOME"))
    home.error().hint = "the variable TENTER_HOME names it: unset it, or run tenter init to make that home";
  TRY(home_, std::move(home));
  TRY(now_us_, home_->begin_command(world_));
  // Everything below reads the command's one instant.
  if (home_->has_test_clock()) world_.clock = std::make_shared<CommandClock>(now_us_);
  return {};
}

project::Session Context::session() {
  project::Session session;
  session.world = &world_;
  session.engine = &engine_;
  session.home = &*home_;
  session.run_at_us = now_us_;
  session.user = user_of(world_);
  session.progress = progress_;
  session.memory_bytes = options_.memory_bytes;
  session.temporary_folder = temporary_folder_of(world_);
  return session;
}

std::string user_of(const world::World& world) {
  if (auto user = world.variable("TENTER_USER"); user && !user->empty()) return *user;
  return world.login_name();
}

}  // namespace app
