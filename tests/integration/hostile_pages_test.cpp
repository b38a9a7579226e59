// A list of hostile pages: each gets its own outcome, and the good ones are stored.
#include <map>

#include <gtest/gtest.h>

#include "tests/program/project_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;

constexpr std::size_t kMegabyte = 1'000'000;

void build_site(TestSite& site) {
  site.answer("/good", html("<p class=x>Good news</p>"));
  site.answer("/500", SiteResponse{.status = 500});
  site.answer("/404", SiteResponse{.status = 404});
  site.answer("/loop-a", redirect("/loop-b"));
  site.answer("/loop-b", redirect("/loop-a"));
  site.answer("/to-private", redirect("http://10.1.2.3/secret"));
  site.answer("/to-other-loopback", redirect("http://127.0.0.2:1/secret"));
  site.answer("/20mb", html(std::string(20 * kMegabyte, 'x')));
  site.answer("/bomb",
              SiteResponse{.headers = {{"Content-Type", "text/html"}, {"Content-Encoding", "gzip"}},
                           .body = gzip_bomb(100 * kMegabyte)});
  site.answer("/endless", misbehaving(SiteBehaviour::endless, std::string(64 * 1024, 'y')));
  site.answer("/latin1",
              SiteResponse{.headers = {{"Content-Type", "text/html; charset=iso-8859-1"}},
                           .body = "<p class=x>Caf\xe9 f\xfcr alle</p>"});
  site.answer("/empty", html(""));
}

class HostilePages : public ::testing::Test {
 protected:
  void SetUp() override {
    build_site(site_);
    std::string urls = "http://127.0.0.1:1/dead\nhttp://no-such-host.invalid/\n";
    for (const char* path :
         {"/good", "/500", "/404", "/loop-a", "/to-private", "/to-other-loopback", "/20mb", "/bomb",
          "/endless", "/latin1", "/empty"})
      urls += site_.url(path) + "\n";
    project_.write("jobs/mixed/urls.txt", urls);
    project_.write_job("mixed",
                       "urls_file = \"urls.txt\"\nselector = \".x\"\nfields = [\"text:\"]\n"
                       "workers = 4\nstagger = \"0s\"\nmax_error_rate = 1.0\ntimeout = \"60s\"\n");
  }

  std::map<std::string, std::string> error_kinds(const json::value& run) {
    std::map<std::string, std::string> kinds;
    for (const json::value& error : run.at("errors").as_array()) {
      std::string url(error.at("url").as_string());
      kinds[url.substr(url.find('/', 8))] = std::string(error.at("kind").as_string());
    }
    return kinds;
  }

  TestSite site_;
  ProjectFolder project_;
};

TEST_F(HostilePages, HaveTheirOwnOutcomesWhileTheRestAreStored) {
  const ProgramResult result = project_.heddle({"run", "mixed", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  const json::value run = json::parse(result.out);
  const std::map<std::string, std::string> expected{{"/dead", "connect"},
                                                    {"/", "dns"},
                                                    {"/500", "http"},
                                                    {"/404", "http"},
                                                    {"/loop-a", "http"},
                                                    {"/to-private", "blocked"},
                                                    {"/to-other-loopback", "blocked"},
                                                    {"/20mb", "size"},
                                                    {"/bomb", "size"},
                                                    {"/endless", "size"}};
  EXPECT_EQ(error_kinds(run), expected) << result.out;
  EXPECT_EQ(run.at("pages"), json::parse(R"({"total":13,"done":3,"failed":10,"skipped":0})"));
  EXPECT_EQ(run.at("items").at("new"), 2);

  const json::value records = project_.heddle_json({"records", "mixed"});
  ASSERT_EQ(records.as_array().size(), 2u);
  std::vector<std::string> texts;
  for (const json::value& record : records.as_array())
    texts.emplace_back(record.at("fields").at("text").as_string());
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(texts, (std::vector<std::string>{"Café für alle", "Good news"}));
}

TEST_F(HostilePages, AreRetriedOnlyForTransientErrors) {
  ASSERT_EQ(project_.heddle({"run", "mixed"}).exit_code, 0);
  EXPECT_EQ(site_.count("/500"), 4u);  // the first attempt and three retries
  EXPECT_EQ(site_.count("/404"), 1u);
  EXPECT_EQ(site_.count("/bomb"), 1u);
  EXPECT_EQ(site_.count("/20mb"), 1u);
}

TEST_F(HostilePages, DoNotIncreaseTheMemory) {
  const ProgramResult result = project_.heddle({"run", "mixed"});
  constexpr long kMostKilobytes = 150'000;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers need memory of their own";
#endif
  EXPECT_LT(result.peak_memory_kb, kMostKilobytes);
}

}  // namespace
}  // namespace heddle::testing
