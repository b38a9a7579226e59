// One process in a slot: its link to us, what it has said, what we did to it. One event loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/async.hpp"
#include "base/doorbell.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "ipc/channel.hpp"
#include "process/spawn.hpp"
#include "supervise/child_environment.hpp"
#include "supervise/child_page.hpp"
#include "supervise/control_frames.hpp"
#include "supervise/death_verdict.hpp"
#include "supervise/slot_spec.hpp"

namespace heddle::supervise {

class Occupant {
 public:
  // On the thread that lives as long as the process may: the kernel ends it with that thread.
  static Result<std::shared_ptr<Occupant>> launch(const SlotSpec& spec, SlotRef slot,
                                                  boost::asio::any_io_executor executor);
  // Started ahead; waits for its assignment.
  static Result<std::shared_ptr<Occupant>> launch_spare(const SlotSpec& spec,
                                                        boost::asio::any_io_executor executor);

  Occupant(SlotRef slot, process::Spawned spawned, ChildPage child_page,
           std::shared_ptr<ipc::Channel> link);

  [[nodiscard]] SlotRef ref() const { return ref_; }
  [[nodiscard]] pid_t pid() const { return process_.pid(); }
  [[nodiscard]] std::chrono::milliseconds uptime() const;
  [[nodiscard]] const std::shared_ptr<ipc::Channel>& channel() const { return channel_; }
  [[nodiscard]] const ChildPage& page() const { return page_; }

  // Which of its slot's specs it was started by.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  void set_generation(std::uint64_t generation) { generation_ = generation; }

  [[nodiscard]] bool is_spare() const { return is_spare_; }
  // A spare's new place. Its time there begins now.
  void assign(const Assignment& assignment);

  // What its frames said.
  [[nodiscard]] bool is_attached() const { return is_attached_; }
  [[nodiscard]] bool is_ready() const { return is_ready_; }
  [[nodiscard]] bool is_draining() const { return page_.has(Mark::draining); }
  [[nodiscard]] bool is_asked_to_stop() const { return is_asked_to_stop_; }
  void attach(const Hello& hello);
  void set_ready() { is_ready_ = true; }

  // Politely, in the way it has chosen; before it is attached with SIGTERM. Only once.
  void ask_to_stop();
  // With its whole group. The first cause counts.
  void kill(KillCause cause, std::string detail);

  // Waits for the process to end and reaps it; once.
  Async<process::ExitFacts> wait_end() { return process_.wait(); }
  [[nodiscard]] DeathFacts death_facts(const process::ExitFacts& exit) const;

  Doorbell gone;      // rings when it has ended
  Doorbell read_out;  // rings when no frame of it is left

 private:
  static Result<std::shared_ptr<Occupant>> launch_with(const SlotSpec& spec,
                                                       const LinkEnvironment& link,
                                                       boost::asio::any_io_executor executor);

  SlotRef ref_;
  process::Spawned process_;
  ChildPage page_;
  std::shared_ptr<ipc::Channel> channel_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::uint64_t generation_ = 0;
  StopBy stop_by_ = StopBy::signal;
  bool is_spare_ = false;
  bool is_attached_ = false;
  bool is_ready_ = false;
  bool is_asked_to_stop_ = false;
  bool was_sent_term_ = false;
  KillCause killed_for_ = KillCause::none;
  std::string kill_detail_;
};

}  // namespace heddle::supervise
