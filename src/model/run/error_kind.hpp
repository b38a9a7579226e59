// ErrorKind names why a page or a run failed, as users and programs see it.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "model/web/fetch.hpp"

namespace heddle {

enum class ErrorKind {
  none,
  // A page that could not be fetched.
  dns,
  timeout,
  proxy,
  tls,
  connect,
  size,
  http,
  blocked,
  unknown,  // also one that another version has stored
  bad_url,
  robots,
  // A page that could not be processed.
  script,
  too_complex,
  bad_content,  // the body is not what the job reads
  conversion,   // the program of `convert` failed
  expectation,  // [expect] is not met
  // A page that was read, but not as its job means it.
  no_items,  // it had some before
  not_html,
  login_required,
  app_shell,  // empty without JavaScript
  bot_wall,
  error_page,
  nothing_found,  // as ever
  empty_field,
  read_as_html,  // XML whose fields were found all the same
  shared_key,    // different items have the same key
  // A run that could not be executed.
  store,              // the store failed for good
  store_unavailable,  // the store failed for now
  not_begun,
  unreadable,
  no_worker,
  quarantined,
  interrupted,
  limited,  // it was cut short: not a failure
  // A run of programs.
  hook_failed,
  deadline_exceeded,
  process_failed,
  backoff_limit_exceeded,
  gave_up,
};
std::string_view to_text(ErrorKind kind);  // empty for none
// `unknown` for a word of another version.
ErrorKind error_kind_from(std::string_view text);
ErrorKind kind_of(FetchErrorKind kind);

// Kinds that cast doubt on a run though its pages were stored: its job's check state follows them.
inline constexpr std::array kSuspiciousKinds{
    ErrorKind::script,    ErrorKind::no_items, ErrorKind::not_html,  ErrorKind::login_required,
    ErrorKind::app_shell, ErrorKind::bot_wall, ErrorKind::error_page};

// Whether it tells about a page that was read and stored, and is no failure.
bool is_notice(ErrorKind kind);

}  // namespace heddle
