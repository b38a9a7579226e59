#include "hub/store_patience.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/time.hpp"

namespace heddle::hub {

namespace {

constexpr std::chrono::milliseconds kFirstPause{200};
constexpr std::chrono::milliseconds kLongestPause = std::chrono::seconds(10);

}  // namespace

void StorePatience::end() {
  is_over_ = true;
  over_.ring();
}

Async<bool> StorePatience::wait(const std::string& who, const Error& why,
                                std::chrono::milliseconds& pause) {
  if (!is_endless_ || why.code != ErrorCode::unavailable || is_over_) co_return false;
  if (pause == std::chrono::milliseconds(0))
    log_.error(fmt::format("{} waits until it can be written again: {}", who, why.message));
  pause = std::clamp(pause * 2, kFirstPause, kLongestPause);
  const Deadline deadline = std::chrono::steady_clock::now() + pause;
  while (!is_over_ && std::chrono::steady_clock::now() < deadline) co_await over_.wait(deadline);
  co_return !is_over_;
}

void StorePatience::note_end(const std::string& who) {
  log_.info(who + " goes on: it can be written again");
}

}  // namespace heddle::hub
