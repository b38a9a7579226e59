#include "worker/remote_gate.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include "ipc/worker_messages.hpp"

namespace heddle::worker {

namespace asio = boost::asio;
using ipc::WorkerMessage;

namespace {

struct HostWaiter {
  explicit HostWaiter(asio::any_io_executor loop) : alarm(std::move(loop), Deadline::max()) {}
  asio::steady_timer alarm;
  bool is_granted = false;
};

}  // namespace

struct RemoteGate::Requests {
  explicit Requests(ipc::RpcPeer& peer) : coordinator(&peer) {}

  void release(std::uint64_t request) const {
    if (coordinator == nullptr) return;
    const ipc::ReleaseHost message{request};
    coordinator->post(ipc::to_frame(WorkerMessage::release_host, message));
  }

  ipc::RpcPeer* coordinator;  // nullptr: the gate was destroyed
  std::uint64_t last = 0;
  std::unordered_map<std::uint64_t, HostWaiter*> waiters{};
};

RemoteGate::RemoteGate(ipc::RpcPeer& coordinator)
    : requests_(std::make_shared<Requests>(coordinator)) {}

RemoteGate::~RemoteGate() {
  requests_->coordinator = nullptr;
  for (auto& [request, waiter] : requests_->waiters) waiter->alarm.cancel();
}

Async<net::HostGrant> RemoteGate::enter(std::string host) {
  const auto requests = requests_;
  const std::uint64_t request = ++requests->last;
  // Releases the request or the grant however this coroutine ends.
  net::HostGrant grant([requests, request] { requests->release(request); });
  {
    const ipc::AcquireHost message{request, std::move(host)};
    requests->coordinator->post(ipc::to_frame(WorkerMessage::acquire_host, message));
  }
  const auto loop = co_await asio::this_coro::executor;
  const auto waiter = std::make_unique<HostWaiter>(loop);
  struct Registration {
    Registration(Requests& all, std::uint64_t number, HostWaiter& entry)
        : requests_(all), number_(number) {
      requests_.waiters.emplace(number_, &entry);
    }
    ~Registration() { requests_.waiters.erase(number_); }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;
    Requests& requests_;
    std::uint64_t number_;
  };
  const auto registration = std::make_unique<Registration>(*requests, request, *waiter);
  co_await waiter->alarm.async_wait(asio::as_tuple(asio::use_awaitable));
  if (!waiter->is_granted) throw boost::system::system_error(asio::error::operation_aborted);
  co_return std::move(grant);
}

void RemoteGate::on_granted(std::uint64_t request) {
  const auto found = requests_->waiters.find(request);
  if (found == requests_->waiters.end()) return;  // abandoned, its ReleaseHost is in flight
  found->second->is_granted = true;
  found->second->alarm.cancel();
}

void RemoteGate::slow_down(std::string_view host, Deadline until) {
  const auto time =
      std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  if (time.count() <= 0) return;
  const ipc::SlowDownHost message{std::string(host), time};
  requests_->coordinator->post(ipc::to_frame(WorkerMessage::slow_down_host, message));
}

void RemoteGate::keep_apart(std::string_view host, std::chrono::milliseconds delay) {
  const ipc::SetHostDelay message{std::string(host), delay};
  requests_->coordinator->post(ipc::to_frame(WorkerMessage::set_host_delay, message));
}

}  // namespace heddle::worker
