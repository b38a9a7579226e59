#include "config/read/files/syntax_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/read/values/toml_value.hpp"

namespace heddle::config {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SyntaxError error_of(std::string_view text) {
  auto parsed = parse_toml(text);
  if (auto* error = std::get_if<SyntaxError>(&parsed)) return *error;
  return {0, "no error"};
}

struct Case {
  std::string_view toml;
  std::string_view message;
};

TEST(SyntaxText, SaysInOurWordsWhatIsWrong) {
  constexpr Case kCases[] = {
      {"a = \"abc\nb = 1\n", "a text is not closed: its closing quote is missing"},
      {"a = 'abc\n", "a text is not closed"},
      {"a = 'abc\r\nb = 1", "a text is not closed"},
      {"a = \"\"\"abc\n", "a text is not closed"},
      {"a = \"x\x01y\"", "a text contains a control character"},
      {"a = \"C:\\q\"", "unknown escape \"\\q\" in a text"},
      {"a = 99999999999999999999", "the number 99999999999999999999 is too large"},
      {"a = 1e999", "the number 1e999 is too large"},
      {"a = 08", "a number must not begin with 0"},
      {"a = 5m", "write a quantity with a unit in quotes, such as \"5m\""},
      {"a = 1\na = 2", "\"a\" is given twice"},
      {"[a]\n[a]\n", "\"a\" is given twice"},
      {"a 1", "expected \"=\" after the key, found \"1\""},
      {"a = yes", "expected a value: a text in quotes"},
      {"a = 1 b = 2", "expected the end of the line after the value, found \"b\""},
      {"a = [1 2]", "expected \",\" or \"]\" in a list, found \"2\""},
      {"a = [1, 2", "a list is not closed"},
      {"a = {b = 1", "a table in { } must be closed"},
      {"[a", "a section is not closed"},
      {"a = ", "a value is missing after \"=\""},
  };
  for (const Case& each : kCases) {
    EXPECT_THAT(error_of(each.toml).message, HasSubstr(each.message)) << each.toml;
    EXPECT_THAT(error_of(each.toml).message, Not(HasSubstr("parsing"))) << each.toml;
  }
}

// Slips that people make, with the line and the beginning of the message.
TEST(SyntaxText, KnowsTheCommonSlips) {
  struct Slip {
    std::string_view toml;
    int line;
    std::string_view message;
  };
  using namespace std::string_view_literals;
  constexpr Slip kSlips[] = {
      {"a = 1\nurl =\nb = 2\n", 2,
       "column 6: a value is missing after \"=\": write for example url"},
      {"a = # later\n", 1, "column 5: a value is missing after \"=\""},
      {"a = ]\n", 1, "column 5: expected a value after \"=\", found \"]\""},
      {"= 3\n", 1, "column 1: the key before \"=\" is missing: a line is KEY = VALUE"},
      {"a\n", 1, "column 2: expected \"=\" after the key, found the end of the line"},
      {"a", 1, "column 2: expected \"=\" after the key, found the end of the line"},
      {"[a\n", 1, "column 3: a section is not closed: its \"]\" is missing"},
      {"[[a\n", 1, "column 4: a section is not closed: its \"]]\" is missing"},
      {"[[a]\n", 1, "column 5: a section is not closed: its \"]]\" is missing"},
      {"[\n", 1, "column 2: a section is not closed"},
      {"[a b]\n", 1, "column 4: expected \"]\" after the name of the section, found \"b\""},
      {"[a]b\n", 1, "column 4: expected the end of the line after the section, found \"b\""},
      {"[]\n", 1, "column 2: a section needs a name: write [NAME]"},
      {"{\"name\": \"x\"}\n", 1, "column 1: this looks like JSON: write TOML"},
      {"a=1\n]\n", 2, "column 1: \"]\" closes nothing"},
      {"<p>\n", 1, "column 1: a key cannot begin with \"<\""},
      {"a=True\n", 1, "\"True\" is not a value: write true in small letters"},
      {"a=tru\n", 1, "\"tru\" is not a value: write true in small letters"},
      {"a=[FALSE]\n", 1, "\"FALSE\" is not a value: write false in small letters"},
      {"a=null\n", 1, "TOML has no \"null\": leave the key out"},
      {"a=1.\n", 1, "\"1.\" is not a number: a digit stands on both sides of the dot"},
      {"a=.5\n", 1, "\".5\" is not a number: a digit stands on both sides of the dot"},
      {"a=1e\n", 1, "\"1e\" is not a number: digits are missing after \"e\""},
      {"a=1__2\n", 1, "\"1__2\" is not a number: \"_\" may only stand between two digits"},
      {"a=inf1\n", 1, "\"inf1\" is not a value: put a text in quotes"},
      {"a=nanx\n", 1, "\"nanx\" is not a value: put a text in quotes"},
      {"a=_1\n", 1, "\"_1\" is not a value: put a text in quotes"},
      {"a=-0x1\n", 1, "\"-0x1\": a number with 0x has no sign"},
      {"a=0x\n", 1, "\"0x\" is not a number: digits are missing after it"},
      {"a=0b12\n", 1, "\"0b12\" is not a number: after 0b stand the digits 0 and 1"},
      {"a=1.2.3\n", 1, "\"1.2.3\" is not a number: put a text in quotes"},
      {"a=--1\n", 1, "\"--1\" is not a number: put a text in quotes"},
      {"[a.]\n", 1, "column 4: a name is missing beside a dot"},
      {"[.a]\n", 1, "column 2: a name is missing beside a dot"},
      {"a..b=1\n", 1, "column 3: a name is missing beside a dot"},
      {"a.=1\n", 1, "column 3: a name is missing beside a dot"},
      {".a=1\n", 1, "column 1: a name is missing before the dot"},
      {"a=2024-13-01\n", 1, "\"2024-13-01\" begins like a date or time, but is none"},
      {"a=2024-02-30\n", 1, "\"2024-02-30\" begins like a date or time, but is none"},
      {"a=25:00:00\n", 1, "\"25:00:00\" begins like a date or time, but is none"},
      {"a=12:3\n", 1, "\"12:3\" begins like a date or time, but is none"},
      {"a=2024-01-01T10:00:00+99:00\n", 1, "+99:00\" begins like a date or time, but is none"},
      {"a=\"\\u12\"\n", 1, "\"\\u\" needs four hexadecimal digits, \"\\U\" eight"},
      {"a=\"\\uD800\"\n", 1, "\"\\uD800\" to \"\\uDFFF\" are no characters"},
      {"a=\"\\U00110000\"\n", 1, "there is no character above \"\\U0010FFFF\""},
      {"# a\x01z\n", 1, "a comment contains a control character: remove it"},
      {"a=1\rb=2\n", 1, "a carriage return stands alone: end the lines with a line feed"},
      {"a=\0\n"sv, 1, "the control character U+0000 stands here: remove it"},
      {"a\0b=1\n"sv, 1, "the control character U+0000 stands here: remove it"},
      {"a=1\na.b=2\n", 2, "\"a.b\" cannot be given here: \"a\" has a value or a section"},
      {"a=1\n[a.b]\n", 2, "\"a.b\" cannot be a section: this name or one before its dot"},
      {"a={}\n[a.b]\n", 2, "\"a.b\" cannot be given here: its table is complete"},
      {"a = [1,\n\"c\" \"d\"]\n", 2, "expected \",\" or \"]\" in a list, found a quotation mark"},
      {"a=[1,,2]\n", 1, "a value is missing before \",\" in a list"},
      {"a={b=1,}\n", 1, "a table in { } has a \",\" without a key"},
      {"a=\"x\\\n", 1, "a text is not closed"},
      {"a='x' 'y'\n", 1, "expected the end of the line after the value, found a quotation mark"},
  };
  for (const Slip& each : kSlips) {
    const SyntaxError error = error_of(each.toml);
    EXPECT_EQ(error.line, each.line) << each.toml;
    EXPECT_THAT(error.message, ::testing::StartsWith("column ")) << each.toml;
    EXPECT_THAT(error.message, HasSubstr(each.message)) << each.toml;
    for (const char* foreign : {"saw ", "Error while", "\n", "\\n"})
      EXPECT_THAT(error.message, Not(HasSubstr(foreign))) << each.toml;
  }
}

TEST(SyntaxText, NamesTheLineThatIsNotUtf8) {
  const SyntaxError error = error_of("a = 1\nb = 2\nc = \"caf\xe9\"\n");
  EXPECT_EQ(error.line, 3);
  EXPECT_THAT(error.message, HasSubstr("not UTF-8: save the file in that encoding"));
}

}  // namespace
}  // namespace heddle::config
