#include "worker/async_semaphore.hpp"

#include <cstddef>

#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle::worker {

namespace asio = boost::asio;

// A channel with one message per free permit: its receivers wait in FIFO order.
struct AsyncSemaphore::State {
  asio::experimental::channel<void(boost::system::error_code)> free;
};

AsyncSemaphore::AsyncSemaphore(asio::any_io_executor loop, int count)
    : state_(new State{{std::move(loop), static_cast<std::size_t>(count)}}) {
  for (int i = 0; i < count; ++i) return_permit();
}

AsyncSemaphore::~AsyncSemaphore() = default;

Async<AsyncSemaphore::Permit> AsyncSemaphore::acquire() {
  co_await state_->free.async_receive(asio::use_awaitable);
  co_return Permit(this);
}

void AsyncSemaphore::return_permit() {
  state_->free.try_send(boost::system::error_code{});
}

}  // namespace heddle::worker
