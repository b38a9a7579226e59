#include "pages/outline/phrases.hpp"

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

const PhraseSet& words() {
  static constexpr auto kPhrases = std::to_array<Phrase>(
      {{"out of stock", 1}, {"out", 2}, {"ausverkauft", 1}, {"売り切れ", 1}, {"нет в наличии", 1}});
  static const PhraseSet set(kPhrases);
  return set;
}

TEST(PhraseSet, FindsTheLongestPhraseAtAPlace) {
  const auto match = words().find("now out of stock!");
  ASSERT_TRUE(match);
  EXPECT_EQ(match->meaning, 1);
  EXPECT_EQ(match->begin, 4U);
  EXPECT_EQ(match->end, 16U);
}

TEST(PhraseSet, FindsWholeWordsOnly) {
  EXPECT_FALSE(words().occurs_in("outside about without"));
  EXPECT_TRUE(words().occurs_in("leider ausverkauft."));
  EXPECT_FALSE(words().occurs_in("unausverkauft"));
  EXPECT_TRUE(words().occurs_in("товара нет в наличии"));
  EXPECT_FALSE(words().occurs_in("нет в наличииз"));
}

TEST(PhraseSet, NeedsNoSpacesInScriptsWithoutThem) {
  EXPECT_TRUE(words().occurs_in("この商品は売り切れです"));
}

TEST(PhraseSet, ComparesWholeTexts) {
  EXPECT_EQ(words().whole("out"), 2);
  EXPECT_EQ(words().whole("out of"), std::nullopt);
  EXPECT_EQ(words().whole(""), std::nullopt);
}

}  // namespace
}  // namespace heddle::pages
