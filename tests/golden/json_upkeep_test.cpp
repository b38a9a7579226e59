// JSON of backup, restore and doctor.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/golden/database.hpp"
#include "tests/golden/interface_fixture.hpp"

namespace heddle::testing {
namespace {

// Every row can still be read, but not by this index.
void damage_an_index(const std::filesystem::path& database) {
  const auto pages = query_column(
      database,
      "SELECT s.pageno FROM dbstat s JOIN sqlite_master m ON m.name = s.name"
      " WHERE m.type = 'index' AND m.tbl_name = 'events' AND s.ncell > 0 ORDER BY m.name LIMIT 1");
  ASSERT_EQ(pages.size(), 1u);
  std::fstream file(database, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp((std::stol(pages[0]) - 1) * 4096);
  file << std::string(4096, 'x');
}

// Of several, which comes first is the file system's choice.
void remove_kept_files(const std::filesystem::path& data) {
  std::vector<std::filesystem::path> kept;
  for (const auto& entry : std::filesystem::directory_iterator(data))
    if (entry.path().filename().string().find(".db.") != std::string::npos)
      kept.push_back(entry.path());
  for (const auto& file : kept) std::filesystem::remove(file);
}

TEST_F(Interface, KeepsTheJsonOfUpkeep) {
  normaliser_.vary("bytes");
  site_.answer("/page", html("<li>one</li>"));
  project_.write_job("shop", "url = \"" + site_.url("/page") + "\"\nselector = \"li\"\n");
  const std::string copy = (project_.path() / "copy").string();
  const std::string nowhere = (project_.path() / "nowhere").string();
  record("doctor", {"doctor"}, "nothing was stored yet");
  record("backup", {"backup", copy}, "nothing was stored yet");
  project_.heddle({"run", "shop"});
  record("doctor", {"doctor"}, "a whole database");
  record("doctor", {"doctor", "--repair"}, "a whole database");
  record("backup", {"backup", copy});
  record("backup", {"backup", copy}, "it is there already");
  record("backup", {"backup", copy, "--force"});
  record("restore", {"restore", nowhere}, "no backup");
  record("restore", {"restore", copy});

  damage_an_index(project_.database());
  remove_kept_files(project_.path() / "data");
  EXPECT_EQ(project_.heddle({"doctor"}).exit_code, 1);  // quotes what SQLite says of it
  record("doctor", {"doctor", "--repair"}, "a damaged database");
  remove_kept_files(project_.path() / "data");
  std::ofstream(project_.database(), std::ios::binary) << std::string(8192, 'x');
  record("doctor", {"doctor"}, "an unreadable database");
  record("doctor", {"doctor", "--repair"}, "an unreadable database");
  record("doctor", {"doctor", "--start-empty"}, "without --repair");
  record("doctor", {"doctor", "--repair", "--start-empty"});
  expect_documents("json/upkeep");
}

}  // namespace
}  // namespace heddle::testing
