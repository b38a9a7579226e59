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

TEST(SyntaxText, NamesTheLineThatIsNotUtf8) {
  const SyntaxError error = error_of("a = 1\nb = 2\nc = \"caf\xe9\"\n");
  EXPECT_EQ(error.line, 3);
  EXPECT_THAT(error.message, HasSubstr("not UTF-8: save the file in that encoding"));
}

}  // namespace
}  // namespace heddle::config
