// Runs each respawn runner on its own thread. run() and the destructor on the event loop.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <thread>

#include "supervise/loop_gate.hpp"
#include "supervise/recovery/respawn.hpp"
#include "supervise/recovery/respawn_permit.hpp"

namespace heddle::supervise {

class RespawnThreads {
 public:
  explicit RespawnThreads(std::shared_ptr<LoopGate> gate) : gate_(std::move(gate)) {}
  ~RespawnThreads();  // joins threads that have returned, detaches the others
  RespawnThreads(const RespawnThreads&) = delete;
  RespawnThreads& operator=(const RespawnThreads&) = delete;

  struct Work {
    RespawnRunner runner;
    CrashReport crash;
    std::shared_ptr<RespawnPermit> permit;
    std::function<void(std::string error)> on_return;  // through the gate; "": no error
  };
  void run(Work work);

 private:
  struct Thread {
    std::shared_ptr<std::atomic<bool>> has_returned = std::make_shared<std::atomic<bool>>(false);
    std::thread thread;
  };
  void join_returned();

  std::shared_ptr<LoopGate> gate_;
  std::list<std::unique_ptr<Thread>> threads_;
};

}  // namespace heddle::supervise
