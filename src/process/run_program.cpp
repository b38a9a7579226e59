#include "process/run_program.hpp"

#include <memory>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>
#include <signal.h>

#include "base/time.hpp"
#include "process/output_capture.hpp"
#include "process/pipe.hpp"
#include "process/spawn.hpp"

namespace heddle::process {

namespace {

namespace asio = boost::asio;
using asio::as_tuple;
using asio::use_awaitable;

constexpr std::chrono::milliseconds kNoGrace{0};  // for processes that outlive the program

// Keeps the beginning of a stream; the capture still reads all of it.
struct HeadBuffer {
  std::size_t max_bytes;
  std::string text;
  bool was_cut = false;

  void append(std::string_view piece) {
    const std::size_t kept = std::min(piece.size(), max_bytes - text.size());
    text.append(piece.substr(0, kept));
    was_cut = was_cut || kept < piece.size();
  }
};

struct Streams {
  Pipe input;  // empty when the program gets no input
  Pipe output;
  Pipe errors;
};

Result<Streams> make_streams(bool has_input) {
  auto output = make_output_pipe();
  if (!output) return std::move(output.error());
  auto errors = make_output_pipe();
  if (!errors) return std::move(errors.error());
  Streams streams;
  streams.output = std::move(*output);
  streams.errors = std::move(*errors);
  if (!has_input) return streams;
  auto input = make_input_pipe();
  if (!input) return std::move(input.error());
  streams.input = std::move(*input);
  return streams;
}

// Closes our copies of the program's ends of the streams.
Result<Spawned> start(const ProgramSpec& program, Streams& streams) {
  SpawnSpec spec;
  spec.argv = program.argv;
  spec.environment = program.environment;
  spec.directory = program.directory;
  spec.descriptors = {{streams.output.theirs.get(), STDOUT_FILENO},
                      {streams.errors.theirs.get(), STDERR_FILENO}};
  if (streams.input.theirs) spec.descriptors.push_back({streams.input.theirs.get(), STDIN_FILENO});
  auto spawned = spawn(spec);
  for (Pipe* pipe : {&streams.input, &streams.output, &streams.errors}) pipe->theirs.reset();
  return spawned;
}

class ProgramRun {
 public:
  ProgramRun(const asio::any_io_executor& loop, Spawned program, Streams streams, ProgramSpec spec)
      : program_(std::move(program)),
        spec_(std::move(spec)),
        alarm_(loop, spec_.timeout),
        input_(loop),
        output_{spec_.max_output_bytes, {}},
        errors_{spec_.max_output_bytes, {}},
        output_capture_(std::move(streams.output.ours), 0,
                        [this](std::string_view piece) { output_.append(piece); }),
        errors_capture_(std::move(streams.errors.ours), 0,
                        [this](std::string_view piece) { errors_.append(piece); }) {
    if (streams.input.ours)
      input_.assign(asio::local::stream_protocol(), streams.input.ours.release());
  }

  Async<CompletedProgram> run() {
    using namespace asio::experimental::awaitable_operators;
    co_await (capture_until_end(wait_or_kill(), output_capture_, errors_capture_, kNoGrace) &&
              write_input());
    end_.output = std::move(output_.text);
    end_.errors = std::move(errors_.text);
    end_.was_output_cut = output_.was_cut || errors_.was_cut;
    co_return std::move(end_);
  }

 private:
  Async<ExitStatus> wait_or_kill() {
    using namespace asio::experimental::awaitable_operators;
    const auto first = co_await (program_.wait() || alarm_.async_wait(as_tuple(use_awaitable)));
    if (first.index() == 1) {
      end_.timed_out = !program_.is_reaped();
      program_.kill_group(SIGKILL);
      program_.send_signal(SIGKILL);  // it may have left its group
    }
    const ExitStatus exit_status = co_await program_.wait();
    end_.exit_code = exit_status.exit_code;
    end_.signal = exit_status.signal;
    close_input();
    co_return exit_status;
  }

  Async<void> write_input() {
    if (!input_.is_open()) co_return;
    co_await asio::async_write(input_, asio::buffer(spec_.input), as_tuple(use_awaitable));
    close_input();  // the program reads an end of file
  }

  void close_input() {
    boost::system::error_code ignored;
    input_.close(ignored);
  }

  Spawned program_;
  ProgramSpec spec_;
  asio::steady_timer alarm_;
  asio::local::stream_protocol::socket input_;
  HeadBuffer output_;
  HeadBuffer errors_;
  OutputCapture output_capture_;
  OutputCapture errors_capture_;
  CompletedProgram end_;
};

}  // namespace

Async<Result<CompletedProgram>> run_program(ProgramSpec spec) {
  auto streams = make_streams(!spec.input.empty());
  if (!streams) co_return std::move(streams.error()).during("cannot start");
  auto program = start(spec, *streams);
  if (!program) co_return std::move(program.error()).during("cannot start");
  const auto run =
      std::make_unique<ProgramRun>(co_await asio::this_coro::executor, std::move(*program),
                                   std::move(*streams), std::move(spec));
  co_return co_await run->run();
}

std::string describe(const CompletedProgram& end, std::chrono::milliseconds timeout) {
  if (end.timed_out) return fmt::format("killed after {}", to_short_text(timeout));
  ExitStatus exit_status;
  exit_status.exit_code = end.exit_code;
  exit_status.signal = end.signal;
  return describe(exit_status);
}

}  // namespace heddle::process
