#include "base/run_concurrently.hpp"

#include <algorithm>
#include <memory>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>

#include "base/rethrow_bug.hpp"
#include "base/wake_signal.hpp"

namespace heddle {

namespace {

struct ConcurrentTasks {
  std::size_t next = 0;
  std::size_t count = 0;
  std::function<Async<void>(std::size_t)> task;
  std::size_t runners = 0;
  WakeSignal runner_ended;
};

Async<void> run_tasks(std::shared_ptr<ConcurrentTasks> tasks) {
  while (tasks->next < tasks->count) co_await tasks->task(tasks->next++);
  --tasks->runners;
  tasks->runner_ended.notify();
}

}  // namespace

Async<void> run_concurrently(std::size_t count, std::size_t max_concurrent,
                             std::function<Async<void>(std::size_t)> task) {
  const auto loop = co_await boost::asio::this_coro::executor;
  const auto tasks = std::make_shared<ConcurrentTasks>();
  tasks->count = count;
  tasks->task = std::move(task);
  tasks->runners = std::min(count, std::max<std::size_t>(1, max_concurrent));
  for (std::size_t i = tasks->runners; i > 0; --i)
    boost::asio::co_spawn(loop, run_tasks(tasks), rethrow_bug);
  while (tasks->runners > 0) co_await tasks->runner_ended.wait();
}

}  // namespace heddle
