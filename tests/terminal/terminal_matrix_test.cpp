// Every command on terminals of several widths, with and without colour, and in pipes.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>

#include "tests/program/command_tree.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/program/terminal_program.hpp"
#include "tests/support/test_site.hpp"
#include "tests/terminal/screen_text.hpp"

namespace heddle::testing {
namespace {

using Command = std::vector<std::string>;

const std::string kLongId = "a-job-with-quite-a-long-name-of-several-words";

// Commands whose output programs read: its lines are as long as the data.
bool prints_data(const Command& command) {
  const std::set<std::string> words(command.begin(), command.end());
  return words.contains("--json") || words.contains("csv") || words.contains("jsonl") ||
         words.contains("types") || words.contains("metrics");
}

// A project with something of everything that commands print.
class BusyProject {
 public:
  BusyProject() {
    write_web_jobs();
    project.write_job("program",
                      "kind = \"command\"\ncommand = \"echo several words of output; exit 1\"\n"
                      "[[hooks.pre_start]]\nname = \"prepare\"\ncommand = \"echo prepared\"\n");
    project.write_job("broken", "url = \"nonsense\"\ninterval = \"often\"\nselektor = \"li\"\n");
    for (const char* job : {"shop", "program"}) project.heddle({"run", job});
    project.heddle({"run", kLongId});
    run_ = std::string(
        project.heddle_json({"runs", "shop"}).as_array().at(0).at("run_id").as_string());
    dead_letter_ =
        std::to_string(project.heddle_json({"dead", "list"}).as_array().at(0).at("id").as_int64());
  }

  // In this order: later ones find what earlier ones have done.
  [[nodiscard]] std::vector<Command> commands_without_daemon() const {
    return {{"--help"},
            {"--version"},
            {"version"},
            {"nonsense"},
            {"runs", "--limt", "3"},
            {"init"},
            {"init", "new"},
            {"add", site.url("/a"), "--dry-run"},
            {"add", site.url("/nowhere"), "--yes"},
            {"repair", "shop", "--dry-run"},
            {"repair", "program", "--yes"},
            {"import"},
            {"import", "spyweb", "nowhere"},
            {"check"},
            {"check", "broken"},
            {"check", "shop"},
            {"check", "--json"},
            {"explain"},
            {"explain", "limits"},
            {"explain", "limits.body"},
            {"explain", "limits.bdy"},
            {"config", "show", "shop"},
            {"config", "show", "shop", "--json"},
            {"run", "shop"},
            {"run", "shop", "-v"},
            {"run", "shop", "--stages"},
            {"run", "shop", "--json"},
            {"run", "program"},
            {"run", "broken"},
            {"run", "shopp"},
            {"debug", "shop"},
            {"debug", "broken"},
            {"test"},
            {"test", "shop", "price"},
            {"types"},
            {"down"},
            {"status"},
            {"metrics"},
            {"workers"},
            {"workers", "restart", "1"},
            {"reload"},
            {"jobs"},
            {"jobs", "--json"},
            {"jobs", "--tag", "none"},
            {"show", "shop"},
            {"show", "program"},
            {"show", "broken"},
            {"show", kLongId},
            {"trigger", "shop"},
            {"pause", "shop"},
            {"resume", "shop"},
            {"cancel", "shop"},
            {"stop", "--all", "-y"},
            {"start", "shop"},
            {"archive", kLongId},
            {"start", kLongId},
            {"pause"},
            {"delete", kLongId, "-y"},
            {"records", "shop"},
            {"records", "shop", "--format", "csv"},
            {"records", "shop", "--format", "jsonl"},
            {"records", "shop", "--since", "never"},
            {"changes"},
            {"changes", "shop", "--since", "1d"},
            {"changes", "nosuch"},
            {"diff", "shop"},
            {"diff", "shop", "--versions"},
            {"diff", "program"},
            {"runs", "shop"},
            {"runs", "program"},
            {"runs", "nosuch"},
            {"run-trace", run_},
            {"run-trace", "nosuch"},
            {"logs", "shop"},
            {"logs", "program"},
            {"dead", "list"},
            {"dead", "list", "--limit", "1"},
            {"dead", "show", dead_letter_},
            {"dead", "show", "999999"},
            {"dead", "retry", "--job", "shop"},
            {"dead", "purge", "999999"},
            {"dead", "purge"},
            {"dead", "purge", "--job", "program"},
            {"backup", copy(), "--force"},
            {"restore", copy()},
            {"restore", "nosuch"},
            {"doctor"},
            {"demo", "--rounds", "2", "--pause", "0"}};
  }

  [[nodiscard]] std::vector<Command> commands_with_daemon() const {
    return {{"up"},
            {"status"},
            {"workers"},
            {"workers", "restart", "99"},
            {"metrics"},
            {"reload", "--dry-run"},
            {"reload"},
            {"jobs"},
            {"show", "shop"},
            {"run", "shop"},
            {"run", "program"},
            {"trigger", "broken"},
            {"pause", "--all"},
            {"resume", "shop"},
            {"cancel", "shop"},
            {"dead", "retry", "--job", "shop"},
            {"restore", copy()},
            {"doctor"}};
  }

  TestSite site;
  ProjectFolder project{"[groups.shops]\nworkers = 1\n"};

 private:
  [[nodiscard]] std::string copy() const { return (project.path() / "copy").string(); }

  void write_web_jobs() {
    site.answer("/a", html("<li><b>Copper kettle 価格表示</b><i>€ 1.299,00</i></li>"
                           "<li><b>" +
                           std::string(300, 'x') + "</b><i>\x1b[31mred</i></li>"));
    site.answer("/b", html("<li><b>Wool blanket with a description of many words that does not end "
                           "within a line of a small terminal</b><i>89</i></li>"));
    site.answer("/hook", {.status = 410});
    project.write_job("shop", "group = \"shops\"\ntags = [\"one\", \"two\"]\nurls = [\"" +
                                  site.url("/a") + "\", \"" + site.url("/b") + "\", \"" +
                                  site.url("/nothing/" + std::string(80, 'y')) +
                                  "\"]\nselector = \"li\"\nfields = [\"name:b\", \"price:i\"]\n"
                                  "[webhook]\nurl = \"" +
                                  site.url("/hook") + "\"\n");
    project.write("jobs/shop/tests.lua",
                  "function test_price() heddle.assert_eq(1, 1) end\n"
                  "function test_a_failing_one() heddle.assert_eq('some words', 'other words, and "
                  "more of them than a line has') end\n");
    project.write_job(kLongId, "url = \"" + site.url("/a") + "\"\nselector = \"li\"\n");
  }

  std::string run_;
  std::string dead_letter_;
};

struct Look {
  const char* name;
  bool has_colour;
  bool has_codes;
  std::vector<std::pair<std::string, std::string>> environment;
};

const std::vector<Look> kLooks{
    {"coloured", true, true, {{"TERM", "xterm-256color"}, {"NO_COLOR", ""}, {"LC_ALL", "C.UTF-8"}}},
    {"plain", false, true, {{"TERM", "xterm-256color"}, {"NO_COLOR", "1"}, {"LC_ALL", "C"}}},
    {"dumb", false, false, {{"TERM", "dumb"}, {"NO_COLOR", ""}, {"LC_ALL", "C"}}},
};

class TerminalMatrix : public ::testing::TestWithParam<std::tuple<int, std::size_t>> {
 protected:
  static void SetUpTestSuite() { busy_ = std::make_unique<BusyProject>(); }
  static void TearDownTestSuite() { busy_.reset(); }

  void expect_fits(const Command& command) const {
    const auto [columns, look_index] = GetParam();
    const Look& look = kLooks[look_index];
    const TerminalResult result =
        run_on_terminal(busy_->project.path(), command, {columns, look.environment});
    const Screen screen = read_screen(result.output);
    const std::string shown = ::testing::PrintToString(command) + "\n" + result.output;
    EXPECT_NE(result.exit_code, -1) << shown;
    EXPECT_THAT(screen.invalid, ::testing::IsEmpty()) << shown;
    EXPECT_TRUE(look.has_codes || !screen.has_codes) << shown;
    const bool is_coloured = result.output.find("\x1b[3") != std::string::npos;
    EXPECT_TRUE(look.has_colour || !is_coloured) << shown;
    if (prints_data(command)) return;
    for (const ScreenLine& line : screen.lines) {
      // A single word is an id, a path or a URL: people copy it, so it stays whole.
      const std::size_t begin = std::min(line.text.find_first_not_of(' '), line.text.size());
      const bool is_one_word = line.text.find(' ', begin) == std::string::npos;
      EXPECT_TRUE(is_one_word || line.columns <= static_cast<std::size_t>(columns))
          << line.text << "\n"
          << shown;
    }
  }

  static std::unique_ptr<BusyProject> busy_;
};

std::unique_ptr<BusyProject> TerminalMatrix::busy_;

TEST_P(TerminalMatrix, FitsWithoutADaemon) {
  for (const Command& command : busy_->commands_without_daemon()) expect_fits(command);
}

TEST_P(TerminalMatrix, FitsWithADaemon) {
  RunningDaemon daemon(busy_->project, 1);
  for (const Command& command : busy_->commands_with_daemon()) expect_fits(command);
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait().exit_code, 0);
}

TEST_P(TerminalMatrix, FitsTheHelpTexts) {
  if (std::get<1>(GetParam()) != 0) GTEST_SKIP() << "help texts have no colours";
  for (const HelpPage& page : all_help_pages(busy_->project)) {
    Command command = page.command;
    command.emplace_back("--help");
    expect_fits(command);
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, TerminalMatrix,
                         ::testing::Combine(::testing::Values(60, 80, 120, 200),
                                            ::testing::Values(0u, 1u, 2u)),
                         [](const auto& each) {
                           return std::string(kLooks[std::get<1>(each.param)].name) +
                                  std::to_string(std::get<0>(each.param));
                         });

TEST(TerminalOutput, CoversEveryCommand) {
  const BusyProject busy;
  std::set<Command> covered;
  for (const auto& commands : {busy.commands_without_daemon(), busy.commands_with_daemon()})
    for (const Command& command : commands)
      for (std::size_t words = 1; words <= 2 && words <= command.size(); ++words)
        covered.insert(Command(command.begin(), command.begin() + static_cast<long>(words)));
  for (const HelpPage& page : all_help_pages(busy.project))
    EXPECT_TRUE(page.command.empty() || covered.contains(page.command))
        << page.file_name() << ": add it to a list above";
}

TEST(TerminalOutput, HasNoControlCodesInPipes) {
  const BusyProject busy;
  setenv("TERM", "xterm-256color", 1);
  unsetenv("NO_COLOR");
  for (const Command& command : busy.commands_without_daemon()) {
    const ProgramResult result = busy.project.heddle(command);
    const bool has_raw_items =
        !command.empty() && (command[0] == "records" || command[0] == "debug");
    EXPECT_TRUE(has_raw_items || result.out.find('\x1b') == std::string::npos)
        << ::testing::PrintToString(command);
    EXPECT_EQ(result.err.find('\x1b'), std::string::npos) << ::testing::PrintToString(command);
  }
}

TEST(TerminalOutput, HasAsciiBarsUnlessTheLocaleIsUtf8) {
  const BusyProject busy;
  const auto show = [&busy](const char* locale) {
    return run_on_terminal(busy.project.path(), {"show", "shop"},
                           {200, {{"LC_ALL", locale}, {"TERM", "xterm"}}})
        .output;
  };
  EXPECT_THAT(show("C.UTF-8"), ::testing::HasSubstr("█"));
  EXPECT_THAT(show("C"), ::testing::HasSubstr("####"));
  for (const Command& command : busy.commands_without_daemon()) {
    const TerminalResult result =
        run_on_terminal(busy.project.path(), command, {60, {{"LC_ALL", "C"}, {"TERM", "xterm"}}});
    for (const char* symbol : {"█", "░", "▇", "…"})
      EXPECT_EQ(result.output.find(symbol), std::string::npos)
          << ::testing::PrintToString(command) << "\n"
          << result.output;
  }
}

TEST(TerminalOutput, ErasesTheProgressOfARunBeforeItsResult) {
  TestSite site;
  site.handle("/slow", [](const SiteRequest&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));  // longer than progress waits
    return html("<p>x");
  });
  const ProjectFolder project;
  project.write_job("slow", "urls = [\"" + site.url("/slow?1") + "\", \"" + site.url("/slow?2") +
                                "\"]\nselector = \"p\"\n");
  const std::string output =
      run_on_terminal(project.path(), {"run", "slow"}, {80, {{"TERM", "xterm"}}}).output;
  const std::size_t progress = output.rfind("2 pages, ");
  const std::size_t result = output.find("slow: ");
  ASSERT_NE(progress, std::string::npos) << output;
  ASSERT_NE(result, std::string::npos) << output;
  EXPECT_THAT(output.substr(progress, result - progress), ::testing::HasSubstr("\r\x1b[K"))
      << output;
}

TEST(TerminalOutput, IsAsWideAsColumnsSays) {
  const BusyProject busy;
  const TerminalResult result =
      run_on_terminal(busy.project.path(), {"jobs"}, {200, {{"COLUMNS", "70"}, {"TERM", "dumb"}}});
  std::size_t widest = 0;
  for (const ScreenLine& line : read_screen(result.output).lines)
    widest = std::max(widest, line.columns);
  EXPECT_LE(widest, 70u) << result.output;
  EXPECT_GT(widest, 50u) << result.output;
}

}  // namespace
}  // namespace heddle::testing
