#include "embed/supervise/coordinator_impl.hpp"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <stdexcept>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "embed/supervise/convert.hpp"
#include "embed/supervise/process_environment.hpp"

namespace heddle {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kSweepInterval{1};
// After the last event; a respawn decision has begun by then.
constexpr std::chrono::seconds kIdleTime{1};

bool is_idle(const supervise::SlotStatus& slot, WallTime now) {
  using supervise::SlotState;
  const bool is_down = slot.state == SlotState::down || slot.state == SlotState::stopped ||
                       slot.state == SlotState::gave_up;
  return is_down && slot.last_event && now - slot.last_event->time >= kIdleTime;
}

// Unique, also among earlier coordinators with the same pid.
std::string make_tag() {
  return fmt::format("HEDDLE_COORDINATOR={}-{:08x}", getpid(), std::random_device()());
}

}  // namespace

void Coordinator::Impl::FunctionLog::write(const LogMessage& message) {
  if (!function_) return;
  try {
    function_(embed::to_public(message.level), message.text);
  } catch (...) {
    return;  // a failing log function cannot be reported
  }
}

Coordinator::Impl::Impl(Options options)
    : options_(std::move(options)),
      log_(options_.log),
      tag_(make_tag()),
      loop_(options_.executor),
      gate_(loop_.executor()) {
  supervisor_.emplace(loop_.executor(), log_, clock_);
}

void Coordinator::Impl::end() {
  gate_.close();
  lifecycle_watch_.cancel();
  orphan_watch_.cancel();
  supervisor_.reset();
  signals_.reset();
  loop_.close();
  orphan_reaper_.reset();
}

void Coordinator::Impl::begin() {
  if (options_.subreaper) adopt_orphans();
  if (options_.signals)
    signals_.emplace(loop_.executor(), [this](int) {
      begin_shutdown(std::chrono::steady_clock::now() + options_.shutdown_timeout);
    });
  asio::co_spawn(loop_.executor(), await_end(weak_from_this()), asio::detached);
}

ShutdownReport Coordinator::Impl::run() {
  loop_.run();
  return report_;
}

Async<void> Coordinator::Impl::await_end(std::weak_ptr<Impl> impl) {
  auto ended = impl.lock()->supervisor_->shutdown_ended();
  const supervise::StopReport report = co_await std::move(ended);
  if (const auto alive = impl.lock()) alive->on_end(embed::to_public(report));
}

void Coordinator::Impl::on_end(const ShutdownReport& report) {
  report_ = report;
  loop_.stop();
  if (options_.on_end) options_.on_end(report);
}

void Coordinator::Impl::post(std::function<void(Impl&)> work) {
  gate_.post([impl = weak_from_this(), work = std::move(work)] {
    if (const auto alive = impl.lock()) work(*alive);
  });
}

std::uint32_t Coordinator::Impl::spawn(ProcessSpec spec) {
  supervise::SlotSpec wanted = slot_spec(std::move(spec));
  const std::lock_guard lock(adding_);
  post([wanted = std::move(wanted)](Impl& impl) {
    const supervise::SlotId slot = impl.supervisor_->add(wanted);
    if (const Status started = impl.supervisor_->start(slot); !started)
      impl.log_.warn(started.error().message);
  });
  return next_slot_++;
}

supervise::SlotSpec Coordinator::Impl::slot_spec(ProcessSpec spec) const {
  supervise::SlotSpec wanted;
  wanted.name = std::move(spec.name);
  wanted.argv = embed::program_arguments(std::move(spec.argv), spec.worker);
  wanted.environment = embed::program_environment(spec.env, spec.worker);
  wanted.environment.push_back(tag_);
  wanted.descriptors = {{STDOUT_FILENO, STDOUT_FILENO}, {STDERR_FILENO, STDERR_FILENO}};
  wanted.recover = spec.recover;
  wanted.policy = embed::to_inner(std::move(spec.policy));
  wanted.runner = embed::to_inner(std::move(spec.runner));
  if (spec.restart) wanted.restart = embed::to_inner(*spec.restart);
  wanted.hang_timeout = spec.hang_timeout;
  return wanted;
}

supervise::Subscription Coordinator::Impl::subscribe(ProcessEventHandler handler) {
  if (!handler) throw std::invalid_argument("no handler given");
  return supervisor_->subscribe(embed::to_inner(std::move(handler)));
}

void Coordinator::Impl::begin_shutdown(Deadline deadline) {
  post([deadline](Impl& impl) { impl.supervisor_->begin_shutdown(deadline); });
}

void Coordinator::Impl::set_policy(RecoveryPolicy policy) {
  post([policy = embed::to_inner(std::move(policy))](Impl& impl) {
    impl.supervisor_->set_default_policy(policy);
  });
}

void Coordinator::Impl::set_runner(RecoveryRunner runner) {
  post([runner = embed::to_inner(std::move(runner))](Impl& impl) {
    impl.supervisor_->set_default_runner(runner);
  });
}

void Coordinator::Impl::set_lifecycle_handler(ProcessEventHandler handler) {
  post([handler = std::move(handler)](Impl& impl) {
    impl.lifecycle_watch_.cancel();
    if (!handler) return;
    impl.lifecycle_watch_ =
        impl.supervisor_->subscribe([handler](const supervise::SlotEvent& event) {
          if (supervise::is_death(event.kind)) handler(embed::to_public(event));
        });
  });
}

void Coordinator::Impl::request_stop(std::uint32_t slot, std::chrono::milliseconds timeout) {
  post([slot, timeout](Impl& impl) {
    impl.supervisor_->request_stop(slot, std::chrono::steady_clock::now() + timeout);
  });
}

void Coordinator::Impl::restart(std::uint32_t slot) {
  post([slot](Impl& impl) {
    if (const Status done = impl.supervisor_->replace(slot); !done)
      impl.log_.warn("restart: " + done.error().message);
  });
}

void Coordinator::Impl::release_slot(std::uint32_t slot) {
  post([slot](Impl& impl) {
    impl.released_.insert(slot);
    if (impl.released_.size() >= impl.next_sweep_) impl.remove_idle_slots();
  });
}

// Rare enough to cost nothing per process, frequent enough that idle slots stay few.
void Coordinator::Impl::remove_idle_slots() {
  for (const supervise::SlotStatus& slot : supervisor_->status())
    if (released_.contains(slot.slot.slot) && is_idle(slot, clock_.now()) &&
        supervisor_->remove(slot.slot.slot))
      released_.erase(slot.slot.slot);
  next_sweep_ = std::max(kFirstSweep, 2 * released_.size());
}

void Coordinator::Impl::adopt_orphans() {
  orphan_reaper_ = std::make_unique<embed::OrphanReaper>(tag_);
  orphan_watch_ = supervisor_->subscribe([this](const supervise::SlotEvent& event) {
    if (event.kind == supervise::SlotEventKind::started) orphan_reaper_->add_supervised(event.pid);
    if (supervise::is_death(event.kind)) orphan_reaper_->on_death(event.pid);
  });
  asio::co_spawn(loop_.executor(), sweep_periodically(weak_from_this()), asio::detached);
}

// A process may be orphaned later than at the death of its slot's process.
Async<void> Coordinator::Impl::sweep_periodically(std::weak_ptr<Impl> impl) {
  asio::steady_timer timer(co_await asio::this_coro::executor);
  for (;;) {
    timer.expires_after(kSweepInterval);
    co_await timer.async_wait(asio::use_awaitable);
    const auto alive = impl.lock();
    if (!alive) co_return;
    alive->orphan_reaper_->sweep();
  }
}

}  // namespace heddle
