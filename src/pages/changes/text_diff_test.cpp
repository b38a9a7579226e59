#include "pages/changes/text_diff.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// " same", "-removed", "+added", "~a [b] c -> a [d] c", "... 3".
std::vector<std::string> shown(std::string_view before, std::string_view after,
                               std::size_t context = 1) {
  const auto side = [](const std::vector<DiffPart>& parts) {
    std::string text;
    for (const DiffPart& part : parts)
      text += (text.empty() ? "" : " ") + (part.differs ? "[" + part.text + "]" : part.text);
    return text;
  };
  std::vector<std::string> lines;
  for (const DiffLine& line : diff_texts(before, after, context)) {
    if (line.kind == DiffKind::same) lines.push_back(" " + side(line.after));
    if (line.kind == DiffKind::removed) lines.push_back("-" + side(line.before));
    if (line.kind == DiffKind::added) lines.push_back("+" + side(line.after));
    if (line.kind == DiffKind::changed)
      lines.push_back("~" + side(line.before) + " -> " + side(line.after));
    if (line.kind == DiffKind::skipped) lines.push_back("... " + std::to_string(line.skipped));
  }
  return lines;
}

TEST(TextDiff, MarksTheWordsThatDiffer) {
  EXPECT_THAT(shown("open from nine to five", "open from ten to five today"),
              ElementsAre("~open from [nine] to five -> open from [ten] to five [today]"));
}

TEST(TextDiff, ShowsLinesThatHaveNothingInCommonOnTheirOwn) {
  EXPECT_THAT(shown("a\nold words\nz", "a\nsomething else\nz"),
              ElementsAre(" a", "-[old words]", "+[something else]", " z"));
}

TEST(TextDiff, ShowsTheLinesAroundADifference) {
  EXPECT_THAT(shown("1\n2\n3\n4\n5\n6\n7", "1\n2\n3\nx\n5\n6\n7"),
              ElementsAre("... 2", " 3", "-[4]", "+[x]", " 5", "... 2"));
}

TEST(TextDiff, IsEmptyForTheSameWords) {
  EXPECT_THAT(shown("a  b\n\nc", "a b\nc\n"), IsEmpty());
  EXPECT_THAT(shown("", ""), IsEmpty());
}

TEST(TextDiff, FindsALineAmongMoreLines) {
  EXPECT_THAT(shown("the price is 10 EUR", "new\nthe price is 12 EUR\nmore"),
              ElementsAre("+[new]", "~the price is [10] EUR -> the price is [12] EUR", "+[more]"));
}

TEST(TextDiff, OfTextsInEveryOrderHasBothSidesWhole) {
  const std::string before = "a b c\nd e f\ng h\ni\n";
  const std::string after = "d e x\na b c\ni\nj k l\ng q\n";
  std::string left;
  std::string right;
  for (const DiffLine& line : diff_texts(before, after, 100)) {
    const auto add = [](std::string& text, const std::vector<DiffPart>& parts) {
      for (std::size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? " " : "") + parts[i].text;
      if (!parts.empty()) text += '\n';
    };
    add(left, line.before);
    add(right, line.after);
  }
  EXPECT_EQ(left, before);
  EXPECT_EQ(right, after);
}

}  // namespace
}  // namespace heddle::pages
