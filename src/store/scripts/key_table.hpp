// Stores the key-value data of scripts. Same thread as its connection.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "store/scripts/sql_value.hpp"
#include "store/sqlite/core/statement.hpp"

namespace heddle::store {

// An empty owner means all jobs.
struct KeyName {
  std::string owner;
  std::string key;
};

Status check_key(const std::string& key);
Status check_value(const std::string& value);

class KeyTable {  // writes, inside the writer's transaction
 public:
  static constexpr const char* kSchema =
      "CREATE TABLE IF NOT EXISTS heddle_values ("
      " owner TEXT NOT NULL, key BLOB NOT NULL, value BLOB NOT NULL, UNIQUE (owner, key))";

  explicit KeyTable(Connection& db);

  Status set(const KeyName& name, const std::string& value);
  Result<bool> remove(const KeyName& name);
  Result<Number> increment(const KeyName& name, const Number& initial, const Number& delta);

 private:
  Statement select_;
  Statement upsert_;
  Statement delete_;
};

class KeyRows {  // reads
 public:
  explicit KeyRows(Connection& db);
  Result<std::optional<std::string>> get(const KeyName& name);

 private:
  Statement select_;
};

}  // namespace heddle::store
