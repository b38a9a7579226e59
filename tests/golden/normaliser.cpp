#include "tests/golden/normaliser.hpp"

#include <algorithm>
#include <array>
#include <regex>

#include <fmt/format.h>

namespace heddle::testing {

namespace {

// Numbers of the machine and of the moment, by the names of their members.
constexpr std::array kTimes{"duration_ms", "average_ms", "p95_ms",
                            "uptime_ms",   "cpu_ms",     "loop_latency_us"};
constexpr std::array kSizes{"rss_bytes",     "database_bytes",  "used_bytes",
                            "lua_mem_bytes", "mem_delta_bytes", "peak_memory_bytes"};

constexpr std::array kLastingStages{"fetch", "decode", "parse", "select", "store"};

std::string unquoted(std::string_view text) {
  return std::string(text.size() < 2 ? text : text.substr(1, text.size() - 2));
}

bool is_number(const std::string& scalar) {
  return scalar.front() == '-' || (scalar.front() >= '0' && scalar.front() <= '9');
}

// "<bytes>", or "<time.3>": so many decimals are part of the interface.
std::string number_mark(std::string_view mark, const std::string& number) {
  const std::size_t point = number.find('.');
  if (point == std::string::npos) return fmt::format("<{}>", mark);
  return fmt::format("<{}.{}>", mark, number.size() - point - 1);
}

template <class Names>
bool is_in(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// What a number under this name is; empty: itself.
std::string_view number_rule(std::string_view name, std::string_view parent) {
  if (parent == "stage_us" || is_in(kTimes, name)) return "time";
  if (is_in(kSizes, name)) return "bytes";
  return name == "pid" ? "pid" : "";
}

bool is_volatile_string(std::string_view name, const std::string& text) {
  static const std::regex hex("\"[0-9a-f]{8,}\"");
  static const std::regex date(R"("\d{4}-\d\d-\d\d")");
  if (name == "revision") return std::regex_match(text, hex);
  return name == "day" && std::regex_match(text, date);
}

bool is_program_output(const std::pair<std::string, JsonText>& line) {
  for (const auto& [name, value] : line.second.members)
    if (name == "\"text\"" && (value.scalar.find(" stdout: ") != std::string::npos ||
                               value.scalar.find(" stderr: ") != std::string::npos))
      return true;
  return false;
}

}  // namespace

void Normaliser::replace(std::string text, std::string name) {
  replaced_.emplace_back(std::move(text), "<" + std::move(name) + ">");
  std::stable_sort(replaced_.begin(), replaced_.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
}

std::string Normaliser::with_numbered_ids(const std::string& text) {
  static const std::regex id("\\b[0-9a-hjkmnp-tv-z]{26}\\b");
  std::string out;
  auto rest = text.cbegin();
  for (std::sregex_iterator found(text.begin(), text.end(), id), end; found != end; ++found) {
    out.append(rest, (*found)[0].first);
    const auto [entry, is_new] = ids_.try_emplace(found->str(), ids_.size() + 1);
    out += fmt::format("<id {}>", entry->second);
    rest = (*found)[0].second;
  }
  return out.append(rest, text.cend());
}

std::string Normaliser::text(std::string_view text) {
  static const std::regex time(R"(\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|\b\d{8}T\d{9}Z)");
  static const std::regex pid(R"(\b(pid|kill) \d+)");
  static const std::regex carriage_return("\\r");
  static const std::regex junit_time(R"(\btime="\d+\.\d+")");
  std::string out(text);
  for (const auto& [old, mark] : replaced_)
    for (std::size_t at = out.find(old); at != std::string::npos;
         at = out.find(old, at + mark.size()))
      out.replace(at, old.size(), mark);
  out = std::regex_replace(out, time, "<time>");
  out = std::regex_replace(out, pid, "$1 <pid>");
  out = std::regex_replace(out, carriage_return, "<CR>");
  out = std::regex_replace(out, junit_time, "time=\"<time>\"");
  return with_numbered_ids(out);
}

void Normaliser::apply(JsonText& value, std::string_view name, std::string_view parent) {
  if (name == "stage_us")
    std::erase_if(value.members, [](const auto& member) {
      return !is_in(kLastingStages, unquoted(member.first));
    });
  if (value.kind == JsonText::Kind::array)
    std::stable_partition(value.members.begin(), value.members.end(),
                          [](const auto& line) { return !is_program_output(line); });
  for (auto& [member_name, member] : value.members) {
    const std::string below = unquoted(member_name);
    // Elements of an array are what the array is called.
    apply(member, below.empty() ? name : below, below.empty() ? parent : name);
  }
  if (value.kind != JsonText::Kind::scalar) return;
  if (is_number(value.scalar)) {
    const auto rule = varying_.contains(name) ? name : number_rule(name, parent);
    if (!rule.empty()) value.scalar = number_mark(rule, value.scalar);
  } else if (is_volatile_string(name, value.scalar)) {
    value.scalar = fmt::format("\"<{}>\"", name);
  } else if (name == "text" && value.scalar.starts_with("\"# HELP ")) {
    value.scalar = "\"<metrics>\"";
  } else if (value.scalar.front() == '"') {
    value.scalar = text(value.scalar);
  }
}

std::string Normaliser::json(std::string_view document) {
  JsonText value = read_json(document);
  apply(value, "", "");
  return lay_out(value);
}

}  // namespace heddle::testing
