// What a database file holds, read without the program's own code.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace heddle::testing {

// The rows as texts, NULL as "NULL". Throws when the file or the statement is not in order.
std::vector<std::vector<std::string>> query_rows(const std::filesystem::path& file,
                                                 const std::string& sql);
// Of statements with one column.
std::vector<std::string> query_column(const std::filesystem::path& file, const std::string& sql);

// For what no command can bring about; while no daemon has the database.
void execute_sql(const std::filesystem::path& file, const std::string& sql);

}  // namespace heddle::testing
