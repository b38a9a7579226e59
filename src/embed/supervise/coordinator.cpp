#include <stdexcept>

#include <heddle/coordinator.hpp>

#include "embed/supervise/coordinator_impl.hpp"
#include "embed/supervise/coordinator_registry.hpp"

namespace heddle {

class ProcessHandle::State {
 public:
  State(const std::shared_ptr<CoordinatorAccess::Impl>& impl_in, std::uint32_t slot_in)
      : impl(impl_in), slot(slot_in) {}
  ~State() {
    if (const auto alive = impl.lock()) alive->release_slot(slot);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::weak_ptr<CoordinatorAccess::Impl> impl;
  std::uint32_t slot;
};

ProcessHandle::ProcessHandle(std::shared_ptr<State> state) : state_(std::move(state)) {}

std::uint32_t ProcessHandle::slot() const {
  return state_->slot;
}

void ProcessHandle::request_stop(std::chrono::milliseconds timeout) const {
  if (const auto impl = state_->impl.lock()) impl->request_stop(state_->slot, timeout);
}

void ProcessHandle::restart() const {
  if (const auto impl = state_->impl.lock()) impl->restart(state_->slot);
}

class SubscriptionHandle::State {
 public:
  explicit State(supervise::Subscription inner_in) : inner(std::move(inner_in)) {}
  supervise::Subscription inner;
};

SubscriptionHandle::SubscriptionHandle() = default;
SubscriptionHandle::SubscriptionHandle(std::unique_ptr<State> state) : state_(std::move(state)) {}
SubscriptionHandle::~SubscriptionHandle() = default;
SubscriptionHandle::SubscriptionHandle(SubscriptionHandle&& other) noexcept = default;
SubscriptionHandle& SubscriptionHandle::operator=(SubscriptionHandle&& other) noexcept = default;

void SubscriptionHandle::cancel() {
  state_.reset();
}

Coordinator::Coordinator(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Coordinator::~Coordinator() {
  embed::unregister_coordinator(impl_.get());
  impl_->end();
}

std::unique_ptr<Coordinator> Coordinator::create(Options options) {
  auto impl = std::make_shared<Impl>(std::move(options));
  if (!embed::register_coordinator(impl))
    throw std::logic_error("this process has a coordinator already");
  impl->begin();
  return std::unique_ptr<Coordinator>(new Coordinator(std::move(impl)));
}

ShutdownReport Coordinator::run() {
  if (impl_->has_executor())
    throw std::logic_error("the coordinator's loop is the host's executor");
  const auto impl = impl_;
  return impl->run();
}

ProcessHandle Coordinator::spawn(ProcessSpec spec) {
  const std::uint32_t slot = impl_->spawn(std::move(spec));
  return ProcessHandle(std::make_shared<ProcessHandle::State>(impl_, slot));
}

SubscriptionHandle Coordinator::subscribe(ProcessEventHandler handler) {
  return SubscriptionHandle(
      std::make_unique<SubscriptionHandle::State>(impl_->subscribe(std::move(handler))));
}

void Coordinator::begin_shutdown(std::chrono::steady_clock::time_point deadline) {
  impl_->begin_shutdown(deadline);
}

void Coordinator::begin_shutdown(std::chrono::milliseconds timeout) {
  begin_shutdown(std::chrono::steady_clock::now() + timeout);
}

}  // namespace heddle
