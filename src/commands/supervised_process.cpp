#include "commands/supervised_process.hpp"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <signal.h>

#include "commands/start_claims.hpp"
#include "process/output_capture.hpp"
#include "process/shepherded.hpp"
#include "process/tail_buffer.hpp"

namespace heddle::commands {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kTailBytes = 4UL * 1024;
constexpr std::chrono::milliseconds kWakeInterval{1000};
constexpr std::chrono::milliseconds kStreamGrace{
    200};  // for killed processes that have not exited yet
constexpr std::chrono::milliseconds kTreeExitTimeout{5000};  // a process may hang in the kernel

process::ShepherdedSpec spec_of(const LaunchSpec& launch_spec, std::vector<std::string> argv,
                                const LaunchContext& launch_context) {
  process::ShepherdedSpec spec;
  spec.program.argv = std::move(argv);
  spec.program.environment = to_environment(launch_spec.environment.variables);
  spec.program.directory = launch_spec.environment.folder;
  spec.program.descriptor_limit = launch_context.descriptor_limit;
  spec.shepherd = launch_context.shepherd;
  spec.cgroup = launch_context.cgroup;
  spec.kills_inherited = launch_context.kills_inherited;
  spec.start_claim = start_claim_file(launch_context, launch_spec.tag);
  return spec;
}

}  // namespace

struct SupervisedProcess::Parts {
  Parts(const asio::any_io_executor& loop, std::unique_ptr<process::Shepherded> started,
        const OutputTag& tag, OutputLog& output_log_in)
      : output_log(output_log_in),
        program(std::move(started)),
        timeout(loop),
        stop_timer(loop),
        waking(loop),
        cut_bytes(output_log_in.longest_secret()),
        tail(kTailBytes + cut_bytes) {
    output = capture(program->take_output(), tag, OutputStream::output);
    errors = capture(program->take_errors(), tag, OutputStream::errors);
  }

  std::unique_ptr<process::OutputCapture> capture(FileDescriptor source, OutputTag tag,
                                                  OutputStream stream) {
    tag.stream = stream;
    process::OutputCapture::Sink sink =
        [this, write = output_log.open(std::move(tag))](std::string_view piece) {
          tail.append(piece);
          write(piece);
        };
    return std::make_unique<process::OutputCapture>(std::move(source), 0, std::move(sink));
  }

  OutputLog& output_log;
  std::unique_ptr<process::Shepherded> program;
  asio::steady_timer timeout;
  asio::steady_timer stop_timer;  // of the grace period after a stop request
  asio::steady_timer waking;      // wakes the shepherd
  std::size_t cut_bytes;          // may contain part of a secret that the tail cuts
  process::TailBuffer tail;
  std::unique_ptr<process::OutputCapture> output;
  std::unique_ptr<process::OutputCapture> errors;
  bool is_stopping = false;
  bool has_ended = false;
  ProcessResult done;
};

SupervisedProcess::SupervisedProcess(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
SupervisedProcess::~SupervisedProcess() = default;

Async<Result<std::shared_ptr<SupervisedProcess>>> SupervisedProcess::start(
    LaunchSpec launch_spec, LaunchContext& launch_context) {
  // The message is stored, and the command line may hold secrets.
  const auto redacted = [&launch_context](Error error) {
    error.message = launch_context.output_log.redacted_tail(error.message, 0);
    return error;
  };
  auto argv = arguments_of(launch_spec.line, launch_spec.environment.variables);
  if (!argv) co_return redacted(std::move(argv).error());
  auto spec = spec_of(launch_spec, std::move(*argv), launch_context);
  auto started = co_await process::Shepherded::start(std::move(spec), launch_context.start_thread);
  if (!started) co_return redacted(std::move(started).error());
  const auto loop = co_await asio::this_coro::executor;
  std::shared_ptr<SupervisedProcess> supervised(new SupervisedProcess(std::make_unique<Parts>(
      loop, std::move(*started), launch_spec.tag, launch_context.output_log)));
  if (launch_spec.timeout) supervised->kill_after(*launch_spec.timeout, true);
  supervised->keep_shepherd_awake();
  co_return supervised;
}

pid_t SupervisedProcess::pid() const {
  return parts_->program->pid();
}

void SupervisedProcess::kill_after(std::chrono::milliseconds time, bool is_timeout) {
  asio::steady_timer& alarm = is_timeout ? parts_->timeout : parts_->stop_timer;
  alarm.expires_after(time);
  alarm.async_wait([weak = weak_from_this(), is_timeout](boost::system::error_code cancelled) {
    const auto self = weak.lock();
    if (cancelled || self == nullptr || self->parts_->has_ended) return;
    if (is_timeout) self->parts_->done.has_timed_out = true;
    self->parts_->program->kill_tree();
  });
}

void SupervisedProcess::keep_shepherd_awake() {
  parts_->waking.expires_after(kWakeInterval);
  parts_->waking.async_wait([weak = weak_from_this()](boost::system::error_code cancelled) {
    const auto self = weak.lock();
    if (cancelled || self == nullptr || self->parts_->has_ended) return;
    self->parts_->program->wake();
    self->keep_shepherd_awake();
  });
}

void SupervisedProcess::request_stop(int signal, std::chrono::milliseconds grace) {
  if (parts_->has_ended || std::exchange(parts_->is_stopping, true)) return;
  parts_->done.was_stop_requested = !parts_->program->has_ended();
  if (signal == SIGKILL) return kill();
  parts_->program->signal(signal);
  parts_->program->signal(SIGCONT);  // a stopped process would not handle it
  kill_after(grace, false);
}

void SupervisedProcess::kill() {
  if (!parts_->has_ended) parts_->program->kill_tree();
}

Async<ProcessResult> SupervisedProcess::wait() {
  using namespace asio::experimental::awaitable_operators;
  const auto self = shared_from_this();
  Parts& parts = *parts_;
  auto end = parts.program->wait();
  const process::ExitStatus status =
      co_await capture_until_end(std::move(end), *parts.output, *parts.errors, kStreamGrace);
  parts.has_ended = true;
  parts.timeout.cancel();
  parts.waking.cancel();
  parts.stop_timer.expires_after(kTreeExitTimeout);
  co_await (parts.program->wait_for_tree() ||
            parts.stop_timer.async_wait(asio::as_tuple(asio::use_awaitable)));
  parts.output.reset();  // finishes the last lines
  parts.errors.reset();
  parts.done.exit = {status.exit_code, status.signal};
  parts.done.peak_memory_bytes = status.peak_memory_bytes;
  parts.done.cpu_time =
      std::chrono::duration_cast<std::chrono::milliseconds>(status.user_time + status.system_time);
  const std::string_view tail = parts.tail.text();
  const bool is_cut = tail.size() > kTailBytes;
  parts.done.output_tail =
      parts.output_log.redacted_tail(tail, is_cut ? tail.size() - kTailBytes : 0);
  co_return parts.done;
}

}  // namespace heddle::commands
