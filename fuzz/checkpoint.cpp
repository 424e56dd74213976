// A checkpoint of any bytes is an error or a state, never an end of the process. The engine reads it, and is
// not instrumented: coverage guides only our part.
#include <stdlib.h>
#include <table/table.h>

#include "fuzz.h"

namespace {

struct Folder {
  world::World world = world::machine_world();
  engine::LazyEngine engine{engine::Settings{}};
  table::Access access{&world, &engine};
  std::string path;

  Folder() {
    char name[] = "/tmp/tenter_checkpoint_XXXXXX";
    fuzz::must(::mkdtemp(name) != nullptr, "a folder can be made");
    path = name;
    fuzz::must(world.files->make_directories(path + "/_delta_log").has_value(), "a folder can be made");
  }
  ~Folder() { (void)world.files->remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  static Folder folder;
  const std::string file = folder.path + "/_delta_log/" + delta::checkpoint_name(1);
  fuzz::must(folder.world.files->replace(file, fuzz::text_of(bytes, count)).has_value(),
             "a file can be written");
  const auto snapshot = table::open(folder.access, folder.path);
  fuzz::must(snapshot.has_value() || !snapshot.error().code.empty(), "an error has a code");
  return 0;
}
