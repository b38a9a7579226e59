#include "cli/commands/diff_printer.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/free_with.hpp"

namespace heddle::cli {
namespace {

using File = std::unique_ptr<std::FILE, FreeWith<std::fclose>>;

const std::vector<DiffLine>& lines() {
  static const std::vector<DiffLine> all{
      {.kind = DiffKind::skipped, .skipped = 3},
      {.kind = DiffKind::same, .before = {{"Hours", false}}, .after = {{"Hours", false}}},
      {.kind = DiffKind::changed,
       .before = {{"from nine to", false}, {"five", true}},
       .after = {{"from nine to", false}, {"six", true}, {"today", true}}},
      {.kind = DiffKind::removed, .before = {{"Closed", true}}},
      {.kind = DiffKind::added, .after = {{"Open", true}}}};
  return all;
}

std::string in_a_pipe() {
  const File file(std::tmpfile());
  Terminal terminal(file.get());
  print_diff(terminal, lines());
  std::rewind(file.get());
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

// With "\e[31m" for red and "\n" for the line ends of a terminal.
std::string on_a_terminal(const char* columns) {
  setenv("COLUMNS", columns, 1);
  setenv("TERM", "xterm", 1);
  unsetenv("NO_COLOR");
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  EXPECT_EQ(grantpt(master), 0);
  EXPECT_EQ(unlockpt(master), 0);
  {
    const File file(fdopen(open(ptsname(master), O_RDWR | O_NOCTTY), "w"));
    Terminal terminal(file.get());
    print_diff(terminal, lines());
    EXPECT_TRUE(terminal.finish());
  }
  std::string text;
  std::string piece(4096, '\0');
  // At the end there is an error: nothing else has the terminal open.
  for (ssize_t got = 0; (got = read(master, piece.data(), piece.size())) > 0;)
    text.append(piece, 0, static_cast<std::size_t>(got));
  close(master);
  unsetenv("COLUMNS");
  std::erase(text, '\r');
  return text;
}

TEST(DiffPrinter, WritesPlainTextWhereColoursMeanNothing) {
  EXPECT_EQ(in_a_pipe(),
            "... 3 same lines ...\n"
            "  Hours\n"
            "~ from nine to [-five-] {+six+} {+today+}\n"
            "- Closed\n"
            "+ Open\n");
}

TEST(DiffPrinter, PaintsTheWordsThatDiffer) {
  const std::string text = on_a_terminal("80");
  EXPECT_NE(text.find("from nine to \x1b[31mfive\x1b[0m\n"), std::string::npos) << text;
  EXPECT_NE(text.find("from nine to \x1b[32msix\x1b[0m \x1b[32mtoday\x1b[0m\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find(" | "), std::string::npos) << text;
}

TEST(DiffPrinter, PutsBothTextsSideBySideWhenThereIsRoom) {
  const std::string text = on_a_terminal("123");
  EXPECT_NE(text.find("Hours" + std::string(55, ' ') + " | Hours\n"), std::string::npos) << text;
  EXPECT_NE(text.find("from nine to \x1b[31mfive\x1b[0m" + std::string(43, ' ') +
                      " | from nine to \x1b[32msix\x1b[0m \x1b[32mtoday\x1b[0m\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(std::string(60, ' ') + " | \x1b[32mOpen\x1b[0m\n"), std::string::npos);
}

}  // namespace
}  // namespace heddle::cli
