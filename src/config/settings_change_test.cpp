#include "config/settings_change.hpp"

#include <gtest/gtest.h>

#include "config/project_for_test.hpp"

namespace heddle::config {
namespace {

class SettingsChange : public ::testing::Test {
 protected:
  std::vector<SettingChange> between(std::string_view before, std::string_view after) {
    return compare_settings(read(before), read(after));
  }
  Settings read(std::string_view text) {
    std::filesystem::create_directories(project_.root());
    return settings_of(load_settings(project_.root(), project_.environment(), std::string(text)));
  }

  ProjectForTest project_;
};

TEST_F(SettingsChange, IsNoneForCommentsOrderAndPresetsWrittenDown) {
  EXPECT_TRUE(between("[limits]\nbody = \"5MB\"\nnodes = 10\n",
                      "# less\n[limits]\nnodes = 10\nbody = \"5MB\"\nper_host = 4\n")
                  .empty());
}

TEST_F(SettingsChange, NamesTheKeyWithItsFormerAndItsNewValue) {
  const std::vector<SettingChange> expected{
      {"limits.body", "\"5MB\"", "\"10MB\"", TakenUpBy::workers},
      {"network.user_agent", "heddle and its version", "\"me/1\"", TakenUpBy::workers}};
  EXPECT_EQ(between("limits.body = \"5MB\"\n", "network.user_agent = \"me/1\"\n"), expected);
}

TEST_F(SettingsChange, ConcernsWorkersUnlessItIsKnownNotTo) {
  const auto by = [this](std::string_view text) { return between("", text).at(0).by; };
  EXPECT_EQ(by("[script]\nmemory = \"1MB\"\n"), TakenUpBy::workers);
  EXPECT_EQ(by("[recovery]\nhang_timeout = \"40s\"\n"), TakenUpBy::workers);
  EXPECT_EQ(by("[hosts.\"a.example\"]\nrobots = \"obey\"\n"), TakenUpBy::workers);
  EXPECT_EQ(by("[hosts.\"a.example\"]\ndelay = \"2s\"\n"), TakenUpBy::coordinator);
  EXPECT_EQ(by("[limits]\nruns_in_parallel = 1\n"), TakenUpBy::coordinator);
  EXPECT_EQ(by("[daemon]\nprocesses = 3\n"), TakenUpBy::coordinator);
  EXPECT_EQ(by("data_dir = \"elsewhere\"\n"), TakenUpBy::next_daemon);
}

TEST_F(SettingsChange, IncludesDefaultsAndGroups) {
  const std::vector<SettingChange> expected{
      {"defaults.timeout", "not set", "\"9s\"", TakenUpBy::workers},
      {"groups.shops", "not set", "{}", TakenUpBy::workers},
      {"groups.shops.timeout", "not set", "8", TakenUpBy::workers}};
  EXPECT_EQ(between("", "[defaults]\ntimeout = \"9s\"\n[groups.shops]\ntimeout = 8\n"), expected);
}

TEST_F(SettingsChange, LeavesOutWhatHasNoEffectYet) {
  EXPECT_TRUE(between("", "[server]\nlisten = \"127.0.0.1:1\"\n").empty());
}

TEST_F(SettingsChange, HidesSecretsAndNoticesThatTheyAreOthers) {
  const auto changes = between("[hosts.a.headers]\nAuthorization = \"Bearer one\"\n",
                               "[hosts.a.headers]\nAuthorization = \"Bearer two\"\n");
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].before, "\"[redacted]\"");
  EXPECT_EQ(changes[0].after, "\"[redacted]\"");
}

TEST_F(SettingsChange, NoticesAnotherSecretBehindTheSameText) {
  const std::string text = "network.user_agent = \"${file:agent}\"\n";
  project_.write("agent", "one");
  const Settings before = read(text);
  project_.write("agent", "two");
  ASSERT_EQ(compare_settings(before, read(text)).size(), 1U);
}

TEST_F(SettingsChange, ThatTheNextDaemonTakesUpIsNotInForce) {
  const Settings before = read("limits.nodes = 1\n");
  const Settings after = read("data_dir = \"d\"\nlimits.nodes = 2\n");
  const Settings in_force = settings_in_force(before, after);
  const auto left = compare_settings(in_force, after);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].key, "data_dir");
}

}  // namespace
}  // namespace heddle::config
