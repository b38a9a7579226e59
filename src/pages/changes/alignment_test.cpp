#include "pages/changes/alignment.hpp"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

constexpr std::size_t kEnough = 10'000'000;

std::vector<std::uint32_t> letters(const std::string& text) {
  return {text.begin(), text.end()};
}

std::vector<Hunk> align_letters(const std::string& before, const std::string& after) {
  return align(letters(before), letters(after), kEnough);
}

// Applies the hunks to `before`.
std::vector<std::uint32_t> apply(const std::vector<std::uint32_t>& before,
                                 const std::vector<std::uint32_t>& after,
                                 const std::vector<Hunk>& hunks) {
  std::vector<std::uint32_t> made;
  std::size_t next = 0;
  for (const Hunk& hunk : hunks) {
    made.insert(made.end(), before.begin() + next, before.begin() + hunk.before_begin);
    made.insert(made.end(), after.begin() + hunk.after_begin, after.begin() + hunk.after_end);
    next = hunk.before_end;
  }
  made.insert(made.end(), before.begin() + next, before.end());
  return made;
}

std::size_t edits_of(const std::vector<Hunk>& hunks) {
  std::size_t edits = 0;
  for (const Hunk& hunk : hunks)
    edits += hunk.before_end - hunk.before_begin + hunk.after_end - hunk.after_begin;
  return edits;
}

// By the textbook's table.
std::size_t fewest_edits(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = a[i - 1] == b[j - 1] ? diagonal : std::min(above, row[j - 1]) + 1;
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::vector<std::uint32_t> random_sequence(std::mt19937& random, std::size_t longest) {
  std::vector<std::uint32_t> sequence(random() % (longest + 1));
  const std::uint32_t kinds = 1 + random() % 6;
  for (auto& element : sequence) element = random() % kinds;
  return sequence;
}

TEST(Alignment, OfEqualSequencesHasNoHunks) {
  EXPECT_TRUE(align_letters("same", "same").empty());
  EXPECT_TRUE(align_letters("", "").empty());
}

TEST(Alignment, FindsInsertionsRemovalsAndReplacements) {
  EXPECT_EQ(align_letters("ac", "abc"), (std::vector<Hunk>{{1, 1, 1, 2}}));
  EXPECT_EQ(align_letters("abc", "ac"), (std::vector<Hunk>{{1, 2, 1, 1}}));
  EXPECT_EQ(align_letters("abc", "axc"), (std::vector<Hunk>{{1, 2, 1, 2}}));
  EXPECT_EQ(align_letters("", "xy"), (std::vector<Hunk>{{0, 0, 0, 2}}));
  EXPECT_EQ(align_letters("abcdef", "abXcdefY"), (std::vector<Hunk>{{2, 2, 2, 3}, {6, 6, 7, 8}}));
}

TEST(Alignment, HasTheFewestEditsOnRandomSequences) {
  std::mt19937 random(20260101);
  for (int round = 0; round < 3000; ++round) {
    const auto before = random_sequence(random, 40);
    const auto after = random_sequence(random, 40);
    const auto hunks = align(before, after, kEnough);
    ASSERT_EQ(apply(before, after, hunks), after) << "round " << round;
    ASSERT_EQ(edits_of(hunks), fewest_edits(before, after)) << "round " << round;
  }
}

TEST(Alignment, IsCorrectWhateverTheLimitOfSteps) {
  std::mt19937 random(7);
  for (std::size_t steps = 0; steps < 400; ++steps) {
    const auto before = random_sequence(random, 60);
    const auto after = random_sequence(random, 60);
    ASSERT_EQ(apply(before, after, align(before, after, steps)), after) << steps << " steps";
  }
}

TEST(Alignment, OfUnrelatedLongSequencesEndsByItsLimit) {
  std::vector<std::uint32_t> before(100'000);
  std::vector<std::uint32_t> after(100'000);
  for (std::uint32_t i = 0; i < before.size(); ++i) before[i] = 2 * i, after[i] = 2 * i + 1;
  const auto hunks = align(before, after, 1'000'000);
  EXPECT_EQ(hunks, (std::vector<Hunk>{{0, 100'000, 0, 100'000}}));
}

}  // namespace
}  // namespace heddle::pages
