// Carries a value or an error. Failures are values: a failed fetch or script is data here.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace heddle {

// NOLINTBEGIN(google-explicit-constructor): values and errors convert on purpose

// Callers switch on the code (retry? alert? give up?); the message is for people.
enum class ErrorCode {
  bug,
  bad_input,
  not_found,
  timeout,
  unavailable,
  conflict,  // lost to a competing actor: a stale lease, a second daemon
  script_failed,
  corrupt,
};

struct [[nodiscard]] Error {
  ErrorCode code;
  std::string message;

  // Prefixes the message with the action that failed; keeps the code.
  Error during(std::string_view action) && {
    return {code, std::string(action) + ": " + std::move(message)};
  }
};

// The needed subset of C++23 std::expected<T, Error>. Reading the wrong side is a bug and throws.
template <class T>
class [[nodiscard]] Result {
 public:
  Result() : Result(Error{ErrorCode::bug, "no result"}) {}  // Asio 1.81 co_spawn needs a default
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  explicit operator bool() const noexcept { return std::holds_alternative<T>(state_); }

  T& operator*() & { return std::get<T>(state_); }
  const T& operator*() const& { return std::get<T>(state_); }
  T&& operator*() && { return std::get<T>(std::move(state_)); }
  T* operator->() { return &std::get<T>(state_); }
  const T* operator->() const { return &std::get<T>(state_); }

  Error& error() & { return std::get<Error>(state_); }
  const Error& error() const& { return std::get<Error>(state_); }
  Error&& error() && { return std::get<Error>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

using Done = std::monostate;
using Status = Result<Done>;  // for calls that only succeed or fail

// NOLINTEND(google-explicit-constructor)

}  // namespace heddle
