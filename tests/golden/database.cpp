#include "tests/golden/database.hpp"

#include <memory>
#include <stdexcept>

#include <sqlite3.h>

namespace heddle::testing {

namespace {

using Database = std::unique_ptr<sqlite3, decltype(&sqlite3_close_v2)>;

Database open_database(const std::filesystem::path& file, int flags) {
  sqlite3* opened = nullptr;
  const int failed = sqlite3_open_v2(file.c_str(), &opened, flags, nullptr);
  Database db(opened, sqlite3_close_v2);
  if (failed != SQLITE_OK) throw std::runtime_error("cannot open " + file.string());
  sqlite3_busy_timeout(opened, 10'000);
  return db;
}

}  // namespace

std::vector<std::vector<std::string>> query_rows(const std::filesystem::path& file,
                                                 const std::string& sql) {
  const Database db = open_database(file, SQLITE_OPEN_READONLY);
  sqlite3_stmt* prepared = nullptr;
  sqlite3_prepare_v2(db.get(), sql.c_str(), -1, &prepared, nullptr);
  const std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> rows(prepared, sqlite3_finalize);
  std::vector<std::vector<std::string>> out;
  int step = SQLITE_ERROR;
  while (prepared != nullptr && (step = sqlite3_step(prepared)) == SQLITE_ROW) {
    std::vector<std::string>& row = out.emplace_back();
    for (int i = 0; i < sqlite3_column_count(prepared); ++i) {
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(prepared, i));
      row.emplace_back(text == nullptr ? "NULL" : text);
    }
  }
  if (step != SQLITE_DONE) throw std::runtime_error(sql + ": " + sqlite3_errmsg(db.get()));
  return out;
}

void execute_sql(const std::filesystem::path& file, const std::string& sql) {
  const Database db = open_database(file, SQLITE_OPEN_READWRITE);
  if (sqlite3_exec(db.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    throw std::runtime_error(sql + ": " + sqlite3_errmsg(db.get()));
}

std::vector<std::string> query_column(const std::filesystem::path& file, const std::string& sql) {
  std::vector<std::string> out;
  for (auto& row : query_rows(file, sql)) out.push_back(std::move(row.at(0)));
  return out;
}

}  // namespace heddle::testing
