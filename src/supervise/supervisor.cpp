#include "supervise/supervisor.hpp"

#include "supervise/supervisor_core.hpp"

namespace heddle::supervise {

Supervisor::Supervisor(boost::asio::any_io_executor executor, Log& log, const Clock& clock,
                       SlotOwner* owner)
    : core_(std::make_shared<SupervisorCore>(std::move(executor), log, clock, owner)) {}

Supervisor::~Supervisor() {
  core_->abandon();
}

SlotId Supervisor::add(SlotSpec spec) {
  return core_->add(std::move(spec));
}

bool Supervisor::remove(SlotId slot) {
  return core_->remove(slot);
}

void Supervisor::update(SlotId slot, SlotSpec spec) {
  core_->update(slot, std::move(spec));
}

void Supervisor::renew(SlotId slot, SlotSpec spec) {
  core_->renew(slot, std::move(spec));
}

void Supervisor::retire(SlotId slot) {
  core_->retire(slot);
}

Status Supervisor::start(SlotId slot) {
  return core_->start(slot);
}

void Supervisor::request_stop(SlotId slot, Deadline deadline) {
  core_->request_stop(slot, deadline);
}

Status Supervisor::replace(SlotId slot) {
  return core_->replace(slot);
}

void Supervisor::begin_shutdown(Deadline deadline) {
  core_->begin_shutdown(deadline);
}

Async<StopReport> Supervisor::shutdown_ended() {
  return SupervisorCore::shutdown_ended(core_);
}

std::vector<SlotStatus> Supervisor::status() const {
  return core_->status();
}

std::vector<SlotId> Supervisor::slots() const {
  return core_->slots();
}

SlotState Supervisor::state(SlotId slot) const {
  return core_->state(slot);
}

std::vector<pid_t> Supervisor::spares() const {
  return core_->spares();
}

std::shared_ptr<ipc::Channel> Supervisor::channel(SlotRef slot) const {
  return core_->channel(slot);
}

Subscription Supervisor::subscribe(SlotEventHandler handler) {
  return core_->events().subscribe(std::move(handler));
}

void Supervisor::set_default_policy(RespawnPolicy policy) {
  core_->set_default_policy(std::move(policy));
}

void Supervisor::set_default_runner(RespawnRunner runner) {
  core_->set_default_runner(std::move(runner));
}

}  // namespace heddle::supervise
