// `heddle repair`: a job's selectors after its page has changed.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/program/project_folder.hpp"
#include "tests/program/terminal_program.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

std::string shop(const std::string& block, const std::string& title, int products = 8) {
  std::string page = "<title>Shop</title><main><h1>Blankets</h1>";
  for (int i = 10; i < 10 + products; ++i) {
    const std::string number = std::to_string(i);
    page += "<div class=" + block + "><h3 class=" + title + "><a href=/p/" + number +
            ">Wool blanket number " + number + "</a></h3><span class=price>" + number +
            ".50 EUR</span></div>";
  }
  return page + "</main>";
}

class Repair : public ::testing::Test {
 protected:
  Repair() {
    site_.answer("/", html(shop("product", "name")));
    config_ =
        "# My job.\nurl = \"" + site_.url("/") +
        "\"\nschedule = \"manual\"\nselector = \".product\"  # the blocks\nfields = [\n  # what "
        "matters\n  \"title:.name\",  # its name\n  \"link:a@href\",\n]\n";
    project_.write_job("shop", config_);
    EXPECT_EQ(project_.heddle({"run", "shop"}).exit_code, 0);
    site_.answer("/", html(shop("tile", "headline", 9)));
  }

  [[nodiscard]] std::string text_of(const std::string& file) const {
    std::ostringstream text;
    text << std::ifstream(project_.path() / file).rdbuf();
    return text.str();
  }
  [[nodiscard]] std::string config() const { return text_of("jobs/shop/config.toml"); }

  TestSite site_;
  ProjectFolder project_;
  std::string config_;
};

TEST_F(Repair, WritesNewSelectorsAndKeepsTheComments) {
  const std::string before = config();
  const ProgramResult repaired = project_.heddle({"repair", "shop", "--yes"});
  EXPECT_EQ(repaired.exit_code, 0) << repaired.err;
  EXPECT_THAT(repaired.out, HasSubstr("selector .product finds 0 items"));
  EXPECT_THAT(repaired.out, HasSubstr("Wool blanket number 10"));
  EXPECT_THAT(repaired.out, HasSubstr("- selector = \".product\"  # the blocks"));
  EXPECT_THAT(repaired.out, HasSubstr("+ selector = \".tile\"  # the blocks"));
  EXPECT_THAT(config(), HasSubstr("# My job."));
  EXPECT_THAT(config(), HasSubstr("selector = \".tile\"  # the blocks"));
  EXPECT_THAT(config(), HasSubstr("  # what matters\n"));
  EXPECT_THAT(config(), HasSubstr("# its name"));
  const std::string after = config();
  EXPECT_EQ(std::count(before.begin(), before.end(), '\n'),
            std::count(after.begin(), after.end(), '\n'));
  const json::value run = project_.heddle_json({"run", "shop"});
  EXPECT_EQ(run.at("items").at("seen"), 9);
  EXPECT_EQ(run.at("items").at("new"), 1);  // the others are known
}

TEST_F(Repair, IsNamedByTheRunThatFoundNothing) {
  EXPECT_THAT(project_.heddle({"run", "shop"}).out,
              HasSubstr("`heddle repair shop` looks for them"));
}

TEST_F(Repair, NeverWritesSilently) {
  const std::string before = config();
  EXPECT_EQ(project_.heddle({"repair", "shop"}).exit_code, 2);
  EXPECT_EQ(project_.heddle({"repair", "shop", "--json"}).exit_code, 2);
  const ProgramResult dry = project_.heddle({"repair", "shop", "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0);
  EXPECT_THAT(dry.out, HasSubstr("+ selector = \".tile\""));
  const auto answer = [&](const std::string& typed) {
    return run_on_terminal(project_.path(), {"repair", "shop"},
                           {.environment = {{"LC_ALL", "C"}}, .typed = typed});
  };
  const TerminalResult refused = answer("\n");
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.output, HasSubstr("nothing was written"));
  EXPECT_EQ(config(), before);
  EXPECT_EQ(answer("y\n").exit_code, 0);
  EXPECT_THAT(config(), HasSubstr(".tile"));
}

TEST_F(Repair, ChangesAJobOfTheListOfJobs) {
  const std::string entry = config_.substr(config_.find('\n') + 1);
  project_.write("jobs.toml", "[[jobs]]\nname = \"first\"\n" + entry +
                                  "\n[[jobs]]\nname = \"second\"  # mine\n" + entry);
  site_.answer("/", html(shop("product", "name")));
  project_.heddle({"run", "second"});
  site_.answer("/", html(shop("tile", "headline")));
  const ProgramResult repaired = project_.heddle({"repair", "second", "--yes"});
  EXPECT_EQ(repaired.exit_code, 0) << repaired.err;
  const std::string jobs = text_of("jobs.toml");
  const std::size_t second = jobs.find("\"second\"  # mine");
  EXPECT_THAT(jobs.substr(0, second), Not(HasSubstr(".tile")));
  EXPECT_THAT(jobs.substr(second), HasSubstr("selector = \".tile\""));
}

TEST_F(Repair, SaysWhatItCannotDo) {
  project_.write("heddle.toml",
                 "[network]\nallow = [\"127.0.0.1\"]\n[groups.shops]\nselector = "
                 "\".product\"\n");
  project_.write_job("grouped", "group = \"shops\"\nurl = \"" + site_.url("/") +
                                    "\"\nschedule = \"manual\"\nfields = [\"title:.name\"]\n");
  project_.write_job("feed", "url = \"" + site_.url("/") + "\"\nwatch = \"feed\"\n");
  site_.answer("/", html(shop("product", "name")));
  const ProgramResult fine = project_.heddle({"repair", "shop", "--yes"});
  EXPECT_EQ(fine.exit_code, 0);
  EXPECT_THAT(fine.out, HasSubstr("nothing to repair: the selectors find 8 items"));
  project_.heddle({"run", "grouped"});
  site_.answer("/", html(shop("tile", "headline")));
  EXPECT_THAT(project_.heddle({"repair", "grouped", "--yes"}).err,
              HasSubstr("is set in heddle.toml:4, which `heddle repair` does not change: set it "
                        "there to \".tile\""));
  EXPECT_THAT(project_.heddle({"repair", "feed", "--yes"}).err, HasSubstr("has no selectors"));
  site_.answer("/", html("<h1>All new</h1><p>Nothing is left of what was here before."));
  const ProgramResult lost = project_.heddle({"repair", "shop", "--yes"});
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_THAT(lost.err, HasSubstr("none of the stored items (8)"));
  EXPECT_THAT(config(), HasSubstr(".product"));
}

}  // namespace
}  // namespace heddle::testing
