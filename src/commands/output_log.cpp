#include "commands/output_log.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/log/printable.hpp"
#include "base/log/redact.hpp"
#include "base/log/stream_redactor.hpp"
#include "base/pause.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "process/line_splitter.hpp"
#include "process/tail_buffer.hpp"

namespace heddle::commands {

namespace {

constexpr std::size_t kMaxLineBytes = 8UL * 1024;
constexpr std::size_t kBatchBytes = 64UL * 1024;
constexpr std::size_t kMaxOpenFiles = 64;
constexpr std::chrono::seconds kFileIdleTimeout{1};
constexpr std::size_t kNewestBytes =
    4UL * 1024;  // never dropped: the end of the output matters most
constexpr std::chrono::seconds kFinalWriteTimeout{1};
constexpr std::chrono::milliseconds kPollInterval{2};

// One stream of one program.
struct Stream {
  OutputTag tag;
  std::size_t waiting = 0;                   // bytes; guarded by the mutex of State
  std::uint64_t held_back = 0;               // likewise: bytes that came while the queue was full
  process::TailBuffer newest{kNewestBytes};  // likewise: the tail of these bytes
  std::unique_ptr<process::LineSplitter> lines{};
  StreamRedactor redactor{};
};

struct Piece {
  std::shared_ptr<Stream> stream;
  std::string bytes;
  std::uint64_t left_out_before = 0;
  bool is_last = false;
};

}  // namespace

std::string readable_output(std::string_view text) {
  if (is_valid_utf8(text)) return printable(text);
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += printable({&c, 1});
  }
  return out;
}

std::string output_line(const OutputTag& tag, WallTime at, std::string_view text) {
  return fmt::format("{} {} {} {}: {}", to_iso8601(at), tag.run.text, tag.program,
                     tag.stream == OutputStream::output ? "stdout" : "stderr", text);
}

// Shared with the writer thread, which may block in a write and outlive the OutputLog.
struct OutputLog::State {
  explicit State(OutputLogRules given) : rules(std::move(given)) {
    rules.secrets = secrets_with_lines(std::move(rules.secrets));
  }

  void take(const std::shared_ptr<Stream>& stream, std::string_view bytes) {
    const std::lock_guard lock(mutex);
    const bool is_full = waiting_bytes + bytes.size() > rules.max_waiting_bytes ||
                         stream->waiting + bytes.size() > rules.max_waiting_per_stream;
    if (is_full) {
      stream->held_back += bytes.size();
      stream->newest.append(bytes);
      return;
    }
    add_held_back(stream);
    add({stream, std::string(bytes), 0, false});
  }

  void finish(const std::shared_ptr<Stream>& stream) {
    const std::lock_guard lock(mutex);
    add_held_back(stream);
    add({stream, {}, 0, true});
  }

  // Queues the tail of the bytes that came while the queue was full.
  void add_held_back(const std::shared_ptr<Stream>& stream) {
    if (stream->held_back == 0) return;
    std::string newest(stream->newest.text());
    const std::uint64_t left_out = std::exchange(stream->held_back, 0) - newest.size();
    stream->newest = process::TailBuffer(kNewestBytes);
    bytes_left_out += left_out;
    add({stream, std::move(newest), left_out, false});
  }

  void add(Piece piece) {
    piece.stream->waiting += piece.bytes.size();
    waiting_bytes += piece.bytes.size();
    waiting.push_back(std::move(piece));
    changed.notify_all();
  }

  void work() {
    std::unique_lock lock(mutex);
    const auto has_something = [this] { return is_ending || !waiting.empty(); };
    while (true) {
      if (!changed.wait_for(lock, kFileIdleTimeout, has_something)) files.clear();
      changed.wait(lock, has_something);
      if (waiting.empty()) return;
      std::deque<Piece> pieces;
      pieces.swap(waiting);
      is_writing = true;
      rotation = rules.rotation;
      secrets = rules.secrets;
      lock.unlock();
      for (Piece& piece : pieces) write(piece);
      flush();
      lock.lock();
      is_writing = false;
      changed.notify_all();
    }
  }

  void write(const Piece& piece) {
    Stream& stream = *piece.stream;
    if (stream.lines == nullptr)
      stream.lines = std::make_unique<process::LineSplitter>(
          kMaxLineBytes, [this, &stream](std::string_view line) {
            if (line.ends_with('\r')) line.remove_suffix(1);
            put_line(stream.tag, readable_output(line));
          });
    // Redacts first: a secret that is cut or escaped is not recognized any more.
    if (piece.left_out_before > 0) {
      stream.lines->feed(stream.redactor.finish(secrets));
      stream.redactor.skip();
      stream.lines->finish();
      put_line(stream.tag,
               fmt::format("… {} dropped: the output came faster than it could be written",
                           counted(piece.left_out_before, "byte")));
    }
    stream.lines->feed(stream.redactor.feed(piece.bytes, secrets));
    if (piece.is_last) {
      stream.lines->feed(stream.redactor.finish(secrets));
      stream.lines->finish();
    }
    const std::lock_guard lock(mutex);
    stream.waiting -= piece.bytes.size();
    waiting_bytes -= piece.bytes.size();
  }

  void put_line(const OutputTag& tag, const std::string& text) {
    const auto path = notify_line(tag, text);
    if (!path) return;
    std::string& batch = batches[*path];
    batch += output_line(tag, clock.now(), text);
    batch += '\n';
    if (batch.size() >= kBatchBytes) flush();
  }

  // Returns the file that the line belongs to, if any.
  std::optional<std::filesystem::path> notify_line(const OutputTag& tag, const std::string& text) {
    const std::lock_guard lock(calls);
    if (is_abandoned) return std::nullopt;
    if (rules.on_line) rules.on_line(tag, text);
    if (!rules.file_of) return std::nullopt;
    return rules.file_of(tag.job);
  }

  // The thread may block in a write; it must not call the owner's functions afterwards.
  void abandon() {
    const std::lock_guard lock(calls);
    is_abandoned = true;
  }

  void flush() {
    if (files.size() > kMaxOpenFiles) files.clear();
    for (const auto& [path, batch] : batches) {
      auto& file = files[path];
      if (file == nullptr || file->rotation != rotation)
        file = std::make_unique<OpenFile>(path, rotation);
      (void)file->file.append(batch);  // a full disk must not stop the program
    }
    batches.clear();
  }

  struct OpenFile {
    OpenFile(const std::filesystem::path& path, Rotation its) : rotation(its), file(path, its) {}
    Rotation rotation;
    RotatingFile file;
  };

  OutputLogRules rules;  // rotation and secrets are guarded by the mutex
  SystemClock clock;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Piece> waiting;
  std::size_t waiting_bytes = 0;
  std::uint64_t bytes_left_out = 0;
  bool is_writing = false;
  bool is_ending = false;
  std::mutex calls;           // held while the owner's functions are called, never during a write
  bool is_abandoned = false;  // guarded by `calls`
  // Used by the thread only.
  Rotation rotation;
  std::vector<std::string> secrets;
  std::map<std::filesystem::path, std::string> batches;
  std::map<std::filesystem::path, std::unique_ptr<OpenFile>> files;
};

OutputLog::OutputLog(OutputLogRules rules) : state_(std::make_shared<State>(std::move(rules))) {
  std::thread([state = state_] { state->work(); }).detach();
}

OutputLog::~OutputLog() {
  {
    std::unique_lock lock(state_->mutex);
    state_->is_ending = true;
    state_->changed.notify_all();
    state_->changed.wait_for(lock, kFinalWriteTimeout,
                             [this] { return state_->waiting.empty() && !state_->is_writing; });
  }
  state_->abandon();
}

OutputLog::Sink OutputLog::open(OutputTag tag) {
  auto stream = std::make_shared<Stream>();
  stream->tag = std::move(tag);
  // Finishes the stream when the last copy of the sink is destroyed.
  const std::shared_ptr<Stream> open_stream(
      stream.get(), [state = state_, stream](Stream*) { state->finish(stream); });
  return
      [state = state_, stream, open_stream](std::string_view piece) { state->take(stream, piece); };
}

void OutputLog::set_rules(Rotation rotation, std::vector<std::string> secrets) {
  const std::lock_guard lock(state_->mutex);
  state_->rules.rotation = rotation;
  state_->rules.secrets = secrets_with_lines(std::move(secrets));
}

std::size_t OutputLog::longest_secret() const {
  const std::lock_guard lock(state_->mutex);
  std::size_t longest = 0;
  for (const std::string& secret : state_->rules.secrets)
    longest = std::max(longest, secret.size());
  return longest;
}

std::string OutputLog::redacted_tail(std::string_view text, std::size_t skipped) const {
  const std::lock_guard lock(state_->mutex);
  return readable_output(redact_end(text, state_->rules.secrets, skipped));
}

Async<void> OutputLog::drain(std::chrono::milliseconds timeout) {
  const auto state = state_;
  const Deadline deadline = std::chrono::steady_clock::now() + timeout;
  while (std::chrono::steady_clock::now() < deadline) {
    {
      const std::lock_guard lock(state->mutex);
      if (state->waiting.empty() && !state->is_writing) co_return;
    }
    co_await pause_for(kPollInterval);
  }
}

std::uint64_t OutputLog::bytes_left_out() const {
  const std::lock_guard lock(state_->mutex);
  return state_->bytes_left_out;
}

}  // namespace heddle::commands
