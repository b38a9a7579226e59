// JSON of the commands that look at a project's files; no page is fetched.
#include "tests/golden/interface_fixture.hpp"
#include "tests/support/processes.hpp"

namespace heddle::testing {
namespace {

TEST_F(Interface, KeepsTheJsonOfProjectFiles) {
  project_.write_job("shop", "url = \"https://shop.example/\"\nselector = \"li\"\n");
  record("check", {"check"}, "a project in order");
  record("check", {"check", "shop"});
  record("check", {"check", "chop"}, "a job that does not exist");
  project_.write_job("wrong",
                     "url = \"ftp://shop.example/\"\ninterval = \"soon\"\ncolour = \"red\"\n"
                     "key = \"name\"\nworkers = 0\n");
  record("check", {"check"}, "errors and notices of a job");

  record("explain", {"explain", "limits.body"}, "a key with a range");
  record("explain", {"explain", "reload"}, "a key with words");
  record("explain", {"explain", "limits"}, "a table, in two places");
  record("explain", {"explain", "timeot"}, "a key that does not exist");

  project_.write_job("full",
                     "url = \"https://shop.example/{{part}}\"\nselector = \"li\"\n"
                     "fields = [\"name:b\", {name = \"price\", selector = \"i\", type = "
                     "\"money\"}]\nvars = {part = \"lamps\"}\ngroup = \"slow\"\n"
                     "headers = {Accept = \"text/html\"}\n");
  write_settings("[groups.slow]\ntimeout = \"2m\"\n[limits]\nredirects = 3\n");
  const std::string settings = read_file(project_.path() / "heddle.toml");
  project_.write("heddle.toml",
                 "timezone = \"Europe/Berlin\"\n" + settings.substr(settings.find('\n') + 1));
  record("config-show", {"config", "show", "full"},
         "values of the job, its group, the defaults, the limits of the project, and built in");
  record("config-show", {"config", "show", "fool"}, "a job that does not exist");
  project_.write("heddle.toml", "timezon = \"Europe/Berlin\"\n");
  record("config-show", {"config", "show", "full"}, "a mistake in heddle.toml");

  record("version", {"version"});
  expect_documents("json/files");
}

constexpr std::string_view kTests = R"(
function test_finds_the_kettle()
  heddle.assert_eq(#heddle.run_cycle({ body = "<li>Kettle</li>" }).items, 1)
end
function test_fails()
  heddle.assert_eq(1, 2, "numbers")
end
)";

TEST_F(Interface, KeepsTheJsonOfScriptTests) {
  record("test", {"test"}, "no job has tests");
  project_.write_job("shop", "url = \"https://shop.example/\"\nselector = \"li\"\n");
  project_.write("jobs/shop/tests.lua", kTests);
  record("test", {"test", "shop", "kettle"}, "one test that passes");
  record("test", {"test", "--junit", (project_.path() / "results.xml").string()},
         "one of two fails");
  record("test", {"test", "shop", "lamp"}, "a pattern that fits no test");
  record("test", {"test", "chop"}, "a job that does not exist");
  project_.write("jobs/shop/hooks.lua", "function before_fetch(\n");
  record("test", {"test"}, "a script that cannot be loaded");
  note("junit", "# results.xml of `heddle test --junit`, one of two tests fails\n" +
                    normaliser_.text(read_file(project_.path() / "results.xml")));
  expect_documents("json/tests");
}

}  // namespace
}  // namespace heddle::testing
