#include "app/interrupt.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <sys/eventfd.h>
#include <unistd.h>

namespace heddle::app {

namespace {

// Global because a signal handler uses them; there is one Interrupt at a time.
std::atomic<int> signals_so_far{0};
std::atomic<int> wake_descriptor{-1};

// The second signal exits even if the loop has not handled the first: the loop may hang.
extern "C" void on_signal(int /*signal*/) {
  if (signals_so_far.fetch_add(1) > 0) std::_Exit(130);
  const int before = errno;
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = write(wake_descriptor.load(), &one, sizeof one);
  errno = before;
}

void set_handler(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

int open_eventfd() {
  const int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (descriptor < 0) throw std::runtime_error("no file descriptor is left for signal handling");
  return descriptor;
}

}  // namespace

Interrupt::Interrupt(boost::asio::io_context& loop, std::function<void()> on_first)
    : wake_(loop, open_eventfd()), on_first_(std::move(on_first)) {
  wake_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                   [this](boost::system::error_code cancelled) {
                     if (!cancelled) on_first_();
                   });
  signals_so_far = 0;
  wake_descriptor = wake_.native_handle();
  set_handler(on_signal);
}

Interrupt::~Interrupt() {
  set_handler(SIG_DFL);
  wake_descriptor = -1;
}

}  // namespace heddle::app
