#include "process/line_splitter.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace heddle::process {
namespace {

using Lines = std::vector<std::string>;

Lines split(std::size_t max_line_bytes, const std::vector<std::string_view>& pieces) {
  Lines lines;
  LineSplitter splitter(max_line_bytes, [&](std::string_view line) { lines.emplace_back(line); });
  for (const std::string_view piece : pieces) splitter.feed(piece);
  splitter.finish();
  return lines;
}

TEST(LineSplitter, SplitsIndependentlyOfPieceBoundaries) {
  const std::string text("one\n\n three\0four\r\nlast", 22);
  const Lines expected{"one", "", std::string(" three\0four\r", 12), "last"};
  for (std::size_t size = 1; size <= text.size(); ++size) {
    std::vector<std::string_view> pieces;
    for (std::size_t at = 0; at < text.size(); at += size)
      pieces.push_back(std::string_view(text).substr(at, size));
    EXPECT_EQ(split(100, pieces), expected) << size;
  }
}

TEST(LineSplitter, AddsNoLineAfterTheLastNewline) {
  EXPECT_EQ(split(100, {"one\n"}), Lines{"one"});
  EXPECT_EQ(split(100, {}), Lines{});
}

TEST(LineSplitter, CutsLongLinesWithoutLosingAByte) {
  EXPECT_EQ(split(3, {"abcdefgh\nij\n"}), (Lines{"abc", "def", "gh", "ij"}));
  EXPECT_EQ(split(3, {"abcd", "efgh\nij\n"}), (Lines{"abc", "def", "gh", "ij"}));
  EXPECT_EQ(split(3, {"abc\n", "abcdef\n", "\n"}), (Lines{"abc", "abc", "def", ""}));
  EXPECT_EQ(split(3, {"abc", "def", "\nx"}), (Lines{"abc", "def", "x"}));
}

}  // namespace
}  // namespace heddle::process
