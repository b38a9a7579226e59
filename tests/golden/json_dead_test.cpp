// JSON of dead letters: pages and messages.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "tests/golden/interface_fixture.hpp"

namespace heddle::testing {
namespace {

// Newest first.
std::vector<std::string> dead_letter_ids(const ProjectFolder& project) {
  std::vector<std::string> ids;
  const boost::json::value letters = project.heddle_json({"dead", "list"});
  for (const boost::json::value& letter : letters.as_array())
    ids.push_back(std::to_string(letter.at("id").as_int64()));
  return ids;
}

TEST_F(Interface, KeepsTheJsonOfDeadLetters) {
  const auto is_down = std::make_shared<std::atomic<bool>>(true);
  site_.handle("/shaky", [is_down](const SiteRequest& request) {
    return *is_down ? SiteResponse{.status = 500} : html("<li>" + request.query + "</li>");
  });
  site_.answer("/page", html("<li>one</li>"));
  site_.answer("/hook", {.status = 410});
  project_.write_job("pages", "urls = [\"" + site_.url("/shaky?a") + "\", \"" +
                                  site_.url("/shaky?b") + "\"]\nselector = \"li\"\n");
  project_.write_job("tells", "url = \"" + site_.url("/page") +
                                  "\"\nselector = \"li\"\n[webhook]\nurl = \"" +
                                  site_.url("/hook") + "\"\n");
  record("dead-list", {"dead", "list"}, "there are none");
  record("dead-purge", {"dead", "purge", "--all"}, "there are none");
  record("dead-retry", {"dead", "retry", "--all"}, "there are none");
  project_.heddle({"run", "pages"});
  project_.heddle({"run", "tells"});

  record("dead-list", {"dead", "list"}, "two pages and a message");
  record("dead-list", {"dead", "list", "pages", "--limit", "1"});
  record("dead-list", {"dead", "list", "chop"}, "a job that does not exist");
  const std::vector<std::string> ids = dead_letter_ids(project_);
  ASSERT_EQ(ids.size(), 3u);
  record("dead-show", {"dead", "show", ids[2]}, "a page");
  record("dead-show", {"dead", "show", ids[0]}, "a message");
  record("dead-show", {"dead", "show", "4711"}, "a letter that does not exist");

  record("dead-retry", {"dead", "retry"}, "without a choice");
  record("dead-retry", {"dead", "retry", "4711"}, "a letter that does not exist");
  record("dead-retry", {"dead", "retry", ids[2]}, "its page fails again");
  *is_down = false;
  record("dead-retry", {"dead", "retry", "--all"}, "pages and a message");
  record("dead-list", {"dead", "list"}, "after the retry");

  *is_down = true;
  project_.heddle({"run", "pages"});
  record("dead-purge", {"dead", "purge"}, "without a choice");
  record("dead-purge", {"dead", "purge", "4711"}, "a letter that does not exist");
  record("dead-purge", {"dead", "purge", "--job", "pages"});
  expect_documents("json/dead");
}

}  // namespace
}  // namespace heddle::testing
