#include "supervise/child_process.hpp"

#include <algorithm>

#include <signal.h>

#include "base/process_memory.hpp"

namespace heddle::supervise {

using std::chrono::milliseconds;

namespace {

// The watchdog tolerates four missed heartbeats.
milliseconds heartbeat_of(const SlotSpec& spec) {
  if (spec.hang_timeout.count() == 0) return milliseconds(1000);
  return std::clamp(spec.hang_timeout / 5, milliseconds(1), milliseconds(1000));
}

bool uses_link_descriptor(const SlotSpec& spec) {
  return std::any_of(spec.descriptors.begin(), spec.descriptors.end(), [](const auto& handed) {
    return handed.number == kChannelDescriptor || handed.number == kPageDescriptor;
  });
}

process::SpawnSpec spawn_spec(const SlotSpec& spec, const LinkEnvironment& link, int socket,
                              int page) {
  process::SpawnSpec wanted{spec.argv, with_link(spec.environment, link), spec.directory,
                            spec.descriptors};
  wanted.descriptors.push_back({socket, kChannelDescriptor});
  wanted.descriptors.push_back({page, kPageDescriptor});
  return wanted;
}

}  // namespace

Result<std::shared_ptr<ChildProcess>> ChildProcess::launch(const SlotSpec& spec, SlotRef slot,
                                                           boost::asio::any_io_executor executor) {
  LinkEnvironment link;
  link.assignment = {slot, spec.name, spec.number};
  link.heartbeat = heartbeat_of(spec);
  return launch_with(spec, link, std::move(executor));
}

Result<std::shared_ptr<ChildProcess>> ChildProcess::launch_spare(
    const SlotSpec& spec, boost::asio::any_io_executor executor) {
  LinkEnvironment link;
  link.is_spare = true;
  link.heartbeat = heartbeat_of(spec);
  return launch_with(spec, link, std::move(executor));
}

Result<std::shared_ptr<ChildProcess>> ChildProcess::launch_with(
    const SlotSpec& spec, const LinkEnvironment& link, boost::asio::any_io_executor executor) {
  if (uses_link_descriptor(spec))
    return Error{ErrorCode::bad_input, "descriptors 3 and 4 are the child's link"};
  auto page = ChildPage::create();
  if (!page) return std::move(page.error());
  auto sockets = ipc::make_socket_pair();
  if (!sockets) return std::move(sockets.error());
  auto process = process::spawn(spawn_spec(spec, link, sockets->second.get(), page->descriptor()));
  if (!process) return std::move(process.error());
  page->close_descriptor();
  auto channel = std::make_shared<ipc::Channel>(std::move(executor), std::move(sockets->first));
  auto child = std::make_shared<ChildProcess>(link.assignment.slot, std::move(*process),
                                              std::move(*page), std::move(channel));
  child->is_spare_ = link.is_spare;
  return child;
}

ChildProcess::ChildProcess(SlotRef slot, process::Spawned spawned, ChildPage child_page,
                           std::shared_ptr<ipc::Channel> link)
    : ref_(slot),
      process_(std::move(spawned)),
      page_(std::move(child_page)),
      channel_(std::move(link)) {}

milliseconds ChildProcess::uptime() const {
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - started_);
}

void ChildProcess::assign(const ChildAssignment& assignment) {
  is_spare_ = false;
  ref_ = assignment.slot;
  started_ = std::chrono::steady_clock::now();
  channel_->post(make_frame(assignment));
}

void ChildProcess::attach(const ChildHello& hello) {
  is_attached_ = true;
  stop_method_ = hello.stop_method;
}

void ChildProcess::set_ready() {
  is_ready_ = true;
  rss_when_ready_ = resident_bytes(pid());
}

MemoryUse ChildProcess::memory() const {
  return {rss_when_ready_, resident_bytes(pid())};
}

void ChildProcess::request_stop() {
  if (is_stop_requested_) return;
  is_stop_requested_ = true;
  page_.request_stop();
  if (is_attached_ && stop_method_ == StopMethod::request) {
    channel_->post(make_control(ControlFrameType::drain));
    return;
  }
  was_sent_term_ = process_.send_signal(SIGTERM);
}

void ChildProcess::kill(KillCause cause, std::string detail) {
  if (kill_cause_ == KillCause::none && !process_.is_reaped()) {
    kill_cause_ = cause;
    kill_detail_ = std::move(detail);
  }
  process_.send_signal(SIGKILL);  // it may have left its group
  process_.kill_group(SIGKILL);
}

DeathFacts ChildProcess::death_facts(const process::ExitStatus& exit) const {
  return {exit, is_draining(), is_stop_requested_, was_sent_term_, kill_cause_, kill_detail_};
}

}  // namespace heddle::supervise
