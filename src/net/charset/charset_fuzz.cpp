// First line: a Content-Type; the rest: a body. The result must be valid UTF-8.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/text.hpp"
#include "net/charset/charset.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(text.find('\n'), text.size());
  const auto decoded = heddle::net::decode_to_utf8(
      std::string(text.substr(std::min(line + 1, text.size()))), text.substr(0, line));
  if (!heddle::is_valid_utf8(decoded.text)) std::abort();
  return 0;
}
