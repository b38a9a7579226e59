#include "worker/remote_gate.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include "ipc/messages/worker_message_values.hpp"

namespace heddle::worker {

namespace asio = boost::asio;
using ipc::WorkerMessage;

namespace {

struct Waiting {
  explicit Waiting(asio::any_io_executor loop) : alarm(std::move(loop), Deadline::max()) {}
  asio::steady_timer alarm;
  bool is_granted = false;
};

}  // namespace

struct RemoteGate::Wishes {
  explicit Wishes(ipc::Caller& caller) : coordinator(&caller) {}

  void leave(std::uint64_t wish) const {
    if (coordinator == nullptr) return;
    const ipc::LeaveHost message{wish};
    coordinator->post(ipc::to_frame(WorkerMessage::leave_host, message));
  }

  ipc::Caller* coordinator;  // nullptr: the gate is gone
  std::uint64_t last = 0;
  std::unordered_map<std::uint64_t, Waiting*> waiting{};
};

RemoteGate::RemoteGate(ipc::Caller& coordinator) : wishes_(std::make_shared<Wishes>(coordinator)) {}

RemoteGate::~RemoteGate() {
  wishes_->coordinator = nullptr;
  for (auto& [wish, waiting] : wishes_->waiting) waiting->alarm.cancel();
}

Async<net::HostGrant> RemoteGate::enter(std::string host) {
  const auto wishes = wishes_;
  const std::uint64_t wish = ++wishes->last;
  // Gives its place or its turn back however this coroutine ends.
  net::HostGrant grant([wishes, wish] { wishes->leave(wish); });
  {
    const ipc::WantHost message{wish, std::move(host)};
    wishes->coordinator->post(ipc::to_frame(WorkerMessage::want_host, message));
  }
  const auto loop = co_await asio::this_coro::executor;
  const auto waiting = std::make_unique<Waiting>(loop);
  struct Place {
    Place(Wishes& all, std::uint64_t number, Waiting& waiter) : wishes_(all), number_(number) {
      wishes_.waiting.emplace(number_, &waiter);
    }
    ~Place() { wishes_.waiting.erase(number_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    Wishes& wishes_;
    std::uint64_t number_;
  };
  const auto place = std::make_unique<Place>(*wishes, wish, *waiting);
  co_await waiting->alarm.async_wait(asio::as_tuple(asio::use_awaitable));
  if (!waiting->is_granted) throw boost::system::system_error(asio::error::operation_aborted);
  co_return std::move(grant);
}

void RemoteGate::granted(std::uint64_t wish) {
  const auto found = wishes_->waiting.find(wish);
  if (found == wishes_->waiting.end()) return;  // given up, its LeaveHost is under way
  found->second->is_granted = true;
  found->second->alarm.cancel();
}

void RemoteGate::slow_down(std::string_view host, Deadline until) {
  const auto time =
      std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  if (time.count() <= 0) return;
  const ipc::SlowDownHost message{std::string(host), time};
  wishes_->coordinator->post(ipc::to_frame(WorkerMessage::slow_down_host, message));
}

void RemoteGate::keep_apart(std::string_view host, std::chrono::milliseconds delay) {
  const ipc::KeepHostApart message{std::string(host), delay};
  wishes_->coordinator->post(ipc::to_frame(WorkerMessage::keep_host_apart, message));
}

}  // namespace heddle::worker
