// A SpyWeb project, and a project of Heddle to import it into.
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "tests/program/project_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {

class SpywebImport : public ::testing::Test {
 protected:
  void SetUp() override {
    site_.answer("/shop", html("<ul><li>Tea</li><li>Pot</li><li>Cup</li></ul>"));
    spyweb_.write("jobs/tea/config.toml", job("Tea Shop"));
    spyweb_.write("jobs/tea/hooks.lua", "function filter_item(item) return item end\n");
  }

  [[nodiscard]] std::string job(const std::string& name) const {
    return "name = \"" + name + "\"\nurl = \"" + site_.url("/shop") +
           "\"\nselector = \"li\"\nfields = [\"name:\"]\ninterval = 300\n";
  }

  [[nodiscard]] std::filesystem::path database() const { return spyweb_.path() / "data"; }

  void execute(const std::string& sql) const {
    auto db = store::Connection::open(database(), {});
    ASSERT_TRUE(db) << db.error().message;
    auto done = (*db)->execute(sql);
    ASSERT_TRUE(done) << done.error().message;
  }

  void make_database() const {
    execute(
        "CREATE TABLE records (job_id TEXT NOT NULL, rev_ts INTEGER NOT NULL, json TEXT NOT NULL,"
        " PRIMARY KEY (job_id, rev_ts)); CREATE TABLE seen (hash TEXT PRIMARY KEY);"
        "CREATE TABLE lua_user (key TEXT PRIMARY KEY, value TEXT NOT NULL)");
  }

  void add_record(const std::string& job, const std::string& name) const {
    const std::string time = std::to_string(1'790'000'000'000'000'000 + ++records_);
    execute("INSERT INTO records VALUES ('" + job + "', " + time + ", '{\"fields\":{\"name\":\"" +
            name + "\"},\"timestamp\":" + time + ",\"hash\":\"" + name +
            "\",\"match_key\":[\"drink\"]}'); INSERT INTO seen VALUES ('" + name + "')");
  }

  void make_usual_database() const {
    make_database();
    add_record("tea_shop", "Tea");
    add_record("tea_shop", "Pot");
  }

  [[nodiscard]] ProgramResult import(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"import", "spyweb", spyweb_.path().string()});
    return project_.heddle(std::move(more));
  }
  [[nodiscard]] boost::json::value import_json() const {
    return project_.heddle_json({"import", "spyweb", spyweb_.path().string()});
  }

  // Of all files, by path.
  static std::map<std::string, std::string> contents_of(const std::filesystem::path& folder) {
    std::map<std::string, std::string> contents;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      std::string& content = contents[entry.path().string()];
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      content.assign(std::istreambuf_iterator<char>(file), {});
    }
    return contents;
  }

  TestSite site_;
  TemporaryFolder spyweb_;
  ProjectFolder project_;
  mutable int records_ = 0;
};

}  // namespace heddle::testing
