#include "process/output_capture.hpp"

#include <array>
#include <cerrno>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <sys/ioctl.h>

#include "process/readable.hpp"

namespace heddle::process {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kPieceBytes = 64UL * 1024;         // the capacity of a pipe
constexpr std::size_t kBytesPerTurn = 16 * kPieceBytes;  // then other work on the loop runs

// Sets a pointer to a local object of a coroutine and clears it when the coroutine ends.
class ScopedPointer {
 public:
  ScopedPointer(Readable*& pointer, Readable& object) : pointer_(pointer) { pointer_ = &object; }
  ~ScopedPointer() { pointer_ = nullptr; }
  ScopedPointer(const ScopedPointer&) = delete;
  ScopedPointer& operator=(const ScopedPointer&) = delete;

 private:
  Readable*& pointer_;
};

}  // namespace

OutputCapture::OutputCapture(FileDescriptor source, std::size_t tail_bytes, Sink sink)
    : source_(std::move(source)), tail_(tail_bytes), sink_(std::move(sink)) {}

Async<void> OutputCapture::read_to_end() {
  if (is_finished()) co_return;
  Readable readable(co_await asio::this_coro::executor, source_.get());
  const ScopedPointer registration(reading_, readable);
  while (!is_finished()) {
    const bool has_more = co_await readable.wait();
    if (!has_more || is_finished()) co_return;
    if (read_available(kBytesPerTurn) == Reading::more) continue;
    readable.stop();
    source_.reset();
  }
}

// Bounded by the bytes that are in the pipe now, because another process may keep writing.
void OutputCapture::finish() {
  if (is_finished()) return;
  int waiting = 0;
  if (ioctl(source_.get(), FIONREAD, &waiting) == 0 && waiting > 0)
    read_available(static_cast<std::size_t>(waiting));
  if (reading_ != nullptr) reading_->stop();
  source_.reset();
}

OutputCapture::Reading OutputCapture::read_available(std::size_t max_bytes) {
  std::array<char, kPieceBytes> piece;  // NOLINT(cppcoreguidelines-pro-type-member-init): read into
  while (max_bytes > 0) {
    const ssize_t size = read(source_.get(), piece.data(), std::min(max_bytes, piece.size()));
    if (size > 0) {
      take({piece.data(), static_cast<std::size_t>(size)});
      max_bytes -= static_cast<std::size_t>(size);
    } else if (size == 0 || errno != EINTR) {
      return size < 0 && errno == EAGAIN ? Reading::more : Reading::ended;
    }
  }
  return Reading::more;
}

void OutputCapture::take(std::string_view piece) {
  total_bytes_ += piece.size();
  tail_.append(piece);
  if (sink_) sink_(piece);
}

namespace {

class Capture {
 public:
  Capture(const asio::any_io_executor& loop, OutputCapture& output, OutputCapture& errors)
      : output_(output), errors_(errors), grace_over_(loop) {}

  Async<void> read_both() {
    using namespace asio::experimental::awaitable_operators;
    co_await (output_.read_to_end() && errors_.read_to_end());
    grace_over_.cancel();
  }

  Async<ExitStatus> finish_after(Async<ExitStatus> end, std::chrono::milliseconds grace) {
    const ExitStatus exit_status = co_await std::move(end);
    if (!output_.is_finished() || !errors_.is_finished()) {
      grace_over_.expires_after(grace);
      co_await grace_over_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
    output_.finish();
    errors_.finish();
    co_return exit_status;
  }

 private:
  OutputCapture& output_;
  OutputCapture& errors_;
  asio::steady_timer grace_over_;
};

}  // namespace

Async<ExitStatus> capture_until_end(Async<ExitStatus> end, OutputCapture& output,
                                    OutputCapture& errors, std::chrono::milliseconds grace) {
  using namespace asio::experimental::awaitable_operators;
  const auto capture =
      std::make_unique<Capture>(co_await asio::this_coro::executor, output, errors);
  co_return co_await (capture->finish_after(std::move(end), grace) && capture->read_both());
}

}  // namespace heddle::process
