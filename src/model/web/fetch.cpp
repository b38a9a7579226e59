#include "model/web/fetch.hpp"

#include "base/text.hpp"
#include "model/names.hpp"

namespace heddle {

namespace {

using enum FetchErrorKind;
constexpr NameTable<FetchErrorKind, 9> kKinds{{{dns, "dns"},
                                               {timeout, "timeout"},
                                               {proxy, "proxy"},
                                               {tls, "tls"},
                                               {connect, "connect"},
                                               {size, "size"},
                                               {http, "http"},
                                               {blocked, "blocked"},
                                               {unknown, "unknown"}}};

}  // namespace

const std::string* find_header(const Headers& headers, std::string_view name) {
  for (auto header = headers.rbegin(); header != headers.rend(); ++header)
    if (equals_ignoring_case(header->first, name)) return &header->second;
  return nullptr;
}

std::string_view to_text(FetchErrorKind kind) {
  return name_of(kKinds, kind);
}

}  // namespace heddle
