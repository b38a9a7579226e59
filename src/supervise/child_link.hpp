// A child's link to its supervisor for programs with an event loop: beats by itself, reads the
// channel, hears requests to drain. One event loop.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "base/async.hpp"
#include "base/result.hpp"
#include "ipc/channel.hpp"
#include "supervise/child_end.hpp"

namespace heddle::supervise {

class ChildLink {
 public:
  // Says hello on the calling coroutine's loop. `not_found`: this process was not started by a
  // supervisor.
  static Async<Result<std::unique_ptr<ChildLink>>> attach();

  ChildLink(std::unique_ptr<ChildEnd> end, const boost::asio::any_io_executor& executor);
  ~ChildLink();
  ChildLink(const ChildLink&) = delete;
  ChildLink& operator=(const ChildLink&) = delete;

  // Returns at once in a process that was started for its slot. A spare, which should have prepared
  // all it can, waits here for its turn. Call it before everything below.
  Async<Status> assigned();
  [[nodiscard]] const Assignment& assignment() const;
  [[nodiscard]] ipc::Channel& channel();  // to send; receive through receive()

  // The next frame of the owner's types. `unavailable` when the supervisor is gone: then leave.
  // Call it again at once: this is also how a request to drain is heard.
  Async<Result<ipc::Frame>> receive();

  // Called once, inside receive(): finish what is begun, begin_draining(), leave.
  void set_drain_handler(std::function<void()> handler);
  [[nodiscard]] bool is_asked_to_drain() const;

  void ready();
  void begin_draining();
  void enable_recovery();
  // Shown by the event of our death; 0: nothing. Costs one store.
  void set_working_on(std::uint64_t what);
  [[nodiscard]] std::atomic<std::uint64_t>& work_word();  // where it writes

 private:
  struct State;
  void begin_to_beat();
  static Async<void> beat(std::shared_ptr<State> state);
  static Async<Result<ipc::Frame>> receive_on(std::shared_ptr<State> state);
  static void on_drain_request(State& state);

  std::shared_ptr<State> state_;
};

}  // namespace heddle::supervise
