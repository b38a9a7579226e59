#include "config/read/values/toml_value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/read/values/nesting.hpp"

namespace heddle::config {
namespace {

TomlValue parsed(std::string_view text) {
  auto result = parse_toml(text);
  if (auto* error = std::get_if<SyntaxError>(&result)) ADD_FAILURE() << error->message;
  return std::get<TomlValue>(std::move(result));
}

int error_line(std::string_view text) {
  const auto result = parse_toml(text);
  const auto* error = std::get_if<SyntaxError>(&result);
  return error == nullptr ? 0 : error->line;
}

TEST(ParseToml, KeepsTheOrderAndLinesOfKeys) {
  const TomlValue document =
      parsed("zebra = 1\n\napple = [\n  \"x\",\n  \"y\",\n]\n[table]\nkey = true\n");
  const TomlTable& table = *document.table();
  ASSERT_EQ(table.size(), 3U);
  EXPECT_EQ(table[0].name, "zebra");
  EXPECT_EQ(table[1].value.line, 3);
  EXPECT_EQ((*table[1].value.list())[1].line, 5);
  EXPECT_EQ((*table[2].value.table())[0].value.line, 8);
}

TEST(ParseToml, RecordsTheLineOfAnArrayTable) {
  const TomlValue document = parsed("\n[[jobs]]\nname = 1\n\n[[jobs]]\nname = 2\n");
  const TomlList& jobs = *find_entry(*document.table(), "jobs")->list();
  EXPECT_EQ(jobs[0].line, 2);
  EXPECT_EQ(jobs[1].line, 5);
}

TEST(ParseToml, PrintsValuesAsTomlOnOneLine) {
  const TomlValue document = parsed(
      "a = { b = [1, 2.0, true], 'c d' = \"x\\n\\u0001\\\"\" }\nwhen = 2026-01-02T03:04:05Z\n");
  EXPECT_EQ(
      to_toml(document),
      R"({ a = { b = [1, 2.0, true], "c d" = "x\n\u0001\"" }, when = 2026-01-02T03:04:05Z })");
}

TEST(ParseToml, ReportsTheLineOfASyntaxError) {
  EXPECT_EQ(error_line("a = 1\nb = \nc = 2\n"), 2);
  EXPECT_EQ(error_line("a = \"x\n"), 1);
  EXPECT_EQ(error_line("a = 1\na = 2\n"), 2);
}

TEST(ParseToml, RefusesInvalidUtf8) {
  EXPECT_GT(error_line(std::string_view("\x7F"
                                        "ELF\x02\x01\x01\0\0\0",
                                        10)),
            0);
  EXPECT_GT(error_line("a = \"\xFF\xFE\"\n"), 0);
}

TEST(ParseToml, RefusesDeepNestingBeforeTheStackRunsOut) {
  const std::string brackets = "a = " + std::string(100'000, '[');
  EXPECT_EQ(error_line(brackets), 1);
  std::string dotted = "\na";
  for (int i = 0; i < 200'000; ++i) dotted += ".a";
  EXPECT_EQ(error_line(dotted + " = 1\n"), 2);
  EXPECT_EQ(error_line("[" + dotted.substr(1) + "]\n"), 1);
  EXPECT_EQ(error_line("x = { " + dotted.substr(1) + " = 1 }\n"), 1);
}

TEST(Nesting, IgnoresStringsAndComments) {
  const NestingLimits limits{.depth = 2, .dots = 2};
  EXPECT_EQ(line_of_excess("a = \"[[[[....\"\nb = '{{{{....'\n# [[[[....\n", limits), 0);
  EXPECT_EQ(line_of_excess("a = \"\"\"\n[[[[\n....\\\"\"\"\"\nb.c.d = 1\n", limits), 0);
  EXPECT_EQ(line_of_excess("a = '''\n[[[['''\nb.c.d.e = 1\n", limits), 3);
}

TEST(Nesting, CountsBracketsAndDotsPerKey) {
  const NestingLimits limits{.depth = 2, .dots = 2};
  EXPECT_EQ(line_of_excess("[[a.b.c]]\nx = 1.5\ny = [[1], [2]]\n", limits), 0);
  EXPECT_EQ(line_of_excess("x = 1\ny = [[[1]]]\n", limits), 2);
}

}  // namespace
}  // namespace heddle::config
