// A time zone's rules, decoded from TZif bytes (RFC 8536, versions 1 to 3). Immutable; safe to share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <base/result.h>

namespace base {

class Zone {
 public:
  static Zone utc();
  static Zone fixed(std::int64_t offset_seconds);
  static Result<Zone> decode(std::string_view tzif_bytes);  // code "zone.format"

  // Seconds east of UTC at an instant.
  std::int64_t offset_seconds(std::int64_t instant_us) const;
  // Local wall time to an instant, as java.time does it: in an overlap the earlier offset,
  // in a gap the local time moved forward by the gap's length.
  std::int64_t instant_us(std::int64_t local_us) const;

 private:
  struct Change {
    std::int64_t at_seconds;  // UTC
    std::int64_t offset_seconds;
  };
  std::int64_t offset_at(std::int64_t seconds) const;

  std::int64_t first_offset_ = 0;
  // In order of time. Where the zone has a rule for all times to come, it is written out for 400
  // years beyond the last listed change: from there on the calendar repeats.
  std::vector<Change> changes_;
  bool repeats_ = false;
};

}  // namespace base
