// Jobs that read JSON, XML, feeds and plain text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/project_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

SiteResponse typed(std::string type, std::string body) {
  SiteResponse response;
  response.headers = {{"Content-Type", std::move(type)}};
  response.body = std::move(body);
  return response;
}

std::string entry(const std::string& id, const std::string& title) {
  return "<entry><id>" + id + "</id><title>" + title +
         "</title><updated>2026-03-12T10:00:00Z</updated><link href='/" + id + "'/></entry>";
}

std::string atom(const std::string& entries) {
  return "<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><title>News</title>" +
         entries + "</feed>";
}

class Sources : public ::testing::Test {
 protected:
  void write_job(const std::string& path, const std::string& rest) {
    project_.write_job("source", "url = \"" + site_.url(path) + "\"\n" + rest);
  }
  json::value run() { return project_.heddle_json({"run", "source"}); }
  json::array fields() {
    json::array out;
    const json::value records = project_.heddle_json({"records", "source"});
    for (const json::value& record : records.as_array()) out.push_back(record.at("fields"));
    return out;
  }

  TestSite site_;
  ProjectFolder project_;
};

TEST_F(Sources, ReadJsonApis) {
  site_.answer("/api",
               typed("application/json", R"({"items": [{"n": "Lamp", "p": "12.50 EUR"}]})"));
  write_job("/api",
            "selector = \"$.items[*]\"\nfields = [\"name:$.n\", {name = \"price\", json = \"$.p\", "
            "type = \"money\"}]\n");
  EXPECT_EQ(run().at("items").at("new"), 1);
  const json::value records = project_.heddle_json({"records", "source"});
  EXPECT_EQ(records.at(0).at("fields").at("name"), "Lamp");
  EXPECT_EQ(records.at(0).at("values").at("price"),
            json::parse(R"({"amount":"12.50","currency":"EUR"})"));
  EXPECT_EQ(run().at("items").at("new"), 0);
}

TEST_F(Sources, ReadJsonInsideHtml) {
  site_.answer("/app", html("<div id=app></div><script id=data type='application/json'>"
                            R"([{"t": "a"}, {"t": "b"}])"
                            "</script>"));
  write_job("/app", "json_in = \"script#data\"\nselector = \"$[*]\"\nfields = [\"t:$.t\"]\n");
  EXPECT_EQ(run().at("items").at("new"), 2);
}

TEST_F(Sources, ReadFeedsByTheIdOfTheirEntries) {
  site_.answer("/feed", typed("application/atom+xml", atom(entry("one", "First"))));
  write_job("/feed", "watch = \"feed\"\n");
  EXPECT_EQ(run().at("items").at("new"), 1);
  const json::array entries = fields();
  EXPECT_EQ(entries.at(0).at("title"), "First");
  EXPECT_EQ(entries.at(0).at("link"), json::value(site_.url("/one")));
  site_.answer("/feed", typed("application/atom+xml",
                              atom(entry("two", "Second") + entry("one", "First, corrected"))));
  EXPECT_EQ(run().at("items").at("new"), 1) << "an entry is the same by its id";
}

TEST_F(Sources, NeverCountEntriesThatLeaveAFeedAsGone) {
  site_.answer("/feed", typed("application/atom+xml", atom(entry("one", "1") + entry("two", "2"))));
  write_job("/feed", "watch = \"feed\"\n");
  run();
  site_.answer("/feed", typed("application/atom+xml", atom(entry("two", "2"))));
  EXPECT_EQ(run().at("items").at("gone"), 0);
}

TEST_F(Sources, ReadTheLinksOfAFeedAsXml) {
  site_.answer("/rss", typed("text/xml",
                             "<rss><channel><item><title><![CDATA[A & B]]></title>"
                             "<link>https://a.example/1</link></item></channel></rss>"));
  write_job("/rss", "selector = \"item\"\nfields = [\"title:title\", \"link:./link\"]\n");
  EXPECT_EQ(run().at("items").at("new"), 1);
  const json::array entries = fields();
  EXPECT_EQ(entries.at(0), json::parse(R"({"title":"A & B","link":"https://a.example/1"})"));
}

TEST_F(Sources, ReadTextWhoseTypeSaysNothing) {
  site_.answer("/lines", typed("application/octet-stream", "{\"n\": 1}\n{\"n\": 2}\n"));
  write_job("/lines", "selector = \"$[*]\"\nfields = [\"n:$.n\"]\n");
  EXPECT_EQ(run().at("items").at("new"), 2);
}

TEST_F(Sources, ReadPlainText) {
  site_.answer("/version", typed("text/plain", "name: tool\nversion: 1.2.3 <stable>\n"));
  write_job("/version",
            "format = \"text\"\nfields = [{name = \"version\", regex = 'version: (.*)'}]\n");
  run();
  const json::array versions = fields();
  EXPECT_EQ(versions.at(0).at("version"), "1.2.3 <stable>");
}

TEST_F(Sources, SayWhatIsWrongWithABodyAndKeepNothing) {
  site_.answer("/api", typed("application/json", "{\"items\": [1, 2"));
  write_job("/api", "selector = \"$.items[*]\"\n");
  const ProgramResult result = project_.heddle({"run", "source"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out + result.err, HasSubstr("JSON: line 1, column"));
  site_.answer("/api", html("<!doctype html><p>Sorry"));
  EXPECT_THAT(project_.heddle({"run", "source"}).out, HasSubstr("`json_in`"));
  site_.answer("/api", typed("application/json", ""));
  const ProgramResult empty = project_.heddle({"run", "source"});
  EXPECT_EQ(empty.exit_code, 1);
  EXPECT_THAT(empty.out, HasSubstr("the page is empty, expected JSON"));
  write_job("/api", "selector = \"$[*]\"\nformat = \"jsonl\"\n");
  EXPECT_THAT(project_.heddle({"run", "source"}).out, HasSubstr("nothing_found"))
      << "a list without lines";
  site_.answer("/api", html("<!doctype html><p>Sorry"));
  write_job("/api", "watch = \"feed\"\n");
  EXPECT_THAT(project_.heddle({"run", "source"}).out, HasSubstr("this is not a feed"));
  EXPECT_EQ(project_.heddle_json({"records", "source"}).as_array().size(), 0U);
}

}  // namespace
}  // namespace heddle::testing
