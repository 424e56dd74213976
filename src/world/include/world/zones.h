// The machine's time zone rules, by IANA name, from the folder that TZDIR names, else the usual one.
#pragma once

#include <string>

#include <base/result.h>
#include <base/zone.h>
#include <world/world.h>

namespace world {

// "UTC" is always there. Code "world.zone_unknown" (kind not_found).
base::Result<base::Zone> zone(const World& world, const std::string& name);

}  // namespace world
