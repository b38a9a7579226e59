#include "cli/terminal.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/free_with.hpp"

namespace heddle::cli {
namespace {

using File = std::unique_ptr<std::FILE, FreeWith<std::fclose>>;

std::string printed(const TextTable& table) {
  unsetenv("COLUMNS");  // of the shell that runs the test
  const File file(std::tmpfile());
  Terminal terminal(file.get());
  table.print(terminal);
  std::rewind(file.get());
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

TEST(Fit, KeepsShortText) {
  EXPECT_EQ(fit("tea", 3), "tea");
}

TEST(Fit, CutsLongTextWithAnEllipsis) {
  EXPECT_EQ(fit("kettle", 4), "ket…");
}

TEST(Fit, NeverCutsThroughACharacter) {
  EXPECT_EQ(fit("ééééé", 3), "éé…");
}

TEST(Fit, CountsWideCharactersAsTwoColumns) {
  EXPECT_EQ(display_width("価格"), 4u);
  EXPECT_EQ(fit("価格表示", 5), "価格…");
}

TEST(Fit, PutsEverythingOnOneLineWithoutControlCharacters) {
  EXPECT_EQ(fit("a\r\n\tb\x1b[31mc", 20), "a b [31mc");
}

TEST(Fit, ReplacesBytesThatAreNotText) {
  EXPECT_EQ(fit("a\xff", 5), "a\xEF\xBF\xBD");
}

TEST(DurationText, UsesReadableUnits) {
  using namespace std::chrono_literals;
  EXPECT_EQ(duration_text(48ms), "48 ms");
  EXPECT_EQ(duration_text(13871ms), "13.9 s");
  EXPECT_EQ(duration_text(125s), "2 min 5 s");
  EXPECT_EQ(duration_text(90min), "1 h 30 min");
}

TEST(TextTable, AlignsItsColumns) {
  TextTable table({"NAME", "PRICE"});
  table.add({"tea", "3"});
  table.add({"copper kettle", "49.50"});
  EXPECT_EQ(printed(table),
            "NAME           PRICE\n"
            "tea            3\n"
            "copper kettle  49.50\n");
}

TEST(TextTable, ShortensItsWidestColumn) {
  TextTable table({"ID", "TEXT"});
  table.add({"1", std::string(300, 'x')});
  const std::string text = printed(table);
  EXPECT_LE(text.find('\n', text.find('1')), 120u + 20u);
  EXPECT_NE(text.find("…"), std::string::npos);
}

TEST(TextTable, ToleratesRowsThatAreTooShort) {
  TextTable table({"A", "B"});
  table.add({"1"});
  EXPECT_EQ(printed(table), "A  B\n1  \n");
}

TEST(TextTable, PrintsALongTableInPartsWithTheWidthsOfTheFirst) {
  unsetenv("COLUMNS");
  const File file(std::tmpfile());
  Terminal terminal(file.get());
  TextTable table({"ID", "TEXT", "NOTE"}, 1);
  table.stream_to(terminal);
  EXPECT_TRUE(table.is_empty());
  for (std::size_t i = 0; i < TextTable::kRowsForWidths; ++i) table.add({"1234", "some text", "x"});
  const long printed_early = std::ftell(file.get());
  EXPECT_GT(printed_early, 0);
  table.add({"123456789", "a longer text than before", "y"});
  EXPECT_FALSE(table.is_empty());
  table.print(terminal);
  std::fseek(file.get(), printed_early, SEEK_SET);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  EXPECT_EQ(text, "123456789  a longer…  y\n") << "an id is never cut";
}

TEST(TextTable, RedactsSecretsBeforeItCutsThem) {
  TextTable table({"ADDRESS"});
  table.add({"https://a.test/?token=" + std::string(200, 's')});
  const File file(std::tmpfile());
  Terminal terminal(file.get());
  terminal.hide({std::string(200, 's')});
  table.print(terminal);
  std::rewind(file.get());
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  EXPECT_EQ(text, "ADDRESS\nhttps://a.test/?token=[redacted]\n");
}

TEST(Terminal, UsesNoColourOutsideATerminal) {
  const File file(std::tmpfile());
  EXPECT_EQ(Terminal(file.get()).paint(Colour::red, "x"), "x");
}

// Both ends of a pseudo-terminal.
class PseudoTerminal {
 public:
  PseudoTerminal() : outer_(posix_openpt(O_RDWR | O_NOCTTY)) {
    if (outer_ < 0 || grantpt(outer_) != 0 || unlockpt(outer_) != 0) return;
    inner_.reset(std::fopen(ptsname(outer_), "w"));
  }
  ~PseudoTerminal() { close(outer_); }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  [[nodiscard]] std::FILE* file() { return inner_.get(); }
  std::string read_line() {
    std::string text;
    char c = 0;
    while (read(outer_, &c, 1) == 1 && c != '\n') text += c;
    return text;
  }

 private:
  int outer_;
  File inner_;
};

TEST(Terminal, EscapesControlSequences) {
  PseudoTerminal pseudo;
  ASSERT_NE(pseudo.file(), nullptr);
  Terminal terminal(pseudo.file());
  terminal.line("a\x1b]0;title\x07\rb" + terminal.paint(Colour::red, "\x1b[2J") + "\tc");
  ASSERT_TRUE(terminal.finish());
  const std::string line = pseudo.read_line();
  EXPECT_NE(line.find("a\\x1b]0;title\\x07\\x0db"), std::string::npos) << line;
  EXPECT_NE(line.find("\\x1b[2J"), std::string::npos) << line;
  EXPECT_EQ(line.find("\x1b[2J"), std::string::npos) << line;
}

class ColouredTable : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    setenv("COLUMNS", "40", 1);
    ASSERT_NE(pseudo_.file(), nullptr);
  }
  void TearDown() override { unsetenv("COLUMNS"); }

  // The rows below the header.
  std::vector<std::string> rows_of(const TextTable& table, std::size_t count) {
    Terminal terminal(pseudo_.file());
    table.print(terminal);
    EXPECT_TRUE(terminal.finish());
    pseudo_.read_line();
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < count; ++i) {
      rows.push_back(pseudo_.read_line());
      if (!rows.back().empty() && rows.back().back() == '\r') rows.back().pop_back();
    }
    return rows;
  }

  PseudoTerminal pseudo_;
};

TEST_F(ColouredTable, AlignsColouredCellsByWhatIsShown) {
  TextTable table({"JOB", "STATE", "CHECK"});
  table.add({"shop", {std::string("ok"), Colour::green}, "x"});
  table.add({"shop", {std::string("failing"), Colour::red}, "y"});
  EXPECT_EQ(rows_of(table, 2), (std::vector<std::string>{"shop  \x1b[32mok\x1b[0m       x",
                                                         "shop  \x1b[31mfailing\x1b[0m  y"}));
}

TEST_F(ColouredTable, CutsOtherColumnsThanIds) {
  TextTable table({"RUN", "TEXT"}, 1);
  table.add({std::string(30, 'r'), {std::string(60, 't'), Colour::red}});
  EXPECT_EQ(rows_of(table, 1).front(),
            std::string(30, 'r') + "  \x1b[31m" + std::string(7, 't') + "…\x1b[0m");
}

TEST_F(ColouredTable, LeavesOutTheLastColumnsThatDoNotFit) {
  TextTable table({"RUN", "STATE", "PAGES", "WORKER"}, 2);
  table.drop_columns_that_do_not_fit();
  table.add({std::string(20, 'r'), "completed", "1/1", "7"});
  EXPECT_EQ(rows_of(table, 1).front(), std::string(20, 'r') + "  completed  1/1");
  setenv("COLUMNS", "10", 1);
  EXPECT_EQ(rows_of(table, 1).front(), std::string(20, 'r') + "  completed") << "never these";
}

TEST_F(ColouredTable, TakesNoColourFromTheTextOfACell) {
  TextTable table({"TITLE"});
  table.add({"a\x1b[31mb"});
  EXPECT_EQ(rows_of(table, 1).front(), "a [31mb");
}

TEST(Terminal, ReportsAFailedWriteInFinish) {
  const File full(std::fopen("/dev/full", "w"));
  ASSERT_TRUE(full);
  Terminal terminal(full.get());
  terminal.line("lost");
  const auto finished = terminal.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().message, "the output could not be written: No space left on device");
}

TEST(Terminal, KnowsWhenItsOutputIsNotReadAnyMore) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const File writing(fdopen(ends[1], "w"));
  const Terminal terminal(writing.get());
  EXPECT_FALSE(terminal.is_unread());
  close(ends[0]);
  EXPECT_TRUE(terminal.is_unread());
  const File null(std::fopen("/dev/null", "w"));
  EXPECT_FALSE(Terminal(null.get()).is_unread());
}

TEST(Terminal, RemembersAnEarlierWriteFailure) {
  const File full(std::fopen("/dev/full", "w"));
  ASSERT_TRUE(full);
  Terminal terminal(full.get());
  terminal.print(std::string(1 << 20, 'x'));
  EXPECT_FALSE(terminal.finish());
  EXPECT_FALSE(terminal.finish());
}

TEST(TextTable, IsNotCutInAPipeWhenRequested) {
  TextTable table({"KEY"});
  table.add({std::string(500, 'x')});
  EXPECT_LT(printed(table).size(), 300u);
  table.keep_whole_in_pipes();
  EXPECT_NE(printed(table).find(std::string(500, 'x')), std::string::npos);
}

}  // namespace
}  // namespace heddle::cli
