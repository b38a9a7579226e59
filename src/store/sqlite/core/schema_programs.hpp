// Migration that adds the tables of processes, hooks and run stages. Included by schema_steps.cpp
// only.
#pragma once

#include "store/sqlite/core/schema.hpp"

namespace heddle::store {

inline constexpr Migration kPrograms = R"sql(
CREATE TABLE run_courses (
  run INTEGER PRIMARY KEY,
  stage TEXT NOT NULL,
  result TEXT,
  exit_code INTEGER,
  signal INTEGER,
  reason TEXT,
  message TEXT,
  never_started INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE processes (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  process INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL,
  pid INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit_code INTEGER,
  signal INTEGER,
  peak_memory INTEGER NOT NULL,
  cpu_ms INTEGER NOT NULL,
  is_ready INTEGER NOT NULL,
  problem TEXT,
  UNIQUE (run, process, attempt)
);

CREATE TABLE hook_tries (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL,
  hook TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  phase TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit_code INTEGER,
  signal INTEGER,
  output TEXT,
  UNIQUE (run, hook, attempt)
);
)sql";

}  // namespace heddle::store
