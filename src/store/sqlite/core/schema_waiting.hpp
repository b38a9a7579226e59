// Migration that adds the dead letters being retried and the queued run of a job. Included by
// schema_steps.cpp only.
#pragma once

#include "store/sqlite/core/schema.hpp"

namespace heddle::store {

inline constexpr Migration kWaiting = R"sql(
CREATE TABLE letters_in_hand (
  run INTEGER NOT NULL,
  task INTEGER NOT NULL,
  id INTEGER NOT NULL,
  job INTEGER NOT NULL,
  died_in TEXT NOT NULL,
  died_as INTEGER,
  payload TEXT NOT NULL,
  error_kind TEXT NOT NULL,
  error TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  first_failed_at INTEGER NOT NULL,
  last_failed_at INTEGER NOT NULL,
  slot TEXT,
  PRIMARY KEY (run, task)
) WITHOUT ROWID;

ALTER TABLE job_lives ADD COLUMN waiting_for TEXT;
ALTER TABLE job_lives ADD COLUMN waiting_since INTEGER;
)sql";

}  // namespace heddle::store
