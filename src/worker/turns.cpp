#include "worker/turns.hpp"

#include <cstddef>

#include <boost/asio/experimental/channel.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle::worker {

namespace asio = boost::asio;

// A channel with as many messages as there are turns: its takers queue up by themselves.
struct Turns::Waiting {
  asio::experimental::channel<void(boost::system::error_code)> free;
};

Turns::Turns(asio::any_io_executor loop, int count)
    : waiting_(new Waiting{{std::move(loop), static_cast<std::size_t>(count)}}) {
  for (int i = 0; i < count; ++i) take_back();
}

Turns::~Turns() = default;

Async<Turns::Turn> Turns::take() {
  co_await waiting_->free.async_receive(asio::use_awaitable);
  co_return Turn(this);
}

void Turns::take_back() {
  waiting_->free.try_send(boost::system::error_code{});
}

}  // namespace heddle::worker
