#include "process/start_thread.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace heddle::process {

namespace asio = boost::asio;

struct StartThread::Thread {
  asio::thread_pool pool{1};
};

namespace {

Async<void> run(const std::function<void()>& start) {
  start();
  co_return;
}

}  // namespace

StartThread::StartThread() : thread_(std::make_unique<Thread>()) {}

StartThread::~StartThread() {
  close();
}

Async<void> StartThread::call(std::function<void()> start) {
  auto done = asio::co_spawn(thread_->pool, run(start), asio::use_awaitable);
  co_await std::move(done);
}

void StartThread::close() {
  thread_->pool.join();
}

}  // namespace heddle::process
