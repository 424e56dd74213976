#include <world/zones.h>

namespace world {

base::Result<base::Zone> zone(const World& world, const std::string& name) {
  if (name == "UTC") return base::Zone::utc();
  const std::string folder = world.variable("TZDIR").value_or("/usr/share/zoneinfo");
  // Beside the zones lie other files and copies of them (posix/, right/), which begin with a small letter.
  const bool is_name =
      !name.empty() && name.front() >= 'A' && name.front() <= 'Z' && name.find("..") == std::string::npos;
  const auto bytes = is_name ? world.files->read(path_join(folder, name))
                             : base::Result<std::string>(base::fail(base::Kind::not_found, "", ""));
  if (!bytes)
    return base::fail(base::Kind::not_found, "world.zone_unknown", "there is no time zone \"" + name + "\"",
                      "write an IANA name, as in Europe/Oslo; the package tzdata holds them");
  return base::Zone::decode(*bytes);
}

}  // namespace world
