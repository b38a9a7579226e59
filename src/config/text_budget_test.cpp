// Files that would need much more memory than they have bytes.
#include "config/read/values/text_budget.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/load_project.hpp"
#include "config/project_for_test.hpp"

namespace heddle::config {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::vector<std::string> usable_jobs(const Loaded& loaded) {
  std::vector<std::string> ids;
  for (const Job& job : loaded.project.jobs) ids.push_back(job.id.text);
  return ids;
}

TEST(Expansion, OfOneTextIsBounded) {
  ProjectForTest project;
  project.job("body = \"" + repeated("{{a}}", 10'000) + "\"\nmethod = \"POST\"\n[vars]\na = \"" +
              std::string(100'000, 'x') + "\"\n");
  project.job("", "b");
  const Loaded loaded = project.load();
  EXPECT_THAT(usable_jobs(loaded), ElementsAre("b"));
  EXPECT_THAT(ProjectForTest::texts(loaded.problems),
              ElementsAre("jobs/a/config.toml:5: body: the text grows by more than 1 MB when {{…}} "
                          "and ${…} are filled in: make the variables shorter or use them less "
                          "often"));
  EXPECT_EQ(loaded.jobs.at(0).id.text, "a");
}

TEST(Expansion, OfAllTextsOfAJobIsBounded) {
  ProjectForTest project;
  std::string headers;
  for (int i = 0; i < 100; ++i) headers += "h" + std::to_string(i) + " = \"{{a}}\"\n";
  project.job("[vars]\na = \"" + std::string(100'000, 'x') + "\"\n[headers]\n" + headers);
  project.job("", "b");
  const Loaded loaded = project.load();
  EXPECT_THAT(usable_jobs(loaded), ElementsAre("b"));
  EXPECT_THAT(ProjectForTest::texts(loaded.problems),
              Contains(HasSubstr("the texts of the job or file grow by more than 8 MB")));
}

TEST(Expansion, CountsReferencesByTheirValueAndByTheirText) {
  ProjectForTest project;
  project.variables["BIG"] = std::string(200'000, 's');
  project.variables["SMALL"] = "s";
  project.job("body = \"" + repeated("${env:BIG}", 10) + "\"\nmethod = \"POST\"\n");
  project.job("body = \"" + repeated("{{a}}", 10'000) + "\"\nmethod = \"POST\"\n[vars]\na = \"" +
                  repeated("${env:SMALL}", 10'000) + "\"\n",
              "b");
  project.job("", "c");
  EXPECT_THAT(usable_jobs(project.load()), ElementsAre("c"));
}

TEST(Expansion, OfWhatJobsInheritIsBoundedByTheProject) {
  ProjectForTest project;
  project.write("heddle.toml",
                "[defaults]\nbody = \"" + std::string(8'000'000, 'x') + "\"\nmethod = \"POST\"\n");
  std::string jobs;
  for (int i = 100; i < 400; ++i)
    jobs += "[[jobs]]\nname = \"j" + std::to_string(i) +
            "\"\nurl = \"https://example.com/\"\nselector = \"li\"\nfields = [\"t:\"]\n";
  project.write("jobs.toml", jobs);
  const Loaded loaded = project.load();
  EXPECT_FALSE(loaded.project.jobs.empty());
  EXPECT_EQ(loaded.project.jobs.front().id.text, "j100");
  EXPECT_LT(loaded.project.jobs.size() * 8'000'000, kTextLimits.project);
  EXPECT_EQ(loaded.jobs.back().id.text, "j399") << "a job that rests can be named";
  EXPECT_FALSE(loaded.jobs.back().usable);
  EXPECT_THAT(ProjectForTest::texts(loaded.jobs.back().problems),
              ElementsAre(HasSubstr("jobs.toml:1496: the job does not run: the jobs read before it "
                                    "and it need more than 1024 MB of memory")));
}

TEST(UrlsFile, IsRefusedWhenItHasTooManyUrls) {
  ProjectForTest project;
  project.write("jobs/a/urls.txt", repeated("http://h/\n", kTextLimits.urls + 1));
  project.write("jobs/a/config.toml",
                "name = \"a\"\nurls_file = \"urls.txt\"\n"
                "selector = \"li\"\nfields = [\"t:\"]\n");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre(HasSubstr("urls_file: \"urls.txt\" has more than 1048576 URLs")));
}

TEST(UrlsFile, ListsItsFirstMistakesOnly) {
  ProjectForTest project;
  project.write("jobs/a/urls.txt", repeated("x\n", 500'000));
  project.write("jobs/a/config.toml",
                "name = \"a\"\nurls_file = \"urls.txt\"\n"
                "selector = \"li\"\nfields = [\"t:\"]\n");
  const auto texts = project.problem_texts();
  EXPECT_EQ(texts.size(), kTextLimits.listed_problems + 1);
  EXPECT_THAT(texts, Contains(HasSubstr("has more errors: those after line 100 are not listed")));
}

TEST(TomlFiles, MayNotHaveMillionsOfValues) {
  ProjectForTest project;
  project.write("jobs.toml", "x = [" + repeated("1,", 2'000'001) + "]\n");
  project.job("");
  const Loaded loaded = project.load();
  EXPECT_THAT(usable_jobs(loaded), ElementsAre("a"));
  EXPECT_THAT(
      ProjectForTest::texts(loaded.problems),
      ElementsAre(HasSubstr("jobs.toml:1: not TOML: more than 2000000 values in one file")));
}

}  // namespace
}  // namespace heddle::config
