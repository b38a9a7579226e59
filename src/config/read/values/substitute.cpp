#include "config/read/values/substitute.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/files/read_file.hpp"
#include "config/read/values/text_budget.hpp"

namespace heddle::config {

namespace {

constexpr std::size_t kMaxSecretBytes = 256 << 10;

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name_part(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9') || c == '-';
}

// The name of a "{{ name }}" at the front of the text and its whole length.
struct Variable {
  std::string_view name;
  std::size_t length = 0;
};

Variable variable_at(std::string_view text) {
  if (!text.starts_with("{{")) return {};
  const std::size_t end = text.find("}}", 2);
  if (end == std::string_view::npos) return {};
  const std::string_view name = trim(text.substr(2, end - 2));
  return is_variable_name(name) ? Variable{name, end + 2} : Variable{};
}

bool has_variables(std::string_view text) {
  for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at + 1))
    if (variable_at(text.substr(at)).length > 0) return true;
  return false;
}

// "${env: NAME }" -> "${env:NAME}": one secret has one text.
std::string reference_text(std::string_view reference) {
  const std::size_t colon = reference.find(':');
  return fmt::format("{}{}}}", reference.substr(0, colon + 1),
                     trim(reference.substr(colon + 1, reference.size() - colon - 2)));
}

Result<std::string> look_up(std::string_view name, const Vars& vars) {
  if (const auto found = vars.find(std::string(name)); found != vars.end())
    return found->second.value;
  std::vector<std::string_view> names;
  for (const auto& [known, value] : vars) names.push_back(known);
  std::string message = fmt::format("{{{{{}}}}} is not in `vars`", name);
  if (const auto nearest = nearest_name(name, names))
    message += fmt::format(", did you mean {{{{{}}}}}?", *nearest);
  return Error{ErrorCode::bad_input, message};
}

}  // namespace

bool is_variable_name(std::string_view name) {
  return !name.empty() && is_name_start(name.front()) &&
         std::all_of(name.begin(), name.end(), is_name_part);
}

bool has_variables(const TomlValue& value) {
  if (const std::string* text = value.text()) return has_variables(std::string_view(*text));
  if (const TomlList* list = value.list())
    return std::any_of(list->begin(), list->end(),
                       [](const TomlValue& v) { return has_variables(v); });
  if (const TomlTable* table = value.table())
    return std::any_of(table->begin(), table->end(),
                       [](const TomlEntry& entry) { return has_variables(entry.value); });
  return false;
}

Result<std::string> Substitutor::fill(std::string_view text, const Vars* vars) {
  std::string out;
  std::size_t filled = 0;
  std::vector<std::string> problems;  // all of them, each once
  const auto take = [&](Result<std::string> found) {
    if (found)
      out += *found;
    else if (std::find(problems.begin(), problems.end(), found.error().message) == problems.end())
      problems.push_back(std::move(found).error().message);
  };
  while (!text.empty()) {
    const std::size_t mark = std::min(text.find_first_of("${"), text.size());
    out += text.substr(0, mark);
    text.remove_prefix(mark);
    if (text.starts_with('$') && reference_length(text.substr(1)) > 0) {  // "$${env:…}"
      const std::size_t length = reference_length(text.substr(1));
      if (!used_) used_.emplace();
      out += text.substr(1, length);
      text.remove_prefix(length + 1);
    } else if (const std::size_t length = reference_length(text); length > 0) {
      auto found = look_up(text.substr(2, length - 3));
      if (found)
        if (auto counted = count(found->size(), filled); !counted)
          return std::move(counted).error();
      if (!used_) used_.emplace();
      if (found) used_->push_back({reference_text(text.substr(0, length)), *found});
      take(std::move(found));
      text.remove_prefix(length);
    } else if (const Variable variable = variable_at(text);
               vars != nullptr && variable.length > 0) {
      if (const auto found = vars->find(std::string(variable.name)); found != vars->end()) {
        const VarText& var = found->second;
        if (var.value != var.unresolved && !used_) used_.emplace();
        auto counted = count(std::max(var.value.size(), var.unresolved.size()), filled);
        if (!counted) return std::move(counted).error();
      }
      take(config::look_up(variable.name, *vars));
      text.remove_prefix(variable.length);
    } else if (!text.empty()) {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  if (problems.empty()) return out;
  return Error{ErrorCode::bad_input, join(problems, "; ")};
}

Status Substitutor::count(std::size_t bytes, std::size_t& in_text) {
  in_text += bytes;
  filled_in_job_ += bytes;
  const auto too_much = [](std::string_view what, std::size_t limit) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("{} by more than {} MB when {{{{…}}}} and ${{…}} are filled in: make the "
                    "variables shorter or use them less often",
                    what, limit >> 20)};
  };
  if (in_text > kTextLimits.value) return too_much("the text grows", kTextLimits.value);
  if (filled_in_job_ > kTextLimits.job)
    return too_much("the texts of the job or file grow", kTextLimits.job);
  return Done{};
}

std::string Substitutor::unresolved(std::string_view text, const Vars* vars) {
  std::string out;
  while (!text.empty()) {
    const std::size_t mark = std::min(text.find_first_of("${"), text.size());
    out += text.substr(0, mark);
    text.remove_prefix(mark);
    const bool is_escaped = text.starts_with('$') && reference_length(text.substr(1)) > 0;
    const std::size_t length =
        is_escaped ? 1 + reference_length(text.substr(1)) : reference_length(text);
    const Variable variable = vars == nullptr ? Variable{} : variable_at(text);
    const auto found =
        variable.length == 0 ? Vars::const_iterator{} : vars->find(std::string(variable.name));
    if (length > 0) {
      out +=
          is_escaped ? std::string(text.substr(0, length)) : reference_text(text.substr(0, length));
      text.remove_prefix(length);
    } else if (variable.length > 0 && found != vars->end()) {
      out += found->second.unresolved;
      text.remove_prefix(variable.length);
    } else if (!text.empty()) {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

std::optional<std::vector<Secret>> Substitutor::take_used() {
  return std::exchange(used_, std::nullopt);
}

Result<std::string> Substitutor::look_up(std::string_view reference) {
  const std::size_t colon = reference.find(':');
  const std::string name(trim(reference.substr(colon + 1)));
  Result<std::string> found = Error{ErrorCode::bad_input, "a name is missing in ${…}"};
  if (name.empty()) return found;
  if (reference.starts_with("env")) {
    auto value = environment_.variable ? environment_.variable(name) : std::nullopt;
    if (!value)
      return Error{ErrorCode::not_found, fmt::format("environment variable {} is not set", name)};
    found = *std::move(value);
  } else {
    found = read_secret_file(name);
  }
  if (found && !found->empty()) secrets_.insert(*found);
  return found;
}

Result<std::string> Substitutor::read_secret_file(const std::string& path) {
  const auto known = files_.find(path);
  if (known != files_.end()) return known->second;
  auto text = read_file(root_ / path, kMaxSecretBytes);
  if (!text) return Error{text.error().code, fmt::format("file {} {}", path, text.error().message)};
  if (text->ends_with('\n')) text->pop_back();
  if (text->ends_with('\r')) text->pop_back();
  if (!is_valid_utf8(*text))
    return Error{ErrorCode::bad_input, fmt::format("file {} is not UTF-8 text", path)};
  files_[path] = *text;
  return text;
}

}  // namespace heddle::config
