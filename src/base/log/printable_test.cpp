#include "base/log/printable.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Printable, EscapesTerminalControlCharacters) {
  EXPECT_EQ(printable("\x1b[2J\rx\b\x7f"), "\\x1b[2J\\x0dx\\x08\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "\\x9b31m");
}

TEST(Printable, KeepsTextTabsAndLineFeeds) {
  for (const char* text : {"", "plain", "a\tb\nc", "für 5 €", "\xC2\xA0", "\xC2", "日本"})
    EXPECT_EQ(printable(text), text);
}

}  // namespace
}  // namespace heddle
