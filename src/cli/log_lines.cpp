#include "cli/log_lines.hpp"

#include <fstream>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

namespace heddle::cli {

namespace {

constexpr std::size_t kTimeLength = std::string_view("2026-11-15T21:23:07.412Z").size();
constexpr std::uintmax_t kBytesPerLine = 400;  // a generous guess: only the end of a file is read

std::string value_of(const boost::json::value& data, std::string_view key) {
  const auto* object = data.if_object();
  const auto* found = object == nullptr ? nullptr : object->if_contains(key);
  const auto* text = found == nullptr ? nullptr : found->if_string();
  return text == nullptr ? "" : std::string(*text);
}

std::string with(std::string_view separator, const std::string& text) {
  return text.empty() ? "" : std::string(separator) + text;
}

}  // namespace

std::string event_text(const store::StoredEvent& event) {
  boost::system::error_code unreadable;
  const auto data = boost::json::parse(event.data.empty() ? "{}" : event.data, unreadable);
  const auto about = [&data](std::string_view key) { return value_of(data, key); };
  if (event.kind == "run.started")
    return fmt::format("run {} started: {} page(s), trigger {}", event.run.text, about("pages"),
                       about("trigger"));
  if (event.kind == "run.ended") return fmt::format("run {} {}", event.run.text, about("state"));
  if (event.kind == "page.dead") return "page given up: " + about("error");
  if (event.kind == "delivery.dead") return "message given up: " + about("error");
  if (event.kind == "hook.failed")
    return fmt::format("{} hook '{}' {}, try {}: {}", about("phase"), about("hook"), about("state"),
                       about("attempt"), about("end"));
  if (event.kind == "process.failed")
    return fmt::format("process {} {}, try {}: {}", about("index"), about("state"),
                       about("attempt"), about("end"));
  if (event.kind.starts_with("check."))
    return "check: " + event.kind.substr(6) + with(": ", about("error"));
  if (event.kind.starts_with("job."))
    return event.kind.substr(4) + with(", reason ", about("reason")) + with(": ", about("why"));
  return event.kind + with(" ", event.data);
}

LogLine split_time(std::string_view line, WallTime otherwise) {
  const auto time = parse_iso8601(line.substr(0, kTimeLength));
  if (!time || line.size() <= kTimeLength || line[kTimeLength] != ' ')
    return {otherwise, std::string(line)};
  return {*time, std::string(line.substr(kTimeLength + 1))};
}

std::vector<LogLine> GrowingFile::read_new() {
  std::vector<LogLine> lines;
  std::error_code missing;
  const auto size = std::filesystem::file_size(file_, missing);
  if (missing) return lines;
  if (size < place_) {  // a new file has taken the name
    place_ = 0;
    rest_.clear();
  }
  const bool is_first = !std::exchange(has_begun_, true);
  if (is_first && size > max_ * kBytesPerLine) place_ = size - max_ * kBytesPerLine;
  const bool begins_within_a_line = is_first && place_ > 0;
  std::ifstream in(file_, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(place_));
  std::string text = rest_;
  text.append(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  place_ += text.size() - rest_.size();
  std::string_view left = text;
  for (auto end = left.find('\n'); end != std::string_view::npos; end = left.find('\n')) {
    lines.push_back(split_time(left.substr(0, end), last_));
    last_ = lines.back().at;
    left.remove_prefix(end + 1);
  }
  rest_ = left;
  if (begins_within_a_line && !lines.empty()) lines.erase(lines.begin());
  if (is_first && lines.size() > max_)
    lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(max_));
  return lines;
}

}  // namespace heddle::cli
