user_version = 15
application_id = 1214604396
page_size = 4096
encoding = UTF-8
CREATE TABLE absences (
  job INTEGER NOT NULL,
  item INTEGER NOT NULL,
  page INTEGER NOT NULL,
  readings_left INTEGER NOT NULL,
  PRIMARY KEY (job, item, page)
) WITHOUT ROWID;
CREATE TABLE alerts (
  key TEXT PRIMARY KEY,
  level TEXT NOT NULL,
  text TEXT NOT NULL,
  since INTEGER NOT NULL
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
, context TEXT);
CREATE INDEX changes_by_job ON changes (job, at);
CREATE TABLE contents (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  zstd BLOB NOT NULL
);
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
CREATE INDEX dead_letters_by_delivery ON dead_letters (delivery) WHERE delivery IS NOT NULL;
CREATE INDEX dead_letters_by_job ON dead_letters (job, id);
CREATE INDEX dead_letters_by_time ON dead_letters (last_failed_at);
CREATE TABLE deletions (
  job INTEGER PRIMARY KEY,
  at INTEGER NOT NULL
);
CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  job INTEGER,
  run TEXT,
  data TEXT
);
CREATE INDEX events_by_job ON events (job, id);
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
, page INTEGER, gone_at INTEGER);
CREATE INDEX items_by_job ON items (job, first_seen);
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
, waiting_for TEXT, waiting_since INTEGER, untold_run TEXT);
CREATE INDEX job_lives_failing ON job_lives (job) WHERE check_state NOT IN ('ok', 'pending');
CREATE TABLE jobs (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  revision TEXT NOT NULL
);
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
CREATE TABLE listings (
  job INTEGER NOT NULL,
  prefix BLOB NOT NULL,
  page INTEGER NOT NULL,
  PRIMARY KEY (job, prefix, page)
) WITHOUT ROWID;
CREATE TABLE notes (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
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
, channel TEXT, wait_ms INTEGER NOT NULL DEFAULT 0, waited_ms INTEGER NOT NULL DEFAULT 0);
CREATE INDEX outbox_by_job ON outbox (job, state);
CREATE INDEX outbox_waiting ON outbox (due_at, number) WHERE state = 0;
CREATE TABLE page_keys (
  page INTEGER PRIMARY KEY,
  keys BLOB NOT NULL
);
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
  keys_hash INTEGER NOT NULL, key_matches TEXT, finding_kind TEXT, finding TEXT, last_run INTEGER, fields_hash BLOB,
  UNIQUE (job, url)
);
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
CREATE INDEX prices_by_item ON prices (item, field, at) WHERE item IS NOT NULL;
CREATE INDEX prices_by_job ON prices (job, at);
CREATE INDEX prices_by_page ON prices (page, field, at) WHERE item IS NULL;
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
  bytes INTEGER NOT NULL, items_gone INTEGER NOT NULL DEFAULT 0, changes INTEGER NOT NULL DEFAULT 0, price_changes INTEGER, cpu_us INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (job, day)
) WITHOUT ROWID;
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
, items_gone INTEGER NOT NULL DEFAULT 0, changes INTEGER NOT NULL DEFAULT 0, price_changes INTEGER, cpu_us INTEGER NOT NULL DEFAULT 0, slots TEXT, peak_memory INTEGER NOT NULL DEFAULT 0, suspicious_pages INTEGER NOT NULL DEFAULT 0, most_pages INTEGER NOT NULL DEFAULT 0);
CREATE INDEX runs_by_job ON runs (job, number);
CREATE INDEX runs_unfinished ON runs (number) WHERE ended_at IS NULL;
CREATE TABLE seen_keys (
  job INTEGER NOT NULL,
  key BLOB NOT NULL,
  item INTEGER NOT NULL,
  PRIMARY KEY (job, key)
) WITHOUT ROWID;
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
  error TEXT, wait_ms INTEGER NOT NULL DEFAULT 0, visit BLOB, depth INTEGER, is_baseline INTEGER,
  PRIMARY KEY (run, number)
) WITHOUT ROWID;
CREATE INDEX tasks_failed ON tasks (run, state DESC, (error_kind IN ('script', 'no_items',
  'not_html', 'login_required', 'app_shell', 'bot_wall', 'error_page')) DESC, number)
  WHERE error_kind NOTNULL AND state > 2;
CREATE UNIQUE INDEX tasks_found ON tasks (run, visit) WHERE visit IS NOT NULL;
CREATE INDEX tasks_pending ON tasks (run, number) WHERE state = 0;
CREATE INDEX tasks_retry ON tasks (run, due_at) WHERE state = 2;
CREATE TABLE traces (
  run INTEGER NOT NULL,
  task INTEGER NOT NULL,
  trace BLOB NOT NULL,
  PRIMARY KEY (run, task)
) WITHOUT ROWID;
CREATE TABLE url_uses (
  job INTEGER NOT NULL,
  url INTEGER NOT NULL,
  PRIMARY KEY (job, url)
) WITHOUT ROWID;
CREATE INDEX url_uses_by_url ON url_uses (url);
CREATE TABLE urls (
  id INTEGER PRIMARY KEY,
  hash INTEGER NOT NULL,
  url TEXT NOT NULL
);
CREATE INDEX urls_by_hash ON urls (hash);
CREATE TABLE versions (
  id INTEGER PRIMARY KEY,
  page INTEGER NOT NULL,
  run INTEGER NOT NULL,
  at INTEGER NOT NULL,
  content INTEGER NOT NULL
, is_between INTEGER NOT NULL DEFAULT 0);
CREATE INDEX versions_between ON versions (id) WHERE is_between = 1;
CREATE INDEX versions_by_content ON versions (content);
CREATE INDEX versions_by_page ON versions (page, id);
