#include "hub/runs/store_retry.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/time.hpp"

namespace heddle::hub {

namespace {

constexpr std::chrono::milliseconds kFirstDelay{200};
constexpr std::chrono::milliseconds kMaxDelay = std::chrono::seconds(10);

}  // namespace

void StoreRetry::stop() {
  is_stopped_ = true;
  stopped_.notify();
}

Async<bool> StoreRetry::wait(const std::string& subject, const Error& why,
                             std::chrono::milliseconds& delay) {
  if (!is_enabled_ || why.code != ErrorCode::unavailable || is_stopped_) co_return false;
  if (delay == std::chrono::milliseconds(0))
    log_.error(
        fmt::format("{} waits until the database can be written again: {}", subject, why.message));
  delay = std::clamp(delay * 2, kFirstDelay, kMaxDelay);
  const Deadline deadline = std::chrono::steady_clock::now() + delay;
  while (!is_stopped_ && std::chrono::steady_clock::now() < deadline)
    co_await stopped_.wait(deadline);
  co_return !is_stopped_;
}

}  // namespace heddle::hub
