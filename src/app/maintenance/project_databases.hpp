// The databases of a project, in its data folder.
#pragma once

#include <array>

#include "store/sqlite/repair/database_copy.hpp"

namespace heddle::app {

struct ProjectDatabase {
  const char* name;
  store::DatabaseKind kind;
};
inline constexpr std::array kProjectDatabases{
    ProjectDatabase{"heddle.db", store::DatabaseKind::engine},
    ProjectDatabase{"scripts.db", store::DatabaseKind::scripts}};

}  // namespace heddle::app
