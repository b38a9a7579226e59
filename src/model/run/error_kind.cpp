#include "model/run/error_kind.hpp"

#include "model/names.hpp"

namespace heddle {

namespace {

using enum ErrorKind;

constexpr NameTable<ErrorKind, 40> kErrorKinds{{{none, ""},
                                                {dns, "dns"},
                                                {timeout, "timeout"},
                                                {proxy, "proxy"},
                                                {tls, "tls"},
                                                {connect, "connect"},
                                                {size, "size"},
                                                {http, "http"},
                                                {blocked, "blocked"},
                                                {unknown, "unknown"},
                                                {bad_url, "bad_url"},
                                                {robots, "robots"},
                                                {script, "script"},
                                                {too_complex, "too_complex"},
                                                {bad_content, "bad_content"},
                                                {conversion, "conversion"},
                                                {expectation, "expectation"},
                                                {no_items, "no_items"},
                                                {not_html, "not_html"},
                                                {login_required, "login_required"},
                                                {app_shell, "app_shell"},
                                                {bot_wall, "bot_wall"},
                                                {error_page, "error_page"},
                                                {nothing_found, "nothing_found"},
                                                {empty_field, "empty_field"},
                                                {read_as_html, "read_as_html"},
                                                {shared_key, "shared_key"},
                                                {store, "store"},
                                                {store_unavailable, "store_unavailable"},
                                                {not_begun, "not_begun"},
                                                {unreadable, "unreadable"},
                                                {no_worker, "no_worker"},
                                                {quarantined, "quarantined"},
                                                {interrupted, "interrupted"},
                                                {limited, "limited"},
                                                {hook_failed, "hook_failed"},
                                                {deadline_exceeded, "deadline_exceeded"},
                                                {process_failed, "process_failed"},
                                                {backoff_limit_exceeded, "backoff_limit_exceeded"},
                                                {gave_up, "gave_up"}}};

}  // namespace

std::string_view to_text(ErrorKind kind) {
  return name_of(kErrorKinds, kind);
}

ErrorKind error_kind_from(std::string_view text) {
  return value_of(kErrorKinds, text).value_or(ErrorKind::unknown);
}

ErrorKind kind_of(FetchErrorKind kind) {
  return error_kind_from(to_text(kind));
}

bool is_notice(ErrorKind kind) {
  const bool is_wrong_page = kind == login_required || kind == bot_wall || kind == error_page;
  return kind >= no_items && kind <= shared_key && !is_wrong_page;
}

}  // namespace heddle
