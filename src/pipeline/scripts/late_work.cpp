#include "pipeline/scripts/late_work.hpp"

#include <boost/asio/co_spawn.hpp>

#include "base/doorbell.hpp"
#include "base/rethrow_bug.hpp"

namespace heddle::pipeline {

struct LateWork::State {
  std::size_t under_way = 0;
  Doorbell one_is_done;
};

LateWork::LateWork() : state_(std::make_shared<State>()) {}
LateWork::~LateWork() = default;

void LateWork::begin(const boost::asio::any_io_executor& loop, Async<void> work) {
  ++state_->under_way;
  boost::asio::co_spawn(loop, std::move(work), [state = state_](const std::exception_ptr& bug) {
    --state->under_way;
    state->one_is_done.ring();
    rethrow_bug(bug);
  });
}

std::size_t LateWork::under_way() const {
  return state_->under_way;
}

Async<bool> LateWork::idle(Deadline deadline) {
  const auto state = state_;
  while (state->under_way > 0 && std::chrono::steady_clock::now() < deadline)
    co_await state->one_is_done.wait(deadline);
  co_return state->under_way == 0;
}

}  // namespace heddle::pipeline
