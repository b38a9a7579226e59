// JSON of runs of pages and of what they leave behind, without a daemon.
#include <string>

#include <boost/json/parse.hpp>

#include "tests/golden/database.hpp"
#include "tests/golden/interface_fixture.hpp"

namespace heddle::testing {
namespace {

constexpr std::string_view kMonday = R"(<ul>
<li><b>Kettle</b> <i>1.234,56 €</i> <u>4,5 / 5</u> <time datetime="2026-03-12">March</time></li>
<li><b>Lamp</b> <i>free</i> <u>none</u></li>
<li><b>Sofa</b> <i>10 €</i> <u>1</u></li></ul>)";
constexpr std::string_view kTuesday = R"(<ul>
<li><b>Kettle</b> <i>999 €</i> <u>4,5 / 5</u> <time datetime="2026-03-12">March</time></li></ul>)";

constexpr std::string_view kShop = R"(
selector = "li"
fields = ["name:b", {name = "price", selector = "i", type = "money"},
          {name = "stars", selector = "u", type = "number"},
          {name = "posted", selector = "time", att = "datetime", type = "date"}]
keywords = ["kettle", "lamp"]
tags = ["household"]
group = "shops"
)";

constexpr std::string_view kShopScript = R"(
function after_extract(items, ctx)
  log("found", #items)
  return items
end
function before_store(items, ctx)
  error("a hook that fails")
end
)";

std::string run_id_in(const ProgramResult& result) {
  return std::string(boost::json::parse(result.out).at("run_id").as_string());
}

SiteResponse tagged_page(const SiteRequest& request) {
  if (request.header("If-None-Match") == "\"1\"") return {.status = 304};
  return html("<li><b>Old kettle</b></li>").with_header("ETag", "\"1\"");
}

void write_shop(const ProjectFolder& project, TestSite& site) {
  site.answer("/week", html(std::string(kMonday)));
  site.handle("/tagged", tagged_page);
  site.answer("/hook", {.status = 204});
  project.write_job("shop", "urls = [\"" + site.url("/week") + "\", \"" + site.url("/tagged") +
                                "\"]\n" + std::string(kShop) + "[webhook]\nurl = \"" +
                                site.url("/hook") + "\"\n");
  project.write("jobs/shop/hooks.lua", kShopScript);
}

// No job tracks prices yet, but what does is shown.
void add_prices(const std::filesystem::path& database) {
  execute_sql(database,
              "UPDATE runs SET price_changes = 1;"
              "INSERT INTO prices (job, item, field, at, amount, amount_number, currency)"
              " SELECT i.job, i.id, 'price', r.ended_at, '12.50', 12.5, 'EUR' FROM items i, runs r"
              " WHERE r.job = i.job AND r.number = (SELECT max(number) FROM runs WHERE job = i.job)"
              " ORDER BY i.id LIMIT 1");
}

TEST_F(Interface, KeepsTheJsonOfPageRuns) {
  write_settings("[groups.shops]\ntimeout = \"20s\"\n");
  write_shop(project_, site_);
  project_.write_job("broken", "url = \"" + site_.url("/nothing") + "\"\nselector = \"li\"\n");
  project_.write_job("limited", "urls = [\"" + site_.url("/week") + "\", \"" +
                                    site_.url("/tagged") +
                                    "\"]\nselector = \"li\"\n[limits]\npages_per_run = 1\n");
  project_.write_job("off",
                     "url = \"" + site_.url("/") + "\"\nselector = \"li\"\nenabled = false\n");

  record("jobs", {"jobs"}, "nothing has ever run");
  record("show", {"show", "shop"}, "it has never run");
  record("runs", {"runs", "shop"}, "it has never run");
  record("records", {"records", "shop"}, "it has never run");
  record("logs", {"logs", "shop"}, "it has never run");

  record("debug", {"debug", "shop"});
  record("debug", {"debug", "broken"}, "a page that fails");
  record("debug", {"debug", "chop"}, "a job that does not exist");

  const ProgramResult first = record("run", {"run", "shop"}, "the first run");
  site_.answer("/week", html(std::string(kTuesday)));
  record("run", {"run", "shop"}, "a page has changed, the other has not");
  const ProgramResult failed = record("run", {"run", "broken"}, "the only page fails");
  record("run", {"run", "limited"}, "a limit is reached");
  record("run", {"run", "off"}, "a job that is disabled");
  record("run", {"run", "chop"}, "a job that does not exist");

  record("runs", {"runs", "shop"});
  record("runs", {"runs", "shop", "--limit", "1"});
  record("runs", {"runs", "chop"}, "a job that does not exist");
  record("run-trace", {"run-trace", run_id_in(first)});
  record("run-trace", {"run-trace", run_id_in(failed)}, "a page that failed");
  record("run-trace", {"run-trace", "01kbe0c3sjq9w1x4tn5m7r8v2d"}, "a run that does not exist");

  record("records", {"records", "shop"});
  record("records", {"records", "shop", "--limit", "1"});
  record("records", {"records", "shop", "--since", "1d"});
  record("records", {"records", "shop", "--since", "soon"}, "a time that is none");
  record("records", {"records", "chop"}, "a job that does not exist");
  record_text("records-formats", {"records", "shop", "--format", "csv"});
  record_text("records-formats", {"records", "shop", "--format", "jsonl"});

  record("jobs", {"jobs"});
  record("jobs", {"jobs", "--tag", "household"});
  record("jobs", {"jobs", "--group", "shops"});
  record("jobs", {"jobs", "--state", "paused"}, "none is");
  record("jobs", {"jobs", "chop"}, "a job that does not exist");
  record("show", {"show", "shop"});
  record("show", {"show", "broken"});
  record("show", {"show", "chop"}, "a job that does not exist");
  record("logs", {"logs", "shop"});
  record("logs", {"logs", "broken", "-n", "3"});
  record("logs", {"logs", "chop"}, "a job that does not exist");
  add_prices(project_.database());
  record("show", {"show", "shop"}, "with prices over time");

  const auto show_lamp = [this](const std::string& price) {
    site_.answer("/lamps", html("<ul><li><b>Lamp</b><i>" + price + "</i><a href='/1'>x</a></ul>"));
  };
  show_lamp("10 EUR");
  project_.write_job("lamps", "url = \"" + site_.url("/lamps") +
                                  "\"\nselector = \"li\"\nkey = [\"link\"]\nfields = [\"name:b\", "
                                  "\"price:i\", \"link:a@href\"]\n");
  record("changes", {"changes", "lamps"}, "it has never run");
  record("run", {"run", "lamps"});
  show_lamp("8 EUR");
  record("run", {"run", "lamps"}, "an item has changed");
  record("changes", {"changes", "lamps"});
  record("changes", {"changes", "lamps", "--limit", "1", "--since", "1d"});
  record("changes", {"changes", "lamps", "--since", "soon"}, "a time that is none");
  record("changes", {"changes", "chop"}, "a job that does not exist");

  const auto show_hours = [this](const std::string& hours) {
    site_.answer("/hours", html("<main><h1>Hours</h1><p>Open from " + hours +
                                "</p><p>Closed on Sundays</p></main>"));
  };
  show_hours("nine to five");
  const std::string hours = site_.url("/hours");
  project_.write_job("hours", "url = \"" + hours + "\"\nwatch = \"text\"\n");
  record("diff", {"diff", "hours"}, "it has never run");
  record("run", {"run", "hours"}, "the text of a page");
  record("debug", {"debug", "hours"}, "a watched text");
  record("diff", {"diff", hours}, "a page with one version");
  show_hours("nine to six today");
  record("run", {"run", "hours"}, "the text has changed");
  record("changes", {"changes", "hours"}, "of a text");
  record("diff", {"diff", "hours"});
  EXPECT_NE(project_.heddle({"diff", "hours"})
                .out.find("  Hours\n~ Open from nine to [-five-] {+six today+}\n"),
            std::string::npos);
  record("diff", {"diff", hours, "--versions"});
  record("diff", {"diff", hours, "99"}, "a version that does not exist");
  record("diff", {"diff", "https://unknown.example/"}, "a page that is not watched");
  expect_documents("json/pages");
}

}  // namespace
}  // namespace heddle::testing
