#include "store/sqlite/retention/orphan_rows.hpp"

#include <array>

#include <fmt/format.h>

namespace heddle::store {

namespace {

struct Reference {
  const char* table;
  const char* column;
  const char* of;
  const char* key;
  bool may_be_none = false;  // 0 means the whole project
};

constexpr std::array kReferences{
    Reference{"job_lives", "job", "jobs", "number"},
    Reference{"runs", "job", "jobs", "number"},
    Reference{"tasks", "run", "runs", "number"},
    Reference{"traces", "run", "runs", "number"},
    Reference{"letters_in_hand", "run", "runs", "number"},
    Reference{"run_courses", "run", "runs", "number"},
    Reference{"processes", "run", "runs", "number"},
    Reference{"hook_tries", "run", "runs", "number"},
    Reference{"pages", "job", "jobs", "number"},
    Reference{"pages", "url", "urls", "id"},
    Reference{"pages", "final_url", "urls", "id"},
    Reference{"page_keys", "page", "pages", "id"},
    Reference{"versions", "page", "pages", "id"},
    Reference{"versions", "content", "contents", "id"},
    Reference{"items", "job", "jobs", "number"},
    Reference{"items", "url", "urls", "id"},
    Reference{"seen_keys", "item", "items", "id"},
    Reference{"absences", "item", "items", "id"},
    Reference{"outbox", "job", "jobs", "number", true},
    Reference{"dead_letters", "job", "jobs", "number", true},
};

}  // namespace

Result<std::vector<OrphanRows>> find_orphan_rows(Connection& db) {
  std::vector<OrphanRows> found;
  for (const Reference& reference : kReferences) {
    auto count = db.query_integer(
        fmt::format("SELECT count(*) FROM {0} t WHERE NOT EXISTS"
                    " (SELECT 1 FROM {2} o WHERE o.{3} = t.{1}){4}",
                    reference.table, reference.column, reference.of, reference.key,
                    reference.may_be_none ? fmt::format(" AND t.{} <> 0", reference.column) : ""));
    if (!count) return std::move(count).error();
    if (*count > 0) found.push_back({reference.table, reference.of, *count});
  }
  return found;
}

}  // namespace heddle::store
