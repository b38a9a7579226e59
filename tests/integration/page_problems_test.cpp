// What `heddle run` and `heddle show` say about pages and scripts that do not do what the job
// means.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/project_folder.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class PageProblems : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.answer("/", html("<ul><li><b>Tea</b></li><li><b>Pot</b></li></ul>"));
    write_job();
  }
  void write_job(const std::string& more = "") {
    project_.write_job("shop", "url = \"" + site_.url("/") +
                                   "\"\nselector = \"li\"\nfields = [\"name:b\"]\n"
                                   "schedule = \"manual\"\n" +
                                   more);
  }
  void write_script(const std::string& text) { project_.write("jobs/shop/hooks.lua", text); }
  std::string check_state() {
    return std::string(project_.heddle_json({"show", "shop"}).at("check_state").as_string());
  }
  std::string names() { return project_.heddle({"records", "shop", "--format", "csv"}).out; }

  TestSite site_;
  ProjectFolder project_;
};

constexpr const char* kHotTea =
    "function filter_item(item)\n  if item.fields.name == 'Tea' then error('too hot') end\n"
    "  return item\nend\n";

TEST_F(PageProblems, ShowAnErrorOfFilterItemAndStoreTheOtherItems) {
  write_script(kHotTea);
  const ProgramResult run = project_.heddle({"run", "shop"});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("hooks.lua:2: too hot"), HasSubstr("failed for 1 of 2"),
                             HasSubstr("1 failed")));
  EXPECT_THAT(names(), AllOf(HasSubstr("Pot"), Not(HasSubstr("Tea"))));

  project_.heddle({"run", "shop"});
  EXPECT_EQ(check_state(), "failing");

  write_script("function filter_item(item) return item end\n");
  const json::value mended = project_.heddle_json({"run", "shop"});
  EXPECT_EQ(mended.at("state"), "completed");
  EXPECT_EQ(mended.at("items").at("new"), 1) << "the item that was held back";
  EXPECT_THAT(names(), HasSubstr("Tea"));
  EXPECT_EQ(check_state(), "ok");
}

TEST_F(PageProblems, ShowAnErrorOfFilterItemInADaemonToo) {
  write_script(kHotTea);
  const RunningDaemon daemon(project_, 1);
  const ProgramResult run = project_.heddle({"run", "shop"});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_THAT(run.out, AllOf(HasSubstr("hooks.lua:2: too hot"), HasSubstr("1 failed")));
  EXPECT_THAT(names(), HasSubstr("Pot"));
}

TEST_F(PageProblems, KeepTheItemWhenTheProjectSaysSoAndStillShowTheError) {
  const std::string project = "[network]\nallow = [\"127.0.0.1\"]\n";
  project_.write("heddle.toml", project + "[script]\non_error = \"keep\"\n");
  write_script(kHotTea);
  const ProgramResult run = project_.heddle({"run", "shop"});
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_THAT(run.out, AllOf(HasSubstr("too hot"), HasSubstr("2 new")));
}

TEST_F(PageProblems, ShowAnErrorOfAHookAfterWhichTheCycleContinues) {
  write_script("function after_extract(items) error('no tea') end\n");
  const ProgramResult run = project_.heddle({"run", "shop"});
  EXPECT_EQ(run.exit_code, 0) << run.out;
  EXPECT_THAT(run.out, AllOf(HasSubstr("after_extract: "), HasSubstr("no tea")));
  project_.heddle({"run", "shop"});
  EXPECT_EQ(check_state(), "failing");
}

}  // namespace
}  // namespace heddle::testing
