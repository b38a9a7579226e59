#include "pages/discover/next_page.hpp"

#include <gtest/gtest.h>

#include "html/parse.hpp"
#include "pages/discover/page_number.hpp"
#include "pages/discover/pager_words.hpp"

namespace heddle::pages {
namespace {

std::string next_of(std::string_view page, std::string_view url = "https://a.example/list") {
  const auto document = *html::parse(page);
  const auto next = find_next_page(PageOutline(document), *Url::parse(url));
  return next ? next->url : "";
}

PageStep step(std::string_view from, std::string_view to) {
  return page_step(*Url::parse(from), *Url::parse(to)).value_or(PageStep{-1, -1});
}

TEST(NextPage, FollowsRelNextWithAPageNumber) {
  EXPECT_EQ(next_of("<link rel=next href='?page=2'>"), "https://a.example/list?page=2");
  EXPECT_EQ(
      next_of("<a rel='nofollow next' href='/list?page=4'>4</a>", "https://a.example/list?page=3"),
      "https://a.example/list?page=4");
}

TEST(NextPage, FollowsWordsInManyLanguages) {
  for (const auto* word :
       {"Next",    "Next page »", "Weiter",    "Nächste Seite", "Suivant",   "Siguiente",
        "Próxima", "Successiva",  "Volgende",  "Nästa",         "Seuraava",  "Następna",
        "Další",   "Következő",   "Следующая", "Επόμενη",       "Sonraki",   "التالي",
        "הבא",     "次へ",        "下一页",    "다음",          "Tiếp theo", "ถัดไป"})
    EXPECT_EQ(next_of("<div class=pager><a href='?p=1'>1</a><a href='?p=2#top'>" +
                      std::string(word) + "</a></div>"),
              "https://a.example/list?p=2")
        << word;
}

TEST(NextPage, FollowsNumberedPagers) {
  const std::string_view pager =
      "<ul class=pagination><li><a href='/l/page/1'>1</a><li><a href='/l/page/2'>2</a><li>"
      "<span>3</span><li><a href='/l/page/4'>4</a><li><a href='/l/page/9'>9</a></ul>";
  EXPECT_EQ(next_of(pager, "https://a.example/l/page/3"), "https://a.example/l/page/4");
  const std::string_view marked =
      "<div class=pages><a class=current href='?page=1'>1</a><a href='?page=2'>2</a>"
      "<a href='?page=3'>3</a></div>";
  EXPECT_EQ(next_of(marked), "https://a.example/list?page=2");
}

TEST(NextPage, FollowsLoadMoreLinksWithAPageNumber) {
  EXPECT_EQ(next_of("<a class=pagination href='/list?offset=20'>Mehr laden</a>"),
            "https://a.example/list?offset=20");
}

TEST(NextPage, LeavesOtherLinksAlone) {
  EXPECT_EQ(next_of("<a href='/other' rel=next>How to repair a lamp in ten steps</a>"), "");
  EXPECT_EQ(next_of("<nav class=post-navigation><a rel=next href='/second-post'>Next</a></nav>"),
            "");
  EXPECT_EQ(next_of("<div class=carousel><a class=next href='/slide-two'>Next</a></div>"), "");
  EXPECT_EQ(next_of("<a href='#next'>Next</a><a href='javascript:next()'>Next</a>"), "");
  EXPECT_EQ(next_of("<div class=pager><a href='https://b.example/list?page=2'>Next</a></div>"), "");
  EXPECT_EQ(next_of("<div class=pager><a href='?page=2'>Previous</a></div>",
                    "https://a.example/list?page=3"),
            "");
  EXPECT_EQ(next_of("<p>No links"), "");
}

TEST(PageStep, ReadsNumbersOfPagesAndOffsets) {
  EXPECT_EQ(step("https://a.example/l?page=2", "https://a.example/l?page=3").to, 3);
  EXPECT_TRUE(step("https://a.example/l?page=2", "https://a.example/l?page=3").is_named);
  EXPECT_EQ(step("https://a.example/l/page/2/", "https://a.example/l/page/3/").from, 2);
  EXPECT_TRUE(step("https://a.example/l", "https://a.example/l?start=20").is_offset);
  EXPECT_TRUE(step("https://a.example/l", "https://a.example/l/page/2").is_first);
  EXPECT_TRUE(step("https://a.example/", "https://a.example/blog/seite/2").is_elsewhere);
  EXPECT_FALSE(step("https://a.example/post/123", "https://a.example/post/124").is_named);
  EXPECT_EQ(step("https://a.example/a", "https://a.example/b").to, -1);
  EXPECT_EQ(step("https://a.example/l?s=ab39f", "https://a.example/x").to, -1);
}

TEST(PagerWord, NeedsAShortLabel) {
  EXPECT_EQ(pager_word("Next »"), PagerWord::next);
  EXPECT_EQ(pager_word("Next 20"), PagerWord::next);
  EXPECT_EQ(pager_word("← Older posts"), PagerWord::next_page);
  EXPECT_EQ(pager_word("‹ Prev"), PagerWord::previous);
  EXPECT_EQ(pager_word("›"), PagerWord::arrow);
  EXPECT_EQ(pager_word(">>"), PagerWord::double_arrow);
  EXPECT_EQ(pager_word("Next generation lamps are here"), PagerWord::none);
  EXPECT_EQ(pager_word("Nextcloud"), PagerWord::none);
}

}  // namespace
}  // namespace heddle::pages
