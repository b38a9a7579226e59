#include "pipeline/stop.hpp"

#include <variant>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle::pipeline {

namespace asio = boost::asio;

namespace {

Async<void> wait_until(Deadline deadline) {
  asio::steady_timer timer(co_await asio::this_coro::executor, deadline);
  co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
}

Async<void> requested_or_late(Stop* stop, Deadline deadline) {
  using namespace asio::experimental::awaitable_operators;
  if (stop == nullptr) co_return co_await wait_until(deadline);
  co_await (stop->requested() || wait_until(deadline));
}

}  // namespace

struct Stop::Impl {
  explicit Impl(const asio::any_io_executor& loop) : alarm(loop, Deadline::max()) {}
  asio::steady_timer alarm;
  bool is_requested = false;
};

Stop::Stop(const asio::any_io_executor& loop) : impl_(std::make_unique<Impl>(loop)) {}

Stop::~Stop() = default;

void Stop::request() {
  impl_->is_requested = true;
  impl_->alarm.cancel();
}

bool Stop::is_requested() const {
  return impl_->is_requested;
}

Async<void> Stop::requested() {
  if (impl_->is_requested) co_return;
  co_await impl_->alarm.async_wait(asio::as_tuple(asio::use_awaitable));
}

Async<std::optional<net::HostGrant>> enter_gate(net::HostGate& gate, std::string host, Stop* stop,
                                                Deadline deadline) {
  using namespace asio::experimental::awaitable_operators;
  auto first = co_await (gate.enter(std::move(host)) || requested_or_late(stop, deadline));
  if (auto* grant = std::get_if<0>(&first)) co_return std::move(*grant);
  co_return std::nullopt;
}

}  // namespace heddle::pipeline
