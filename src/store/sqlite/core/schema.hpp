// Migrates the store's file from an empty file to the current tables. PRAGMA user_version holds the
// number of applied migrations.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "base/result.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::store {

inline constexpr int kApplicationId = 0x4865646C;  // "Hedl" in the file's header

// Never changed once released: a change is a new migration at the end.
using Migration = std::string_view;  // SQL
std::span<const Migration> migrations();

// Applies the missing migrations, each in one transaction, after copying an existing file to
// backup_name(). Refuses a file that is newer than `steps`, or not Heddle's.
Status migrate(Connection& db, std::span<const Migration> steps);

// For readers: the file must have exactly the current version.
Status check_schema(Connection& db);

// Checks that the file is Heddle's and can be used or upgraded by this program.
Status check_upgradable(Connection& db);

// "heddle.db" at version 3 -> "heddle.db.before-4".
std::filesystem::path backup_name(const std::filesystem::path& file, int version);

}  // namespace heddle::store
