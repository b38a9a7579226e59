// What is logged and what is stored about the life of worker processes.
#pragma once

#include <set>
#include <string>

#include "base/async.hpp"
#include "base/log/log.hpp"
#include "store/history.hpp"
#include "supervise/slot_event.hpp"

namespace heddle::hub {

// Writes deaths and failed starts of workers to the log.
void log_worker_event(const supervise::SlotEvent& event, Log& log);

// WorkerEventHistory stores worker crashes and recoveries. Single event loop; everything passed in
// outlives it.
class WorkerEventHistory {
 public:
  WorkerEventHistory(boost::asio::any_io_executor loop, store::History& history, Log& log)
      : loop_(std::move(loop)), history_(history), log_(log) {}

  // `job`: the one it worked on; empty: unknown.
  void record(const supervise::SlotEvent& event, const std::string& job);

 private:
  Async<void> write(store::Note note, WallTime at);

  boost::asio::any_io_executor loop_;
  store::History& history_;
  Log& log_;
  std::set<supervise::SlotId> without_worker_;  // since a crash
};

}  // namespace heddle::hub
