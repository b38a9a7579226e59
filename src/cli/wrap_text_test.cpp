#include "cli/wrap_text.hpp"

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

TEST(WrapText, KeepsLinesThatFit) {
  EXPECT_EQ(wrap_text("one two\n  three  \n", 10), "one two\n  three  \n");
}

TEST(WrapText, BreaksAtBlanksAndIndentsFurtherLines) {
  EXPECT_EQ(wrap_text("one two three four", 9), "one two\n  three\n  four");
  EXPECT_EQ(wrap_text("  one two three", 11), "  one two\n    three");
}

TEST(WrapText, GoesOnBelowTheValueOfANamedLine) {
  EXPECT_EQ(wrap_text("  state    paused by the user", 23),
            "  state    paused by\n           the user");
}

TEST(WrapText, KeepsWordsWholeThatDoNotFit) {
  EXPECT_EQ(wrap_text("run 01kbe0c3sjq9w1x4tn5m7r8v2d ended", 12),
            "run\n  01kbe0c3sjq9w1x4tn5m7r8v2d\n  ended");
}

TEST(WrapText, CountsNeitherColourCodesNorBytes) {
  EXPECT_EQ(visible_width("\x1b[31mfünf\x1b[0m"), 4u);
  EXPECT_EQ(wrap_text("\x1b[31mfünf\x1b[0m sechs", 10), "\x1b[31mfünf\x1b[0m sechs");
}

TEST(WrapText, EndsWithinAnyWidth) {
  for (std::size_t columns = 0; columns < 40; ++columns) {
    const std::string text = wrap_text("  name    a value of several words", columns);
    for (const char* word : {"name", "value", "several", "words"})
      EXPECT_NE(text.find(word), std::string::npos) << columns;
  }
}

}  // namespace
}  // namespace heddle::cli
