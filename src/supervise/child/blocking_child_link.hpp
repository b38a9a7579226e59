// Links a child without an event loop to its supervisor. Thread-safe; the functions that send or
// set state may also be called from a signal handler.
#pragma once

#include <string>

#include "base/result.hpp"
#include "supervise/child/child_endpoint.hpp"

namespace heddle::supervise {

class BlockingChildLink {
 public:
  // Sends the hello. Blocks in a spare until it has its assignment.
  static Result<BlockingChildLink> attach(StopMethod stop_method);

  [[nodiscard]] const ChildAssignment& assignment() const { return end_.assignment; }

  void ready();
  void heartbeat() { end_.page.beat(); }
  void begin_draining();
  void enable_recovery() { end_.page.set(ChildFlag::wants_recovery); }
  void set_working_on(std::uint64_t what) { end_.page.set_working_on(what); }
  [[nodiscard]] bool is_stop_requested() const { return end_.page.is_stop_requested(); }

 private:
  explicit BlockingChildLink(ChildEndpoint end) : end_(std::move(end)) {}
  Status send(const ipc::Frame& frame);
  Status wait_for_assignment();

  ChildEndpoint end_;
};

}  // namespace heddle::supervise
