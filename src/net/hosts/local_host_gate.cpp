#include "net/hosts/local_host_gate.hpp"

#include <algorithm>
#include <list>
#include <optional>
#include <unordered_map>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include "base/text.hpp"

namespace heddle::net {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kSweepAbove = 256;
// Callers repeat the delay before every request.
constexpr std::chrono::minutes kRememberDelay{10};

// Where the port begins in a key; npos: it has none. An IPv6 address is in brackets.
std::size_t port_of(std::string_view key) {
  const std::size_t colon = key.rfind(':');
  return colon == std::string_view::npos || key.find(']', colon) != std::string_view::npos
             ? std::string_view::npos
             : colon;
}

std::string normal_name(std::string_view key) {
  const std::size_t port = std::min(port_of(key), key.size());
  std::string_view host = key.substr(0, port);
  if (host.ends_with('.')) host.remove_suffix(1);
  return to_lower_ascii(host) + std::string(key.substr(port));
}

}  // namespace

class LocalHostGate::Impl : public std::enable_shared_from_this<LocalHostGate::Impl> {
 public:
  Impl(asio::any_io_executor loop, HostLimits limits, std::map<std::string, HostRule> rules)
      : loop_(std::move(loop)), limits_(limits), rules_(std::move(rules)) {}

  Async<HostGrant> enter(std::string name) {
    const auto self = shared_from_this();
    Host& host = find(name);
    if (!has_started_at_once(host)) {
      Waiter waiter(*this, host, name);
      co_await waiter.alarm.async_wait(asio::as_tuple(asio::use_awaitable));
      if (!waiter.is_granted) throw boost::system::system_error(asio::error::operation_aborted);
      waiter.is_granted = false;  // the grant below releases it from here on
    }
    co_return HostGrant([self, name] { self->leave(name); });
  }

  void slow_down(const std::string& name, Deadline until) {
    if (until <= now()) return;
    Host& host = find(name);
    host.pace.slow_down(until);
    advance(host, name);
  }

  void keep_apart(const std::string& name, std::chrono::milliseconds delay) {
    find(name).pace.keep_apart(delay, now() + kRememberDelay);
  }

  void set_limits(HostLimits limits, std::map<std::string, HostRule> rules) {
    limits_ = limits;
    rules_ = std::move(rules);
    for (auto& [name, host] : hosts_) {
      host.pace.set_limits(limits_of(name));
      advance(host, name);
    }
  }

  // The remaining waiters see that they were not granted and fail.
  void close() {
    for (auto& [name, host] : hosts_) {
      host.pump.cancel();
      for (Waiter* waiter : host.queue) waiter->alarm.cancel();
    }
  }

  [[nodiscard]] std::size_t size() const { return hosts_.size(); }

 private:
  struct Waiter;

  struct Host {
    Host(const asio::any_io_executor& loop, HostLimits limits) : pace(limits), pump(loop) {}
    HostPace pace;
    std::list<Waiter*> queue;
    asio::steady_timer pump;  // wakes the queue when the pace allows the next start
    std::optional<Deadline> pump_at;
  };

  struct Waiter {
    Waiter(Impl& owner, Host& host, const std::string& host_name)
        : gate(owner), name(host_name), alarm(owner.loop_, Deadline::max()) {
      position = host.queue.insert(host.queue.end(), this);
      gate.advance(host, name);
    }
    ~Waiter() {  // NOLINT(bugprone-exception-escape): only out of memory, which ends the process
      if (is_granted)
        gate.leave(name);  // granted, but the coroutine ended before it could use it
      else if (is_queued)
        gate.give_up(*this);
    }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    Impl& gate;
    const std::string& name;
    asio::steady_timer alarm;
    std::list<Waiter*>::iterator position;
    bool is_queued = true;
    bool is_granted = false;
  };

  static Deadline now() { return std::chrono::steady_clock::now(); }

  Host& find(const std::string& name) {
    if (const auto found = hosts_.find(name); found != hosts_.end()) return found->second;
    sweep();
    return hosts_.try_emplace(name, loop_, limits_of(name)).first->second;
  }

  [[nodiscard]] HostLimits limits_of(const std::string& name) const {
    HostLimits limits = limits_;
    // The rule of a name applies to each of its ports.
    if (const auto rule = rules_.find(name.substr(0, port_of(name))); rule != rules_.end()) {
      limits.concurrency = rule->second.concurrency.value_or(limits.concurrency);
      limits.delay = rule->second.delay.value_or(limits.delay);
    }
    return limits;
  }

  bool has_started_at_once(Host& host) {
    if (!host.queue.empty()) return false;
    const auto start = host.pace.next_start();
    const Deadline time = now();
    if (!start || *start > time) return false;
    host.pace.start(time);
    return true;
  }

  void leave(const std::string& name) {
    const auto found = hosts_.find(name);
    if (found == hosts_.end()) return;
    found->second.pace.finish();
    advance(found->second, name);
    forget_if_idle(name);
  }

  void give_up(Waiter& waiter) {
    const auto found = hosts_.find(waiter.name);
    if (found == hosts_.end()) return;
    found->second.queue.erase(waiter.position);
    advance(found->second, waiter.name);
  }

  // Grants the requests that may start now, and sets the pump for the next one.
  void advance(Host& host, const std::string& name) {
    while (!host.queue.empty()) {
      const auto start = host.pace.next_start();
      if (!start) return;  // the next leave() calls this again
      const Deadline time = now();
      if (*start > time) return set_pump(host, name, *start);
      Waiter& first = *host.queue.front();
      host.queue.pop_front();
      host.pace.start(time);
      first.is_queued = false;
      first.is_granted = true;
      first.alarm.cancel();
    }
    host.pump.cancel();
    host.pump_at.reset();
  }

  void set_pump(Host& host, const std::string& name, Deadline at) {
    if (host.pump_at == at) return;
    host.pump_at = at;
    host.pump.expires_at(at);
    host.pump.async_wait([weak = weak_from_this(), name](boost::system::error_code failure) {
      const auto self = weak.lock();
      if (failure || !self) return;
      if (const auto found = self->hosts_.find(name); found != self->hosts_.end()) {
        found->second.pump_at.reset();
        self->advance(found->second, name);
      }
    });
  }

  void forget_if_idle(const std::string& name) {
    const auto found = hosts_.find(name);
    if (found != hosts_.end() && is_idle(found->second)) hosts_.erase(found);
  }

  static bool is_idle(const Host& host) { return host.queue.empty() && host.pace.is_idle(now()); }

  // Hosts with a delay are not idle when their last request ends; a sweep removes them later.
  void sweep() {
    if (hosts_.size() < next_sweep_) return;
    std::erase_if(hosts_, [](const auto& entry) { return is_idle(entry.second); });
    next_sweep_ = std::max(kSweepAbove, 2 * hosts_.size());
  }

  asio::any_io_executor loop_;
  HostLimits limits_;
  std::map<std::string, HostRule> rules_;
  std::unordered_map<std::string, Host> hosts_;
  std::size_t next_sweep_ = kSweepAbove;
};

LocalHostGate::LocalHostGate(asio::any_io_executor loop, HostLimits limits,
                             std::map<std::string, HostRule> hosts)
    : impl_(std::make_shared<Impl>(std::move(loop), limits, std::move(hosts))) {}

LocalHostGate::~LocalHostGate() {
  impl_->close();
}

Async<HostGrant> LocalHostGate::enter(std::string host) {
  return impl_->enter(normal_name(host));
}

void LocalHostGate::slow_down(std::string_view host, Deadline until) {
  impl_->slow_down(normal_name(host), until);
}

void LocalHostGate::keep_apart(std::string_view host, std::chrono::milliseconds delay) {
  impl_->keep_apart(normal_name(host), delay);
}

void LocalHostGate::set_limits(HostLimits limits, std::map<std::string, HostRule> hosts) {
  impl_->set_limits(limits, std::move(hosts));
}

std::size_t LocalHostGate::remembered_hosts() const {
  return impl_->size();
}

}  // namespace heddle::net
