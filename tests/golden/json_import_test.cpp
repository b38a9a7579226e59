// JSON of imports.
#include <filesystem>
#include <string>

#include "tests/golden/database.hpp"
#include "tests/golden/interface_fixture.hpp"

namespace heddle::testing {
namespace {

TEST_F(Interface, KeepsTheJsonOfImports) {
  project_.write("old/jobs/tea/config.toml",
                 "name = \"Tea\"\nurl = \"" + site_.url("/tea") + "\"\nselector = \"li\"\n");
  project_.write("old/jobs/notes.txt", "no job");
  project_.write("old/data", "");
  const std::string old = (project_.path() / "old").string();
  execute_sql(project_.path() / "old" / "data",
              "CREATE TABLE records (job_id TEXT, rev_ts INTEGER, json TEXT);"
              "INSERT INTO records VALUES ('tea', 1, '{\"fields\":{\"text\":\"one\"}}'),"
              " ('gone', 2, '{\"fields\":{\"text\":\"two\"}}'), ('tea', 3, 'no json')");
  record("import-spyweb", {"import", "spyweb", old, "--dry-run"});
  record("import-spyweb", {"import", "spyweb", old});
  record("import-spyweb", {"import", "spyweb", old}, "again");
  project_.write("old/data", std::string("redb\x1A\x0A\xA9\x0D\x0A", 9));
  record("import-spyweb", {"import", "spyweb", old}, "a redb database");
  record("import-spyweb", {"import", "spyweb", old + "/jobs"}, "no SpyWeb project");
  expect_documents("json/import");
}

}  // namespace
}  // namespace heddle::testing
