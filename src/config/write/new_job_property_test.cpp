// Whatever a page is made of, the loader reads the job that is written for it as it was meant.
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "config/project_for_test.hpp"
#include "config/write/new_job.hpp"
#include "html/parse.hpp"
#include "model/json.hpp"
#include "pages/propose/propose.hpp"

namespace heddle::config {
namespace {

constexpr auto kNames = std::to_array<std::string_view>(
    {"card",        "price",        "a\"b",   "x'y",        "'''",   "\"\"\"",       "{{v}}",
     "${env:A}",    "$${env:A}",    "a@b",    "a:b",        "@href", "back\\slash",  "\\u0022",
     "line\nbreak", "tab\tbetween", "ünïted", "css-1q2w3e", "]",     "[jobs]",       "# note",
     "=",           "--",           "1st",    "\x7f",       "\xff",  "\xe2\x80\xae", "x = 1",
     "$.a",         "/a",           "./b"});

class RandomPage {
 public:
  explicit RandomPage(unsigned seed) : random_(seed) {}

  std::string html() {
    const std::string block = attributes();
    const std::string title = attributes();
    const std::string price = attributes();
    std::string page =
        "<title>" + name() + " " + name() + "</title><main id=\"" + escaped(name()) + "\">";
    const int blocks = 3 + pick(12);
    for (int i = 0; i < blocks; ++i)
      page += "<div " + block + "><h3 " + title + "><a href=\"/" + std::to_string(i) +
              escaped(name()) + "\">A thing with the number " + std::to_string(i) + " " + name() +
              "</a></h3><span " + price + ">" + std::to_string(i) + ".50 EUR</span></div>";
    return page + "</main>";
  }

  std::string json() {
    std::vector<std::string> members;
    for (int i = pick(6) + 1; i > 0; --i) members.push_back(name() + (pick(2) == 0 ? "" : name()));
    JsonWriter writer;
    writer.begin_object().key(name()).begin_array();
    for (int i = pick(6) + 2; i > 0; --i) {
      writer.begin_object().field("title", "Thing " + std::to_string(i));
      for (const std::string& member : members) writer.field(member, name() + std::to_string(i));
      writer.end_object();
    }
    writer.end_array().end_object();
    return writer.text();
  }

 private:
  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  std::string name() { return std::string(kNames[static_cast<std::size_t>(pick(kNames.size()))]); }
  static std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '"' ? "&quot;" : std::string(1, c);
    return out;
  }
  std::string attributes() {
    std::string out;
    for (const char* attribute : {"class", "data-testid", "itemprop", "id"})
      if (pick(2) == 0)
        out += std::string(attribute) + "=\"" +
               escaped(name() + (pick(3) == 0 ? " " + name() : "")) + "\" ";
    return out;
  }

  std::mt19937 random_;
};

class WrittenJobs : public ::testing::Test {
 protected:
  // Returns the number of candidates.
  std::size_t expect_readable(const std::string& body, const char* type) {
    pages::ProposedPage page{*Url::parse("https://shop.example/")};
    page.headers = {{"content-type", type}};
    page.body = body;
    const WatchProposal proposal = pages::propose_watch(parser_, page);
    for (const WatchCandidate& candidate : proposal.candidates) {
      NewJob job;
      job.name = suggested_job_name(proposal);
      job.url = page.url.text();
      job.watch = candidate;
      const Loaded loaded = load_project(project_.root(), project_.environment(),
                                         DraftFile{new_job_file(job.name), new_job_text(job)});
      EXPECT_EQ(ProjectForTest::texts(loaded.problems), std::vector<std::string>{})
          << new_job_text(job);
      if (loaded.project.jobs.size() != 1) continue;
      EXPECT_EQ(loaded.project.jobs[0].selector, candidate.selector);
      EXPECT_EQ(loaded.project.jobs[0].fields, candidate.fields) << new_job_text(job);
      EXPECT_EQ(loaded.project.jobs[0].json_in.selector, candidate.json_in);
    }
    return proposal.candidates.size();
  }

  void SetUp() override { std::filesystem::create_directories(project_.root()); }

  ProjectForTest project_;
  html::Parser parser_;
};

TEST_F(WrittenJobs, AreReadAsTheyWereMeantWhateverThePageIs) {
  std::size_t candidates = 0;
  for (unsigned seed = 0; seed < 150 && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    candidates += expect_readable(RandomPage(seed).html(), "text/html");
    candidates += expect_readable(RandomPage(seed).json(), "application/json");
    candidates += expect_readable("<div id=root></div><script type=application/json id=data>" +
                                      RandomPage(seed).json() + "</script>",
                                  "text/html");
  }
  EXPECT_GT(candidates, 300U);
}

}  // namespace
}  // namespace heddle::config
