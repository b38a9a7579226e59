// The tables records, items, changes and prices in a script's database: virtual, read-only, and
// always those of the job whose statement runs. They cannot be used by triggers and views, which
// one job may plant in the tables of another.
#pragma once

#include "base/result.hpp"
#include "store/scripts/engine_data.hpp"
#include "store/sqlite/connection.hpp"

namespace heddle::store {

// `data` outlives the connection.
Status add_engine_tables(Connection& db, EngineData& data);

}  // namespace heddle::store
