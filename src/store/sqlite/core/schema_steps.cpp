// The migrations from an empty file to the current tables.
#include <array>

#include "store/sqlite/core/schema.hpp"
#include "store/sqlite/core/schema_programs.hpp"
#include "store/sqlite/core/schema_waiting.hpp"

namespace heddle::store {

namespace {

// docs/store.md explains every table. Times are UTC milliseconds; `job`, `run`, `page`, `url`,
// `item` and `content` are the small numbers of other tables, which keep rows short.
constexpr Migration kFirst = R"sql(
CREATE TABLE jobs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  revision TEXT NOT NULL
);

CREATE TABLE runs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  job INTEGER NOT NULL,
  state TEXT NOT NULL,
  trigger_kind TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  revision TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER,
  open_tasks INTEGER NOT NULL,
  pages_total INTEGER NOT NULL DEFAULT 0,
  pages_done INTEGER NOT NULL DEFAULT 0,
  pages_failed INTEGER NOT NULL DEFAULT 0,
  pages_skipped INTEGER NOT NULL DEFAULT 0,
  items_seen INTEGER NOT NULL DEFAULT 0,
  items_new INTEGER NOT NULL DEFAULT 0,
  items_changed INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  errors TEXT
);
CREATE INDEX runs_by_job ON runs (job, number);
CREATE INDEX runs_unfinished ON runs (number) WHERE ended_at IS NULL;

CREATE TABLE tasks (
  run INTEGER NOT NULL,
  number INTEGER NOT NULL,
  state INTEGER NOT NULL,
  token INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  url TEXT NOT NULL,
  due_at INTEGER,
  items_seen INTEGER,
  items_new INTEGER,
  items_changed INTEGER,
  bytes INTEGER,
  http_status INTEGER,
  first_failed_at INTEGER,
  error_kind TEXT,
  error TEXT,
  PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE INDEX tasks_pending ON tasks (run, number) WHERE state = 0;
CREATE INDEX tasks_retry ON tasks (run, due_at) WHERE state = 2;

CREATE TABLE traces (
  run INTEGER NOT NULL,
  task INTEGER NOT NULL,
  trace BLOB NOT NULL,
  PRIMARY KEY (run, task)
) WITHOUT ROWID;

CREATE TABLE urls (
  id INTEGER PRIMARY KEY,
  hash INTEGER NOT NULL,
  url TEXT NOT NULL
);
CREATE INDEX urls_by_hash ON urls (hash);

CREATE TABLE pages (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  url INTEGER NOT NULL,
  final_url INTEGER NOT NULL,
  etag TEXT,
  last_modified TEXT,
  body_hash BLOB,
  text_hash BLOB,
  rules_hash BLOB,
  item_count INTEGER NOT NULL,
  http_status INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER NOT NULL,
  keys_hash INTEGER NOT NULL,
  UNIQUE (job, url)
);
CREATE TABLE page_keys (
  page INTEGER PRIMARY KEY,
  keys BLOB NOT NULL
);

CREATE TABLE contents (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  zstd BLOB NOT NULL
);
CREATE TABLE versions (
  id INTEGER PRIMARY KEY,
  page INTEGER NOT NULL,
  run INTEGER NOT NULL,
  at INTEGER NOT NULL,
  content INTEGER NOT NULL
);
CREATE INDEX versions_by_page ON versions (page, id);
CREATE INDEX versions_by_content ON versions (content);

CREATE TABLE items (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  url INTEGER NOT NULL,
  run INTEGER NOT NULL,
  key BLOB NOT NULL,
  first_seen INTEGER NOT NULL,
  last_seen INTEGER,
  fields TEXT NOT NULL,
  typed_values TEXT,
  matches TEXT
);
CREATE INDEX items_by_job ON items (job, first_seen);
CREATE TABLE seen_keys (
  job INTEGER NOT NULL,
  key BLOB NOT NULL,
  item INTEGER NOT NULL,
  PRIMARY KEY (job, key)
) WITHOUT ROWID;

CREATE TABLE changes (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  run INTEGER NOT NULL,
  page INTEGER,
  item INTEGER,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  field TEXT,
  before TEXT,
  after TEXT,
  significance INTEGER NOT NULL
);
CREATE INDEX changes_by_job ON changes (job, at);

CREATE TABLE prices (
  id INTEGER PRIMARY KEY,
  job INTEGER NOT NULL,
  page INTEGER,
  item INTEGER,
  field TEXT NOT NULL,
  at INTEGER NOT NULL,
  amount TEXT,
  amount_number REAL,
  currency TEXT,
  stock TEXT
);
CREATE INDEX prices_by_job ON prices (job, at);
CREATE INDEX prices_by_item ON prices (item, field, at) WHERE item IS NOT NULL;
CREATE INDEX prices_by_page ON prices (page, field, at) WHERE item IS NULL;

CREATE TABLE outbox (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  job INTEGER NOT NULL,
  run TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  state INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  ended_at INTEGER,
  error TEXT
);
CREATE INDEX outbox_waiting ON outbox (due_at, number) WHERE state = 0;
CREATE INDEX outbox_by_job ON outbox (job, state);

CREATE TABLE dead_letters (
  id INTEGER PRIMARY KEY,
  origin TEXT NOT NULL,
  job INTEGER NOT NULL,
  run TEXT NOT NULL,
  task INTEGER,
  delivery TEXT,
  payload TEXT NOT NULL,
  error_kind TEXT NOT NULL,
  error TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  first_failed_at INTEGER NOT NULL,
  last_failed_at INTEGER NOT NULL,
  slot TEXT
);
CREATE INDEX dead_letters_by_job ON dead_letters (job, id);

CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  job INTEGER,
  run TEXT,
  data TEXT
);
CREATE INDEX events_by_job ON events (job, id);
)sql";

// The status of each job.
constexpr Migration kJobStatuses = R"sql(
CREATE TABLE job_lives (
  job INTEGER PRIMARY KEY,
  state TEXT NOT NULL,
  since INTEGER NOT NULL,
  pause_reason TEXT,
  run TEXT,
  next_run_at INTEGER,
  handled_until INTEGER,
  check_state TEXT NOT NULL,
  failed_runs INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  revision TEXT NOT NULL
);
)sql";

// Daily sums of removed runs and prices, jobs being deleted, and named values of the whole project.
// `day` counts local days since 1970.
constexpr Migration kMaintenance = R"sql(
CREATE TABLE run_days (
  job INTEGER NOT NULL,
  day INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  pages_done INTEGER NOT NULL,
  pages_failed INTEGER NOT NULL,
  pages_skipped INTEGER NOT NULL,
  items_seen INTEGER NOT NULL,
  items_new INTEGER NOT NULL,
  items_changed INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (job, day)
) WITHOUT ROWID;

CREATE TABLE price_days (
  job INTEGER NOT NULL,
  item INTEGER NOT NULL,
  page INTEGER NOT NULL,
  field TEXT NOT NULL,
  currency TEXT NOT NULL,
  day INTEGER NOT NULL,
  points INTEGER NOT NULL,
  lowest REAL NOT NULL,
  highest REAL NOT NULL,
  average REAL NOT NULL,
  PRIMARY KEY (job, item, page, field, currency, day)
) WITHOUT ROWID;

CREATE TABLE deletions (
  job INTEGER PRIMARY KEY,
  at INTEGER NOT NULL
);

CREATE TABLE notes (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX dead_letters_by_delivery ON dead_letters (delivery) WHERE delivery IS NOT NULL;
)sql";

// Alerts of the whole system, and messages to channels of the project.
constexpr Migration kAlerts = R"sql(
CREATE TABLE alerts (
  key TEXT PRIMARY KEY,
  level TEXT NOT NULL,
  text TEXT NOT NULL,
  since INTEGER NOT NULL
) WITHOUT ROWID;
ALTER TABLE outbox ADD COLUMN channel TEXT;
CREATE INDEX dead_letters_by_time ON dead_letters (last_failed_at);
)sql";

// Cost and figures of runs, also in their daily sums; which jobs reference a url, so that it is
// removed with the last of them; and which versions retention may remove.
constexpr Migration kRunDetails = R"sql(
ALTER TABLE runs ADD COLUMN items_gone INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN price_changes INTEGER;
ALTER TABLE runs ADD COLUMN cpu_us INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN slots TEXT;
ALTER TABLE run_days ADD COLUMN items_gone INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run_days ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE run_days ADD COLUMN price_changes INTEGER;
ALTER TABLE run_days ADD COLUMN cpu_us INTEGER NOT NULL DEFAULT 0;

CREATE TABLE url_uses (
  job INTEGER NOT NULL,
  url INTEGER NOT NULL,
  PRIMARY KEY (job, url)
) WITHOUT ROWID;
INSERT OR IGNORE INTO url_uses SELECT job, url FROM pages;
INSERT OR IGNORE INTO url_uses SELECT job, final_url FROM pages;
INSERT OR IGNORE INTO url_uses SELECT job, url FROM items;
CREATE INDEX url_uses_by_url ON url_uses (url);
DELETE FROM urls WHERE url <> '' AND id NOT IN (SELECT url FROM url_uses);

ALTER TABLE versions ADD COLUMN is_between INTEGER NOT NULL DEFAULT 0;
UPDATE versions SET is_between = 1
  WHERE EXISTS (SELECT 1 FROM versions o WHERE o.page = versions.page AND o.id < versions.id)
  AND EXISTS (SELECT 1 FROM versions o WHERE o.page = versions.page AND o.id > versions.id);
CREATE INDEX versions_between ON versions (id) WHERE is_between = 1;
)sql";

// The ended run that dependent jobs may not know yet.
constexpr Migration kUnreportedRuns = "ALTER TABLE job_lives ADD COLUMN untold_run TEXT;";

constexpr Migration kPeakMemory =
    "ALTER TABLE runs ADD COLUMN peak_memory INTEGER NOT NULL DEFAULT 0;";

// How long waiting messages and page retries wait, whatever the clock is set to meanwhile.
constexpr Migration kWaits = R"sql(
ALTER TABLE outbox ADD COLUMN wait_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN waited_ms INTEGER NOT NULL DEFAULT 0;
UPDATE outbox SET waited_ms = max(0, due_at - created_at),
  wait_ms = min(3600000, max(0, due_at - created_at)) WHERE state = 0;
ALTER TABLE tasks ADD COLUMN wait_ms INTEGER NOT NULL DEFAULT 0;
)sql";

// What is wrong with pages that were read, so that it is known of unchanged pages too.
constexpr Migration kFindings = R"sql(
ALTER TABLE pages ADD COLUMN key_matches TEXT;
ALTER TABLE pages ADD COLUMN finding_kind TEXT;
ALTER TABLE pages ADD COLUMN finding TEXT;
ALTER TABLE runs ADD COLUMN suspicious_pages INTEGER NOT NULL DEFAULT 0;
)sql";

// What lists read: the page that found an item, while that page lists it, and the other pages that
// list it; the counts of an unfinished run; and indexes of failed pages and failing jobs. The lists
// of pages are cut into their keys by halving: the cost of cutting one by one grows with its
// square.
constexpr Migration kLists = R"sql(
ALTER TABLE items ADD COLUMN page INTEGER;
CREATE TABLE listings (
  job INTEGER NOT NULL,
  prefix BLOB NOT NULL,
  page INTEGER NOT NULL,
  PRIMARY KEY (job, prefix, page)
) WITHOUT ROWID;
INSERT OR IGNORE INTO listings
WITH RECURSIVE part (job, page, keys, size) AS (
  SELECT p.job, p.id, k.keys, length(k.keys) / 8 FROM pages p JOIN page_keys k ON k.page = p.id
  UNION ALL
  SELECT job, page, substr(keys, 1, size / 2 * 8), size / 2 FROM part WHERE size > 1
  UNION ALL
  SELECT job, page, substr(keys, size / 2 * 8 + 1), size - size / 2 FROM part WHERE size > 1
  ORDER BY 4
)
SELECT job, substr(keys, 1, 8), page FROM part WHERE size = 1;

UPDATE runs SET (pages_done, pages_skipped, pages_failed, items_seen, items_new, bytes) =
  (SELECT count(*) FILTER (WHERE state = 3), count(*) FILTER (WHERE state = 4),
     count(*) FILTER (WHERE state = 5), CAST(total(items_seen) AS INTEGER),
     CAST(total(items_new) AS INTEGER), CAST(total(bytes) AS INTEGER)
   FROM tasks WHERE tasks.run = runs.number)
  WHERE ended_at IS NULL;

CREATE INDEX tasks_failed ON tasks (run, state DESC, (error_kind IN ('script', 'no_items',
  'not_html', 'login_required', 'app_shell', 'bot_wall', 'error_page')) DESC, number)
  WHERE error_kind NOTNULL AND state > 2;
CREATE INDEX job_lives_failing ON job_lives (job) WHERE check_state NOT IN ('ok', 'pending');
)sql";

// Items that are followed by their key: which are gone, how many more readings of a page without
// one make it count as gone, and of which run and rules the newest whole reading of a page is.
constexpr Migration kFollowedItems = R"sql(
ALTER TABLE items ADD COLUMN gone_at INTEGER;
ALTER TABLE pages ADD COLUMN last_run INTEGER;
ALTER TABLE pages ADD COLUMN fields_hash BLOB;
CREATE TABLE absences (
  job INTEGER NOT NULL,
  item INTEGER NOT NULL,
  page INTEGER NOT NULL,
  readings_left INTEGER NOT NULL,
  PRIMARY KEY (job, item, page)
) WITHOUT ROWID;
)sql";

// Changes of the text of pages: the unchanged line in front of them.
constexpr Migration kTextChanges = "ALTER TABLE changes ADD COLUMN context TEXT;";

// Pages that pages of the run have found: each is visited once per run. Rows of other pages have no
// `visit`, so that runs without discovery keep no index of their pages.
constexpr Migration kFoundPages = R"sql(
ALTER TABLE tasks ADD COLUMN visit BLOB;
ALTER TABLE tasks ADD COLUMN depth INTEGER;
ALTER TABLE tasks ADD COLUMN is_baseline INTEGER;
ALTER TABLE runs ADD COLUMN most_pages INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX tasks_found ON tasks (run, visit) WHERE visit IS NOT NULL;
)sql";

constexpr std::array kMigrations{kFirst,         kJobStatuses, kMaintenance, kAlerts,
                                 kRunDetails,    kPrograms,    kWaiting,     kUnreportedRuns,
                                 kPeakMemory,    kWaits,       kFindings,    kLists,
                                 kFollowedItems, kTextChanges, kFoundPages};

}  // namespace

std::span<const Migration> migrations() {
  return kMigrations;
}

}  // namespace heddle::store
