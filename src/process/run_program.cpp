#include "process/run_program.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>

#include "base/time.hpp"
#include "process/child.hpp"

namespace heddle::process {

namespace {

namespace asio = boost::asio;
using asio::as_tuple;
using asio::use_awaitable;

// One stream of the program's output: kept up to a limit, read to its end all the same.
class OutputReader {
 public:
  OutputReader(const asio::any_io_executor& loop, FileDescriptor source, std::size_t max_bytes)
      : source_(loop, source.release()), max_bytes_(max_bytes) {}

  Async<void> read_to_end() {
    while (true) {
      const auto [error, size] =
          co_await source_.async_read_some(asio::buffer(piece_), as_tuple(use_awaitable));
      if (error) co_return;
      keep(size);
    }
  }

  // What the program wrote before it ended is in the pipe already. Its end may never come: a
  // process that left the group can still hold the other side.
  void finish() {
    source_.cancel();
    source_.non_blocking(true);
    boost::system::error_code error;
    while (!error) {
      const std::size_t size = source_.read_some(asio::buffer(piece_), error);
      if (!error) keep(size);
    }
    source_.close(error);
  }

  std::string take_text() { return std::move(text_); }
  [[nodiscard]] bool was_cut() const { return was_cut_; }

 private:
  void keep(std::size_t size) {
    const std::size_t kept = std::min(size, max_bytes_ - text_.size());
    text_.append(piece_.data(), kept);
    was_cut_ = was_cut_ || kept < size;
  }

  asio::posix::stream_descriptor source_;
  std::size_t max_bytes_;
  std::string text_;
  bool was_cut_ = false;
  std::array<char, 16UL * 1024> piece_{};
};

class ProgramRun {
 public:
  ProgramRun(const asio::any_io_executor& loop, Child child, ProgramSpec spec)
      : child_(std::move(child)),
        spec_(std::move(spec)),
        ended_(loop, child_.pidfd.release()),
        alarm_(loop, spec_.timeout),
        input_(loop),
        output_(loop, std::move(child_.output), spec_.max_output_bytes),
        errors_(loop, std::move(child_.errors), spec_.max_output_bytes) {
    if (child_.input.get() >= 0)
      input_.assign(asio::local::stream_protocol(), child_.input.release());
  }

  Async<ProgramEnd> run() {
    using namespace asio::experimental::awaitable_operators;
    co_await (await_end() && write_input() && output_.read_to_end() && errors_.read_to_end());
    end_.output = output_.take_text();
    end_.errors = errors_.take_text();
    end_.was_output_cut = output_.was_cut() || errors_.was_cut();
    co_return std::move(end_);
  }

 private:
  Async<void> await_end() {
    using namespace asio::experimental::awaitable_operators;
    const auto winner = co_await (ended_.async_wait(Wait::wait_read, as_tuple(use_awaitable)) ||
                                  alarm_.async_wait(as_tuple(use_awaitable)));
    if (winner.index() == 1) {
      end_.timed_out = true;
      child_.kill_group();
      co_await ended_.async_wait(Wait::wait_read, as_tuple(use_awaitable));
    }
    const Reaped reaped = child_.reap();
    end_.exit_code = reaped.exit_code;
    end_.signal = reaped.signal;
    boost::system::error_code ignored;
    input_.close(ignored);
    output_.finish();
    errors_.finish();
  }

  Async<void> write_input() {
    if (!input_.is_open()) co_return;
    co_await asio::async_write(input_, asio::buffer(spec_.input), as_tuple(use_awaitable));
    boost::system::error_code ignored;
    input_.close(ignored);  // the program reads its end of input
  }

  using Wait = asio::posix::stream_descriptor;

  Child child_;
  ProgramSpec spec_;
  asio::posix::stream_descriptor ended_;  // the pidfd
  asio::steady_timer alarm_;
  asio::local::stream_protocol::socket input_;
  OutputReader output_;
  OutputReader errors_;
  ProgramEnd end_;
};

}  // namespace

Async<Result<ProgramEnd>> run_program(ProgramSpec spec) {
  auto child = Child::start(spec);
  if (!child) co_return std::move(child.error()).during("start");
  ProgramRun run(co_await asio::this_coro::executor, std::move(*child), std::move(spec));
  co_return co_await run.run();
}

std::string describe(const ProgramEnd& end, std::chrono::milliseconds timeout) {
  if (end.timed_out) return fmt::format("killed after {}", to_short_text(timeout));
  if (end.exit_code) return fmt::format("exit code {}", *end.exit_code);
  const int number = end.signal.value_or(0);
  const char* name = sigdescr_np(number);
  return fmt::format("killed by signal {} ({})", number, name == nullptr ? "unknown" : name);
}

}  // namespace heddle::process
