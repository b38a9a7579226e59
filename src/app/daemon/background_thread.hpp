// BackgroundThread runs blocking work on its own thread, one piece at a time, so that the event
// loop never waits for the disk.
#pragma once

#include <type_traits>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/async.hpp"

namespace heddle::app {

class BackgroundThread {
 public:
  ~BackgroundThread() { pool_.join(); }  // waits for pending work

  // Returns what `work` returns. What it refers to outlives this.
  template <class Work>
  Async<std::invoke_result_t<Work>> run(Work work) {
    auto done = boost::asio::co_spawn(pool_, call(std::move(work)), boost::asio::use_awaitable);
    co_return co_await std::move(done);
  }

 private:
  template <class Work>
  static Async<std::invoke_result_t<Work>> call(Work work) {
    co_return work();
  }

  boost::asio::thread_pool pool_{1};
};

}  // namespace heddle::app
