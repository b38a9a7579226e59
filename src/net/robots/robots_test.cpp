#include "net/robots/robots.hpp"

#include <gtest/gtest.h>

namespace heddle::net {
namespace {

using namespace std::chrono_literals;

struct Case {
  std::string_view robots;
  std::string_view path;
  bool allowed;
};

void expect_all(std::initializer_list<Case> cases) {
  for (const auto& [robots, path, allowed] : cases)
    EXPECT_EQ(RobotsRules::parse(robots).allows(path), allowed) << robots << "\npath " << path;
}

TEST(Robots, AllowsWhatNoRuleForbids) {
  expect_all({{"", "/", true},
              {"User-agent: *\nDisallow:\n", "/x", true},
              {"User-agent: *\nDisallow: /private\n", "/public", true},
              {"Disallow: /\n", "/before-any-group", true},
              {"nonsense\nUser-agent *\n:\n", "/x", true}});
}

TEST(Robots, ForbidsByPrefix) {
  expect_all({{"User-agent: *\nDisallow: /\n", "/x", false},
              {"User-agent: *\nDisallow: /fish\n", "/fish", false},
              {"User-agent: *\nDisallow: /fish\n", "/fish.html", false},
              {"User-agent: *\nDisallow: /fish\n", "/fishheads/yummy", false},
              {"User-agent: *\nDisallow: /fish\n", "/Fish.asp", true},
              {"User-agent: *\nDisallow: /fish\n", "/catfish", true},
              {"User-agent: *\nDisallow: /fish/\n", "/fish", true},
              {"User-agent: *\nDisallow: /?q=\n", "/?q=1", false}});
}

TEST(Robots, LetsTheLongestRuleDecideAndAllowWinTies) {
  expect_all({{"User-agent: *\nDisallow: /p\nAllow: /page\n", "/page", true},
              {"User-agent: *\nAllow: /p\nDisallow: /page\n", "/page", false},
              {"User-agent: *\nDisallow: /folder\nAllow: /folder\n", "/folder/x", true},
              {"User-agent: *\nDisallow: /\nAllow: /$\n", "/", true},
              {"User-agent: *\nDisallow: /\nAllow: /$\n", "/page", false},
              {"User-agent: *\nAllow: /page\nDisallow: /*.htm\n", "/page.htm", false}});
}

TEST(Robots, UnderstandsStarsAndDollars) {
  expect_all({{"User-agent: *\nDisallow: /*.php\n", "/a/b.php?x", false},
              {"User-agent: *\nDisallow: /*.php$\n", "/a/b.php", false},
              {"User-agent: *\nDisallow: /*.php$\n", "/a/b.php?x", true},
              {"User-agent: *\nDisallow: /*.php$\n", "/a.php/b.php", false},
              {"User-agent: *\nDisallow: /a*b*c\n", "/axxbxxc", false},
              {"User-agent: *\nDisallow: /a*b*c\n", "/axxcxxb", true},
              {"User-agent: *\nDisallow: *\n", "/x", false},
              {"User-agent: *\nDisallow: /a**\n", "/ab", false},
              {"User-agent: *\nDisallow: /a$b\n", "/a$b", true},
              {"User-agent: *\nDisallow: /a%24b\n", "/a$b", false},
              {"User-agent: *\nDisallow: /%2A\n", "/*", false},
              {"User-agent: *\nDisallow: /%2A\n", "/x", true}});
}

TEST(Robots, ComparesPercentEncodingByOctet) {
  expect_all({{"User-agent: *\nDisallow: /~joe\n", "/%7Ejoe/x", false},
              {"User-agent: *\nDisallow: /%7ejoe\n", "/~joe", false},
              {"User-agent: *\nDisallow: /a%2fb\n", "/a%2Fb", false},
              {"User-agent: *\nDisallow: /a/b\n", "/a%2Fb", true},
              {"User-agent: *\nDisallow: /ツ\n", "/%E3%83%84", false},
              {"User-agent: *\nDisallow: /%e3%83%84\n", "/ツ", false},
              {"User-agent: *\nDisallow: /a b\n", "/a%20b", false},
              {"User-agent: *\nDisallow: /a%20b\n", "/a b", false}});
}

TEST(Robots, PrefersTheGroupThatNamesIt) {
  constexpr std::string_view kText =
      "User-agent: *\nDisallow: /\n\nUser-agent: HEDDLE/1.0\nDisallow: /private\n";
  expect_all({{kText, "/x", true}, {kText, "/private", false}});
  EXPECT_FALSE(RobotsRules::parse(kText, "other").allows("/x"));
  expect_all({{"User-agent: heddlebot\nDisallow: /\n", "/x", true},
              {"User-agent: heddle\nAllow: /\nUser-agent: *\nDisallow: /\n", "/x", true}});
}

TEST(Robots, MergesGroupsAndSharesOneBetweenAgents) {
  expect_all({{"User-agent: heddle\nDisallow: /a\nUser-agent: x\nDisallow: /b\n"
               "User-agent: heddle\nDisallow: /c\n",
               "/c", false},
              {"User-agent: heddle\nDisallow: /a\nUser-agent: x\nDisallow: /b\n", "/b", true},
              {"User-agent: a\nUser-agent: heddle\n\nDisallow: /x\n", "/x", false},
              {"User-agent: heddle\nSitemap: /s\nUser-agent: b\nDisallow: /x\n", "/x", false}});
}

TEST(Robots, ReadsUntidyFiles) {
  expect_all({{"\xEF\xBB\xBFUser-agent: *\nDisallow: /x\n", "/x", false},
              {"\xEF\xBBUser-agent: *\nDisallow: /x\n", "/x", false},
              {"\xEFUser-agent: *\nDisallow: /x\n", "/x", false},
              {"\xBB\xBFUser-agent: *\nDisallow: /x\n", "/x", false},
              {"user-AGENT : * # all\r\n  DISALLOW:/x # no\r\n", "/x", false},
              {"User-agent: *\rDisallow: /x\r", "/x", false},
              {"User-agent: *\n\n\nDisallow: /x", "/x", false}});
}

TEST(Robots, AlwaysAllowsItsOwnFile) {
  EXPECT_TRUE(RobotsRules::disallow_all().allows("/robots.txt"));
  EXPECT_FALSE(RobotsRules::disallow_all().allows("/"));
}

TEST(Robots, ReportsCrawlDelayAndSitemaps) {
  const auto rules = RobotsRules::parse(
      "Sitemap: https://h/a.xml\nUser-agent: *\nCrawl-delay: 1.5\nDisallow: /x\n"
      "User-agent: other\nCrawl-delay: 9\nsitemap: https://h/b.xml\n");
  EXPECT_EQ(rules.crawl_delay(), 1500ms);
  EXPECT_EQ(rules.sitemaps(), (std::vector<std::string>{"https://h/a.xml", "https://h/b.xml"}));
  EXPECT_EQ(RobotsRules::parse("User-agent: *\nCrawl-delay: -1\n").crawl_delay(), std::nullopt);
  EXPECT_EQ(RobotsRules::parse("User-agent: *\nCrawl-delay: nan\n").crawl_delay(), std::nullopt);
  EXPECT_EQ(RobotsRules::parse("User-agent: *\nCrawl-delay: 1e99\n").crawl_delay(), 3600s);
}

TEST(Robots, StopsReadingAtFiveHundredKibibytes) {
  const std::string text =
      "User-agent: *\nDisallow: /a\n#" + std::string(kMaxRobotsBytes, 'x') + "\nDisallow: /b\n";
  expect_all({{text, "/a", false}, {text, "/b", true}});
}

TEST(Robots, IsNotSlowedDownByHostileStars) {
  std::string text = "User-agent: *\nDisallow: ";
  for (int i = 0; i < 100'000; ++i) text += "*a";
  text += "b$\n";
  EXPECT_TRUE(RobotsRules::parse(text).allows("/" + std::string(50'000, 'a')));
}

}  // namespace
}  // namespace heddle::net
