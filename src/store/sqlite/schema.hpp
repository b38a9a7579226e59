// The tables of the store's file, as numbered steps from an empty file to today's.
// The file says in PRAGMA user_version how many of the steps it has taken.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "base/result.hpp"
#include "store/sqlite/connection.hpp"

namespace heddle::store {

inline constexpr int kApplicationId = 0x4865646C;  // "Hedl" in the file's header

// Never changed once released: a new need is a new step at the end.
using Migration = std::string_view;  // SQL
std::span<const Migration> migrations();

// Takes the steps the file lacks, each in one transaction. Before an existing file is changed it is
// copied to backup_name(). Refuses a file that is newer than `steps`, or not Heddle's.
Status migrate(Connection& db, std::span<const Migration> steps);

// For those who only read: the file must have taken exactly today's steps.
Status check_schema(Connection& db);

// A file of Heddle's that this program can use, or can bring up to date.
Status check_upgradable(Connection& db);

// "heddle.db" at version 3 -> "heddle.db.before-4".
std::filesystem::path backup_name(const std::filesystem::path& file, int version);

}  // namespace heddle::store
