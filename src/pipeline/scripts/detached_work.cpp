#include "pipeline/scripts/detached_work.hpp"

#include <boost/asio/co_spawn.hpp>

#include "base/rethrow_bug.hpp"
#include "base/wake_signal.hpp"

namespace heddle::pipeline {

struct DetachedWork::State {
  std::size_t in_flight = 0;
  WakeSignal work_done;
};

DetachedWork::DetachedWork() : state_(std::make_shared<State>()) {}
DetachedWork::~DetachedWork() = default;

void DetachedWork::start(const boost::asio::any_io_executor& loop, Async<void> work) {
  ++state_->in_flight;
  boost::asio::co_spawn(loop, std::move(work), [state = state_](const std::exception_ptr& bug) {
    --state->in_flight;
    state->work_done.notify();
    rethrow_bug(bug);
  });
}

std::size_t DetachedWork::in_flight() const {
  return state_->in_flight;
}

Async<bool> DetachedWork::idle(Deadline deadline) {
  const auto state = state_;
  while (state->in_flight > 0 && std::chrono::steady_clock::now() < deadline)
    co_await state->work_done.wait(deadline);
  co_return state->in_flight == 0;
}

}  // namespace heddle::pipeline
