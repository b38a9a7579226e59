#include "net/charset/charset.hpp"

#include <array>
#include <cerrno>
#include <memory>
#include <type_traits>
#include <utility>

#include <iconv.h>

#include "base/free_with.hpp"
#include "base/text.hpp"
#include "net/charset/charset_labels.hpp"

namespace heddle::net {

namespace {

constexpr std::size_t kPrescanBytes = 1024;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct ByteOrderMark {
  std::string_view bytes;
  std::string_view label;
};
constexpr std::array<ByteOrderMark, 3> kMarks{
    {{"\xEF\xBB\xBF", "utf-8"}, {"\xFE\xFF", "utf-16be"}, {"\xFF\xFE", "utf-16le"}}};

// 0x80..0x9F of windows-1252; the five holes are C1 controls, as browsers have them.
constexpr std::array<char16_t, 32> kWindows1252{
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

using Converter = std::unique_ptr<std::remove_pointer_t<iconv_t>, FreeWith<iconv_close>>;

std::string from_windows_1252(std::string_view body) {
  std::string out;
  out.reserve(body.size() + body.size() / 8);
  for (const char c : body) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_special = byte >= 0x80 && byte < 0xA0;
    append_utf8(out, is_special ? char32_t{kWindows1252[byte - 0x80u]} : char32_t{byte});
  }
  return out;
}

// An error skips one code unit only: a wrong lead byte must not swallow the "<" after it.
std::string from_iconv(std::string_view body, const char* charset) {
  const iconv_t opened = iconv_open("UTF-8", charset);
  if (opened == reinterpret_cast<iconv_t>(-1))  // NOLINT(performance-no-int-to-ptr)
    return to_valid_utf8(std::string(body));
  const Converter converter(opened);
  std::string out;
  out.reserve(body.size() + body.size() / 2);
  char* input = const_cast<char*>(body.data());
  std::size_t left = body.size();
  const std::size_t unit = std::string_view(charset).starts_with("UTF-16") ? 2 : 1;
  while (true) {
    char buffer[16 * 1024];
    char* output = buffer;
    std::size_t room = sizeof buffer;
    const std::size_t converted = iconv(converter.get(), &input, &left, &output, &room);
    const int failure = errno;
    out.append(buffer, sizeof buffer - room);
    if (converted != static_cast<std::size_t>(-1)) break;
    if (failure == E2BIG) continue;
    out += kReplacement;
    if (left <= unit) break;
    input += unit;
    left -= unit;
  }
  return out;
}

DecodedText decode_from(std::string body, const Charset& charset) {
  if (charset.name == "utf-8") return {to_valid_utf8(std::move(body)), "utf-8"};
  if (charset.converter == nullptr) return {from_windows_1252(body), std::string(charset.name)};
  return {to_valid_utf8(from_iconv(body, charset.converter)), std::string(charset.name)};
}

// A document with a readable ASCII declaration is not in UTF-16, whatever it declares.
const Charset* charset_of_declaration(std::string_view body) {
  const Charset* declared = find_charset(declared_charset(body.substr(0, kPrescanBytes)));
  if (declared == nullptr || !declared->name.starts_with("utf-16")) return declared;
  return find_charset("utf-8");
}

}  // namespace

DecodedText decode_to_utf8(std::string body, std::string_view content_type) {
  for (const ByteOrderMark& mark : kMarks) {
    if (!std::string_view(body).starts_with(mark.bytes)) continue;
    body.erase(0, mark.bytes.size());
    return decode_from(std::move(body), *find_charset(mark.label));
  }
  if (const Charset* labelled = find_charset(charset_parameter(content_type)))
    return decode_from(std::move(body), *labelled);
  if (const Charset* declared = charset_of_declaration(body))
    return decode_from(std::move(body), *declared);
  const bool is_utf8 = is_valid_utf8(body);
  return decode_from(std::move(body), *find_charset(is_utf8 ? "utf-8" : "windows-1252"));
}

std::string_view charset_parameter(std::string_view content_type) {
  bool is_first = true;
  for (std::string_view part : split(content_type, ';')) {
    if (std::exchange(is_first, false)) continue;  // the type itself
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    if (!equals_ignoring_case(trim(part.substr(0, equals)), "charset")) continue;
    std::string_view value = trim(part.substr(equals + 1));
    if (value.starts_with('"')) value = value.substr(1, value.find('"', 1) - 1);
    return trim(value);
  }
  return {};
}

}  // namespace heddle::net
