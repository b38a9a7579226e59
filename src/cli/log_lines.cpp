#include "cli/log_lines.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <set>
#include <utility>

#include <boost/json/parse.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/quantity.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kTimeLength = std::string_view("2026-11-15T21:23:07.412Z").size();
constexpr std::uintmax_t kBytesPerLine =
    400;  // a generous estimate, because only the end of a file is read

std::string value_of(const boost::json::value& data, std::string_view key) {
  const auto* object = data.if_object();
  const auto* found = object == nullptr ? nullptr : object->if_contains(key);
  const auto* text = found == nullptr ? nullptr : found->if_string();
  return text == nullptr ? "" : std::string(*text);
}

std::string with(std::string_view separator, const std::string& text) {
  return text.empty() ? "" : std::string(separator) + text;
}

constexpr int kAttempts = 5;
constexpr std::size_t kReadTogether = 1UL << 20;

FileDescriptor open_file(const std::filesystem::path& path) {
  return FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

// Identifies a file independently of its name.
using FileId = std::pair<dev_t, ino_t>;
FileId id_of(const FileDescriptor& file) {
  struct stat facts {};
  (void)::fstat(file.get(), &facts);
  return {facts.st_dev, facts.st_ino};
}

std::uintmax_t size_of(const FileDescriptor& file) {
  struct stat facts {};
  return ::fstat(file.get(), &facts) == 0 ? static_cast<std::uintmax_t>(facts.st_size) : 0;
}

std::string read_from(const FileDescriptor& file, std::uintmax_t offset) {
  std::string text;
  while (true) {
    const std::size_t before = text.size();
    text.resize(before + kReadTogether);
    const ssize_t count = ::pread(file.get(), text.data() + before, kReadTogether,
                                  static_cast<off_t>(offset + before));
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    if (count <= 0) return text;
  }
}

// The data of an event; a value that is missing is empty.
using EventData = std::function<std::string(std::string_view key)>;

std::string bytes_text(const std::string& bytes) {
  std::int64_t number = 0;
  std::from_chars(bytes.data(), bytes.data() + bytes.size(), number);
  return size_text(number);
}

std::string run_text(const store::StoredEvent& event, const EventData& about) {
  const std::string trigger = ", trigger " + about("trigger");
  if (event.kind == "run.waiting") return "run queued" + trigger;
  if (event.kind == "run.withdrawn") return "queued run removed" + trigger;
  if (event.kind == "run.ended")
    return fmt::format("run {} {}", event.run.text, about("state")) + with(": ", about("error"));
  if (event.kind != "run.started") return "";
  const std::string pages = about("pages");
  const bool has_pages = !pages.empty() && pages != "0";
  return fmt::format("run {} started{}", event.run.text,
                     has_pages ? ": " + pages + (pages == "1" ? " page" : " pages") : "") +
         trigger;
}

std::string job_text(std::string_view state, const EventData& about) {
  if (state == "deleted") return "job '" + about("job") + "' deleted";
  return fmt::format("job {}", state) + with(", reason: ", about("reason")) +
         with(state == "starting" ? ", trigger " : ": ", about("why"));
}

std::string worker_text(std::string_view kind, const EventData& about) {
  const std::string detail =
      with(": ", about("detail")) +
      (about("job").empty() ? std::string() : fmt::format(" (job '{}')", about("job")));
  const std::string slot = about("slot");
  if (kind == "crash" || kind == "unpublished") return slot + " died" + detail;
  if (kind == "start_failed") return slot + " could not be started" + detail;
  if (kind == "gave_up") return slot + " is not restarted any more" + detail;
  return kind == "recovered" ? slot + " runs again" : "";
}

std::string storage_text(std::string_view level, const EventData& about) {
  const std::string figures =
      fmt::format("{} of {} used, {} free on the disk", bytes_text(about("used_bytes")),
                  bytes_text(about("limit_bytes")), bytes_text(about("free_bytes")));
  if (level == "full") return "storage is full: " + figures;
  if (level == "warning") return "storage is almost full: " + figures;
  return level == "fine" ? "storage: there is space again, " + figures : "";
}

std::string dead_letter_text(std::string_view kind, const EventData& about) {
  const std::string letter = "dead letter " + about("letter");
  if (kind == "page.dead") return "page failed for good (dead letter): " + about("error");
  if (kind == "delivery.dead") return "message failed for good (dead letter): " + about("error");
  if (kind == "page.retried") return "page of " + letter + " is retried: " + about("url");
  if (kind == "page.not_retried")
    return "page was not retried, " + letter + " is kept: " + about("url");
  if (kind == "delivery.retried") return "message of " + letter + " is sent again";
  if (kind != "dead_letters.purged") return "";
  return about("count") + (about("count") == "1" ? " dead letter purged" : " dead letters purged");
}

std::string program_text(std::string_view kind, const EventData& about) {
  const auto failed = [&about](const std::string& what) {
    return fmt::format("{} {}, attempt {}: {}", what, about("state"), about("attempt"),
                       about("end"));
  };
  if (kind == "hook.failed") return failed(about("phase") + " hook '" + about("hook") + "'");
  return kind == "process.failed" ? failed("process " + about("index")) : "";
}

std::string alert_text(std::string_view kind, const EventData& about) {
  if (kind == "raised")
    return fmt::format("alert {} ({}): {}", about("key"), about("level"), about("text"));
  return kind == "over" ? fmt::format("alert {} cleared: {}", about("key"), about("text")) : "";
}

// Empty: no text for this kind.
std::string known_event_text(const store::StoredEvent& event, const EventData& about) {
  const std::string_view kind = event.kind;
  const std::string_view rest = kind.substr(kind.find('.') + 1);
  if (kind.starts_with("run.")) return run_text(event, about);
  if (kind.starts_with("job.")) return job_text(rest, about);
  if (kind.starts_with("check."))
    return fmt::format("check state: {}", rest) + with(": ", about("error"));
  if (kind.starts_with("worker.")) return worker_text(rest, about);
  if (kind.starts_with("storage.")) return storage_text(rest, about);
  if (kind.starts_with("alert.")) return alert_text(rest, about);
  if (kind == "hook.failed" || kind == "process.failed") return program_text(kind, about);
  return dead_letter_text(kind, about);
}

}  // namespace

std::string event_text(const store::StoredEvent& event) {
  boost::system::error_code unreadable;
  const auto data = boost::json::parse(event.data.empty() ? "{}" : event.data, unreadable);
  const std::string text =
      known_event_text(event, [&data](std::string_view key) { return value_of(data, key); });
  return text.empty() ? event.kind + with(" ", event.data) : text;
}

LogLine split_time(std::string_view line, WallTime otherwise) {
  const auto time = parse_iso8601(line.substr(0, kTimeLength));
  if (!time || line.size() <= kTimeLength || line[kTimeLength] != ' ')
    return {otherwise, std::string(line)};
  return {*time, std::string(line.substr(kTimeLength + 1))};
}

std::string_view to_text(LogSource source) {
  switch (source) {
    case LogSource::event:
      return "event";
    case LogSource::script:
      return "script";
    case LogSource::program:
      return "program";
    case LogSource::daemon:
      return "daemon";
  }
  return "script";
}

namespace {

// Moves "warning: " from the text into the level.
void split_level(LogLine& line) {
  line.level = "info";
  for (const std::string_view level : {"debug", "warning", "error"}) {
    const std::string prefix = std::string(level) + ": ";
    if (!line.text.starts_with(prefix)) continue;
    line.level = level;
    line.text.erase(0, prefix.size());
  }
}

}  // namespace

LogLine daemon_line(LogLine line) {
  line.source = LogSource::daemon;
  boost::system::error_code invalid;
  const auto data = boost::json::parse(line.text, invalid);
  if (invalid || !data.is_object()) {
    split_level(line);
    return line;
  }
  line.at = parse_iso8601(value_of(data, "time")).value_or(line.at);
  line.level = value_of(data, "level");
  line.job = value_of(data, "job_id");
  line.run = value_of(data, "run_id");
  line.text = value_of(data, "message");
  return line;
}

LogLine script_line(LogLine line, const std::string& job) {
  line.job = job;
  split_level(line);
  return line;
}

LogLine program_line(LogLine line, const std::string& job) {
  line.source = LogSource::program;
  line.job = job;
  line.run = line.text.substr(0, line.text.find(' '));
  return line;
}

LogLine event_line(const store::StoredEvent& event) {
  LogLine line{event.at, event_text(event), LogSource::event};
  line.job = event.job.text;
  line.run = event.run.text;
  return line;
}

std::vector<LogLine> LogFileTail::read_new() {
  std::vector<LogLine> lines;
  const bool is_first = !std::exchange(has_started_, true);
  if (is_first) {
    open_ = open_file(file_);
    if (open_) read_end(lines);
    return lines;
  }
  if (open_) read_rest(lines);
  Newer newer = find_newer();
  if (newer.files.empty()) return lines;
  if (open_) read_rest(lines);  // lines written before the rotation
  if (!newer.is_complete)
    lines.push_back(
        {last_, "some lines are missing: their file was deleted by rotation before it was read"});
  for (FileDescriptor& file : newer.files) {
    open_ = std::move(file);
    offset_ = 0;
    rest_.clear();
    read_rest(lines);
  }
  return lines;
}

// Reads larger parts of the end until it has `max_` lines.
void LogFileTail::read_end(std::vector<LogLine>& lines) {
  const std::uintmax_t size = size_of(open_);
  std::uintmax_t back = 0;
  do {
    back = std::min(size, std::max(back * 4, max_ * kBytesPerLine));
    offset_ = size - back;
    lines.clear();
    rest_.clear();
    std::string text = read_from(open_, offset_);
    offset_ += text.size();
    // The first line is incomplete.
    if (back < size) text.erase(0, std::min(text.size(), text.find('\n') + 1));
    add_lines(text, lines);
  } while (lines.size() < max_ && back < size);
  if (lines.size() > max_)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(max_));
}

void LogFileTail::read_rest(std::vector<LogLine>& lines) {
  if (size_of(open_) < offset_) {  // the file was truncated
    offset_ = 0;
    rest_.clear();
  }
  const std::string text = read_from(open_, offset_);
  offset_ += text.size();
  add_lines(text, lines);
}

void LogFileTail::add_lines(std::string_view text, std::vector<LogLine>& lines) {
  const std::string whole = rest_ + std::string(text);
  std::string_view left = whole;
  for (auto end = left.find('\n'); end != std::string_view::npos; end = left.find('\n')) {
    lines.push_back(split_time(left.substr(0, end), last_));
    last_ = lines.back().at;
    left.remove_prefix(end + 1);
  }
  rest_ = left;
}

LogFileTail::Newer LogFileTail::find_newer() const {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    Newer newer;
    newer.is_complete = !open_;  // no file was open before
    std::set<FileId> seen;
    bool has_moved = false;  // files were renamed during the scan
    for (int age = 0;; ++age) {
      FileDescriptor file =
          open_file(file_.native() + (age == 0 ? std::string() : fmt::format(".{}", age)));
      if (!file && age == 0) return {};  // removed, or about to be created again
      if (!file) {
        if (age == 1) newer.is_complete = true;  // the file was removed, not rotated
        break;
      }
      const FileId id = id_of(file);
      if (open_ && id == id_of(open_)) {
        newer.is_complete = true;
        break;
      }
      has_moved = has_moved || !seen.insert(id).second;
      newer.files.push_back(std::move(file));
    }
    std::reverse(newer.files.begin(), newer.files.end());
    if (!has_moved) return newer;
  }
  return {};  // the next call tries again
}

}  // namespace heddle::cli
