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

TEST_F(SettingsChange, IsEmptyForCommentsOrderAndExplicitDefaults) {
  EXPECT_TRUE(between("[limits]\nbody = \"5MB\"\nnodes = 10\n",
                      "# less\n[limits]\nnodes = 10\nbody = \"5MB\"\nper_host = 4\n")
                  .empty());
}

TEST_F(SettingsChange, NamesTheKeyWithItsFormerAndItsNewValue) {
  const std::vector<SettingChange> expected{
      {"limits.body", "\"5MB\"", "\"10MB\"", AppliedBy::workers},
      {"network.user_agent", "heddle and its version", "\"me/1\"", AppliedBy::workers}};
  EXPECT_EQ(between("limits.body = \"5MB\"\n", "network.user_agent = \"me/1\"\n"), expected);
}

TEST_F(SettingsChange, ConcernsWorkersUnlessListedOtherwise) {
  const auto applied_by = [this](std::string_view text) {
    return between("", text).at(0).applied_by;
  };
  EXPECT_EQ(applied_by("[script]\nmemory = \"1MB\"\n"), AppliedBy::workers);
  EXPECT_EQ(applied_by("[recovery]\nhang_timeout = \"40s\"\n"), AppliedBy::workers);
  EXPECT_EQ(applied_by("[hosts.\"a.example\"]\nrobots = \"obey\"\n"), AppliedBy::workers);
  EXPECT_EQ(applied_by("[hosts.\"a.example\"]\ndelay = \"2s\"\n"), AppliedBy::coordinator);
  EXPECT_EQ(applied_by("[limits]\nruns_in_parallel = 1\n"), AppliedBy::coordinator);
  EXPECT_EQ(applied_by("[daemon]\nprocesses = 3\n"), AppliedBy::coordinator);
  EXPECT_EQ(applied_by("data_dir = \"elsewhere\"\n"), AppliedBy::next_daemon);
}

TEST_F(SettingsChange, IncludesDefaultsAndGroups) {
  const std::vector<SettingChange> expected{
      {"defaults.timeout", "not set", "\"9s\"", AppliedBy::workers},
      {"groups.shops", "not set", "{}", AppliedBy::workers},
      {"groups.shops.timeout", "not set", "8", AppliedBy::workers}};
  EXPECT_EQ(between("", "[defaults]\ntimeout = \"9s\"\n[groups.shops]\ntimeout = 8\n"), expected);
}

TEST_F(SettingsChange, OmitsKeysWithoutEffectYet) {
  EXPECT_TRUE(between("", "[server]\nlisten = \"127.0.0.1:1\"\n").empty());
}

TEST_F(SettingsChange, HidesSecretsButDetectsTheirChange) {
  const auto changes = between("[hosts.a.headers]\nAuthorization = \"Bearer one\"\n",
                               "[hosts.a.headers]\nAuthorization = \"Bearer two\"\n");
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].before, "\"[redacted]\"");
  EXPECT_EQ(changes[0].after, "\"[redacted]\"");
}

TEST_F(SettingsChange, DetectsAnotherSecretBehindTheSameText) {
  const std::string text = "network.user_agent = \"${file:agent}\"\n";
  project_.write("agent", "one");
  const Settings before = read(text);
  project_.write("agent", "two");
  ASSERT_EQ(compare_settings(before, read(text)).size(), 1U);
}

TEST_F(SettingsChange, ThatTheNextDaemonAppliesIsNotActive) {
  const Settings before = read("limits.nodes = 1\n");
  const Settings after = read("data_dir = \"d\"\nlimits.nodes = 2\n");
  const Settings active = active_settings(before, after);
  const auto remaining = compare_settings(active, after);
  ASSERT_EQ(remaining.size(), 1U);
  EXPECT_EQ(remaining[0].key, "data_dir");
}

}  // namespace
}  // namespace heddle::config
