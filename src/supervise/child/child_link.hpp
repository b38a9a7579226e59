// Links a child with an event loop to its supervisor: sends heartbeats, receives frames and drain
// requests. One event loop.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "base/async.hpp"
#include "base/result.hpp"
#include "ipc/channel.hpp"
#include "supervise/child/child_endpoint.hpp"

namespace heddle::supervise {

class ChildLink {
 public:
  // Sends the hello on the calling coroutine's loop. `not_found`: this process was not started by a
  // supervisor.
  static Async<Result<std::unique_ptr<ChildLink>>> attach();

  ChildLink(std::unique_ptr<ChildEndpoint> end, const boost::asio::any_io_executor& executor);
  ~ChildLink();
  ChildLink(const ChildLink&) = delete;
  ChildLink& operator=(const ChildLink&) = delete;

  // Waits for the slot assignment. Returns immediately unless this process is a spare, which should
  // have prepared everything before. Call it before all functions below.
  Async<Status> assigned();
  [[nodiscard]] const ChildAssignment& assignment() const;
  [[nodiscard]] ipc::Channel& channel();  // to send; receive through receive()

  // Returns the next frame of the owner's types. `unavailable`: the supervisor is gone, exit. Keep
  // a call pending: it also receives the drain request.
  Async<Result<ipc::Frame>> receive();

  // Called once, inside receive(). The child then finishes its work, calls begin_draining() and
  // exits.
  void set_drain_handler(std::function<void()> handler);
  [[nodiscard]] bool is_drain_requested() const;

  void ready();
  void begin_draining();
  void enable_recovery();
  // The event of this process's death carries it; 0: nothing. Costs one atomic store.
  void set_working_on(std::uint64_t what);
  [[nodiscard]] std::atomic<std::uint64_t>& work_word();  // written by set_working_on()

 private:
  struct State;
  void start_heartbeat();
  static Async<void> beat(std::shared_ptr<State> state);
  static Async<Result<ipc::Frame>> receive_on(std::shared_ptr<State> state);
  static void on_drain_request(State& state);

  std::shared_ptr<State> state_;
};

}  // namespace heddle::supervise
