#include "base/do_all.hpp"

#include <algorithm>
#include <memory>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>

#include "base/doorbell.hpp"
#include "base/rethrow_bug.hpp"

namespace heddle {

namespace {

struct Todo {
  std::size_t next = 0;
  std::size_t count = 0;
  std::function<Async<void>(std::size_t)> one;
  std::size_t helpers = 0;
  Doorbell helper_is_done;
};

Async<void> help(std::shared_ptr<Todo> todo) {
  while (todo->next < todo->count) co_await todo->one(todo->next++);
  --todo->helpers;
  todo->helper_is_done.ring();
}

}  // namespace

Async<void> do_all(std::size_t count, std::size_t at_a_time,
                   std::function<Async<void>(std::size_t)> one) {
  const auto loop = co_await boost::asio::this_coro::executor;
  const auto todo = std::make_shared<Todo>();
  todo->count = count;
  todo->one = std::move(one);
  todo->helpers = std::min(count, std::max<std::size_t>(1, at_a_time));
  for (std::size_t i = todo->helpers; i > 0; --i)
    boost::asio::co_spawn(loop, help(todo), rethrow_bug);
  while (todo->helpers > 0) co_await todo->helper_is_done.wait();
}

}  // namespace heddle
