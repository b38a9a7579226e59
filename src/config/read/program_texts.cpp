#include "config/read/program_texts.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/values/quantity.hpp"
#include "config/read/values/toml_value.hpp"

namespace heddle::config {

namespace {

constexpr std::size_t kLongestHookName = 100;
// The limit of Linux for one argument or variable, MAX_ARG_STRLEN.
constexpr std::size_t kLongestArgument = 128UL * 1024 - 1;
constexpr std::string_view kOwnNames = "names that begin with HEDDLE_ belong to the engine";

Error wrong_program_text(std::string message) {
  return {ErrorCode::bad_input, std::move(message)};
}

// The kernel cuts texts at their first zero byte.
Status check_argument(std::string_view text) {
  if (text.find('\0') != std::string_view::npos)
    return wrong_program_text("must not contain a zero byte");
  if (text.size() > kLongestArgument)
    return wrong_program_text(
        fmt::format("is longer than {} bytes, which no program can be given", kLongestArgument));
  return Done{};
}

// "127.0.0.1:80" -> its two parts; IPv6 in brackets.
std::pair<std::string_view, std::string_view> host_and_port(std::string_view authority) {
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos || authority.ends_with(']')) return {authority, {}};
  return {authority.substr(0, colon), authority.substr(colon + 1)};
}

bool is_this_machine(std::string_view host) {
  return host == "localhost" || host == "[::1]" || host.starts_with("127.");
}

std::string_view without_quotes(std::string_view value) {
  const bool is_quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                         value.front() == value.back();
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

Status check_program(const ProgramLine& line, const ProgramKeys& given) {
  if (given.has_command && given.has_args)
    return wrong_program_text("only one of `command` and `args` can be given");
  if (!given.has_command && !given.has_args)
    return wrong_program_text(
        "is missing: give `command` (a line for sh -c) or `args` (a program and its "
        "arguments)");
  if (given.has_command && trim(line.command).empty())
    return wrong_program_text("must not be empty");
  if (given.has_args && (line.args.empty() || line.args.front().empty()))
    return wrong_program_text("the list must begin with a program");
  if (auto status = check_argument(line.command); !status) return status;
  for (const std::string& each : line.args)
    if (auto status = check_argument(each); !status) return status;
  return Done{};
}

Status check_environment_entry(std::string_view name, std::string_view value) {
  if (!is_environment_name(name))
    return wrong_program_text(
        "a variable's name is made of letters, digits and \"_\" and does not begin with "
        "a digit");
  if (is_reserved_variable(name)) return wrong_program_text(std::string(kOwnNames));
  return check_argument(value);
}

Status check_ready_address(std::string_view address) {
  const bool is_http = address.starts_with("http://");
  if (!is_http && !address.starts_with("tcp://"))
    return wrong_program_text(
        fmt::format("found {}, expected an address of this machine such as "
                    "\"http://127.0.0.1:8080/health\" or \"tcp://127.0.0.1:5432\"",
                    in_quotes(address)));
  std::string_view rest = address.substr(address.find("//") + 2);
  if (rest.find_first_of(" \t\r\n") != std::string_view::npos)
    return wrong_program_text("an address has no white space");
  const auto [host, port] = host_and_port(rest.substr(0, rest.find('/')));
  const auto number = parse_integer(port);
  if (!is_this_machine(host))
    return wrong_program_text(
        fmt::format("{} is not this machine: only 127.0.0.1, [::1] and localhost are allowed",
                    in_quotes(host)));
  if (!number || *number < 1 || *number > 65535)
    return wrong_program_text("the port is missing or invalid");
  return Done{};
}

bool is_plain_line(std::string_view text) {
  return text.size() <= kLongestHookName &&
         std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

EnvironmentFile parse_environment_file(std::string_view text) {
  EnvironmentFile out;
  int number = 0;
  for (const std::string_view raw : split(text, '\n')) {
    ++number;
    std::string_view line = trim(raw);
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("export ")) line = trim(line.substr(7));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      out.mistakes.push_back({number, "expected NAME=value"});
      continue;
    }
    const std::string_view name = trim(line.substr(0, equals));
    const std::string_view value = without_quotes(trim(line.substr(equals + 1)));
    if (auto status = check_environment_entry(name, value); !status)
      out.mistakes.push_back({number, std::move(status).error().message});
    else
      out.entries.emplace_back(name, value);
  }
  return out;
}

}  // namespace heddle::config
