#include "base/text.hpp"

#include <array>

#include <gtest/gtest.h>

#include "base/shell_word.hpp"

namespace heddle {
namespace {

using Views = std::vector<std::string_view>;

TEST(Trim, RemovesAsciiSpaceAtBothEnds) {
  EXPECT_EQ(trim(" \t\r\n\f\v a b \n"), "a b");
  EXPECT_EQ(trim("   "), "");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim("\u00A0x"), "\u00A0x");
}

TEST(Split, KeepsEmptyParts) {
  EXPECT_EQ(split("a,,b,", ','), (Views{"a", "", "b", ""}));
  EXPECT_EQ(split("", ','), Views{""});
}

TEST(Join, PutsTheSeparatorBetweenOnly) {
  EXPECT_EQ(join(std::vector<std::string>{"a", "", "b"}, ", "), "a, , b");
  EXPECT_EQ(join(std::vector<std::string>{}, ", "), "");
}

TEST(EqualsIgnoringCase, ComparesAsciiLettersOnly) {
  EXPECT_TRUE(equals_ignoring_case("Content-TYPE", "content-type"));
  EXPECT_FALSE(equals_ignoring_case("a", "ab"));
  EXPECT_FALSE(equals_ignoring_case("[", "{"));
  EXPECT_FALSE(equals_ignoring_case("Ä", "ä"));
}

TEST(ToLowerAscii, LeavesOtherBytesAlone) {
  EXPECT_EQ(to_lower_ascii("AZ[`ÄÖ"), "az[`ÄÖ");
}

TEST(FoldCase, LowersLettersOfEveryScript) {
  EXPECT_EQ(fold_case("ÄÖÜ ÇŞ ПРИВЕТ ΩΨ ԱԲ"), "äöü çş привет ωψ աբ");
  EXPECT_EQ(fold_case("日本語 ไทย 123"), "日本語 ไทย 123");
}

TEST(FoldCase, MakesBothSigmasOne) {
  EXPECT_EQ(fold_case("ΣΑΣ"), fold_case("σας"));
}

TEST(FoldCase, LeavesBytesThatAreNotUtf8Alone) {
  EXPECT_EQ(fold_case("\xFF"
                      "A\xC3"),
            "\xFF"
            "a\xC3");
}

TEST(ToSlug, KeepsLettersAndDigitsOfEveryScript) {
  EXPECT_EQ(to_slug("Ünïted  Shop #2"), "ünïted-shop-2");
  EXPECT_EQ(to_slug("日本 店"), "日本-店");
  EXPECT_EQ(to_slug("Магазин №1"), "магазин-1");
}

TEST(ToSlug, KeepsMarksThatBelongToALetter) {
  EXPECT_EQ(to_slug("हिन्दी दुकान"), "हिन्दी-दुकान");
  EXPECT_EQ(to_slug("ร้าน ไทย"), "ร้าน-ไทย");
  EXPECT_EQ(to_slug("cafe\u0301 x"), "cafe\u0301-x");
  EXPECT_EQ(to_slug("\u0301x"), "x");
}

TEST(ToSlug, HasNoDashAtEitherEnd) {
  EXPECT_EQ(to_slug("--a//b--"), "a-b");
  EXPECT_EQ(to_slug("###"), "");
  EXPECT_EQ(to_slug(""), "");
}

TEST(ToSlug, TakesBytesThatAreNotUtf8ForGaps) {
  EXPECT_EQ(to_slug("a\xFF\xFE"
                    "b"),
            "a-b");
}

TEST(Utf8, KnowsTheLengthOfEveryKindOfSequence) {
  EXPECT_EQ(utf8_sequence_length("a"), 1U);
  EXPECT_EQ(utf8_sequence_length("é"), 2U);
  EXPECT_EQ(utf8_sequence_length("€uro"), 3U);
  EXPECT_EQ(utf8_sequence_length("😀"), 4U);
  EXPECT_EQ(utf8_sequence_length(std::string_view("\0", 1)), 1U);
  EXPECT_EQ(utf8_sequence_length(""), 0U);
}

TEST(Utf8, RefusesWhatIsNoCharacter) {
  const std::array<std::string_view, 13> broken{
      "\x80",              // continuation alone
      "\xC3",              // cut short
      "\xE2\x82",          // cut short
      "\xF0\x9F\x98",      // cut short
      "\xC3(",             // no continuation
      "\xC0\xAF",          // overlong
      "\xC1\xBF",          // overlong
      "\xE0\x9F\xBF",      // overlong
      "\xF0\x8F\xBF\xBF",  // overlong
      "\xED\xA0\x80",      // surrogate
      "\xF4\x90\x80\x80",  // past the last code point
      "\xF5\x80\x80\x80",
      "\xFF",
  };
  for (const std::string_view bytes : broken) {
    EXPECT_EQ(utf8_sequence_length(bytes), 0U);
    EXPECT_FALSE(is_valid_utf8(bytes));
  }
}

TEST(Utf8, AcceptsTheEdgesOfEveryRange) {
  for (const char32_t c : {U'\u007F', U'\u0080', U'\u07FF', U'\u0800', U'\uD7FF', U'\uE000',
                           U'\uFFFF', U'\U00010000', U'\U0010FFFF'}) {
    std::string text;
    append_utf8(text, c);
    EXPECT_TRUE(is_valid_utf8(text)) << static_cast<std::uint32_t>(c);
    EXPECT_EQ(to_code_points(text), std::u32string(1, c));
  }
}

// ASCII is checked eight bytes at a time.
TEST(Utf8, FindsInvalidBytesAtAnyPositionOfALongText) {
  const std::string ascii(40, 'x');
  EXPECT_TRUE(is_valid_utf8(ascii));
  for (std::size_t at = 0; at < ascii.size(); ++at) {
    std::string text = ascii;
    text[at] = '\xFF';
    EXPECT_FALSE(is_valid_utf8(text)) << at;
    EXPECT_EQ(to_valid_utf8(text), ascii.substr(0, at) + "\uFFFD" + ascii.substr(at + 1));
    text = ascii.substr(0, at) + "é" + ascii.substr(at);
    EXPECT_TRUE(is_valid_utf8(text)) << at;
    EXPECT_EQ(to_valid_utf8(text), text);
  }
}

TEST(ToValidUtf8, ReplacesEveryBadByte) {
  EXPECT_EQ(to_valid_utf8("a\xFF\xC3z"), "a\uFFFD\uFFFDz");
  EXPECT_EQ(to_valid_utf8("gut ✓"), "gut ✓");
}

TEST(ToCodePoints, ReplacesEveryBadByte) {
  EXPECT_EQ(to_code_points("é\x80x"), U"é\uFFFDx");
}

TEST(Utf8Prefix, NeverCutsACharacter) {
  EXPECT_EQ(utf8_prefix("aé€😀", 100), "aé€😀");
  EXPECT_EQ(utf8_prefix("aé€😀", 9), "aé€");
  EXPECT_EQ(utf8_prefix("aé€😀", 6), "aé€");
  EXPECT_EQ(utf8_prefix("aé€😀", 5), "aé");
  EXPECT_EQ(utf8_prefix("aé€😀", 2), "a");
  EXPECT_EQ(utf8_prefix("aé€😀", 0), "");
}

TEST(Utf8Prefix, KeepsWhatItCanOfBytesThatAreNotUtf8) {
  const std::string junk(100, '\x80');
  EXPECT_EQ(utf8_prefix(junk, 50).size(), 50U);
}

TEST(CombiningMarks, AreNoLetters) {
  EXPECT_TRUE(is_combining_mark(U'\u0301'));
  EXPECT_TRUE(is_combining_mark(U'\u094D'));
  EXPECT_FALSE(is_combining_mark(U'a'));
  EXPECT_FALSE(is_combining_mark(U'न'));
  EXPECT_TRUE(is_letter(U'न'));
  EXPECT_FALSE(is_letter(U'5'));
}

TEST(NearestName, SuggestsWhatWasMeant) {
  const std::array<std::string_view, 4> keys{"selector", "schedule", "headers", "url"};
  EXPECT_EQ(nearest_name("selektor", keys), "selector");
  EXPECT_EQ(nearest_name("header", keys), "headers");
  EXPECT_EQ(nearest_name("ur", keys), "url");
}

TEST(NearestName, SuggestsNothingThatIsFarAway) {
  const std::array<std::string_view, 2> keys{"selector", "headers"};
  EXPECT_EQ(nearest_name("xyz", keys), std::nullopt);
  EXPECT_EQ(nearest_name("", keys), std::nullopt);
  EXPECT_EQ(nearest_name("selector", {}), std::nullopt);
}

TEST(NearestName, PrefersTheNearest) {
  const std::array<std::string_view, 3> keys{"workers", "worker", "work"};
  EXPECT_EQ(nearest_name("worke", keys), "worker");
}

TEST(ShellWord, IsQuotedOnlyWhenAShellWouldReadItOtherwise) {
  EXPECT_EQ(shell_word("/srv/heddle/shop-1"), "/srv/heddle/shop-1");
  EXPECT_EQ(shell_word("/srv/my shop"), "'/srv/my shop'");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word("*"), "'*'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace heddle
