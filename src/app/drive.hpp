// Runs one coroutine to its end on a loop that others use, too.
#pragma once

#include <optional>
#include <stdexcept>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "base/async.hpp"

namespace heddle::app {

template <class T>
T drive(boost::asio::io_context& loop, Async<T> work) {
  std::optional<T> result;
  std::exception_ptr thrown;
  loop.restart();
  boost::asio::co_spawn(loop, std::move(work), [&](std::exception_ptr failed, T value) {
    thrown = std::move(failed);
    result = std::move(value);
  });
  while (!result)
    if (loop.run_one() == 0) throw std::logic_error("the work waits for nothing");
  if (thrown) std::rethrow_exception(thrown);
  return std::move(*result);
}

}  // namespace heddle::app
