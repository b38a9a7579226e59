// Any bytes are a feed or an error; every entry has an identity of its own.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>

#include "base/text.hpp"
#include "pages/feed/feed.hpp"

namespace heddle::pages {
namespace {

void try_feed(std::string_view input) {
  static html::Parser parser;
  static const Url kUrl = *Url::parse("https://a.example/feed");
  const std::string text = to_valid_utf8(std::string(input));
  (void)feed_date(text);
  const auto feed = read_feed(parser, text, kUrl, {.tree = {.max_nodes = 10'000}});
  if (!feed) return;
  std::set<std::string> ids;
  for (const FeedEntry& entry : feed->entries)
    if (entry.id.empty() || !ids.insert(entry.id).second) std::abort();
}

}  // namespace
}  // namespace heddle::pages

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::pages::try_feed({reinterpret_cast<const char*>(data), size});
  return 0;
}
