#include "cli/usage_error.hpp"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/help_formatter.hpp"

namespace heddle::cli {

namespace {

// The innermost command that the user named, with the words that lead to it.
struct ChosenCommand {
  const CLI::App* app;
  std::string name;
};

ChosenCommand chosen_command(const CLI::App& app) {
  ChosenCommand chosen{&app, app.get_name()};
  while (!chosen.app->get_subcommands().empty()) {
    chosen.app = chosen.app->get_subcommands().front();
    chosen.name += " " + chosen.app->get_name();
  }
  return chosen;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const auto nearest = nearest_name(name, candidates);
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : "";
}

std::vector<std::string> option_names(const CLI::App* app) {
  std::vector<std::string> names;
  for (; app != nullptr; app = app->get_parent())
    for (const CLI::Option* option : app->get_options())
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::string unknown_option(const ChosenCommand& chosen, const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  return fmt::format("'{}' has no option '{}'{}", chosen.name, name,
                     suggestion(name, option_names(chosen.app)));
}

std::string unknown_command(const ChosenCommand& chosen, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* command : chosen.app->get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const bool is_first = chosen.app->get_parent() == nullptr;
  return is_first ? fmt::format("there is no command '{}'{}", name, suggestion(name, names))
                  : fmt::format("'{}' has no command '{}'{}", chosen.name, name,
                                suggestion(name, names));
}

std::string unexpected(const ChosenCommand& chosen, const std::string& argument) {
  if (argument.size() > 1 && argument.front() == '-') return unknown_option(chosen, argument);
  if (chosen.app->get_require_subcommand_min() > 0) return unknown_command(chosen, argument);
  return fmt::format("'{}' takes no argument '{}'", chosen.name, argument);
}

std::string missing(const ChosenCommand& chosen) {
  for (const CLI::Option* option : chosen.app->get_options())
    if (option->get_required() && option->count() == 0)
      return fmt::format("'{}' needs the argument {}", chosen.name, option_label(*option));
  return fmt::format("'{}' needs a command", chosen.name);
}

// "--format: xml not in {json,csv}" -> "--format: 'xml' is not allowed; allowed: json, csv",
// "--port: Value x not in range 0 to 9" -> "--port: 'x' is not a number from 0 to 9"
std::string wrong_value(const std::string& text) {
  const std::size_t name = text.find(": ");
  const std::size_t value = text.find(": Value ");
  const std::size_t range = text.find(" not in range ");
  if (value != std::string::npos && range != std::string::npos)
    return fmt::format("{}: '{}' is not a number from {}", text.substr(0, value),
                       text.substr(value + 8, range - value - 8), text.substr(range + 14));
  const std::size_t list = text.find(" not in {");
  if (name == std::string::npos || list == std::string::npos || list < name) return text;
  const std::string words = text.substr(list + 9, text.find('}', list) - list - 9);
  return fmt::format("{}: '{}' is not allowed; allowed: {}", text.substr(0, name),
                     text.substr(name + 2, list - name - 2), fmt::join(split(words, ','), ", "));
}

// "Could not convert: --limit = abc"
std::string wrong_number(const std::string& text) {
  const std::size_t name = text.find(": ");
  const std::size_t value = text.find(" = ");
  if (name == std::string::npos || value == std::string::npos) return text;
  return fmt::format("{}: '{}' is not a valid number", text.substr(name + 2, value - name - 2),
                     text.substr(value + 3));
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const ChosenCommand chosen = chosen_command(app);
  const auto extra = app.remaining(true);
  if (!extra.empty()) return unexpected(chosen, extra.front());
  const std::string text = error.what();
  const std::string kind = error.get_name();
  if (kind == "RequiredError") return missing(chosen);
  if (kind == "ValidationError") return wrong_value(text);
  if (kind == "ConversionError") return wrong_number(text);
  if (kind == "ArgumentMismatch")
    return text.substr(0, text.find(':')) + (text.find("At Most") != std::string::npos
                                                 ? " can be given only once"
                                                 : " needs a value");
  return text;
}

}  // namespace heddle::cli
