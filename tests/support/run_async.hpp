// Runs one coroutine to completion on a new event loop.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include "base/async.hpp"

namespace heddle::testing {

template <class T>
T run_async(Async<T> work) {
  boost::asio::io_context loop;
  auto done = boost::asio::co_spawn(loop, std::move(work), boost::asio::use_future);
  loop.run();
  return done.get();
}

}  // namespace heddle::testing
