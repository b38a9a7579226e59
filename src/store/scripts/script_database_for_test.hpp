// Fixture with a script database in a temporary folder and synchronous calls.
#pragma once

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/scripts/script_database.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store::testing {

using heddle::testing::run_async;

inline std::string text_of(const SqlValue& value) {
  struct Printer {
    std::string operator()(std::monostate) const { return "NULL"; }
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return "~" + std::to_string(number); }
    std::string operator()(const std::string& text) const { return text; }
  };
  return std::visit(Printer(), value);
}

// "1,x;2,y"
inline std::string text_of(const SqlRows& rows) {
  std::string text;
  for (const auto& row : rows.rows) {
    if (!text.empty()) text += ";";
    for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + text_of(row[i]);
  }
  return text;
}

class ScriptDatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override { open(); }

  void open(ScriptDatabaseOptions options = {}) {
    db_.reset();
    if (options.engine_file.empty()) options.engine_file = engine_file_;
    auto opened = ScriptDatabase::open(file_, options);
    ASSERT_TRUE(opened) << opened.error().message;
    db_ = std::move(*opened);
  }

  // The rows as text, or "error: …".
  std::string query(const std::string& sql, SqlParams params = {}, const JobId& job = kShop) {
    auto rows = run_async(db_->query(job, sql, std::move(params)));
    return rows ? text_of(*rows) : "error: " + rows.error().message;
  }
  std::string query_as(const JobId& job, const std::string& sql) { return query(sql, {}, job); }
  std::string exec(const std::string& sql, SqlParams params = {}, const JobId& job = kShop) {
    auto count = run_async(db_->exec(job, sql, std::move(params)));
    return count ? std::to_string(*count) : "error: " + count.error().message;
  }
  std::string exec_as(const JobId& job, const std::string& sql) { return exec(sql, {}, job); }

  static inline const JobId kShop{"shop"};
  static inline const JobId kOther{"other"};

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "scripts.db";
  std::filesystem::path engine_file_ = folder_.path() / "heddle.db";
  std::unique_ptr<ScriptDatabase> db_;
};

}  // namespace heddle::store::testing
