#include "tests/golden/interface_fixture.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::testing {

namespace {

void pin_environment() {
  setenv("LC_ALL", "C", 1);
  setenv("LANG", "C", 1);
  setenv("TZ", "UTC", 1);
  setenv("TERM", "dumb", 1);
  setenv("NO_COLOR", "1", 1);
  setenv("COLUMNS", "100", 1);
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "LANGUAGE",
                           "http_proxy", "https_proxy", "all_proxy", "no_proxy"})
    unsetenv(name);
}

// "Etc/GMT-3" is three hours ahead of Greenwich, and has no summer time.
std::string zone_at_noon() {
  using namespace std::chrono;
  const auto since_1970 = system_clock::now().time_since_epoch();
  const auto ahead = 12 - duration_cast<hours>(since_1970).count() % 24;
  return ahead < 0 ? fmt::format("Etc/GMT+{}", -ahead) : fmt::format("Etc/GMT-{}", ahead);
}

// As a person would type it: arguments with blanks in quotes.
std::string command_line(const std::vector<std::string>& arguments) {
  std::string line = "$ heddle";
  for (const std::string& argument : arguments)
    line += argument.find_first_of(" '\"*") == std::string::npos && !argument.empty()
                ? " " + argument
                : " '" + argument + "'";
  return line + "\n";
}

}  // namespace

Interface::Interface() : zone_(zone_at_noon()) {
  pin_environment();
  normaliser_.replace(project_.path().string(), "project");
  normaliser_.replace(std::filesystem::canonical(project_.path()).string(), "project");
  normaliser_.replace(fmt::format("127.0.0.1:{}", site_.port()), "site");
  write_settings();
}

void Interface::write_settings(std::string_view tables, std::string_view keys) {
  project_.write("heddle.toml",
                 fmt::format("timezone = \"{}\"\nreload = \"manual\"\n{}"
                             "[network]\nallow = [\"127.0.0.1\"]\n"
                             "[defaults]\nschedule = \"manual\"\nstagger = \"0s\"\n"
                             "[defaults.retry]\nmax = 0\nbase = \"10ms\"\njitter = 0\n"
                             "[defaults.notification]\nenabled = false\n{}",
                             zone_, keys, tables));
}

ProgramResult Interface::record(const std::string& document, std::vector<std::string> arguments,
                                std::string_view situation) {
  arguments.emplace_back("--json");
  return add(document, std::move(arguments), situation, true);
}

ProgramResult Interface::record_text(const std::string& document,
                                     std::vector<std::string> arguments,
                                     std::string_view situation) {
  return add(document, std::move(arguments), situation, false);
}

void Interface::note(const std::string& document, const std::string& text) {
  documents_[document] += text;
}

ProgramResult Interface::add(const std::string& document, std::vector<std::string> arguments,
                             std::string_view situation, bool is_json) {
  std::string& text = documents_[document];
  if (!text.empty()) text += "\n";
  if (!situation.empty()) text += fmt::format("# {}\n", situation);
  text += normaliser_.text(command_line(arguments));
  ProgramResult result = project_.heddle(std::move(arguments));
  if (result.signal != 0) ADD_FAILURE() << "ended by signal " << result.signal << "\n" << text;
  try {
    if (result.out.empty())
      text += "(nothing on standard output)\n";
    else
      text += is_json ? normaliser_.json(result.out) : normaliser_.text(result.out);
  } catch (const std::exception& no_json) {
    ADD_FAILURE() << text << "is not JSON: " << no_json.what() << "\n" << result.out;
  }
  if (!result.err.empty()) text += "standard error:\n" + normaliser_.text(result.err);
  text += fmt::format("exit status {}\n", result.exit_code);
  return result;
}

void Interface::expect_documents(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& [name, text] : documents_) {
    names.push_back(name + ".txt");
    expect_golden(folder + "/" + names.back(), text);
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(golden_names(folder), names) << "remove files of documents that are gone";
}

}  // namespace heddle::testing
