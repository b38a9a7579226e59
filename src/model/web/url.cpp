#include "model/web/url.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/text.hpp"
#include "model/web/url_host.hpp"

namespace heddle {

namespace {

constexpr std::size_t kMaxUrlBytes = 65'536;

constexpr unsigned char kInPath = 1;
constexpr unsigned char kInQuery = 2;
constexpr unsigned char kInFragment = 4;

// Which characters must be percent-encoded where (WHATWG percent-encode sets for special URLs).
constexpr std::array<unsigned char, 256> kEncode = [] {
  std::array<unsigned char, 256> table{};
  const auto mark = [&table](std::string_view characters, unsigned char where) {
    for (const char c : characters) table[static_cast<unsigned char>(c)] |= where;
  };
  for (std::size_t c = 0; c < 256; ++c)
    if (c < 0x20 || c > 0x7E) table[c] = kInPath | kInQuery | kInFragment;
  mark(" \"<>", kInPath | kInQuery | kInFragment);
  mark("`", kInPath | kInFragment);
  mark("?^{}", kInPath);
  mark("#", kInPath | kInQuery);
  mark("'", kInQuery);
  return table;
}();

constexpr std::string_view kHex = "0123456789ABCDEF";

void append_encoded(std::string& out, std::string_view text, unsigned char where) {
  std::size_t clean = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((kEncode[byte] & where) == 0) continue;
    out.append(text, clean, i - clean);
    out += '%';
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
    clean = i + 1;
  }
  out.append(text, clean, std::string_view::npos);
}

constexpr unsigned char kSlash = 1;
constexpr unsigned char kQuestionOrHash = 2;
constexpr unsigned char kBreak = 4;

constexpr std::array<unsigned char, 256> kDelimiters = [] {
  std::array<unsigned char, 256> table{};
  table['/'] = table['\\'] = kSlash;
  table['?'] = table['#'] = kQuestionOrHash;
  table['\t'] = table['\r'] = table['\n'] = kBreak;
  return table;
}();

// Where the first of these delimiters stands; the text's size when there is none.
std::size_t find_delimiter(std::string_view text, unsigned char which) {
  std::size_t i = 0;
  while (i < text.size() && (kDelimiters[static_cast<unsigned char>(text[i])] & which) == 0) ++i;
  return i;
}

bool is_slash(char c) {
  return c == '/' || c == '\\';
}
bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_scheme_character(char c) {
  return is_alpha(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

// The length of "scheme" when the text starts with "scheme:", else npos.
std::size_t scheme_length(std::string_view text) {
  if (text.empty() || !is_alpha(text[0])) return std::string_view::npos;
  const auto end = std::find_if_not(text.begin(), text.end(), is_scheme_character);
  if (end == text.end() || *end != ':') return std::string_view::npos;
  return static_cast<std::size_t>(end - text.begin());
}

// Control characters and spaces around a URL are not part of it.
std::string_view trimmed(std::string_view text) {
  const auto is_edge = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!text.empty() && is_edge(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_edge(text.back())) text.remove_suffix(1);
  return text;
}

// Tabs and line breaks inside a URL are dropped, as browsers do.
std::string_view without_breaks(std::string_view text, std::string& buffer) {
  if (find_delimiter(text, kBreak) == text.size()) return text;
  std::copy_if(text.begin(), text.end(), std::back_inserter(buffer),
               [](char c) { return c != '\t' && c != '\r' && c != '\n'; });
  return buffer;
}

// 0: an ordinary segment, 1: ".", 2: ".."; also when the dots are written as %2e.
int dots_in(std::string_view segment) {
  if (segment.empty() || segment.size() > 6 || (segment[0] != '.' && segment[0] != '%')) return 0;
  int dots = 0;
  while (!segment.empty()) {
    if (segment[0] == '.')
      segment.remove_prefix(1);
    else if (segment.size() >= 3 && equals_ignoring_case(segment.substr(0, 3), "%2e"))
      segment.remove_prefix(3);
    else
      return 0;
    ++dots;
  }
  return dots <= 2 ? dots : 0;
}

}  // namespace

// Builds one normalised URL from left to right. Methods return nullptr, or what is wrong.
class UrlBuilder {
 public:
  const char* parse(std::string_view text) {
    const std::size_t length = scheme_length(text);
    if (length == std::string_view::npos)
      return "it is not absolute (http:// or https:// is missing)";
    if (const char* problem = take_scheme(text.substr(0, length))) return problem;
    return take_authority_and_rest(text.substr(length + 1));
  }

  const char* resolve(const Url& base, std::string_view text) {
    const std::size_t length = scheme_length(text);
    if (length != std::string_view::npos) {
      if (const char* problem = take_scheme(text.substr(0, length))) return problem;
      const std::string_view rest = text.substr(length + 1);
      const bool is_relative = base.scheme() == scheme_ && !rest.starts_with("//");
      if (!is_relative) return take_authority_and_rest(rest);
      url_.text_.clear();
      text = rest;
    }
    return take_relative(base, text);
  }

  Url take() { return std::move(url_); }
  std::string take_text() { return std::move(url_.text_); }

 private:
  const char* take_scheme(std::string_view scheme) {
    if (equals_ignoring_case(scheme, "https"))
      scheme_ = "https";
    else if (equals_ignoring_case(scheme, "http"))
      scheme_ = "http";
    else
      return "only http and https are allowed";
    return nullptr;
  }

  const char* take_authority_and_rest(std::string_view rest) {
    while (!rest.empty() && is_slash(rest.front())) rest.remove_prefix(1);
    const std::size_t end = find_delimiter(rest, kSlash | kQuestionOrHash);
    const std::string_view authority = rest.substr(0, end);
    url_.text_.reserve(scheme_.size() + rest.size() + 8);
    url_.text_ += scheme_;
    url_.text_ += "://";
    url_.host_start_ = position();
    if (const char* problem = take_host_and_port(authority)) return problem;
    url_.path_start_ = position();
    take_path(rest.substr(end));
    return nullptr;
  }

  const char* take_host_and_port(std::string_view authority) {
    if (authority.find('@') != std::string_view::npos)
      return "user names and passwords in URLs are not allowed";
    std::size_t colon = authority.find(':');
    if (authority.starts_with('[')) {
      const std::size_t closing = authority.find(']');
      if (closing == std::string_view::npos) return "the IPv6 address is not closed with ]";
      colon = closing + 1 < authority.size() ? closing + 1 : std::string_view::npos;
      if (colon != std::string_view::npos && authority[colon] != ':')
        return "the host is not a valid IPv6 address";
    }
    if (const char* problem = append_normal_host(url_.text_, authority.substr(0, colon)))
      return problem;
    url_.host_end_ = position();
    return take_port(colon == std::string_view::npos ? "" : authority.substr(colon + 1));
  }

  const char* take_port(std::string_view digits) {
    const std::uint16_t usual = scheme_ == "https" ? 443 : 80;
    url_.port_ = usual;
    if (digits.empty()) return nullptr;
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), url_.port_);
    if (failure != std::errc{} || end != digits.data() + digits.size())
      return "the port is not a number from 0 to 65535";
    if (url_.port_ == usual) return nullptr;
    url_.text_ += ':';
    url_.text_ += std::to_string(url_.port_);
    return nullptr;
  }

  const char* take_relative(const Url& base, std::string_view text) {
    scheme_ = base.scheme();
    if (text.size() >= 2 && is_slash(text[0]) && is_slash(text[1]))
      return take_authority_and_rest(text);
    url_.host_start_ = base.host_start_;
    url_.host_end_ = base.host_end_;
    url_.path_start_ = base.path_start_;
    url_.port_ = base.port_;
    url_.text_.reserve(base.query_end_ + text.size() + 8);
    const bool keeps_path = text.empty() || text[0] == '?' || text[0] == '#';
    const bool keeps_query = text.empty() || text[0] == '#';
    if (keeps_path) {
      url_.text_.assign(base.text_, 0, keeps_query ? base.query_end_ : base.path_end_);
      url_.path_end_ = base.path_end_;
      url_.query_end_ = base.query_end_;
      take_query_and_fragment(text);
      return nullptr;
    }
    std::size_t kept = base.path_start_;
    if (!is_slash(text[0]))  // replaces what follows the last "/" of the base's path
      kept += base.path().rfind('/');
    url_.text_.assign(base.text_, 0, kept);
    take_path(text);
    return nullptr;
  }

  void take_path(std::string_view text) {
    const std::size_t end = find_delimiter(text, kQuestionOrHash);
    std::string_view path = text.substr(0, end);
    if (!path.empty() && is_slash(path[0])) path.remove_prefix(1);
    take_segments(path);
    url_.path_end_ = position();
    url_.query_end_ = position();
    take_query_and_fragment(text.substr(end));
  }

  void take_segments(std::string_view path) {
    while (true) {
      const std::size_t end = find_delimiter(path, kSlash);
      const std::string_view segment = path.substr(0, end);
      const bool is_last = end == path.size();
      const int dots = dots_in(segment);
      if (dots == 2) drop_last_segment();
      if (dots == 0) {
        url_.text_ += '/';
        append_encoded(url_.text_, segment, kInPath);
      } else if (is_last) {
        url_.text_ += '/';
      }
      if (is_last) return;
      path.remove_prefix(end + 1);
    }
  }

  void drop_last_segment() {
    if (position() == url_.path_start_) return;
    url_.text_.resize(url_.text_.rfind('/'));
  }

  void take_query_and_fragment(std::string_view text) {
    const std::size_t hash = std::min(text.find('#'), text.size());
    if (hash > 0) {
      url_.text_ += '?';
      append_encoded(url_.text_, text.substr(1, hash - 1), kInQuery);
      url_.query_end_ = position();
    }
    if (hash == text.size()) return;
    url_.text_ += '#';
    append_encoded(url_.text_, text.substr(hash + 1), kInFragment);
  }

  [[nodiscard]] std::uint32_t position() const {
    return static_cast<std::uint32_t>(url_.text_.size());
  }

  Url url_;
  std::string_view scheme_;
};

namespace {

Error not_a_url(std::string_view text, const char* problem) {
  return {ErrorCode::bad_input,
          fmt::format("\"{}\" is not a URL Heddle can fetch: {}",
                      to_valid_utf8(std::string(utf8_prefix(text, 200))), problem)};
}

}  // namespace

Result<Url> Url::parse(std::string_view text) {
  if (text.size() > kMaxUrlBytes) return not_a_url(text, "it is longer than 64 KiB");
  std::string buffer;
  UrlBuilder builder;
  if (const char* problem = builder.parse(without_breaks(trimmed(text), buffer)))
    return not_a_url(text, problem);
  return builder.take();
}

Result<Url> Url::resolve(std::string_view reference) const {
  if (reference.size() > kMaxUrlBytes) return not_a_url(reference, "it is longer than 64 KiB");
  std::string buffer;
  UrlBuilder builder;
  if (const char* problem = builder.resolve(*this, without_breaks(trimmed(reference), buffer)))
    return not_a_url(reference, problem);
  return builder.take();
}

std::string Url::without_fragment() const {
  return text_.substr(0, query_end_);
}

std::string_view Url::scheme() const {
  return std::string_view(text_).substr(0, host_start_ - 3);
}

std::string_view Url::host() const {
  return std::string_view(text_).substr(host_start_, host_end_ - host_start_);
}

std::string_view Url::path() const {
  return std::string_view(text_).substr(path_start_, path_end_ - path_start_);
}

std::string_view Url::query() const {
  if (query_end_ == path_end_) return {};
  return std::string_view(text_).substr(path_end_ + 1, query_end_ - path_end_ - 1);
}

std::string_view Url::path_and_query() const {
  return std::string_view(text_).substr(path_start_, query_end_ - path_start_);
}

std::string Url::origin() const {
  return text_.substr(0, path_start_);
}

std::string absolute_link(const Url& base, std::string_view reference) {
  const std::string_view text = trimmed(reference);
  if (text.size() > kMaxUrlBytes) return std::string(text);
  std::string buffer;
  UrlBuilder builder;
  if (builder.resolve(base, without_breaks(text, buffer)) != nullptr) return std::string(text);
  return builder.take_text();
}

}  // namespace heddle
