// Adds the tables records, items, changes and prices to a script's database: virtual, read-only,
// and limited to the job whose statement runs. Triggers and views cannot use them, because one job
// may create those on another job's tables.
#pragma once

#include "base/result.hpp"
#include "store/scripts/engine_data.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::store {

// `data` outlives the connection.
Status add_engine_tables(Connection& db, EngineData& data);

}  // namespace heddle::store
