// Runs one coroutine to its end on a loop that other coroutines share.
#pragma once

#include <optional>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "base/async.hpp"

namespace heddle {

template <class T>
T drive(boost::asio::io_context& loop, Async<T> work) {
  std::optional<T> result;
  std::exception_ptr thrown;
  // A thread that releases the loop's last work stops it, possibly after our restart(); this guard
  // keeps the loop busy.
  const auto busy = boost::asio::make_work_guard(loop);
  loop.restart();
  boost::asio::co_spawn(loop, std::move(work), [&](std::exception_ptr failed, T value) {
    thrown = std::move(failed);
    result = std::move(value);
  });
  while (!result) loop.run_one();
  if (thrown) std::rethrow_exception(thrown);
  return std::move(*result);
}

}  // namespace heddle
