// Every problem as it is printed: file, line, key, what is wrong, what is allowed.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/load_project.hpp"
#include "config/project_for_test.hpp"

namespace heddle::config {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The problem with one line, line 5, that is added to a valid job.
std::string problem_with(std::string_view line) {
  ProjectForTest project;
  const auto problem_texts = project.job(line).problem_texts();
  constexpr std::string_view kLocation = "jobs/a/config.toml:5: ";
  if (problem_texts.size() != 1 || !problem_texts[0].starts_with(kLocation))
    return "unexpected: " + ::testing::PrintToString(problem_texts);
  return problem_texts[0].substr(kLocation.size());
}

std::vector<std::string> problems_of_job(std::string_view config) {
  ProjectForTest project;
  return project.write("jobs/a/config.toml", config).problem_texts();
}

TEST(Problems, NameUnknownKeysWithASuggestion) {
  EXPECT_EQ(problem_with("timout = 5"), "timout: unknown key, did you mean `timeout`?");
  EXPECT_EQ(
      problem_with("retry.maximum = 5"),
      "retry.maximum: unknown key, allowed are `max`, `base`, `factor`, `jitter`, `cap`, `runs`");
  EXPECT_EQ(problem_with("limits.per_host = 5"),
            "limits.per_host: unknown key here: it belongs in [limits] of heddle.toml");
  EXPECT_EQ(problem_with("qqqqqq = 5"), "qqqqqq: unknown key, see `heddle explain`");
}

TEST(Problems, ShortenVeryLongKeys) {
  EXPECT_EQ(problem_with(std::string(1 << 20, 'k') + " = 5"),
            std::string(100, 'k') + "…: unknown key, see `heddle explain`");
}

TEST(Problems, NameWrongTypes) {
  EXPECT_EQ(problem_with("enabled = \"yes\""), "enabled: found \"yes\", expected true or false");
  EXPECT_EQ(problem_with("workers = 1.5"), "workers: found 1.5, expected a whole number");
  EXPECT_EQ(problem_with("body = 5"), "body: found 5, expected a text");
  EXPECT_EQ(problem_with("tags = \"a\""), "tags: found \"a\", expected a list of texts");
  EXPECT_EQ(problem_with("tags = [\"a\", 5]"),
            "tags: found 5 in the list, expected a list of texts");
  EXPECT_EQ(problem_with("retry = 5"), "retry: found 5, expected a table");
  EXPECT_EQ(problem_with("headers = [\"a\"]"),
            "headers: found a list, expected a table of header names and values");
  EXPECT_EQ(problem_with("vars = { a = [1] }"), "vars.a: found a list, expected a text");
  EXPECT_EQ(problem_with("body = 2026-01-01"), "body: found 2026-01-01, expected a text");
  EXPECT_EQ(problem_with("max_error_rate = nan"), "max_error_rate: found nan, expected a number");
}

TEST(Problems, DescribeDurationsAndSizes) {
  EXPECT_EQ(
      problem_with("timeout = \"soon\""),
      "timeout: found \"soon\", expected a duration: seconds as a number, or \"250ms\", \"90s\", "
      "\"1h30m\", \"7d\"");
  EXPECT_EQ(problem_with("limits.body = \"10XB\""),
            "limits.body: found \"10XB\", expected a size: bytes as a number, or \"10MB\" (10^6), "
            "\"16MiB\" (2^20)");
}

TEST(Problems, NameRanges) {
  EXPECT_EQ(problem_with("workers = 0"), "workers: found 0, expected 1 to 1000");
  EXPECT_EQ(problem_with("workers = 1001"), "workers: found 1001, expected 1 to 1000");
  EXPECT_EQ(problem_with("timeout = 0"), "timeout: found 0, expected 1ms to 1h");
  EXPECT_EQ(problem_with("timeout = \"2h\""), "timeout: found \"2h\", expected 1ms to 1h");
  EXPECT_EQ(problem_with("limits.body = \"3GB\""),
            "limits.body: found \"3GB\", expected 1KB to 2GB");
  EXPECT_EQ(problem_with("limits.body = 1"), "limits.body: found 1, expected 1KB to 2GB");
  EXPECT_EQ(problem_with("max_error_rate = 1.5"), "max_error_rate: found 1.5, expected 0 to 1");
}

TEST(Problems, NameTheSmallestStorageLimit) {
  for (const auto& [storage, problem_text] : std::map<std::string, std::string>{
           {"0", "found 0, expected at least 10MB"},
           {"\"0\"", "found \"0\", expected at least 10MB"},
           {"\"1B\"", "found \"1B\", expected at least 10MB"},
           {"\"9MB\"", "found \"9MB\", expected at least 10MB"},
           {"\"0.01%\"", "found \"0.01%\", expected at least 0.1% of the disk"}}) {
    ProjectForTest project;
    project.job("").write("heddle.toml", "[limits]\nstorage = " + storage + "\n");
    EXPECT_THAT(project.problem_texts(),
                ElementsAre("heddle.toml:2: limits.storage: " + problem_text));
  }
  ProjectForTest project;
  project.job("").write("heddle.toml", "[limits]\nstorage = \"10MB\"\n");
  EXPECT_THAT(project.problem_texts(), IsEmpty());
}

TEST(Problems, NameAllowedWordsAndTheNearest) {
  EXPECT_EQ(
      problem_with("snapshots = \"changd\""),
      "snapshots: found \"changd\", expected one of \"changed\", \"all\", \"none\"; did you mean "
      "\"changed\"?");
  EXPECT_EQ(
      problem_with("proxy = { urls = [\"http://p\"], rotate = \"roundrobin\" }"),
      "proxy.rotate: found \"roundrobin\", expected one of \"RoundRobin\", \"Sticky\", \"Random\"; "
      "did you mean \"RoundRobin\"?");
}

TEST(Problems, NameInvalidRequestParts) {
  EXPECT_THAT(problem_with("method = \"GE T\""), StartsWith("method: only letters"));
  EXPECT_EQ(problem_with("method = \"connect\""), "method: the method CONNECT is not supported");
  EXPECT_THAT(problem_with("headers = { \"A B\" = \"x\" }"),
              StartsWith("headers.A B: not a header name: "));
  EXPECT_EQ(problem_with("headers = { A = \"x\\r\\nB: y\" }"),
            "headers.A: a header value must not have line breaks or other control characters");
  EXPECT_EQ(problem_with("headers = { Accept = \"x\", accept = \"y\" }"),
            "headers.Accept: the same header is given twice");
  EXPECT_EQ(problem_with("proxy.urls = [\"ftp://p\"]"),
            "proxy.urls: a proxy must start with http://, https:// or socks5://");
  EXPECT_EQ(problem_with("proxy.enabled = true"), "proxy.enabled: a proxy needs `urls`");
  EXPECT_EQ(problem_with("webhook.enabled = true"), "webhook.enabled: a webhook needs a `url`");
  EXPECT_THAT(problem_with("webhook.url = \"mailto:x\""), StartsWith("webhook.url: "));
  EXPECT_EQ(problem_with("webhook.secret = [\"a\", \"b\", \"c\"]"),
            "webhook.secret: at most two secrets can be given, the second during a rotation");
  EXPECT_THAT(problem_with("webhook.secret = \"my cat\""),
              HasSubstr("webhook.secret: invalid secret: expected \"whsec_\""));
  EXPECT_EQ(problem_with("cookie_file = \"\""), "cookie_file: a path must not be empty");
}

TEST(Problems, NameUnknownFields) {
  EXPECT_EQ(problem_with("hash_fields = [\"price\", \"title\"]"),
            "hash_fields: there is no field \"price\"; fields are \"title\"");
  EXPECT_EQ(problem_with("search_fields = [\"titl\"]"),
            "search_fields: there is no field \"titl\", did you mean \"title\"?");
}

TEST(Problems, NameInvalidFieldsWithTheLineOfEach) {
  const auto problem_texts = problems_of_job(R"(name = "a"
url = "https://example.com"
fields = [
  "h2",
  "title:h2",
  "bad:a[",
  { name = "title", selector = "b" },
  { selector = "b" },
  { name = "x", regex = "(" },
  { name = "y", typ = "text" },
  { name = "z", type = "cash" },
  7,
]
)");
  EXPECT_THAT(
      problem_texts,
      ElementsAre(
          "jobs/a/config.toml:4: fields: a field needs a name: \"name:css\", "
          "\"name:css@attribute\", \"name:./xpath\" or \"name:$.json.path\"",
          StartsWith("jobs/a/config.toml:6: fields: field \"bad\": position"),
          "jobs/a/config.toml:7: fields: there are two fields \"title\"",
          "jobs/a/config.toml:8: fields: the field has no name",
          StartsWith("jobs/a/config.toml:9: fields.regex: not a regular expression: "),
          "jobs/a/config.toml:10: fields.typ: unknown key, did you mean `type`?",
          StartsWith("jobs/a/config.toml:11: fields.type: found \"cash\", expected one of "),
          StartsWith("jobs/a/config.toml:12: fields: found 7 in the list, expected ")));
}

TEST(Problems, NameSelectorsThatDoNotCompile) {
  EXPECT_THAT(problems_of_job("name = \"a\"\nurl = \"https://example.com\"\nselector = \"li >\"\n"),
              ElementsAre(StartsWith("jobs/a/config.toml:3: selector: position ")));
}

TEST(Problems, NameSelectorsOfEveryKindThatDoNotCompile) {
  const std::string begin = "name = \"a\"\nurl = \"https://example.com\"\n";
  EXPECT_THAT(problems_of_job(begin + "selector = \"$.a[\"\n"),
              ElementsAre(StartsWith("jobs/a/config.toml:3: selector: JSONPath: position ")));
  EXPECT_THAT(problems_of_job(begin + "selector = \"//a[\"\n"),
              ElementsAre(StartsWith("jobs/a/config.toml:3: selector: XPath: position ")));
  EXPECT_THAT(problems_of_job(begin + "json_in = \"script[\"\nfields = [\"a:$.b\"]\n"),
              ElementsAre(StartsWith("jobs/a/config.toml:3: json_in: position ")));
  EXPECT_THAT(
      problems_of_job(begin + "fields = [{ name = \"x\", css = \"a\", xpath = \"b\" }]\n"),
      ElementsAre("jobs/a/config.toml:3: fields: `css` and `xpath` cannot be given together"));
}

TEST(Problems, NameSelectorsThatDoNotFitTogether) {
  const std::string begin = "name = \"a\"\nurl = \"https://example.com\"\n";
  EXPECT_THAT(problems_of_job(begin + "selector = \"$.a\"\nfields = [\"x:b\"]\n"),
              ElementsAre(StartsWith("jobs/a/config.toml:4: fields: JSONPaths (\"$…\") cannot be "
                                     "mixed with CSS selectors")));
  EXPECT_THAT(problems_of_job(begin + "format = \"json\"\nfields = [\"x:b\"]\n"),
              ElementsAre(StartsWith("jobs/a/config.toml:3: format: CSS selectors and XPath "
                                     "expressions cannot read JSON")));
  EXPECT_THAT(problems_of_job(begin + "json_in = \"script\"\nfields = [\"x:b\"]\n"),
              ElementsAre(StartsWith("jobs/a/config.toml:3: json_in: `json_in` reads JSON")));
  EXPECT_THAT(problems_of_job(begin + "watch = \"feed\"\nselector = \"li\"\n"),
              ElementsAre(StartsWith(
                  "jobs/a/config.toml:4: selector: is not allowed with watch = \"feed\"")));
  EXPECT_THAT(problems_of_job(begin + "watch = \"feed\"\nformat = \"html\"\n"),
              ElementsAre(StartsWith("jobs/a/config.toml:4: format: is not a format of feeds")));
  EXPECT_THAT(problems_of_job(begin + "watch = \"feed\"\nformat = \"xml\"\n"), ElementsAre());
}

TEST(Problems, NameWhatHasNoEffectOnAJobThatWatchesTheStatus) {
  const std::string begin = "name = \"a\"\nurl = \"https://example.com\"\nwatch = \"status\"\n";
  const std::string why =
      " has no effect with watch = \"status\", which extracts nothing: remove it";
  EXPECT_THAT(problems_of_job(begin + "[expect]\nstatus = \"200\"\ntls_days = 14\n"), IsEmpty());
  EXPECT_THAT(
      problems_of_job(begin + "selector = \"li\"\nfields = [\"x:b\"]\n"),
      ElementsAre("jobs/a/config.toml:4: selector:" + why, "jobs/a/config.toml:5: fields:" + why));
  EXPECT_THAT(problems_of_job(begin + "[expect]\nmin_items = 1\n"),
              ElementsAre("jobs/a/config.toml:5: expect.min_items: warning:" + why));
  EXPECT_THAT(problems_of_job(begin + "keywords = [\"x\"]\nkey = [\"link\"]\n"),
              ElementsAre("jobs/a/config.toml:4: keywords: warning:" + why,
                          "jobs/a/config.toml:5: key: warning:" + why));
}

TEST(Problems, NameExpectationsThatNoPageCouldMeet) {
  EXPECT_EQ(
      problem_with("expect.status = \"2xx\""),
      "expect.status: \"2xx\" is not an HTTP status: give a number such as 404, or a range such "
      "as 200-299");
  EXPECT_EQ(
      problem_with("expect.status = [\"200\", \"301\"]"),
      "expect.status: warning: redirects are followed, so no page has their status: to expect "
      "a redirect, add `redirects = 0` under [limits]");
  EXPECT_EQ(problem_with("expect = { status = \"301\" }\nlimits.redirects = 0"), "unexpected: {}");
  for (const char* key : {"expect.contains", "expect.not_contains", "must_not_contain"})
    EXPECT_EQ(problem_with(std::string(key) + " = [\" \"]"),
              std::string(key) + ": an empty text is on every page: remove it");
}

TEST(Problems, NameNamespacesThatNoExpressionCouldMean) {
  const auto about = [](const std::string& entries) {
    return problems_of_job(
        "name = \"a\"\nurl = \"https://example.com\"\nselector = \"//x\"\n"
        "namespaces = { " +
        entries + " }\n");
  };
  const std::string at = "jobs/a/config.toml:4: namespaces.";
  EXPECT_THAT(about("dc = 'http://purl.org/dc/elements/1.1/', d = 'DAV:', s-1 = 'urn:x'"),
              ElementsAre());
  EXPECT_THAT(about("'' = 'urn:x'"), ElementsAre(StartsWith(at + ": \"\" cannot be a prefix")));
  EXPECT_THAT(about("'1a' = 'urn:x'"), ElementsAre(StartsWith(at + "1a: \"1a\" cannot be")));
  EXPECT_THAT(about("xmlns = 'urn:x'"),
              ElementsAre(at + "xmlns: the prefix \"xmlns\" belongs to XML itself"));
  EXPECT_THAT(about("dc = ''"), ElementsAre(StartsWith(at + "dc: \"\" is not the URI")));
  EXPECT_THAT(about("dc = 'dublin core'"),
              ElementsAre(StartsWith(at + "dc: \"dublin core\" is not the URI of a namespace")));
  EXPECT_THAT(about("a = 'urn:x', b = 'urn:x'"),
              ElementsAre(at + "b: the prefix \"a\" has the same namespace: keep one"));
}

TEST(Problems, NameMissingKeys) {
  EXPECT_THAT(problems_of_job(""),
              ElementsAre("jobs/a/config.toml:1: name: is missing: every job needs a name",
                          "jobs/a/config.toml:1: url: is missing: a web job needs `url`, `urls` or "
                          "`urls_file`"));
}

TEST(Problems, NameKeysThatDoNotFitWhatIsWatched) {
  const std::string page = "name = \"a\"\nurl = \"https://example.com\"\n";
  const std::string at = "jobs/a/config.toml:3: ";
  EXPECT_THAT(problems_of_job(page), ElementsAre()) << "the text of the page is watched";
  EXPECT_THAT(problems_of_job(page + "hash_fields = [\"name\"]\n"),
              ElementsAre(StartsWith(at + "hash_fields: is about items, but the job has neither")));
  EXPECT_THAT(problems_of_job(page + "fields = [\"name:b\"]\nwatch = \"text\"\n"),
              ElementsAre(StartsWith(at + "fields: is about items, but watch = \"text\"")));
  EXPECT_THAT(
      problems_of_job(page + "keywords = [\"tea\"]\n"),
      ElementsAre(StartsWith(at + "keywords: warning: is about items, but this job watches")));
  EXPECT_THAT(problems_of_job(page + "snapshots = \"none\"\n"),
              ElementsAre(StartsWith(at + "snapshots: keeps no version of a page")));
  EXPECT_THAT(
      problems_of_job(page + "selector = \"p\"\ntrigger = [\"b\"]\n"),
      ElementsAre(
          "jobs/a/config.toml:4: trigger: warning: has an effect with watch = \"text\" only, "
          "but this job watches its items"));
  EXPECT_THAT(problems_of_job(page + "selector = \"p\"\nwatch = \"product\"\n"),
              ElementsAre(at + "selector: is not allowed with watch = \"product\", which needs "
                               "none: remove it"));
  EXPECT_THAT(problems_of_job(page + "watch = \"items\"\n"),
              ElementsAre(HasSubstr("selector: is missing: give `selector` and `fields`")));
  EXPECT_THAT(problems_of_job(page + "watch = \"file\"\nkey = [\"name\"]\n"),
              ElementsAre(HasSubstr("key: there is no field \"name\"")));
}

TEST(Problems, NameUrlsThatAreNotAbsolute) {
  EXPECT_THAT(problems_of_job("name = \"a\"\nselector = \"p\"\nurl = \"/offers\"\n"),
              ElementsAre(StartsWith("jobs/a/config.toml:3: url: ")));
  EXPECT_THAT(problems_of_job("name = \"a\"\nselector = \"p\"\nurls = [\n\"https://a\",\n\"x\"]\n"),
              ElementsAre(StartsWith("jobs/a/config.toml:5: urls: ")));
  EXPECT_THAT(problems_of_job("name = \"a\"\nselector = \"p\"\nurls = []\n"),
              ElementsAre("jobs/a/config.toml:3: urls: the list is empty"));
}

TEST(Problems, NameTheLineOfAUrlsFile) {
  ProjectForTest project;
  project.write("jobs/a/config.toml", "name = \"a\"\nurls_file = \"l.txt\"\nselector = \"p\"\n");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre("jobs/a/config.toml:2: urls_file: \"l.txt\" does not exist"));
  project.write("jobs/a/l.txt", "# none\n");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre("jobs/a/config.toml:2: urls_file: \"l.txt\" has no URL"));
  project.write("jobs/a/l.txt", "https://a.example\n\nnot a url\n");
  EXPECT_THAT(project.problem_texts(), ElementsAre(StartsWith("jobs/a/l.txt:3: ")));
}

TEST(Problems, NameTheKeyThatWinsOfTwoAlternatives) {
  ProjectForTest project;
  EXPECT_THAT(
      project.job("urls = [\"https://b.example\"]\n").problem_texts(),
      ElementsAre("jobs/a/config.toml:2: url: warning: is ignored, because `urls` is given"));
  EXPECT_EQ(project.load().project.jobs.size(), 1U);
}

TEST(Problems, RefuseIntervalAndScheduleTogether) {
  ProjectForTest project;
  EXPECT_THAT(project.job("interval = \"1h\"\nschedule = \"@daily\"\n").problem_texts(),
              ElementsAre("jobs/a/config.toml:6: schedule: only one of `schedule` and `interval` "
                          "(jobs/a/config.toml:5) can be given"));
}

TEST(Problems, NameBothLocationsOfADuplicateId) {
  ProjectForTest project;
  project.write("jobs.toml",
                "\n[[jobs]]\nname = \"Shop!\"\nurl = \"https://a.example\"\nselector = \"p\"\n");
  project.job("id = \"shop\"\n", "b");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre("jobs.toml:2: id: \"shop\" is also the id of the job in "
                          "jobs/b/config.toml:5, ids must be unique",
                          "jobs/b/config.toml:5: id: \"shop\" is also the id of the job in "
                          "jobs.toml:2, ids must be unique"));
  EXPECT_THAT(project.load().project.jobs, IsEmpty());
}

TEST(Problems, NameInvalidIds) {
  EXPECT_EQ(
      problem_with("id = \"My Shop\""),
      "id: found \"My Shop\", expected lower-case letters and digits joined by \"-\", such as "
      "\"my-shop\"");
  EXPECT_THAT(problem_with("id = \"../x\""), StartsWith("id: found"));
  EXPECT_THAT(problem_with("id = \"\""), StartsWith("id: found"));
  EXPECT_THAT(problem_with("id = \"" + std::string(101, 'a') + "\""), HasSubstr("longer than 100"));
  EXPECT_THAT(
      problems_of_job("name = \"!!!\"\nurl = \"https://a\"\nselector = \"p\"\n"),
      ElementsAre("jobs/a/config.toml:1: name: has no letter or digit to make an id of: give "
                  "an `id`"));
  EXPECT_THAT(problems_of_job("name = \" \"\nurl = \"https://a\"\nselector = \"p\"\n"),
              ElementsAre("jobs/a/config.toml:1: name: must not be empty"));
}

TEST(Problems, NameUnknownGroups) {
  ProjectForTest project;
  project.write("heddle.toml", "[groups.shops]\nworkers = 2\n");
  EXPECT_THAT(
      project.job("group = \"shop\"\n").problem_texts(),
      ElementsAre("jobs/a/config.toml:5: group: there is no [groups.shop] in heddle.toml, did "
                  "you mean \"shops\"?"));
}

TEST(Problems, NameErrorsOfDefaultsOnceAndDropTheJobsThatUseThem) {
  ProjectForTest project;
  project.write(
      "heddle.toml",
      "[defaults]\ntimeout = \"soon\"\nname = \"x\"\n[groups.g]\ntimout = 3\ngroup = \"g\"\n");
  project.job("", "a").job("timeout = 3\n", "b");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre(StartsWith("heddle.toml:2: defaults.timeout: found \"soon\""),
                          "heddle.toml:3: defaults.name: can be set only in a job, not in "
                          "[defaults] or [groups.NAME]",
                          "heddle.toml:5: groups.g.timout: unknown key, did you mean `timeout`?",
                          "heddle.toml:6: groups.g.group: can be set only in a job, not in "
                          "[defaults] or [groups.NAME]"));
  const Loaded loaded = project.load();
  ASSERT_EQ(loaded.project.jobs.size(), 1U);
  EXPECT_EQ(loaded.project.jobs[0].id.text, "b");
  EXPECT_THAT(ProjectForTest::texts(loaded.find_job("a")->problems),
              ElementsAre(StartsWith("heddle.toml:2: defaults.timeout: ")));
}

TEST(Problems, NameMissingVarsAndSecrets) {
  EXPECT_EQ(problem_with("body = \"{{city}}\""), "body: {{city}} is not in `vars`");
  EXPECT_EQ(problem_with("body = \"${env:NOPE}\""), "body: environment variable NOPE is not set");
  EXPECT_EQ(problem_with("body = \"${file:nope}\""), "body: file nope does not exist");
  EXPECT_EQ(problem_with("group = \"{{g}}\"\nvars = { g = \"x\" }"),
            "group: a group's name cannot be filled in from `vars`");
  EXPECT_THAT(problem_with("vars = { \"a b\" = \"x\" }"),
              StartsWith("vars.a b: a name is made of"));
}

TEST(Problems, NeverShowASecret) {
  ProjectForTest project;
  project.variables = {{"TOKEN", "hunter2hunter2"}};
  const auto problem_texts =
      project
          .job(
              "timeout = \"${env:TOKEN}\"\nwebhook.url = \"ftp://${env:TOKEN}\"\n"
              "snapshots = \"${env:TOKEN}\"\nproxy.urls = [\"${env:TOKEN}\"]\n")
          .problem_texts();
  EXPECT_EQ(problem_texts.size(), 4U);
  EXPECT_THAT(problem_texts, Each(::testing::Not(HasSubstr("hunter2"))));
}

TEST(Problems, WarnAboutPrivateAddressesUnlessTheyAreAllowed) {
  ProjectForTest project;
  project.write("jobs/a/config.toml",
                "name = \"a\"\nurl = \"http://192.168.1.5/\"\nselector = \"p\"\n"
                "webhook.url = \"http://127.0.0.1:9/\"\n");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre(StartsWith("jobs/a/config.toml:2: url: warning: "),
                          StartsWith("jobs/a/config.toml:4: webhook.url: warning: ")));
  EXPECT_EQ(project.load().project.jobs.size(), 1U);
  project.write("heddle.toml",
                "[network]\nallow = [\"192.168.0.0/16\"]\nallow_delivery = [\"127.0.0.1\"]\n");
  EXPECT_THAT(project.problem_texts(), IsEmpty());
}

TEST(Problems, IncludeANoticeForKeysWithoutEffectYet) {
  EXPECT_EQ(problem_with("selectors_learned = true"),
            "selectors_learned: notice: not available yet, has no effect");
  EXPECT_EQ(problem_with("[[alert]]\nfield = \"title\"\nbelow = 3\n"),
            "alert: notice: not available yet, has no effect");
}

TEST(Problems, IncludeRulesOfDiscoveryThatFindNothing) {
  EXPECT_THAT(problem_with("discover.follow = [\"items\", \"pagination\"]"),
              HasSubstr("discover.follow: warning: the items have no field with a link to follow"));
  EXPECT_THAT(problem_with("discover = { follow = \"links\", depth = 0 }"),
              HasSubstr("discover.depth: warning: is 0: only the next pages"));
  EXPECT_THAT(problem_with("discover.max_pages = 20000"),
              HasSubstr("discover.max_pages: warning: is more than limits.pages_per_run = 10000"));
  EXPECT_THAT(problem_with("discover.follow = \"sitemap\""),
              HasSubstr("\"sitemap\" is not available yet"));
}

TEST(Problems, IncludeDiscoveryInPagesThatHaveNoLinks) {
  ProjectForTest project;
  project.write("jobs/a/config.toml",
                "name = \"a\"\nurl = \"http://a.test/\"\nselector = \"p\"\nformat = \"xml\"\n"
                "discover.follow = \"links\"\n");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre(HasSubstr("discover.follow: warning: finds no pages: only HTML has")));
}

TEST(Problems, OmitKeysThatRepeatTheirDefault) {
  ProjectForTest project;
  project.write("heddle.toml",
                "store = \"sqlite\"\n[daemon]\nshutdown_timeout = 20\n[log]\nlevel = \"info\"\n");
  EXPECT_THAT(
      project.job("interval = \"600s\"\nretry.runs = 0\ndeadline = \"off\"\n").problem_texts(),
      IsEmpty());
}

TEST(Problems, IncludeErrorsOfKeysWithoutEffectYet) {
  ProjectForTest project;
  project.job(
      "gone_after = 0\n[discover]\nfolow = \"items\"\n[[alert]]\nbelow = \"x\"\n"
      "[[hooks.pre_start]]\nfailure = \"explode\"\n[[notify]]\nto = \"phone\"\nquiet = \"22-7\"\n");
  EXPECT_THAT(project.problem_texts(),
              ::testing::IsSupersetOf<::testing::Matcher<std::string>>(
                  {HasSubstr("5: gone_after: found 0, expected 1 to 1000"),
                   HasSubstr("7: discover.folow: unknown key, did you mean `follow`?"),
                   HasSubstr("9: alert.below: found \"x\", expected a number"),
                   HasSubstr("11: hooks.pre_start.failure: found \"explode\", expected one of"),
                   HasSubstr("14: notify.quiet: found \"22-7\", expected a span of hours")}));
}

TEST(Problems, DropJobsThatNeedUnavailableFeatures) {
  ProjectForTest project;
  const Loaded loaded = project.job("render = \"browser\"\n", "b").load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems),
              ElementsAre("jobs/b/config.toml:5: render: \"browser\" is not available yet, so "
                          "the job cannot run; available: \"http\""));
  EXPECT_THAT(loaded.project.jobs, IsEmpty());
  EXPECT_FALSE(loaded.find_job("b")->usable);
}

TEST(Problems, SuggestOnlyAvailableWords) {
  EXPECT_EQ(problem_with("render = \"browsers\""), "render: found \"browsers\", expected \"http\"");
}

TEST(Problems, NameAMissingSharedScript) {
  EXPECT_EQ(problem_with("script = \"shared/shop.lua\""),
            "script: there is no such file; the path is relative to the project");
}

TEST(Problems, NameAScriptThatIsNotARegularFile) {
  ProjectForTest folder;
  folder.job("").write("jobs/a/hooks.lua/x", "");
  EXPECT_THAT(ProjectForTest::texts(folder.load().problems),
              ElementsAre(::testing::EndsWith("hooks.lua: is not a file that can be read")));
  ProjectForTest link;
  link.job("");
  std::filesystem::create_symlink("nowhere.lua", link.root() / "jobs/a/hooks.lua");
  EXPECT_THAT(ProjectForTest::texts(link.load().problems),
              ElementsAre(::testing::EndsWith("hooks.lua: is a link whose target does not exist")));
}

TEST(Problems, NameErrorsOfTheProjectFile) {
  ProjectForTest project;
  project.job("").write("heddle.toml", R"(timezone = "Mars/Olympus"
typo = 1
[network]
allow = ["10.0.0.0/8", "10.0.0.0/99"]
ca_file = "missing.pem"
[hosts."a.example"]
concurrency = 0
[hosts]
b = 3
[script]
cpu_limit = "1m"
[limits]
per_host = 0
groups = 1
)");
  const Loaded loaded = project.load();
  EXPECT_THAT(ProjectForTest::texts(loaded.project_problems),
              ::testing::IsSupersetOf<::testing::Matcher<std::string>>(
                  {StartsWith("heddle.toml:1: timezone: there is no time zone \"Mars/Olympus\""),
                   StartsWith("heddle.toml:2: typo: unknown key"),
                   "heddle.toml:4: network.allow: 10.0.0.0/99 is not a CIDR range, address or host",
                   StartsWith("heddle.toml:5: network.ca_file: there is no file"),
                   "heddle.toml:7: hosts.a.example.concurrency: found 0, expected 1 to 1000",
                   "heddle.toml:11: script.cpu_limit: script.cpu_limit must be less than "
                   "recovery.hang_timeout"}));
  EXPECT_TRUE(has_errors(loaded.project_problems));
}

TEST(Problems, WarnOfWhatStandsInAValueAsItIs) {
  const std::vector<std::pair<std::string, std::string>> slips{
      {"vars = { a = \"{{b}}\", b = \"1\" }\n", "vars.a: warning: a {{…}} stands in the value"},
      {"headers = { X = \"${HOME}\" }\n",
       "headers.X: warning: ${HOME} stands in the value as it is: "
       "write ${env:HOME}"},
      {"body = \"a=${HOME}\"\nmethod = \"POST\"\n", "body: warning: ${HOME} stands"},
      {"keywords = [\"tea\", \"\"]\n", "keywords: warning: an empty keyword has no effect"},
      {"key = []\n", "key: warning: the list is empty"},
      {"hash_fields = []\n", "hash_fields: warning: the list is empty"}};
  for (const auto& [text, warning] : slips) {
    ProjectForTest project;
    EXPECT_THAT(project.job(text).problem_texts(), ElementsAre(HasSubstr(warning))) << text;
    EXPECT_FALSE(project.load().project.jobs.empty()) << "a warning only: " << text;
  }
}

TEST(Problems, LeaveWhatIsMeantSo) {
  ProjectForTest project;
  project.write("heddle.toml", "[defaults]\nkey = [\"title\"]\n");
  project.job("key = []\nvars = { a = \"$${HOME} $5 {{\" }\n");
  EXPECT_THAT(project.problem_texts(), ::testing::IsEmpty());
}

TEST(Problems, WarnWhenZonesCannotBeChecked) {
  ProjectForTest project;
  project.environment().zoneinfo = "/nonexistent";
  project.job("").write("heddle.toml", "timezone = \"Europe/Berlin\"\n");
  EXPECT_THAT(
      project.problem_texts(),
      ElementsAre("heddle.toml:1: timezone: warning: \"Europe/Berlin\" cannot be checked: no "
                  "time zone database in /nonexistent"));
}

TEST(Problems, OfSyntaxHideTheRestOfThatFileOnly) {
  ProjectForTest project;
  project.job("a = \nworkers = 0\n").job("workers = 0\n", "b");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre(::testing::AllOf(StartsWith("jobs/a/config.toml:5: not TOML: "),
                                           EndsWith("; the rest of this file was not checked")),
                          "jobs/b/config.toml:5: workers: found 0, expected 1 to 1000"));
  EXPECT_NE(project.load().find_job("jobs/a"), nullptr);
}

TEST(Problems, OfTheProjectFilesSyntaxPreventEveryJobFromRunning) {
  ProjectForTest project;
  project.job("group = \"g\"\n").write("heddle.toml", "x =\n");
  const Loaded loaded = project.load();
  EXPECT_THAT(ProjectForTest::texts(loaded.problems),
              ElementsAre(StartsWith("heddle.toml:1: not TOML: ")));
  EXPECT_THAT(loaded.project.jobs, IsEmpty());
}

TEST(Problems, NameUnreadableFiles) {
  ProjectForTest project;
  project.job("").write("jobs.toml/x", "").write("jobs/c/config.toml/x", "");
  std::filesystem::create_symlink("nowhere", project.root() / "jobs/dangling");
  std::filesystem::create_directory(project.root() / "jobs/d");
  std::filesystem::create_symlink("nowhere", project.root() / "jobs/d/config.toml");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre("jobs.toml: is not a file", "jobs/c/config.toml: is not a file",
                          "jobs/d/config.toml: does not exist"));
}

TEST(Problems, NameFilesThatAreTooLarge) {
  ProjectForTest project;
  project.write("jobs/a/config.toml", std::string(5 << 20, '#'));
  EXPECT_THAT(project.problem_texts(),
              ElementsAre("jobs/a/config.toml: is larger than 4194304 bytes"));
}

TEST(Problems, NameErrorsOfTheJobsFile) {
  ProjectForTest project;
  project.write("jobs.toml", "name = \"x\"\n[[jobs]]\n");
  EXPECT_THAT(project.problem_texts(),
              ElementsAre("jobs.toml:1: name: unknown key, jobs are written under [[jobs]]",
                          StartsWith("jobs.toml:2: name: is missing"),
                          StartsWith("jobs.toml:2: url: is missing")));
  EXPECT_THAT(
      project.write("jobs.toml", "jobs = 3\n").problem_texts(),
      ElementsAre("jobs.toml:1: jobs: found a whole number, expected tables under [[jobs]]"));
  EXPECT_THAT(
      project.write("jobs.toml", "jobs = [3]\n").problem_texts(),
      ElementsAre("jobs.toml:1: jobs: found a whole number, expected tables under [[jobs]]"));
}

TEST(Problems, ReportAMissingProjectOrAProjectWithoutJobs) {
  ProjectForTest project;
  EXPECT_THAT(project.problem_texts(),
              ElementsAre(StartsWith("jobs.toml: warning: the project has no jobs")));
  const Loaded loaded = load_project(project.root() / "missing", project.environment());
  EXPECT_TRUE(has_errors(loaded.problems));
}

TEST(Problems, NameEveryMissingVariableOfOneText) {
  EXPECT_EQ(problem_with("body = \"{{a}} ${env:NOT_SET} {{b}} {{a}}\""),
            "body: {{a}} is not in `vars`; environment variable NOT_SET is not set; {{b}} is not "
            "in `vars`");
}

}  // namespace
}  // namespace heddle::config
