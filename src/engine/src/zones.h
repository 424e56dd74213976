// The zone rules that expressions and values name. One per engine; safe to share between threads.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>

#include <base/zone.h>

namespace engine {

class Zones {
 public:
  using Source = std::function<std::optional<base::Zone>(const std::string& name)>;
  explicit Zones(Source source) : source_(std::move(source)) {
    zones_["UTC"] = std::make_shared<const base::Zone>(base::Zone::utc());
  }

  // Null when there is no zone of that name.
  std::shared_ptr<const base::Zone> find(std::string_view name) const {
    {
      const std::shared_lock lock(mutex_);
      const auto known = zones_.find(name);
      if (known != zones_.end()) return known->second;
    }
    if (!source_) return nullptr;
    const std::optional<base::Zone> zone = source_(std::string(name));
    const auto found = zone ? std::make_shared<const base::Zone>(*zone) : nullptr;
    const std::unique_lock lock(mutex_);
    // Data may hold any number of words that are no zone.
    if (found || zones_.size() < kNamesMax) zones_[std::string(name)] = found;
    return found;
  }

 private:
  static constexpr std::size_t kNamesMax = 4096;
  Source source_;
  mutable std::shared_mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const base::Zone>, std::less<>> zones_;
};

}  // namespace engine
