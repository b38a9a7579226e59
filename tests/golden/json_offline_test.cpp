// JSON of the commands that usually go through the daemon, while none is up.
#include <string>

#include "tests/golden/interface_fixture.hpp"

namespace heddle::testing {
namespace {

TEST_F(Interface, KeepsTheJsonWithoutADaemon) {
  site_.answer("/page", html("<li>one</li>"));
  project_.write_job("shop", "url = \"" + site_.url("/page") + "\"\nselector = \"li\"\n");
  project_.write_job("other", "url = \"" + site_.url("/page") + "\"\nselector = \"li\"\n");
  record("status", {"status"});
  record("workers", {"workers"});
  record("workers-restart", {"workers", "restart", "1"});
  record("metrics", {"metrics"});
  record("reload", {"reload"});
  record("reload", {"reload", "--dry-run"});

  record("pause", {"pause", "shop"}, "nothing was ever stored");
  project_.heddle({"run", "shop"});
  project_.heddle({"run", "other"});
  record("pause", {"pause", "shop"});
  record("trigger", {"trigger", "shop"}, "it is paused");
  record("resume", {"resume", "shop"});
  record("resume", {"resume", "shop"}, "it is not paused");
  record("cancel", {"cancel", "shop"}, "it has no run");
  record("trigger", {"trigger", "shop"});
  record("show", {"show", "shop"}, "it was triggered");
  record("cancel", {"cancel", "shop"});
  record("pause", {"pause", "--all"});
  record("pause", {"pause", "--all"}, "all are at rest");
  record("stop", {"stop", "shop"});
  record("stop", {"stop", "other", "--now"});
  record("start", {"start", "shop"});
  record("start", {"start", "shop"}, "it was not stopped");
  record("archive", {"archive", "shop"});
  record("delete", {"delete", "shop"}, "without --yes");
  record("delete", {"delete", "shop", "--yes"});
  for (const char* action : {"trigger", "pause", "resume", "cancel", "stop", "start", "archive"}) {
    record(action, {action}, "without a job");
    record(action, {action, "chop"}, "a job that does not exist");
  }
  record("trigger", {"trigger", "shop", "--all"}, "names and all");
  record("trigger", {"trigger", "--tag", "none"}, "no job has this tag");
  record("trigger", {"trigger", "--state", "sleepy"}, "a state that does not exist");
  record("cancel", {"cancel", "01kbe0c3sjq9w1x4tn5m7r8v2d"}, "a run that does not exist");
  record("delete", {"delete", "chop", "--yes"}, "a job that does not exist");
  record("jobs", {"jobs"}, "after all of this");
  expect_documents("json/offline");
}

}  // namespace
}  // namespace heddle::testing
