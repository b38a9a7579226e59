#include "cli/spyweb_import.hpp"

#include <array>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "base/shell_word.hpp"

namespace heddle::cli {

namespace {

constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};
constexpr std::string_view kRedbMagic{"redb\x1A\x0A\xA9\x0D\x0A", 9};

}  // namespace

SpywebDatabase kind_of_spyweb_database(const std::filesystem::path& file) {
  std::error_code unreadable;
  const auto type = std::filesystem::symlink_status(file, unreadable).type();
  if (type == std::filesystem::file_type::not_found ||
      type == std::filesystem::file_type::directory)
    return SpywebDatabase::none;
  if (type != std::filesystem::file_type::regular) return SpywebDatabase::unknown;
  std::array<char, kSqliteMagic.size()> bytes{};
  std::ifstream(file, std::ios::binary).read(bytes.data(), bytes.size());
  const std::string_view begin(bytes.data(), bytes.size());
  if (begin == kSqliteMagic) return SpywebDatabase::sqlite;
  return begin.starts_with(kRedbMagic) ? SpywebDatabase::redb : SpywebDatabase::unknown;
}

Status check_data_folder(const std::filesystem::path& root, const std::filesystem::path& data_dir) {
  std::error_code unknown;
  const auto status = std::filesystem::status(data_dir, unknown);
  if (!std::filesystem::exists(status) || std::filesystem::is_directory(status)) return Done{};
  const SpywebDatabase kind = kind_of_spyweb_database(data_dir);
  if (kind != SpywebDatabase::sqlite && kind != SpywebDatabase::redb)
    return Error{ErrorCode::conflict,
                 fmt::format("{} is a file, but Heddle needs a folder of this name for its data: "
                             "move the file, or set `data_dir` in heddle.toml",
                             data_dir.string())};
  return Error{ErrorCode::conflict,
               fmt::format("{} is the database of a SpyWeb project, but Heddle needs a folder of "
                           "this name for its data: import the project into a new folder with "
                           "`heddle --project NEW-FOLDER import spyweb {}`",
                           data_dir.string(), shell_word(root.string()))};
}

}  // namespace heddle::cli
