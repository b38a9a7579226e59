#include "pages/feed/feed.hpp"

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

Result<Feed> read(std::string_view text,
                  std::string_view url = "https://news.example/feed/rss.xml") {
  html::Parser parser;
  return read_feed(parser, text, *Url::parse(url));
}

FeedEntry only_entry(std::string_view text) {
  auto feed = read(text);
  EXPECT_TRUE(feed) << feed.error().message;
  if (!feed || feed->entries.size() != 1) {
    ADD_FAILURE() << "expected one entry";
    return {};
  }
  return feed->entries[0];
}

TEST(Feed, ReadsRss2) {
  const auto feed = read(R"(<?xml version="1.0"?><rss version="2.0"
      xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"
      xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
    <channel><title>The News &amp; more</title><link>https://news.example/</link>
    <atom:link href="https://news.example/feed/rss.xml" rel="self"/>
    <item><title>A &amp;lt;b&gt;bold&lt;/b&gt; claim</title><link>/a?x=1&amp;y=2</link>
      <guid isPermaLink="false">id-1</guid><pubDate>Wed, 02 Oct 2002 15:00:00 +0200</pubDate>
      <dc:creator>Eve</dc:creator><category>Politics</category><category>World</category>
      <category>World</category><description><![CDATA[<p>First <b>part</b></p><p>second]]></description>
      <content:encoded><![CDATA[<p>All of it</p>]]></content:encoded>
      <media:content url="https://news.example/1.jpg"><media:title>photo</media:title></media:content></item>
    <item><title><![CDATA[Second]]></title><guid>https://news.example/b</guid>
      <author>bob@example.com (Bob B.)</author><content:encoded>&lt;i&gt;long&lt;/i&gt; text</content:encoded></item>
    </channel></rss>)");
  ASSERT_TRUE(feed) << feed.error().message;
  EXPECT_EQ(feed->title, "The News & more");
  ASSERT_EQ(feed->entries.size(), 2U);
  const FeedEntry& one = feed->entries[0];
  EXPECT_EQ(one.id, "id-1");
  EXPECT_EQ(one.title, "A <b>bold claim");
  EXPECT_EQ(one.link, "https://news.example/a?x=1&y=2");
  EXPECT_EQ(one.published, "2002-10-02T13:00:00Z");
  EXPECT_EQ(one.author, "Eve");
  EXPECT_EQ(one.summary, "First part\n\nsecond");
  EXPECT_EQ(one.categories, (std::vector<std::string>{"Politics", "World"}));
  const FeedEntry& two = feed->entries[1];
  EXPECT_EQ(two.id, "https://news.example/b");
  EXPECT_EQ(two.link, "https://news.example/b");
  EXPECT_EQ(two.author, "Bob B.");
  EXPECT_EQ(two.summary, "long text");
}

TEST(Feed, ReadsRss1) {
  const FeedEntry entry =
      only_entry(R"(<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
      xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel rdf:about="https://a.example/"><title>Old</title><items><rdf:Seq/></items></channel>
    <item rdf:about="https://a.example/1"><title>One</title><link>https://a.example/one</link>
      <dc:date>2004-05-06T07:08+00:00</dc:date><dc:subject>Tech</dc:subject></item></rdf:RDF>)");
  EXPECT_EQ(entry.id, "https://a.example/1");
  EXPECT_EQ(entry.link, "https://a.example/one");
  EXPECT_EQ(entry.published, "2004-05-06T07:08:00Z");
  EXPECT_EQ(entry.categories, std::vector<std::string>{"Tech"});
}

TEST(Feed, ReadsAtom) {
  const auto feed =
      read(R"(<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://b.example/blog/">
    <title type="text">My blog</title><author><name>Mallory</name></author><id>urn:feed</id>
    <entry xml:base="2026/"><id>urn:1</id><title type="html">5 &amp;lt; 6 &lt;em>yes&lt;/em></title>
      <link rel="self" href="self.xml"/><link rel="alternate" type="text/html" href="one.html"/>
      <published>2026-03-12T10:00:00+01:00</published><updated>2026-03-13T00:00:00Z</updated>
      <category term="c++" label="C++"/><summary type="xhtml">
        <div xmlns="http://www.w3.org/1999/xhtml"><p>Line <b>one</b></p></div></summary></entry>
    <entry><id>urn:2</id><title type="text">1 &lt; 2 &amp;amp;</title><content type="html">&lt;p>Body</content>
      <author><name>Trent</name></author><link href="/two"/></entry></feed>)");
  ASSERT_TRUE(feed) << feed.error().message;
  EXPECT_EQ(feed->title, "My blog");
  ASSERT_EQ(feed->entries.size(), 2U);
  const FeedEntry& one = feed->entries[0];
  EXPECT_EQ(one.title, "5 < 6 yes");
  EXPECT_EQ(one.link, "https://b.example/blog/2026/one.html");
  EXPECT_EQ(one.published, "2026-03-12T09:00:00Z");
  EXPECT_EQ(one.updated, "2026-03-13T00:00:00Z");
  EXPECT_EQ(one.author, "Mallory");
  EXPECT_EQ(one.summary, "Line one");
  EXPECT_EQ(one.categories, std::vector<std::string>{"c++"});
  const FeedEntry& two = feed->entries[1];
  EXPECT_EQ(two.title, "1 < 2 &amp;");
  EXPECT_EQ(two.link, "https://b.example/two");
  EXPECT_EQ(two.author, "Trent");
  EXPECT_EQ(two.summary, "Body");
}

TEST(Feed, RefusesAJsonFeedWithoutAListOfItems) {
  html::Parser parser;
  const std::string begin = R"({"version": "https://jsonfeed.org/version/1.1", "title": "x")";
  for (const char* rest : {"}", R"(, "items": {"id": "1"}})", R"(, "items": 3})"}) {
    const auto feed = read_feed(parser, begin + rest, *Url::parse("https://a.example/"));
    ASSERT_FALSE(feed) << rest;
    EXPECT_EQ(feed.error().message, "this is not a feed: a JSON Feed whose `items` is not a list");
  }
}

TEST(Feed, ReadsJsonFeed) {
  const auto feed = read(R"({"version": "https://jsonfeed.org/version/1.1", "title": "J",
    "authors": [{"name": "A"}, {"name": "B"}], "items": [
    {"id": 7, "url": "/seven", "title": "Seven &amp; more", "content_html": "<p>Hi <b>you</b></p>",
     "date_published": "2026-02-03T04:05:06-07:00", "tags": ["x", "y"]},
    {"id": "8", "external_url": "https://o.example/", "summary": "s", "author": {"name": "C"}},
    {"id": "8", "title": "again"}]})");
  ASSERT_TRUE(feed) << feed.error().message;
  ASSERT_EQ(feed->entries.size(), 2U);
  EXPECT_EQ(feed->entries[0].id, "7");
  EXPECT_EQ(feed->entries[0].link, "https://news.example/seven");
  EXPECT_EQ(feed->entries[0].title, "Seven &amp; more");
  EXPECT_EQ(feed->entries[0].summary, "Hi you");
  EXPECT_EQ(feed->entries[0].published, "2026-02-03T11:05:06Z");
  EXPECT_EQ(feed->entries[0].author, "A, B");
  EXPECT_EQ(feed->entries[0].categories, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(feed->entries[1].author, "C");
  EXPECT_EQ(feed->entries[1].link, "https://o.example/");
}

TEST(Feed, ReadsBrokenFeeds) {
  // Undefined entities, a lone "&", no declaration of dc, no end tags.
  const FeedEntry entry = only_entry(
      "\n <rss version=0.91><channel><title>x&nbsp;y</title><item><title>Caf&eacute; & bar</title>"
      "<link>http://a.example/?a=1&b=2</link><dc:creator>Eve</dc:creator><pubDate>2 Oct 02 8:00 "
      "EST</pubDate></item>");
  EXPECT_EQ(entry.title, "Café & bar");
  EXPECT_EQ(entry.link, "http://a.example/?a=1&b=2");
  EXPECT_EQ(entry.author, "Eve");
  EXPECT_EQ(entry.published, "2002-10-02T13:00:00Z");
}

TEST(Feed, IdentifiesEntriesByIdOrLink) {
  const auto feed = read(R"(<rss><channel><item><link>https://a.example/1</link></item>
    <item><title>only a title</title></item><item><title>only a title</title></item><item/>
    <item><guid>g</guid><link>https://a.example/1</link></item></channel></rss>)");
  ASSERT_TRUE(feed);
  ASSERT_EQ(feed->entries.size(), 3U);
  EXPECT_EQ(feed->entries[0].id, "https://a.example/1");
  EXPECT_EQ(feed->entries[1].id.size(), 32U);
  EXPECT_EQ(feed->entries[2].id, "g");
}

TEST(Feed, RefusesOtherPages) {
  EXPECT_EQ(read("<!doctype html><html><body>").error().message,
            "this is not a feed: its first element is <html>, expected <rss>, <feed> or <rdf:RDF>");
  EXPECT_EQ(read("{\"a\": 1}").error().message,
            "this is not a feed: JSON without the `version` of a JSON Feed");
  EXPECT_EQ(read("{\"a\": ").error().message,
            "JSON: line 1, column 7: the text ends before a value");
  EXPECT_EQ(read("plain").error().message, "this is not a feed: the page has no elements");
}

TEST(Feed, LimitsEntriesAndSummaries) {
  std::string many = "<rss><channel>";
  for (int i = 0; i < 20; ++i)
    many += "<item><guid>" + std::to_string(i) + "</guid><description>" + std::string(100, 'x') +
            "</description></item>";
  html::Parser parser;
  const auto feed = read_feed(parser, many + "</channel></rss>", *Url::parse("http://a.example/"),
                              {.tree = {}, .max_entries = 5, .max_summary = 10});
  ASSERT_TRUE(feed);
  EXPECT_EQ(feed->entries.size(), 5U);
  EXPECT_EQ(feed->entries[0].summary, "xxxxxxxxxx…");
}

TEST(Feed, ReadsDatesInManyForms) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"Wed, 02 Oct 2002 13:00:00 GMT", "2002-10-02T13:00:00Z"},
      {"Wed, 02 Oct 2002 15:00:00 +0200", "2002-10-02T13:00:00Z"},
      {"Wed, 02 Oct 2002 15:00:00 +02:00", "2002-10-02T13:00:00Z"},
      {"02 Oct 2002 08:00 EST", "2002-10-02T13:00:00Z"},
      {"2 Oct 02 8:00:00 EST", "2002-10-02T13:00:00Z"},
      {"Wednesday, 02 October 2002 13:00:00 UT", "2002-10-02T13:00:00Z"},
      {"Wed,02 Oct 2002 13:00:00 Z", "2002-10-02T13:00:00Z"},
      {"Wed 02 Sept 2002 13:00:00 GMT", "2002-09-02T13:00:00Z"},
      {"Wed, 2 Oct 2002 15:00:00 GMT+2", "2002-10-02T13:00:00Z"},
      {"Wed Oct  2 13:00:00 2002", "2002-10-02T13:00:00"},
      {"Wed Oct 2 13:00:00 UTC 2002", "2002-10-02T13:00:00Z"},
      {"Oct 2, 2002 1:00 PM GMT", "2002-10-02T13:00:00Z"},
      {"Wed, 02 Oct 2002", "2002-10-02"},
      {"Wed, 02 Oct 2002 24:00:00 GMT", "2002-10-03T00:00:00Z"},
      {"Wed, 02 Oct 2002 13:00:60 GMT", "2002-10-02T13:00:59Z"},
      {"02-Oct-2002 13:00:00 GMT", "2002-10-02T13:00:00Z"},
      {"2002-10-02T13:00:00Z", "2002-10-02T13:00:00Z"},
      {"2002-10-02T15:00:00.123+02:00", "2002-10-02T13:00:00.123Z"},
      {"2002-10-02T15:00:00+0200", "2002-10-02T13:00:00Z"},
      {"2002-10-02 13:00:00", "2002-10-02T13:00:00"},
      {"2002-10-02", "2002-10-02"},
      {"2. Oktober 2002", "2002-10-02"},
      {"soon", "soon"},
      {"  ", ""},
      {"Wed, 42 Oct 2002 13:00:00 GMT", "Wed, 42 Oct 2002 13:00:00 GMT"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(feed_date(text), expected) << text;
}

TEST(Feed, BecomesItemsWithTheFieldsOfTheJob) {
  const Item item = item_of({"i", "t", "l", "p", "u", "a", "s", {"x", "y"}});
  const auto fields = feed_fields();
  ASSERT_EQ(item.fields.size(), fields.size());
  for (std::size_t i = 0; i < fields.size(); ++i) EXPECT_EQ(item.fields[i].first, fields[i].name);
  EXPECT_EQ(item.fields.back().second, "x, y");
}

}  // namespace
}  // namespace heddle::pages
