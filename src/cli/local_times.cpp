#include "cli/local_times.hpp"

namespace heddle::cli {

std::string LocalTimes::exact_text(WallTime time) const {
  const auto offset = offset_at_ ? offset_at_(time) : std::chrono::seconds(0);
  std::string text = to_iso8601(time + offset);  // the local time, written as if it were UTC
  if (text.ends_with('Z')) text.pop_back();
  if (const auto gap = text.find('T'); gap != std::string::npos) text[gap] = ' ';
  return text;
}

std::string LocalTimes::text(WallTime time) const {
  const std::string exact = exact_text(time);
  return exact.substr(0, exact.find('.'));
}

std::string LocalTimes::header(const std::string& name) const {
  return name + " (" + zone_ + ")";
}

}  // namespace heddle::cli
