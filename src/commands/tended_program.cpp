#include "commands/tended_program.hpp"

#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <signal.h>

#include "process/output_capture.hpp"
#include "process/shepherded.hpp"
#include "process/tail_buffer.hpp"

namespace heddle::commands {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kTailBytes = 4UL * 1024;
constexpr std::chrono::milliseconds kBetweenWakings{1000};
constexpr std::chrono::milliseconds kStreamGrace{200};    // for what is killed and not yet gone
constexpr std::chrono::milliseconds kTreePatience{5000};  // a process may hang in the kernel

process::ShepherdedSpec spec_of(const ProgramOrder& order, std::vector<std::string> argv,
                                const ProgramHouse& house) {
  process::ShepherdedSpec spec;
  spec.program.argv = std::move(argv);
  spec.program.environment = to_environment(order.surroundings.variables);
  spec.program.directory = order.surroundings.folder;
  spec.program.descriptor_limit = house.descriptor_limit;
  spec.shepherd = house.shepherd;
  return spec;
}

}  // namespace

struct TendedProgram::Parts {
  Parts(const asio::any_io_executor& loop, std::unique_ptr<process::Shepherded> started,
        const OutputTag& tag, OutputBook& its_book)
      : book(its_book),
        program(std::move(started)),
        timeout(loop),
        patience(loop),
        waking(loop),
        cut_bytes(its_book.longest_secret()),
        tail(kTailBytes + cut_bytes) {
    output = capture(program->take_output(), tag, OutputStream::output);
    errors = capture(program->take_errors(), tag, OutputStream::errors);
  }

  std::unique_ptr<process::OutputCapture> capture(FileDescriptor source, OutputTag tag,
                                                  OutputStream stream) {
    tag.stream = stream;
    process::OutputCapture::Sink sink =
        [this, write = book.open(std::move(tag))](std::string_view piece) {
          tail.append(piece);
          write(piece);
        };
    return std::make_unique<process::OutputCapture>(std::move(source), 0, std::move(sink));
  }

  OutputBook& book;
  std::unique_ptr<process::Shepherded> program;
  asio::steady_timer timeout;
  asio::steady_timer patience;  // after it was asked to end
  asio::steady_timer waking;    // of its shepherd
  std::size_t cut_bytes;        // in which a secret may lie that the tail cuts in two
  process::TailBuffer tail;
  std::unique_ptr<process::OutputCapture> output;
  std::unique_ptr<process::OutputCapture> errors;
  bool has_ended = false;
  ProgramDone done;
};

TendedProgram::TendedProgram(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TendedProgram::~TendedProgram() = default;

Async<Result<std::shared_ptr<TendedProgram>>> TendedProgram::start(ProgramOrder order,
                                                                   ProgramHouse& house) {
  auto argv = arguments_of(order.line, order.surroundings.variables);
  if (!argv) co_return std::move(argv).error();
  auto spec = spec_of(order, std::move(*argv), house);
  auto started = co_await process::Shepherded::start(std::move(spec), house.starts);
  if (!started) co_return std::move(started).error();
  const auto loop = co_await asio::this_coro::executor;
  std::shared_ptr<TendedProgram> tended(
      new TendedProgram(std::make_unique<Parts>(loop, std::move(*started), order.tag, house.book)));
  if (order.timeout) tended->kill_after(*order.timeout, true);
  tended->keep_awake();
  co_return tended;
}

pid_t TendedProgram::pid() const {
  return parts_->program->pid();
}

void TendedProgram::kill_after(std::chrono::milliseconds time, bool is_timeout) {
  asio::steady_timer& alarm = is_timeout ? parts_->timeout : parts_->patience;
  alarm.expires_after(time);
  alarm.async_wait([weak = weak_from_this(), is_timeout](boost::system::error_code cancelled) {
    const auto self = weak.lock();
    if (cancelled || self == nullptr || self->parts_->has_ended) return;
    if (is_timeout) self->parts_->done.has_timed_out = true;
    self->parts_->program->kill_tree();
  });
}

void TendedProgram::keep_awake() {
  parts_->waking.expires_after(kBetweenWakings);
  parts_->waking.async_wait([weak = weak_from_this()](boost::system::error_code cancelled) {
    const auto self = weak.lock();
    if (cancelled || self == nullptr || self->parts_->has_ended) return;
    self->parts_->program->wake();
    self->keep_awake();
  });
}

void TendedProgram::ask_to_end(int signal, std::chrono::milliseconds patience) {
  if (parts_->has_ended || std::exchange(parts_->done.was_asked_to_end, true)) return;
  if (signal == SIGKILL) return kill();
  parts_->program->signal(signal);
  parts_->program->signal(SIGCONT);  // one that was stopped would not hear it
  kill_after(patience, false);
}

void TendedProgram::kill() {
  if (!parts_->has_ended) parts_->program->kill_tree();
}

Async<ProgramDone> TendedProgram::wait() {
  using namespace asio::experimental::awaitable_operators;
  const auto self = shared_from_this();
  Parts& parts = *parts_;
  auto end = parts.program->wait();
  const process::ExitFacts facts =
      co_await capture_until_end(std::move(end), *parts.output, *parts.errors, kStreamGrace);
  parts.has_ended = true;
  parts.timeout.cancel();
  parts.waking.cancel();
  parts.patience.expires_after(kTreePatience);
  co_await (parts.program->wait_for_tree() ||
            parts.patience.async_wait(asio::as_tuple(asio::use_awaitable)));
  parts.output.reset();  // ends the last lines
  parts.errors.reset();
  parts.done.exit = {facts.exit_code, facts.signal};
  parts.done.peak_memory_bytes = facts.peak_memory_bytes;
  parts.done.cpu_time =
      std::chrono::duration_cast<std::chrono::milliseconds>(facts.user_time + facts.system_time);
  const std::string_view tail = parts.tail.text();
  const bool is_cut = tail.size() > kTailBytes;
  parts.done.output_tail = parts.book.clean_end(tail, is_cut ? tail.size() - kTailBytes : 0);
  co_return parts.done;
}

}  // namespace heddle::commands
