#include "store/sqlite/tables/job_numbers.hpp"

#include <string>

namespace heddle::store {

namespace {

// Larger than any number assigned before, also to deleted jobs.
const std::string kNextNumber =  // NOLINT(cert-err58-cpp): cannot throw in practice
    "(SELECT 1 + max(coalesce((SELECT max(number) FROM jobs), 0), coalesce((SELECT"
    " CAST(value AS INTEGER) FROM notes WHERE name = 'jobs.last_number'), 0)))";

}  // namespace

JobNumbers::JobNumbers(Connection& db)
    : select_(db, "SELECT number FROM jobs WHERE id = ?"),
      insert_(db, "INSERT INTO jobs (number, id, name, kind, revision) VALUES (" + kNextNumber +
                      ", ?1, ?1, '', '')"),
      upsert_(db, "INSERT INTO jobs (number, id, name, kind, revision) VALUES (" + kNextNumber +
                      ", ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name,"
                      " kind = excluded.kind, revision = excluded.revision") {}

Result<std::int64_t> JobNumbers::find(const JobId& job) {
  if (const auto known = known_.find(job); known != known_.end()) return known->second;
  auto rows = select_.query(job.text);
  auto found = rows.next();
  if (!found) return std::move(found).error();
  if (!*found) return 0;
  known_.emplace(job, rows.integer(0));
  return rows.integer(0);
}

Result<std::int64_t> JobNumbers::number_of(const JobId& job) {
  auto number = find(job);
  if (!number || *number != 0) return number;
  if (auto inserted = insert_.run(job.text); !inserted) return std::move(inserted).error();
  return find(job);
}

Status JobNumbers::put_name(const JobName& job) {
  return upsert_.run(job.id.text, job.name, job.kind, job.revision);
}

}  // namespace heddle::store
