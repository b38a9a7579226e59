#include "embed/supervise/host_loop.hpp"

#include <atomic>
#include <thread>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <signal.h>

namespace heddle::embed {

namespace asio = boost::asio;

struct HostLoop::State : std::enable_shared_from_this<HostLoop::State> {
  explicit State(Executor host_in) : host(std::move(host_in)) {}

  asio::io_context loop;
  asio::executor_work_guard<asio::io_context::executor_type> work{loop.get_executor()};
  const Executor host;
  std::atomic<bool> is_closed{false};
  std::thread wait_thread;  // only with a host's executor
};

// Posts completions to the host one at a time, like a strand. Only the waiting thread calls the
// host's function, without a lock.
class HostLoop::HostExecutor {
 public:
  explicit HostExecutor(State& state) : state_(&state) {}

  asio::execution_context& query(asio::execution::context_t) const noexcept { return state_->loop; }
  static constexpr asio::execution::blocking_t::never_t query(
      asio::execution::blocking_t) noexcept {
    return asio::execution::blocking.never;
  }
  template <class Function>
  void execute(Function&& function) const {
    // std::function needs copyable functions, handlers are move-only.
    auto shared = std::make_shared<std::decay_t<Function>>(std::forward<Function>(function));
    asio::post(state_->loop, [state = state_, shared = std::move(shared)]() mutable {
      if (state->is_closed) return;
      state->host([kept = state->shared_from_this(), shared = std::move(shared)] {
        if (!kept->is_closed) (*shared)();
      });
    });
  }
  bool operator==(const HostExecutor& other) const noexcept { return state_ == other.state_; }
  bool operator!=(const HostExecutor& other) const noexcept { return state_ != other.state_; }

 private:
  State* state_;  // not shared: work queued on the loop must not keep it alive
};

HostLoop::HostLoop(Executor host) : state_(std::make_shared<State>(std::move(host))) {
  if (!state_->host) return;
  // The host's signal handlers must run on the host's threads only.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  state_->wait_thread = std::thread([state = state_.get()] { state->loop.run(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

HostLoop::~HostLoop() {
  close();
}

asio::any_io_executor HostLoop::executor() const {
  if (!state_->host) return state_->loop.get_executor();
  return HostExecutor(*state_);
}

void HostLoop::run() {
  state_->loop.run();
}

void HostLoop::stop() {
  if (!state_->host) state_->loop.stop();
}

void HostLoop::close() {
  state_->is_closed = true;
  state_->loop.stop();
  if (state_->wait_thread.joinable()) state_->wait_thread.join();
}

}  // namespace heddle::embed
