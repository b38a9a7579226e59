// First line: the path to ask for; the rest: a robots.txt.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "net/robots/robots.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(text.find('\n'), text.size());
  const std::string_view path = text.substr(0, line);
  const auto rules = heddle::net::RobotsRules::parse(text.substr(line));
  static_cast<void>(rules.allows(path));
  if (!rules.allows("/robots.txt")) std::abort();
  if (rules.crawl_delay() && rules.crawl_delay()->count() < 0) std::abort();
  return 0;
}
