// LocalTimes writes times for people: "2026-11-15 22:23:07", in one time zone that is named once.
// JSON has times in UTC. Thread-safe.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "base/time.hpp"

namespace heddle::cli {

class LocalTimes {
 public:
  using OffsetAt = std::function<std::chrono::seconds(WallTime)>;

  LocalTimes() = default;  // UTC
  LocalTimes(std::string zone, OffsetAt offset_at)
      : zone_(std::move(zone)), offset_at_(std::move(offset_at)) {}

  [[nodiscard]] const std::string& zone() const { return zone_; }
  // "2026-11-15 22:23:07"
  [[nodiscard]] std::string text(WallTime time) const;
  // "2026-11-15 22:23:07 Europe/Berlin", for a single time.
  [[nodiscard]] std::string full_text(WallTime time) const { return text(time) + " " + zone_; }
  // "2026-11-15 22:23:07.412"
  [[nodiscard]] std::string exact_text(WallTime time) const;
  // The header of a column of times: "STARTED (Europe/Berlin)".
  [[nodiscard]] std::string header(const std::string& name) const;

 private:
  std::string zone_ = "UTC";
  OffsetAt offset_at_;
};

}  // namespace heddle::cli
