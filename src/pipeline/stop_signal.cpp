#include "pipeline/stop_signal.hpp"

#include <variant>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle::pipeline {

namespace asio = boost::asio;

namespace {

Async<void> wait_for_deadline(Deadline deadline) {
  asio::steady_timer timer(co_await asio::this_coro::executor, deadline);
  co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
}

Async<void> wait_for_stop_or_deadline(StopSignal* stop, Deadline deadline) {
  using namespace asio::experimental::awaitable_operators;
  if (stop == nullptr) co_return co_await wait_for_deadline(deadline);
  co_await (stop->wait() || wait_for_deadline(deadline));
}

}  // namespace

struct StopSignal::Impl {
  explicit Impl(const asio::any_io_executor& loop) : alarm(loop, Deadline::max()) {}
  asio::steady_timer alarm;
  bool is_requested = false;
};

StopSignal::StopSignal(const asio::any_io_executor& loop) : impl_(std::make_unique<Impl>(loop)) {}

StopSignal::~StopSignal() = default;

void StopSignal::request() {
  impl_->is_requested = true;
  impl_->alarm.cancel();
}

bool StopSignal::is_requested() const {
  return impl_->is_requested;
}

Async<void> StopSignal::wait() {
  if (impl_->is_requested) co_return;
  co_await impl_->alarm.async_wait(asio::as_tuple(asio::use_awaitable));
}

Async<std::optional<net::HostGrant>> enter_gate(net::HostGate& gate, std::string host,
                                                StopSignal* stop, Deadline deadline) {
  using namespace asio::experimental::awaitable_operators;
  auto first = co_await (gate.enter(std::move(host)) || wait_for_stop_or_deadline(stop, deadline));
  if (auto* grant = std::get_if<0>(&first)) co_return std::move(*grant);
  co_return std::nullopt;
}

}  // namespace heddle::pipeline
