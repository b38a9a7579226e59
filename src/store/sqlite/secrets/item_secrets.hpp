// Replaces the secrets in the stored items of a job. Part of replace_stored_secrets().
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "model/job/job.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::store {

// Those that are replaced in the content of pages.
std::vector<Secret> secrets_in_pages(const Job& job);

// Items keep their identity: their keys become those of the new fields. `number` is the job's.
Status hide_secrets_of_items(Connection& db, const Job& job, std::int64_t number);

}  // namespace heddle::store
