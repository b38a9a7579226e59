#include "pages/changes/text_changes.hpp"

#include <random>

#include <gmock/gmock.h>

namespace heddle::pages {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<TextChange> changes(std::string_view before, std::string_view after) {
  return compare_texts(before, after).changes;
}

TEST(TextChanges, AreNoneForEqualTexts) {
  EXPECT_THAT(changes("a\nb", "a\nb"), IsEmpty());
  EXPECT_THAT(changes("", ""), IsEmpty());
}

TEST(TextChanges, IgnoreWhiteSpace) {
  EXPECT_THAT(changes("a  b\n\n c\n", "a b\r\nc"), IsEmpty());
}

TEST(TextChanges, IgnoreTheOrderOfLines) {
  EXPECT_THAT(changes("one\ntwo\nthree\nfour", "four\ntwo\none\nthree"), IsEmpty());
}

TEST(TextChanges, IgnoreCountersAndTimeStamps) {
  EXPECT_THAT(
      changes("News\n1,234 views\nposted 3 minutes ago", "News\n1,301 views\nposted 1 hour ago"),
      IsEmpty());
}

TEST(TextChanges, NameAddedLinesWithTheirContext) {
  EXPECT_THAT(changes("News\nFooter", "News\nHello brave new world\nFooter"),
              ElementsAre(TextChange{
                  .before = "", .after = "Hello brave new world", .context = "News", .words = 4}));
}

TEST(TextChanges, NameRemovedLines) {
  EXPECT_THAT(
      changes("a\nSold out soon\nb", "a\nb"),
      ElementsAre(TextChange{.before = "Sold out soon", .after = "", .context = "a", .words = 3}));
}

TEST(TextChanges, PairReplacedLines) {
  EXPECT_THAT(changes("x\nred tea\nblue tea\ny", "x\nred coffee\nblue coffee\ny"),
              ElementsAre(TextChange{"red tea", "red coffee", "x", 1, false},
                          TextChange{"blue tea", "blue coffee", "x", 1, false}));
}

TEST(TextChanges, RecognizePrices) {
  const auto found = changes("Kettle €49.50\nLamp $1,299.00", "Kettle €39\nLamp $999.00");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].is_price);
  EXPECT_TRUE(found[1].is_price);
  EXPECT_FALSE(changes("Version 2.4", "Version 2.5").at(0).is_price);
  EXPECT_FALSE(changes("Kettle €49.50", "Pan €39").at(0).is_price);
}

TEST(TextChanges, CountTheWordsOfBothTexts) {
  const auto comparison = compare_texts("a b c", "a b c d e");
  EXPECT_EQ(comparison.words_before, 3U);
  EXPECT_EQ(comparison.words_after, 5U);
}

TEST(TextChanges, MissNoLineThatIsNew) {
  std::mt19937 random(99);
  for (int round = 0; round < 300; ++round) {
    std::string before;
    std::string after;
    for (int i = 0; i < 30; ++i) {
      const std::string line = "line number" + std::string(1 + random() % 5, 'x') + "\n";
      if (random() % 3 != 0) before += line;
      if (random() % 3 != 0) after += line;
    }
    const std::string unique = "unique" + std::string(1 + random() % 9, 'u');
    after.insert(0, unique + "\n");
    bool is_named = false;
    for (const TextChange& change : changes(before, after))
      is_named |= change.after.find(unique) != std::string::npos;
    ASSERT_TRUE(is_named) << before << "---\n" << after;
  }
}

TEST(TextChanges, EndOnLargeUnrelatedTexts) {
  std::string before;
  std::string after;
  for (int i = 0; i < 20'000; ++i) {
    before += "old line " + std::to_string(i) + "a\n";
    after += "new line " + std::to_string(i) + "b\n";
  }
  EXPECT_FALSE(changes(before, after).empty());
}

}  // namespace
}  // namespace heddle::pages
