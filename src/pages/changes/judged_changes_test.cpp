#include "pages/changes/judged_changes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

using ::testing::EndsWith;
using ::testing::SizeIs;

std::vector<FieldChange> judged(std::string_view before, std::string_view after) {
  return judge_changes(compare_texts(before, after), "https://a.example/").changes;
}

Significance significance(std::string_view before, std::string_view after) {
  const auto changes = judged(before, after);
  EXPECT_THAT(changes, SizeIs(1));
  return changes.empty() ? Significance::low : changes[0].significance;
}

TEST(JudgedChanges, NameTheirKindAndContext) {
  const auto changes = judged("Hours\nFrom nine to five\nParking\nClosed in May",
                              "Hours\nFrom nine to six\nParking\nBring a friend\nMore");
  ASSERT_THAT(changes, SizeIs(2));
  EXPECT_EQ(changes[0].kind, ChangeKind::text_changed);
  EXPECT_EQ(changes[0].before, "From nine to five");
  EXPECT_EQ(changes[0].after, "From nine to six");
  EXPECT_EQ(changes[0].context, "Hours");
  EXPECT_EQ(changes[0].key, "https://a.example/");
  EXPECT_EQ(changes[0].field, "text");
  EXPECT_EQ(judged("a", "a\nb")[0].kind, ChangeKind::text_added);
  EXPECT_EQ(judged("a\nb", "a")[0].kind, ChangeKind::text_removed);
}

TEST(JudgedChanges, MatterByTheirKind) {
  EXPECT_EQ(significance("Kettle €49.50", "Kettle €39"), Significance::high);
  EXPECT_EQ(significance("In stock", "Sold out"), Significance::high);
  EXPECT_EQ(significance("Auf Lager", "Ausverkauft"), Significance::high);
  EXPECT_EQ(significance("From nine to five", "From nine to six"), Significance::medium);
  EXPECT_EQ(significance("Room 12", "Room 14"), Significance::low);
  EXPECT_EQ(significance("Hello, world", "HELLO world!"), Significance::low);
}

TEST(JudgedChanges, MatterByAPriceAmongOtherLines) {
  EXPECT_EQ(significance("Kettle €49.50\nFrom nine to five", "Kettle €39\nFrom ten to four\nLamps"),
            Significance::high);
  EXPECT_EQ(significance("Kettle red\nFrom nine to five", "Kettle blue\nFrom ten to four\nLamps"),
            Significance::medium);
}

TEST(JudgedChanges, MatterAsMuchOnALongPage) {
  std::string page;
  for (int i = 0; i < 2000; ++i) page += "line number " + std::string(1 + i % 7, 'x') + "\n";
  EXPECT_EQ(significance(page + "Kettle €49.50", page + "Kettle €39"), Significance::high);
  EXPECT_EQ(significance(page + "a b", page + "a c"), Significance::medium);
}

TEST(JudgedChanges, AreCutAtTheBoundaryOfACharacter) {
  const auto changes = judged("a", "a\n" + std::string(5000, 'x') + "\n");
  EXPECT_LT(changes[0].after.size(), 4100U);
  EXPECT_THAT(changes[0].after, EndsWith("x…"));
}

TEST(JudgedChanges, KeepThoseThatMatterMostWhenThereAreTooMany) {
  std::string before;
  std::string after;
  for (int i = 0; i < 150; ++i) {
    const std::string name = "thing" + std::string(static_cast<std::size_t>(i % 50 + 1), 'y') +
                             std::string(static_cast<std::size_t>(i / 50 + 1), 'z');
    before += "same " + name + "\n" + (i == 149 ? "Tea €5.00" : "Room 1" + name) + "\n";
    after += "same " + name + "\n" + (i == 149 ? "Tea €4.00" : "Room 2" + name) + "\n";
  }
  const JudgedChanges all = judge_changes(compare_texts(before, after), "");
  EXPECT_THAT(all.changes, SizeIs(100));
  EXPECT_EQ(all.left_out, 50U);
  EXPECT_EQ(all.changes.back().after, "Tea €4.00");
  EXPECT_EQ(all.changes.front().before, "Room 1thingyz");
}

}  // namespace
}  // namespace heddle::pages
