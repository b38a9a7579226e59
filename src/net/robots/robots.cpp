#include "net/robots/robots.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.hpp"

namespace heddle::net {

namespace {

constexpr std::size_t kMaxRules = 20'000;
constexpr std::size_t kMaxSitemaps = 1000;
constexpr double kMaxCrawlDelay = 3600;  // seconds

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

constexpr std::string_view kHex = "0123456789ABCDEF";

void append_escaped(std::string& out, unsigned char byte) {
  out += '%';
  out += kHex[byte >> 4];
  out += kHex[byte & 15];
}

// One spelling per octet, so that "%7Efoo", "~foo" and "%7efoo" compare equal. In a path "*" and
// "$" are ordinary characters, which a pattern must write as %2A and %24.
std::string normal_octets(std::string_view text, bool is_pattern) {
  std::string out;
  out.reserve(text.size() + 8);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_escape = byte == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
                           hex_value(text[i + 2]) >= 0;
    if (is_escape) {
      const char decoded = static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      if (is_unreserved(decoded))
        out += decoded;
      else
        append_escaped(out, static_cast<unsigned char>(decoded));
      i += 2;
    } else if (byte <= 0x20 || byte >= 0x7F || (!is_pattern && (byte == '*' || byte == '$'))) {
      append_escaped(out, byte);
    } else {
      out += text[i];
    }
  }
  return out;
}

// Leftmost matches of the pieces between stars suffice: no backtracking, whatever the pattern.
bool matches(std::string_view pattern, std::string_view path) {
  const bool is_anchored = pattern.ends_with('$');
  if (is_anchored) pattern.remove_suffix(1);
  std::size_t star = pattern.find('*');
  if (!path.starts_with(pattern.substr(0, star))) return false;
  if (star == std::string_view::npos) return !is_anchored || path.size() == pattern.size();
  path.remove_prefix(star);
  while (true) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    if (star == std::string_view::npos && is_anchored) return path.ends_with(piece);
    const std::size_t found = path.find(piece);
    if (found == std::string_view::npos) return false;
    if (star == std::string_view::npos) return true;
    path.remove_prefix(found + piece.size());
  }
}

// "Heddle/1.0 (x)" -> "Heddle": what follows the product token is decoration.
std::string_view product_token(std::string_view value) {
  const auto end = std::find_if_not(value.begin(), value.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
  });
  return value.substr(0, static_cast<std::size_t>(end - value.begin()));
}

}  // namespace

class RobotsParser {
 public:
  explicit RobotsParser(std::string_view product) : product_(product) {}

  RobotsRules run(std::string_view text) {
    text = text.substr(0, kMaxRobotsBytes);
    // A byte order mark may have lost its end on the way.
    for (const char byte : std::string_view("\xEF\xBB\xBF"))
      if (text.starts_with(byte)) text.remove_prefix(1);
    while (!text.empty()) {
      const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
      take_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    RobotsRules& chosen = is_named_ ? ours_ : everybodys_;
    chosen.sitemaps_ = std::move(sitemaps_);
    std::stable_sort(chosen.rules_.begin(), chosen.rules_.end(), [](const auto& a, const auto& b) {
      if (a.pattern.size() != b.pattern.size()) return a.pattern.size() > b.pattern.size();
      return a.allow && !b.allow;
    });
    return std::move(chosen);
  }

 private:
  void take_line(std::string_view line) {
    line = trim(line.substr(0, line.find('#')));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return;
    const std::string key = to_lower_ascii(trim(line.substr(0, colon)));
    const std::string_view value = trim(line.substr(colon + 1));
    if (key == "user-agent") return take_agent(value);
    if (key == "sitemap") {
      if (!value.empty() && sitemaps_.size() < kMaxSitemaps) sitemaps_.emplace_back(value);
      return;
    }
    if (key == "allow" || key == "disallow") {
      is_in_agents_ = false;
      take_rule(value, key == "allow");
    } else if (key == "crawl-delay") {
      is_in_agents_ = false;
      take_delay(value);
    }
  }

  // Several user-agent lines in a row open one group for all of them.
  void take_agent(std::string_view value) {
    if (!is_in_agents_) is_for_us_ = is_for_everybody_ = false;
    is_in_agents_ = true;
    if (value == "*") is_for_everybody_ = true;
    if (equals_ignoring_case(product_token(value), product_)) is_for_us_ = is_named_ = true;
  }

  void take_rule(std::string_view pattern, bool allow) {
    if (pattern.empty()) return;  // "Disallow:" forbids nothing
    const auto add = [&](RobotsRules& rules) {
      if (rules.rules_.size() < kMaxRules)
        rules.rules_.push_back({normal_octets(pattern, true), allow});
    };
    if (is_for_us_) add(ours_);
    if (is_for_everybody_) add(everybodys_);
  }

  void take_delay(std::string_view value) {
    double seconds = 0;
    const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), seconds);
    if (failure != std::errc{} || !std::isfinite(seconds) || seconds < 0) return;
    const std::chrono::milliseconds delay(std::llround(std::min(seconds, kMaxCrawlDelay) * 1000));
    if (is_for_us_) ours_.crawl_delay_ = delay;
    if (is_for_everybody_) everybodys_.crawl_delay_ = delay;
  }

  std::string_view product_;
  RobotsRules ours_;
  RobotsRules everybodys_;
  std::vector<std::string> sitemaps_;
  bool is_in_agents_ = false;
  bool is_for_us_ = false;
  bool is_for_everybody_ = false;
  bool is_named_ = false;
};

RobotsRules RobotsRules::parse(std::string_view text, std::string_view product) {
  return RobotsParser(product).run(text);
}

RobotsRules RobotsRules::disallow_all() {
  RobotsRules rules;
  rules.rules_.push_back({"/", false});
  return rules;
}

bool RobotsRules::allows(std::string_view path_and_query) const {
  if (rules_.empty() || path_and_query == "/robots.txt") return true;
  const std::string path = normal_octets(path_and_query.empty() ? "/" : path_and_query, false);
  for (const Rule& rule : rules_)
    if (matches(rule.pattern, path)) return rule.allow;
  return true;
}

}  // namespace heddle::net
