// What is kept of the lives of workers: each death, and when the slot had a worker again. One event
// loop; everything it is given outlives it.
#pragma once

#include <set>
#include <string>

#include "base/async.hpp"
#include "base/log.hpp"
#include "store/history.hpp"
#include "supervise/process_event.hpp"

namespace heddle::hub {

class WorkerDiary {
 public:
  WorkerDiary(boost::asio::any_io_executor loop, store::History& history, Log& log)
      : loop_(std::move(loop)), history_(history), log_(log) {}

  // `job`: whom it worked for; empty: nobody knows.
  void note(const supervise::ProcessEvent& event, const std::string& job);

 private:
  Async<void> write(store::Note note, WallTime at);

  boost::asio::any_io_executor loop_;
  store::History& history_;
  Log& log_;
  std::set<supervise::SlotId> without_worker_;  // since a death
};

}  // namespace heddle::hub
