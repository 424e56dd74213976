// The zone rules that expressions may name. One per engine; safe to share between threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>

#include <base/zone.h>

namespace engine {

class Zones {
 public:
  Zones() { add("UTC", base::Zone::utc()); }

  void add(const std::string& name, const base::Zone& zone) {
    const std::unique_lock lock(mutex_);
    zones_[name] = std::make_shared<const base::Zone>(zone);
  }

  // Null when nobody added a zone of that name.
  std::shared_ptr<const base::Zone> find(std::string_view name) const {
    const std::shared_lock lock(mutex_);
    const auto found = zones_.find(name);
    return found == zones_.end() ? nullptr : found->second;
  }

 private:
  mutable std::shared_mutex mutex_;
  std::map<std::string, std::shared_ptr<const base::Zone>, std::less<>> zones_;
};

}  // namespace engine
