#include "cli/help_formatter.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap_text.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kLabelIndent = 2;
constexpr std::size_t kLabelGap = 2;
constexpr std::size_t kWidestLabel = 28;

struct HelpRow {
  std::string label;
  std::string text;
};
using HelpRows = std::vector<HelpRow>;

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// "json, jsonl, csv" of "FORMAT:{json,jsonl,csv}", "0 to 65535" of "N:INT in [0 - 65535]".
std::string allowed_values(const std::string& type) {
  if (const std::size_t words = type.find(":{"); words != std::string::npos) {
    const std::string list = type.substr(words + 2, type.find('}', words) - words - 2);
    return fmt::format("{}", fmt::join(split(list, ','), ", "));
  }
  const std::size_t begin = type.find('[');
  const std::size_t dash = type.find(" - ", begin);
  if (begin == std::string::npos || dash == std::string::npos) return "";
  const std::string least = type.substr(begin + 1, dash - begin - 1);
  const std::string most = type.substr(dash + 3, type.find(']') - dash - 3);
  if (most == std::to_string(std::numeric_limits<int>::max())) return "";
  return least + " to " + most;
}

bool takes_value(const CLI::Option& option) {
  return option.get_type_size() != 0;
}

std::string option_text(const CLI::Option& option) {
  std::string text = option.get_description();
  if (!takes_value(option)) return text;
  if (const std::string allowed = allowed_values(option.get_type_name()); !allowed.empty())
    text += fmt::format(" ({})", allowed);
  const std::string preset = option.get_default_str();
  const bool is_plain = preset.empty() || preset == "0" || preset == "[]" || preset == "\"\"";
  return is_plain ? text : fmt::format("{} (default: {})", text, preset);
}

// "[JOB]", "JOB...": as in a usage line.
std::string argument_usage(const CLI::Option& option) {
  const std::string name = option_label(option) + (option.get_expected_max() > 1 ? "..." : "");
  return option.get_required() ? name : "[" + name + "]";
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::string usage_line(const CLI::App& app, const std::string& name) {
  std::string line = "Usage: " + name + " [OPTIONS]";
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) line += " " + argument_usage(*option);
  if (commands_of(app).empty()) return line;
  return line + (app.get_require_subcommand_min() > 0 ? " COMMAND" : " [COMMAND]");
}

HelpRows option_rows(const CLI::App& app) {
  HelpRows rows;
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional()) rows.push_back({option_label(*option), option_text(*option)});
  // The help option is declared first and wanted least.
  if (rows.size() > 1) std::rotate(rows.begin(), rows.begin() + 1, rows.end());
  return rows;
}

HelpRows argument_rows(const CLI::App& app) {
  HelpRows rows;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) rows.push_back({option_label(*option), option_text(*option)});
  return rows;
}

const CLI::App* root_of(const CLI::App& command) {
  const CLI::App* root = &command;
  while (root->get_parent() != nullptr) root = root->get_parent();
  return root;
}

std::size_t widest_label(const HelpRows& rows) {
  std::size_t widest = 0;
  for (const HelpRow& row : rows) widest = std::max(widest, display_width(row.label));
  return std::min(widest, kWidestLabel);
}

std::string section(const std::string& title, const HelpRows& rows, std::size_t columns) {
  if (rows.empty()) return "";
  const std::size_t indent = kLabelIndent + widest_label(rows) + kLabelGap;
  std::string text = "\n" + title + ":\n";
  for (const HelpRow& row : rows) {
    std::string line = std::string(kLabelIndent, ' ') + row.label;
    if (display_width(line) + kLabelGap > indent)
      line += "\n" + std::string(indent, ' ');
    else
      line.append(indent - display_width(line), ' ');
    const std::string last = line.substr(line.rfind('\n') + 1);
    line.resize(line.size() - last.size());
    text += line + wrap_paragraph(last + row.text, columns, indent) + '\n';
  }
  return text;
}

// Commands in the groups and the order of their declaration.
std::string command_sections(const CLI::App& app, std::size_t columns) {
  std::vector<std::pair<std::string, HelpRows>> groups;
  for (const CLI::App* command : commands_of(app)) {
    const std::string group = command->get_group();
    auto found = std::find_if(groups.begin(), groups.end(),
                              [&group](const auto& each) { return each.first == group; });
    if (found == groups.end()) found = groups.insert(groups.end(), {group, {}});
    found->second.push_back({command->get_name(), command->get_description()});
  }
  std::string text;
  for (const auto& [group, rows] : groups)
    text += section(group == "Subcommands" ? "Commands" : group, rows, columns);
  return text;
}

}  // namespace

std::string option_label(const CLI::Option& option) {
  if (option.get_positional()) return upper(option.get_name(true));
  std::string label;
  for (const std::string& name : option.get_snames()) label += (label.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames())
    label += (label.empty() ? "--" : ", --") + name;
  if (!takes_value(option)) return label;
  const std::string type = option.get_type_name();
  return label + " " + type.substr(0, type.find(':'));
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode /*mode*/) const {
  std::string text = wrap_text(usage_line(*app, name), width_) + "\n";
  std::string description = app->get_description();
  if (!description.empty()) {
    description[0] = upper(description.substr(0, 1))[0];
    if (!description.ends_with('.')) description += '.';
    text += "\n" + wrap_paragraph(description, width_, 0) + "\n";
  }
  text += section("Arguments", argument_rows(*app), width_);
  text += command_sections(*app, width_);
  text += section("Options", option_rows(*app), width_);
  if (const CLI::App* root = root_of(*app); root != app)
    if (const CLI::Option* project = root->get_option_no_throw("--project"))
      text += section("Global options", {{option_label(*project), option_text(*project)}}, width_);
  return text + wrap_text(app->get_footer(), width_) + "\n";
}

}  // namespace heddle::cli
