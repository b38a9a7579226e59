// Owns one supervised process: its link, its reported state and its stop requests. One event loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/async.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "base/wake_signal.hpp"
#include "ipc/channel.hpp"
#include "process/spawn.hpp"
#include "supervise/child/child_environment.hpp"
#include "supervise/child/child_page.hpp"
#include "supervise/child/control_frames.hpp"
#include "supervise/recovery/death_cause.hpp"
#include "supervise/recovery/recycling.hpp"
#include "supervise/slot_spec.hpp"

namespace heddle::supervise {

class ChildProcess {
 public:
  // Call it on a thread that outlives the process: the kernel kills the process with the thread.
  static Result<std::shared_ptr<ChildProcess>> launch(const SlotSpec& spec, SlotRef slot,
                                                      boost::asio::any_io_executor executor);
  // A spare waits for its assignment.
  static Result<std::shared_ptr<ChildProcess>> launch_spare(const SlotSpec& spec,
                                                            boost::asio::any_io_executor executor);

  ChildProcess(SlotRef slot, process::Spawned spawned, ChildPage child_page,
               std::shared_ptr<ipc::Channel> link);

  [[nodiscard]] SlotRef ref() const { return ref_; }
  [[nodiscard]] pid_t pid() const { return process_.pid(); }
  [[nodiscard]] std::chrono::milliseconds uptime() const;
  [[nodiscard]] const std::shared_ptr<ipc::Channel>& channel() const { return channel_; }
  [[nodiscard]] const ChildPage& page() const { return page_; }

  // The generation of the spec it was started with.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  void set_generation(std::uint64_t generation) { generation_ = generation; }

  [[nodiscard]] bool is_spare() const { return is_spare_; }
  // Gives a spare its slot. Its uptime starts now.
  void assign(const ChildAssignment& assignment);

  // As reported by its frames and its page.
  [[nodiscard]] bool is_attached() const { return is_attached_; }
  [[nodiscard]] bool is_ready() const { return is_ready_; }
  [[nodiscard]] MemoryUse memory() const;
  [[nodiscard]] bool is_draining() const { return page_.has(ChildFlag::draining); }
  [[nodiscard]] bool is_stop_requested() const { return is_stop_requested_; }
  void attach(const ChildHello& hello);
  void set_ready();

  // Uses the stop method of the child's hello, or SIGTERM before the hello. Once.
  void request_stop();
  // Kills the whole group. The first cause is kept.
  void kill(KillCause cause, std::string detail);

  // Waits for the exit and reaps the process; once.
  Async<process::ExitStatus> wait_end() { return process_.wait(); }
  [[nodiscard]] DeathFacts death_facts(const process::ExitStatus& exit) const;

  WakeSignal gone;         // signalled when the process has ended
  WakeSignal frames_read;  // signalled when all its frames have been read

 private:
  static Result<std::shared_ptr<ChildProcess>> launch_with(const SlotSpec& spec,
                                                           const LinkEnvironment& link,
                                                           boost::asio::any_io_executor executor);

  SlotRef ref_;
  process::Spawned process_;
  ChildPage page_;
  std::shared_ptr<ipc::Channel> channel_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::uint64_t generation_ = 0;
  StopMethod stop_method_ = StopMethod::signal;
  bool is_spare_ = false;
  bool is_attached_ = false;
  bool is_ready_ = false;
  std::int64_t rss_when_ready_ = 0;
  bool is_stop_requested_ = false;
  bool was_sent_term_ = false;
  KillCause kill_cause_ = KillCause::none;
  std::string kill_detail_;
};

}  // namespace heddle::supervise
