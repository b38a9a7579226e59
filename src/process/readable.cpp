#include "process/readable.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle::process {

namespace asio = boost::asio;

struct Readable::Watch {
  asio::posix::stream_descriptor descriptor;
};

Readable::Readable(const asio::any_io_executor& loop, int descriptor)
    : watch_(new Watch{asio::posix::stream_descriptor(loop, descriptor)}) {}

Readable::~Readable() {
  stop();
}

Async<bool> Readable::wait() {
  if (!watch_->descriptor.is_open()) co_return false;
  const auto [error] = co_await watch_->descriptor.async_wait(
      asio::posix::stream_descriptor::wait_read, asio::as_tuple(asio::use_awaitable));
  co_return !error;
}

void Readable::stop() {
  if (watch_->descriptor.is_open()) watch_->descriptor.release();
}

}  // namespace heddle::process
