// The databases of a project, in its data folder.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "model/job/job.hpp"
#include "store/sqlite/repair/database_copy.hpp"

namespace heddle::app {

struct ProjectDatabase {
  const char* name;
  store::DatabaseKind kind;
};
inline constexpr std::array kProjectDatabases{
    ProjectDatabase{"heddle.db", store::DatabaseKind::engine},
    ProjectDatabase{"scripts.db", store::DatabaseKind::scripts}};

inline bool is_database_name(std::string_view name) {
  return std::any_of(kProjectDatabases.begin(), kProjectDatabases.end(),
                     [name](const ProjectDatabase& database) { return name == database.name; });
}

// data/heddle.db
inline std::filesystem::path database_file(const Project& project) {
  return project.data_dir / kProjectDatabases[0].name;
}

}  // namespace heddle::app
