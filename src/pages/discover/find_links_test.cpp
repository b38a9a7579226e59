#include "pages/discover/find_links.hpp"

#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "html/parse.hpp"
#include "pages/discover/visit_url.hpp"

namespace heddle::pages {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kPage = "https://shop.example/tea/list";

std::string visit(std::string_view url) {
  return normalize_for_visit(*Url::parse(url));
}

std::vector<std::string> links_on(std::string_view page, const DiscoverRule& rule) {
  const auto document = *html::parse(page);
  std::vector<std::string> urls;
  for (const FoundLink& link : find_links(document, *Url::parse(kPage), rule))
    urls.push_back(link.url);
  return urls;
}

DiscoverRule rule_of(std::vector<FollowKind> follow) {
  DiscoverRule rule;
  rule.is_enabled = true;
  rule.follow = std::move(follow);
  return rule;
}

TEST(VisitUrl, LeavesOutWhatNamesNoOtherPage) {
  EXPECT_EQ(visit("HTTP://Shop.Example:80/a#reviews"), "http://shop.example/a");
  EXPECT_EQ(visit("https://shop.example/a?utm_source=x&id=7&gclid=y&fbclid=z"),
            "https://shop.example/a?id=7");
  EXPECT_EQ(visit("https://shop.example/a?UTM_Medium=mail"), "https://shop.example/a");
  EXPECT_EQ(visit("https://shop.example/a?"), visit("https://shop.example/a"));
  EXPECT_EQ(visit("https://shop.example:8443/a"), "https://shop.example:8443/a");
}

TEST(VisitUrl, DoesNotDependOnTheOrderOfKeys) {
  EXPECT_EQ(visit("https://a.example/?b=2&a=1"), visit("https://a.example/?a=1&b=2"));
  EXPECT_NE(visit("https://a.example/?t=1&t=2"), visit("https://a.example/?t=2&t=1"));
  EXPECT_NE(visit("https://a.example/?a=1"), visit("https://a.example/?a=2"));
  EXPECT_NE(visit("https://a.example/A"), visit("https://a.example/a"));
}

TEST(VisitUrl, IsFetchedInItsOwnOrder) {
  EXPECT_EQ(url_to_fetch(*Url::parse("https://a.example/?z=1&utm_id=3&a=2#x")),
            "https://a.example/?z=1&a=2");
  EXPECT_EQ(url_to_fetch(*Url::parse("https://a.example/?z=1&&a#x")), "https://a.example/?z=1&&a");
}

TEST(VisitUrl, IsItsOwnNormalFormWhateverTheUrl) {
  std::mt19937 random(20261119);
  const std::vector<std::string> parts{"a",      "b=1", "utm_x=1", "a=%20", "&",   "=",
                                       "gclid=", "?",   "#f",      "/",     "..",  "ä",
                                       "A",      ";",   "a[]=1",   "+",     "%zz", "b"};
  for (int round = 0; round < 20'000; ++round) {
    std::string text = "http://h.example:" + std::to_string(random() % 2 == 0 ? 80 : 8080) + "/";
    for (auto count = random() % 4; count > 0; --count) text += parts[random() % parts.size()];
    text += '?';
    for (auto count = random() % 6; count > 0; --count) {
      text += parts[random() % parts.size()];
      if (random() % 2 == 0) text += '&';
    }
    const auto url = Url::parse(text);
    ASSERT_TRUE(url) << text;
    const std::string normal = normalize_for_visit(*url);
    const auto again = Url::parse(normal);
    ASSERT_TRUE(again) << normal;
    EXPECT_EQ(normalize_for_visit(*again), normal) << text;
    const auto fetched = Url::parse(url_to_fetch(*url));
    ASSERT_TRUE(fetched) << text;
    EXPECT_EQ(url_to_fetch(*fetched), fetched->text()) << text;
    EXPECT_EQ(normalize_for_visit(*fetched), normal) << text;
  }
}

TEST(Glob, DescribesTheWholeText) {
  EXPECT_TRUE(matches_glob("*/offers/*", "https://a.example/offers/1"));
  EXPECT_FALSE(matches_glob("*/offers/*", "https://a.example/offers"));
  EXPECT_TRUE(matches_glob("https://a.example/?id=*", "https://a.example/?id=7"));
  EXPECT_FALSE(matches_glob("https://a.example/?id=*", "https://a.example/xid=7"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("a*b*c", "a-b-b-c"));
  EXPECT_FALSE(matches_glob("a*b*c", "a-b-b-d"));
  EXPECT_FALSE(matches_glob("", "a"));
}

TEST(FindLinks, FollowsTheNextPageOfAListing) {
  const std::string_view page =
      "<ul><li><a href='/tea/1'>Tea</a></ul><div class=pager><a href='?page=1'>1</a>"
      "<a href='?page=2&utm_source=pager'>Next</a></div>";
  EXPECT_THAT(links_on(page, rule_of({FollowKind::pagination})),
              ElementsAre("https://shop.example/tea/list?page=2"));
}

TEST(FindLinks, FollowsAllLinksOnce) {
  const std::string_view page =
      "<base href='/tea/'><a href=1>one</a><a href='1#top'>again</a><a href='/tea/list'>self</a>"
      "<a href='2?utm_source=x'>two</a><a href='mailto:a@b.example'>mail</a><a href='#x'>x</a>"
      "<a href='photo.JPG'>photo</a><a>none</a><map><area href=3></map>"
      "<a href='https://www.shop.example/4'>four</a><a href='https://other.example/'>other</a>";
  EXPECT_THAT(links_on(page, rule_of({FollowKind::links})),
              ElementsAre("https://shop.example/tea/1", "https://shop.example/tea/2",
                          "https://shop.example/tea/3", "https://www.shop.example/4"));
}

TEST(FindLinks, LeavesTheHostWhenItMay) {
  DiscoverRule rule = rule_of({FollowKind::links});
  rule.same_host = false;
  EXPECT_THAT(links_on("<a href='https://other.example/'>other</a>", rule),
              ElementsAre("https://other.example/"));
}

TEST(FindLinks, FollowsWhatIsIncludedAndNotExcluded) {
  DiscoverRule rule = rule_of({FollowKind::links, FollowKind::pagination});
  rule.include = {"*/offers/*"};
  rule.exclude = {"*/old/*"};
  const std::string_view page =
      "<link rel=next href='?page=2'><a href='/offers/1'>1</a><a href='/offers/old/2'>2</a>"
      "<a href='/about'>3</a>";
  EXPECT_THAT(links_on(page, rule),
              ElementsAre("https://shop.example/tea/list?page=2", "https://shop.example/offers/1"));
  rule.exclude = {"*page=*"};
  EXPECT_THAT(links_on(page, rule),
              ElementsAre("https://shop.example/offers/1", "https://shop.example/offers/old/2"));
}

// Of real pages, which lie outside the repository.
TEST(FindLinks, GivesEachPageOnceOnRealPages) {
  const std::filesystem::path folder = std::filesystem::path(HEDDLE_SHARED_DATA) / "pages";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << folder << " is not there";
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const auto document = html::parse(text.str());
    if (!document) continue;
    DiscoverRule rule = rule_of({FollowKind::pagination, FollowKind::links});
    rule.same_host = false;
    std::set<std::string> visits{visit(kPage)};
    for (const FoundLink& link : find_links(*document, *Url::parse(kPage), rule)) {
      EXPECT_TRUE(visits.insert(visit(link.url)).second) << entry.path() << " " << link.url;
      EXPECT_EQ(link.url.find('#'), std::string::npos) << entry.path();
      ++found;
    }
  }
  EXPECT_GT(found, 1000U);
}

std::vector<std::string> links_of(const std::vector<Item>& items,
                                  const std::vector<FieldRule>& fields) {
  std::vector<std::string> urls;
  for (const FoundLink& link :
       links_of_items(items, fields, *Url::parse(kPage), rule_of({FollowKind::items})))
    urls.push_back(link.url);
  return urls;
}

TEST(LinksOfItems, AreTheFirstFieldsThatLeadOn) {
  const std::vector<FieldRule> fields{{"image", "img", "src", FieldType::text, ""},
                                      {"maker", "i", "", FieldType::text, ""},
                                      {"link", "a", "href", FieldType::text, ""}};
  const auto item = [](std::string image, std::string maker, std::string link) {
    return Item{
        {{"image", std::move(image)}, {"maker", std::move(maker)}, {"link", std::move(link)}},
        {},
        {}};
  };
  EXPECT_THAT(links_of({item("https://shop.example/i.png", "https://shop.example/m", " /tea/0"),
                        item("", "https://shop.example/m", "https://shop.example/tea/1"),
                        item("https://shop.example/i.png", "no link", ""),
                        item("", "", "https://shop.example/tea/1#reviews"),
                        item("", "", "https://elsewhere.example/tea/2")},
                       fields),
              ElementsAre("https://shop.example/m", "https://shop.example/tea/1"));
  EXPECT_THAT(links_of({Item{{{"url", "https://shop.example/json/1"}}, {}, {}}}, {}),
              ElementsAre("https://shop.example/json/1"));
}

TEST(LinksOfItems, AreFollowedOnlyWhenTheRuleSaysSo) {
  const std::vector<Item> items{{{{"url", "https://shop.example/1"}}, {}, {}}};
  EXPECT_THAT(links_of_items(items, {}, *Url::parse(kPage), rule_of({FollowKind::links})),
              IsEmpty());
}

}  // namespace
}  // namespace heddle::pages
