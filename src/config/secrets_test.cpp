// Secrets of the configuration: what stands for them, and where they are replaced.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/project_for_test.hpp"

namespace heddle::config {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ConfiguredSecrets : public ::testing::Test {
 protected:
  ConfiguredSecrets() {
    project_.variables = {{"TOKEN", "s3cret-value"},
                          {"HOST", "shop7.example"},
                          {"SIZE", "1000"},
                          {"HOOK", "https://h.example/T0/B1/x9x9x9?auth=zz88zz88"}};
  }
  Job job(const std::string& text) {
    const Loaded loaded = project_.write("jobs.toml", "[[jobs]]\nname = \"a\"\n" + text).load();
    EXPECT_THAT(ProjectForTest::texts(loaded.problems), IsEmpty());
    return loaded.project.jobs.empty() ? Job{} : loaded.project.jobs.front();
  }
  static std::vector<std::string> resolved(const Job& job) {
    std::vector<std::string> urls;
    for (const std::string& url : job.urls) {
      auto text = resolve_references(url, job.secrets);
      urls.push_back(text ? *text : text.error().message);
    }
    return urls;
  }
  static const Secret* find(const Job& job, std::string_view value) {
    for (const Secret& secret : job.secrets)
      if (secret.value == value) return &secret;
    return nullptr;
  }

  ProjectForTest project_;
};

TEST_F(ConfiguredSecrets, StandInUrlsAsTheyAreWritten) {
  const Job one =
      job("url = \"https://x.example/?k=${env: TOKEN }&c={{c}}\"\nvars = { c = \"7\" }\nselector = "
          "\"p\"\n");
  EXPECT_THAT(one.urls, ElementsAre("https://x.example/?k=${env:TOKEN}&c=7"));
  EXPECT_THAT(resolved(one), ElementsAre("https://x.example/?k=s3cret-value&c=7"));
}

TEST_F(ConfiguredSecrets, StandInUrlsOfListsAndVars) {
  project_.write("key", "file-value\n");
  const Job many =
      job("urls = [\"https://x.example/1\", \" https://x.example/{{k}}/2 \", "
          "\"https://x.example/$${env:TOKEN}\"]\n"
          "vars = { k = \"a${file:key}b\" }\nselector = \"p\"\n");
  EXPECT_THAT(many.urls, ElementsAre("https://x.example/1", "https://x.example/a${file:key}b/2",
                                     "https://x.example/$${env:TOKEN}"));
  EXPECT_THAT(resolved(many), ElementsAre("https://x.example/1", "https://x.example/afile-valueb/2",
                                          "https://x.example/${env:TOKEN}"));
}

TEST_F(ConfiguredSecrets, AreNotReadFromTheLinesOfUrlsFiles) {
  project_.write("l.txt", "https://x.example/${env:TOKEN}\n");
  const Job listed = job("urls_file = \"l.txt\"\nselector = \"p\"\n");
  EXPECT_THAT(resolved(listed), ElementsAre("https://x.example/${env:TOKEN}"));
}

TEST_F(ConfiguredSecrets, MustNotFollowADollarSign) {
  project_.write("jobs.toml",
                 "[[jobs]]\nname = \"a\"\nurl = \"https://x.example/?p=${{k}}\"\n"
                 "vars = { k = \"${env:TOKEN}\" }\nselector = \"p\"\n");
  EXPECT_THAT(project_.problem_texts(), ElementsAre(HasSubstr("is ambiguous: write it as %24")));
}

TEST_F(ConfiguredSecrets, AreReplacedInPagesOnlyWhenTheyCannotBeOtherText) {
  const Job mixed =
      job("url = \"https://${env:HOST}/?k=${env:TOKEN}&n=${env:SIZE}\"\nselector = \"p\"\n");
  ASSERT_NE(find(mixed, "s3cret-value"), nullptr);
  EXPECT_TRUE(find(mixed, "s3cret-value")->in_pages);
  EXPECT_FALSE(find(mixed, "1000")->in_pages);
  EXPECT_FALSE(find(mixed, "shop7.example")->in_pages) << "a host's name is public";
}

TEST_F(ConfiguredSecrets, AreKnownByTheirParts) {
  const Job hooked =
      job("url = \"https://x.example/\"\nselector = \"p\"\nheaders = { Authorization = \"Bearer "
          "abcd1234efgh\" }\nwebhook = { url = \"${env:HOOK}\" }\n");
  for (const char* part : {"abcd1234efgh", "zz88zz88", "/T0/B1/x9x9x9?auth=zz88zz88"})
    EXPECT_NE(find(hooked, part), nullptr) << part;
  EXPECT_EQ(find(hooked, "zz88zz88")->shown, "[redacted]");
}

TEST_F(ConfiguredSecrets, IncludeThoseOfHostsAndPassedVariables) {
  project_.write("heddle.toml", "[hosts.\"x.example\"]\nheaders = { X-Key = \"${env:TOKEN}\" }\n");
  EXPECT_NE(find(job("url = \"https://x.example/\"\nselector = \"p\"\n"), "s3cret-value"), nullptr);
  project_.variables["DB_PASSWORD"] = "pass-the-salt";
  project_.write("jobs.toml",
                 "[[jobs]]\nname = \"a\"\nkind = \"command\"\ncommand = \"true\"\n"
                 "env_pass = [\"DB_PASSWORD\"]\n");
  EXPECT_THAT(project_.load().project.secrets, Contains("pass-the-salt"));
}

TEST_F(ConfiguredSecrets, AreKnownInTheFormThatAHostGivesThem) {
  project_.variables["SHOP"] = "UpperSecret99xy";
  project_.variables["PAGE"] = "SecretOfAPage";
  const std::string page = "\nselector = \"p\"\n";
  for (const char* url : {"url = \"http://${env:SHOP}.example/${env:PAGE}\"",
                          "url = \"http://{{h}}.example:8080/\"\nvars = { h = \"${env:SHOP}\" }",
                          "url = \"https://x.example/\"\nwebhook = { url = "
                          "\"https://a.${env:SHOP}.example/hook\" }"}) {
    const Job hosted = job(url + page);
    ASSERT_NE(find(hosted, "uppersecret99xy"), nullptr) << url;
    EXPECT_EQ(find(hosted, "uppersecret99xy")->shown, "${env:SHOP}") << url;
    EXPECT_EQ(find(hosted, "secretofapage"), nullptr) << "only hosts are lower-cased";
    for (const std::string& each : resolved(hosted))
      EXPECT_THAT(each, ::testing::Not(HasSubstr("uppersecret"))) << "the value itself is used";
  }
  EXPECT_THAT(project_.load().project.secrets, Contains("uppersecret99xy"));
  project_.variables["SHOP"] = "Bücher";
  EXPECT_NE(find(job("url = \"http://${env:SHOP}.example/\"" + page), "xn--bcher-kva"), nullptr);
}

TEST_F(ConfiguredSecrets, OfChannelsAreKnownInTheFormThatAHostGivesThem) {
  project_.variables["SHOP"] = "UpperSecret99xy";
  project_.write("heddle.toml",
                 "[channels.c]\ntype = \"webhook\"\nurl = \"https://${env:SHOP}.example/\"\n");
  EXPECT_THAT(project_.load().project.secrets, Contains("uppersecret99xy"));
}

TEST_F(ConfiguredSecrets, MustNotStandInNames) {
  const std::string page = "url = \"https://x.example/\"\nselector = \"p\"\n";
  const struct {
    std::string key, text;
  } cases[] = {
      {"name", "name = \"n ${env:TOKEN}\"\n" + page},
      {"name", "name = \"n {{v}}\"\nvars = { v = \"${env:TOKEN}\" }\n" + page},
      {"id", "name = \"n\"\nid = \"${env:TOKEN}\"\n" + page},
      {"tags", "name = \"n\"\ntags = [\"a\", \"${env:TOKEN}\"]\n" + page},
      {"group", "name = \"n\"\ngroup = \"${env:TOKEN}\"\n" + page},
      {"fields", "name = \"n\"\nfields = [\"a\", \"${env:TOKEN}:b\"]\n" + page},
      {"fields", "name = \"n\"\nfields = [{ name = \"${env:TOKEN}\", selector = \"b\" }]\n" + page},
      {"hooks.pre_start", "name = \"n\"\n" + page +
                              "[[jobs.hooks.pre_start]]\nname = \"${env:TOKEN}\"\n"
                              "command = \"true\"\n"},
  };
  for (const auto& each : cases) {
    project_.write("jobs.toml", "[[jobs]]\n" + each.text);
    const Loaded loaded = project_.load();
    EXPECT_THAT(ProjectForTest::texts(loaded.problems),
                Contains(HasSubstr(": " + each.key + ": a name must not have ${…}")))
        << each.text;
    for (const LoadedJob& loaded_job : loaded.jobs)
      EXPECT_THAT(loaded_job.id.text + loaded_job.name, ::testing::Not(HasSubstr("s3cret-value")));
  }
}

TEST_F(ConfiguredSecrets, MayStandBesideNames) {
  const Job escaped =
      job("tags = [\"$${env:TOKEN}\"]\nurl = \"https://x.example/\"\n"
          "selector = \"p\"\nfields = [\"a:b[title='${env:TOKEN}']\"]\n");
  EXPECT_THAT(escaped.tags, ElementsAre("${env:TOKEN}"));
  EXPECT_EQ(escaped.fields.front().name, "a");
}

TEST_F(ConfiguredSecrets, LeaveTheSharingOfPagesAsItIs) {
  const std::string page = "url = \"https://x.example/?k=${env:TOKEN}\"\nselector = \"p\"\n";
  const Loaded loaded =
      project_
          .write("jobs.toml", "[[jobs]]\nname = \"a\"\n" + page + "[[jobs]]\nname = \"b\"\n" + page)
          .load();
  ASSERT_EQ(loaded.project.jobs.size(), 2U);
  EXPECT_NE(loaded.project.jobs[0].shared_page_group, 0U);
  EXPECT_EQ(loaded.project.jobs[0].shared_page_group, loaded.project.jobs[1].shared_page_group);
}

}  // namespace
}  // namespace heddle::config
