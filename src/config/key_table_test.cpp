#include "config/key_table.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/key_texts.hpp"
#include "config/read/bind.hpp"
#include "config/read/values/read_value.hpp"
#include "config/read/values/scalar.hpp"
#include "config/read/values/toml_value.hpp"
#include "ipc/values/same_value.hpp"

namespace heddle::config {
namespace {

TEST(KeyTable, BeginsWithTheFilesOfAProject) {
  EXPECT_EQ(all_sections()[0].name, "project");
  EXPECT_EQ(all_sections()[1].name, "jobs_file");
  EXPECT_EQ(all_sections()[2].name, "job");
}

TEST(KeyTable, NamesEachKeyOnceInASection) {
  for (const Section& section : all_sections()) {
    std::set<std::string_view> seen;
    for (const std::string_view name : key_names(section))
      EXPECT_TRUE(seen.insert(name).second) << section.name << "." << name;
  }
}

TEST(KeyTable, HasAHelpSentenceForEveryKey) {
  for (const Section& section : all_sections())
    for (const Key& key : section.keys)
      EXPECT_TRUE(key.help.size() > 5 && key.help.ends_with('.'))
          << section.name << "." << key.name;
}

TEST(KeyTable, DescribesEveryTypeItUses) {
  for (const Section& section : all_sections())
    for (const Key& key : section.keys)
      EXPECT_NE(describe(key.type), "a value") << section.name << "." << key.name;
}

TEST(KeyTable, NamesOnlySectionsThatExist) {
  for (const Section& section : all_sections())
    for (const Key& key : section.keys)
      EXPECT_NO_THROW(has_section(key.type) ? section_named(key.allowed) : section) << key.name;
}

TEST(KeyTable, HasDefaultsThatPassItsOwnChecks) {
  for (const Section& section : all_sections())
    for (const Key& key : section.keys)
      EXPECT_NO_THROW(preset_of(key)) << section.name << "." << key.name;
}

// Also checks the ranges: an invalid bound throws.
TEST(KeyTable, HasExamplesThatPassItsOwnChecks) {
  const Environment machine{.zoneinfo = "/nonexistent"};
  for (const KeyLocation& location : all_key_locations()) {
    const std::string example = example_of(*location.key, "k");
    const auto parsed = parse_toml(example);
    ASSERT_TRUE(std::holds_alternative<TomlValue>(parsed)) << location.path << ": " << example;
    const TomlValue* value = find_entry(*std::get<TomlValue>(parsed).table(), location.key->name);
    if (value == nullptr || location.key->type == KeyType::table) continue;  // "[k]"
    for (const ValueProblem& each : read_value(*location.key, *value, machine).value_problems)
      EXPECT_NE(each.severity, ProblemSeverity::error) << location.path << ": " << each.message;
  }
}

TEST(KeyTable, HasABindingForEveryAvailableKeyOfAJob) {
  const std::set<std::string> read_by_the_builder{"id",     "url",   "urls",    "urls_file",
                                                  "render", "after", "env_file"};
  std::vector<KeyLocation> locations = all_key_locations();
  for (const KeyLocation& location : locations) {
    if (location.section->name == "project") break;
    const bool is_leaf =
        location.key->type == KeyType::field_list || !has_section(location.key->type);
    const bool is_now = location.key->availability == Availability::now;
    const bool is_of_a_list = location.section->name == "field" ||
                              location.section->name == "after" || location.section->name == "hook";
    if (!is_leaf || !is_now || is_of_a_list) continue;
    EXPECT_TRUE(read_by_the_builder.contains(location.path) || is_job_key_bound(location.path))
        << location.path;
  }
}

TEST(KeyTable, HasABindingForEveryAvailableKeyOfTheProject) {
  for (const std::string_view name :
       {"project", "network", "project_limits", "host", "channel", "alerts"}) {
    const std::string prefix = name == "project"          ? ""
                               : name == "project_limits" ? "limits."
                               : name == "host"           ? "hosts."
                               : name == "channel"        ? "channels."
                                                          : std::string(name) + ".";
    for (const Key& key : section_named(name).keys)
      EXPECT_TRUE(key.availability == Availability::later || has_section(key.type) ||
                  is_project_key_bound(prefix + std::string(key.name)))
          << name << "." << key.name;
  }
}

TEST(KeyTable, FillsAJobWithTheDefaults) {
  using namespace std::chrono_literals;
  const Job job = job_of_presets();
  EXPECT_EQ(job.timeout, 30s);
  EXPECT_EQ(job.interval, 10min);
  EXPECT_EQ(job.method, "GET");
  EXPECT_EQ(job.retry.max, 3);
  EXPECT_EQ(job.retry.cap, 5min);
  EXPECT_EQ(job.limits.body, 10'000'000);
  EXPECT_EQ(job.limits.pages_per_run, 10'000);
  EXPECT_EQ(job.notification.timeout, 5000ms);
  EXPECT_DOUBLE_EQ(job.max_error_rate, 0.5);
  EXPECT_TRUE(job.enabled);
}

TEST(KeyTable, FillsAProjectWithTheDefaults) {
  const Project project = project_of_presets();
  EXPECT_EQ(project.data_dir, "data");
  EXPECT_EQ(project.per_host, 4);
  EXPECT_EQ(project.runs_in_parallel, 256);
}

// The structs have the same defaults for those who fill them without a file.
TEST(KeyTable, HasTheDefaultsOfTheModel) {
  using ipc::testing::same;
  const Job job = job_of_presets();
  const Job plain;
  EXPECT_TRUE(same(job.retry, plain.retry));
  EXPECT_TRUE(same(job.limits, plain.limits));
  EXPECT_TRUE(same(job.notification, plain.notification));
  EXPECT_TRUE(same(job.webhook, plain.webhook));
  EXPECT_TRUE(same(job.proxy, plain.proxy));
  EXPECT_EQ(job.timeout, plain.timeout);
  EXPECT_EQ(job.stop_timeout, plain.stop_timeout);
  EXPECT_EQ(job.stagger, plain.stagger);
  EXPECT_EQ(job.workers, plain.workers);
  EXPECT_EQ(job.alert_after, plain.alert_after);
  EXPECT_EQ(job.max_error_rate, plain.max_error_rate);
  EXPECT_EQ(job.program.parallelism, plain.program.parallelism);
  EXPECT_EQ(job.program.backoff_limit, plain.program.backoff_limit);

  const Project project = project_of_presets();
  const Project nothing;
  EXPECT_TRUE(same(project.daemon, nothing.daemon));
  EXPECT_TRUE(same(project.recovery, nothing.recovery));
  EXPECT_TRUE(same(project.script, nothing.script));
  EXPECT_TRUE(same(project.alerts, nothing.alerts));
  EXPECT_TRUE(same(project.log, nothing.log));
  EXPECT_TRUE(same(project.retention, nothing.retention));
  EXPECT_TRUE(same(project.storage, nothing.storage));
  EXPECT_EQ(project.per_host, nothing.per_host);
  EXPECT_EQ(project.per_host_delay, nothing.per_host_delay);
  EXPECT_EQ(project.runs_in_parallel, nothing.runs_in_parallel);
}

}  // namespace
}  // namespace heddle::config
