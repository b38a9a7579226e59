#include "config/show_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/project_for_test.hpp"

namespace heddle::config {
namespace {

// "value | origin" of one key, empty when it is not shown.
std::string shown(const std::vector<ShownValue>& values, std::string_view key) {
  for (const ShownValue& each : values)
    if (each.key == key) return each.value + " | " + each.origin;
  return {};
}

TEST(ShowConfig, ShowsEachValueWithItsOrigin) {
  ProjectForTest project;
  project.write("heddle.toml", "[defaults]\ntimeout = \"1s\"\nheaders = { X-A = \"1\" }\n");
  const Loaded loaded = project.job("workers = 2\n").load();
  const auto values = show_config(loaded.jobs.at(0));
  EXPECT_EQ(shown(values, "timeout"), "\"1s\" | heddle.toml:2");
  EXPECT_EQ(shown(values, "headers.x-a"), "\"1\" | heddle.toml:3");
  EXPECT_EQ(shown(values, "workers"), "2 | jobs/a/config.toml:5");
  EXPECT_EQ(shown(values, "retry.max"), "3 | default");
  EXPECT_EQ(shown(values, "id"), "\"a\" | from the name");
  EXPECT_EQ(shown(values, "fields"), "[\"title:h2\"] | jobs/a/config.toml:4");
}

TEST(ShowConfig, ShowsValuesThatFollowFromOtherKeys) {
  ProjectForTest project;
  const Loaded loaded = project.job("webhook = { url = \"https://h.example/\" }\n").load();
  const auto values = show_config(loaded.jobs.at(0));
  EXPECT_EQ(shown(values, "proxy.enabled"), "false | default");
  EXPECT_EQ(shown(values, "webhook.enabled"), "true | with webhook.url");
}

TEST(ShowConfig, ShowsDiscoveryOnlyOfJobsThatHaveIt) {
  ProjectForTest project;
  project.job("").job("discover = { depth = 1 }\n", "b");
  const Loaded loaded = project.load();
  EXPECT_EQ(shown(show_config(loaded.jobs.at(0)), "discover.follow"), "");
  const auto values = show_config(loaded.jobs.at(1));
  EXPECT_EQ(shown(values, "discover.follow"), "[\"pagination\"] | default");
  EXPECT_EQ(shown(values, "discover.depth"), "1 | jobs/b/config.toml:5");
}

TEST(ShowConfig, OmitsSecrets) {
  ProjectForTest project;
  project.variables = {{"T", "hunter2hunter2"}};
  const Loaded loaded =
      project
          .job(
              "headers = { Authorization = \"Bearer abc\", X-T = \"${env:T}\" }\n"
              "webhook = { url = \"https://h.example/${env:T}\", secret = \"c2VjcmV0\" }\n"
              "proxy = { urls = [\"http://u:pw@p.example\", \"http://u:${env:T}@p.example\"] }\n")
          .load();
  const auto values = show_config(loaded.jobs.at(0));
  EXPECT_EQ(shown(values, "headers.authorization"), "\"[redacted]\" | jobs/a/config.toml:5");
  EXPECT_EQ(shown(values, "headers.x-t"), "\"${env:T}\" | jobs/a/config.toml:5");
  EXPECT_EQ(shown(values, "webhook.url"), "\"https://h.example/${env:T}\" | jobs/a/config.toml:6");
  EXPECT_EQ(shown(values, "webhook.secret"), "\"[redacted]\" | jobs/a/config.toml:6");
  EXPECT_EQ(shown(values, "proxy.urls"),
            "[\"http://u:[redacted]@p.example\", \"http://u:${env:T}@p.example\"] | "
            "jobs/a/config.toml:7");
  for (const ShownValue& each : values)
    EXPECT_THAT(each.value, ::testing::Not(::testing::HasSubstr("hunter2")));
}

TEST(ShowConfig, MarksKeysWithoutEffectYet) {
  ProjectForTest project;
  const Loaded loaded = project.job("series = [\"rating\"]\n").load();
  for (const ShownValue& each : show_config(loaded.jobs.at(0)))
    EXPECT_EQ(each.available, each.key != "series") << each.key;
}

TEST(ShowConfig, ShowsInvalidJobsToo) {
  ProjectForTest project;
  const Loaded loaded = project.job("workers = 0\n").load();
  EXPECT_EQ(shown(show_config(loaded.jobs.at(0)), "workers"), "0 | jobs/a/config.toml:5");
}

}  // namespace
}  // namespace heddle::config
