// A child's link to its supervisor for programs without an event loop. Thread-safe; what it sends
// and sets may also be called from a signal handler.
#pragma once

#include <string>

#include "base/result.hpp"
#include "supervise/child_end.hpp"

namespace heddle::supervise {

class PlainLink {
 public:
  // Says hello. A spare waits here for its assignment.
  static Result<PlainLink> attach(StopBy stop_by);

  [[nodiscard]] const Assignment& assignment() const { return end_.assignment; }

  void ready();
  void heartbeat() { end_.page.beat(); }
  void begin_draining();
  void enable_recovery() { end_.page.set(Mark::wants_recovery); }
  void set_working_on(std::uint64_t what) { end_.page.set_working_on(what); }
  [[nodiscard]] bool is_asked_to_stop() const { return end_.page.is_asked_to_stop(); }

 private:
  explicit PlainLink(ChildEnd end) : end_(std::move(end)) {}
  Status send(const ipc::Frame& frame);
  Status wait_for_assignment();

  ChildEnd end_;
};

}  // namespace heddle::supervise
