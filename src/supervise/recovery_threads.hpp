// Runs recovery runners, each on a thread of its own. run() and the destructor on the event loop.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <thread>

#include "supervise/loop_gate.hpp"
#include "supervise/recovery.hpp"
#include "supervise/recovery_ticket.hpp"

namespace heddle::supervise {

class RecoveryThreads {
 public:
  explicit RecoveryThreads(std::shared_ptr<LoopGate> gate) : gate_(std::move(gate)) {}
  ~RecoveryThreads();  // joins who has returned, leaves the others to themselves
  RecoveryThreads(const RecoveryThreads&) = delete;
  RecoveryThreads& operator=(const RecoveryThreads&) = delete;

  struct Work {
    RecoveryRunner runner;
    RecoveryInfo info;
    std::shared_ptr<RecoveryTicket> ticket;
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
