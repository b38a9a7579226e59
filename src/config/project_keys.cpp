#include "config/key_rows.hpp"

namespace heddle::config {

namespace {

using enum KeyType;
using enum Availability;

constexpr Key kProject[] = {
    {"timezone", zone, "(the system's)", "", now,
     "Zone of schedules, active hours, templates and daily figures.", R"("Europe/Berlin")"},
    {"data_dir", file, "data", "", now,
     "Where the database, versions and logs live; relative to the project. A change takes effect "
     "at the daemon's next start."},
    {"store", text, "sqlite", "", later,
     "\"sqlite\"; postgres://… for a cluster is not available yet, and no job runs with it."},
    {"queue", text, "local", "", later,
     "\"local\"; amqp://… for a cluster is not available yet, and no job runs with it."},
    {"reload", word, "watch", "watch|manual", now,
     "\"watch\": changed files are applied when they are saved; \"manual\": on `heddle reload`."},
    {"daemon", table, "", "daemon", now, "The daemon's processes."},
    {"recovery", table, "", "recovery", now, "What happens when a worker dies."},
    {"script", table, "", "script", now, "Resource limits of Lua scripts."},
    {"server", table, "", "server", later, "HTTP API and dashboard."},
    {"network", table, "", "network", now, "Addresses that requests may connect to."},
    {"limits", table, "", "project_limits", now, "What runs may use up; jobs may set their own."},
    {"hosts", table_map, "", "host", now,
     "Politeness towards one host, written as [hosts.\"example.com\"]."},
    {"retention", table, "", "retention", now, "How long history is kept."},
    {"channels", table_map, "", "channel", now,
     "Where messages can be sent, written as [channels.NAME]."},
    {"alerts", table, "", "alerts", now, "Receivers of alerts about the system itself."},
    {"defaults", table, "", "job", now, "Values for every job."},
    {"groups", table_map, "", "job", now,
     "Values for the jobs of a group, written as [groups.NAME]."},
    {"log", table, "", "log", now, "Log files."},
};

constexpr Key kJobsFile[] = {
    {"jobs", table_list, "", "job", now, "Many small jobs in one file, each under [[jobs]]."},
};

constexpr Key kDaemon[] = {
    {"processes", integer, "(number of cores)", "1..1024", now,
     "Number of worker processes. Without this key the environment variable `SPYWEB_THREADS` (1 to "
     "64) sets it.",
     "4"},
    {"shutdown_timeout", duration, "20s", "0s..1h", now, "Time to finish pages in flight."},
    {"recycle_after", duration, "24h", "1m..365d", now, "Workers are replaced after this time."},
    {"recycle_rss", size, "512MB", "32MB..", now,
     "Workers are replaced when they have grown by this since their jobs were loaded."},
    {"misfire_spread", duration, "5m", "0s..1d", now,
     "Many missed runs are spread over this time."},
    {"browsers", integer, "2", "0..100", later, "Browsers kept warm for render = \"browser\"."},
    {"labels", text_or_list, "", "", later,
     "Cluster: what this machine offers to jobs with `node`.", R"(["gpu"])"},
};

constexpr Key kRecovery[] = {
    {"delay", duration, "0s", "0s..1h", now, "Pause before the first respawn in the window."},
    {"backoff", duration, "100ms", "0s..1h", now,
     "Pause before the next; doubles up to `backoff_cap`."},
    {"backoff_cap", duration, "10s", "0s..1d", now, "Longest pause."},
    {"max_restarts", integer, "20", "0..100000", now, "Respawns in the window before giving up."},
    {"window", duration, "60s", "1s..1d", now, "See `max_restarts`."},
    {"hang_timeout", duration, "30s", "1s..1d", now,
     "A worker silent for this long is killed; longer than script.cpu_limit."},
    {"poison_limit", integer, "3", "1..1000", now,
     "Worker deaths in a row under one job before it is quarantined."},
};

constexpr Key kScript[] = {
    {"cpu_limit", duration, "5s", "1ms..1h", now, "Running time per hook; waiting does not count."},
    {"wall_limit", duration, "5m", "1ms..1d", now, "Time per hook, waiting included."},
    {"memory", size, "256MB", "1MB..64GB", now, "Memory of one job's scripts."},
    {"slice", duration, "5ms", "1ms..1s", now,
     "Longest time a script runs before other jobs get their turn."},
    {"max_loaded", integer, "2000", "1..1000000", now,
     "Jobs whose scripts stay loaded in a worker; beyond that, the least recently used one is "
     "unloaded."},
    {"on_error", word, "hold", "hold|keep", now,
     "An item whose `filter_item` raises an error: hold does not store it, so that it is reported "
     "once the script is fixed, and the page fails after its other items are stored; keep stores "
     "it as it was, as SpyWeb does.",
     R"("keep")"},
};

constexpr Key kServer[] = {
    {"listen", listen, "127.0.0.1:7979", "", later, "Address and port."},
    {"hosts", text_list, "", "", later,
     "Names accepted in the Host header besides the listen address.", R"(["heddle.example.com"])"},
    {"base_path", text, "/", "", later, "Path under which a reverse proxy serves it.",
     R"("/heddle/")"},
    {"trusted_proxies", network_list, "", "", later,
     "Proxies whose forwarded addresses are believed.", R"(["10.0.0.0/8"])"},
    {"tls_cert", file, "", "", later, "Certificate chain, PEM.", R"("tls/cert.pem")"},
    {"tls_key", file, "", "", later, "Private key, PEM.", R"("tls/key.pem")"},
    {"auth", word, "key", "key|none", later, "Whether callers need a key."},
    {"edit_code", boolean, "(true on loopback, else false)", "", later,
     "Whether scripts, hooks and commands may be changed over HTTP.", "false"},
};

constexpr Key kNetwork[] = {
    {"allow", network_list, "", "", now,
     "Private addresses (CIDR), addresses or hosts that jobs may reach.",
     R"(["192.168.1.0/24", "nas.local"])"},
    {"deny", network_list, "", "", now, "What no job may reach, even if public.",
     R"(["203.0.113.0/24"])"},
    {"allow_delivery", network_list, "", "", now,
     "Further addresses that webhooks, channels and proxies may reach, in addition to those of "
     "`allow`.",
     R"(["127.0.0.1"])"},
    {"user_agent", text, "(heddle and its version)", "", now, "The User-Agent header of requests.",
     R"("my-bot/1.0")"},
    {"ca_file", file, "(the system's)", "", now, "Certificate authorities to trust, PEM.",
     R"("tls/ca.pem")"},
};

constexpr Key kProjectLimits[] = {
    {"per_host", integer, "4", "1..1000", now,
     "Requests to one host at the same time, over all jobs."},
    {"per_host_delay", duration, "0s", "0s..1h", now,
     "Pause between two requests to one host, over all jobs."},
    {"runs_in_parallel", integer, "256", "1..1000000", now,
     "Runs at the same time; others wait for their turn."},
    {"storage", share, "10%", "10MB..", now,
     "Disk space for everything; the share is of the disk at first start."},
};

constexpr Key kHost[] = {
    {"concurrency", integer, "(limits.per_host)", "1..1000", now, "Requests at the same time.",
     "1"},
    {"delay", duration, "(limits.per_host_delay)", "0s..1h", now, "Pause between two requests.",
     R"("2s")"},
    {"headers", header_map, "", "", now, "Headers for every request to this host.",
     R"({ Authorization = "Bearer ${env:TOKEN}" })"},
    {"robots", word, "(the job's)", "discovered|obey|ignore", now,
     "Which pages of this host robots.txt can forbid, as the key of jobs.", R"("obey")"},
};

constexpr Key kRetention[] = {
    {"versions", duration, "30d", "1h..", now,
     "Versions of pages; the first and the newest always stay."},
    {"versions_size", size, "off", "1MB..", now, "Most space for versions.", R"("2GB")"},
    {"runs", duration, "90d", "1h..", now, "Runs; then only daily figures."},
    {"runs_size", size, "off", "1MB..", now, "Most space for runs.", R"("500MB")"},
    {"events", duration, "14d", "1h..", now, "Events."},
    {"events_size", size, "off", "1MB..", now, "Most space for events.", R"("500MB")"},
    {"prices", duration, "365d", "1h..", now, "Single price points; then daily figures."},
    {"prices_size", size, "off", "1MB..", now, "Most space for price points.", R"("500MB")"},
    {"dead_letters", duration, "30d", "1h..", now,
     "Dead letters: pages and messages that failed for good."},
    {"dead_letters_size", size, "off", "1MB..", now, "Most space for them.", R"("500MB")"},
    {"traces", duration, "7d", "1h..", now, "What each stage of each page did."},
    {"traces_size", size, "off", "1MB..", now, "Most space for traces.", R"("500MB")"},
    {"archive_after", duration, "180d", "1d..", now,
     "Stopped or failed jobs without activity are archived."},
};

constexpr Key kChannel[] = {
    {"type", word, "",
     "~ntfy|~telegram|~discord|~slack|~gotify|~pushover|~email|webhook|desktop|~command", now,
     "Required.", R"("webhook")"},
    {"url", url, "", "", now, "webhook: where messages are posted; others: address of the service.",
     R"("https://example.com/hook")"},
    {"token", text, "", "", later, "Access token.", R"("${env:NTFY_TOKEN}")"},
    {"chat", text, "", "", later, "telegram: chat id.", R"("123456")"},
    {"user", text, "", "", later, "pushover: user key; email: user name.", R"("me")"},
    {"password", text, "", "", later, "email: password.", R"("${env:SMTP_PASSWORD}")"},
    {"smtp", text, "", "", later, "email: server and port.", R"("smtp.example.com:587")"},
    {"from", text, "", "", later, "email: sender.", R"("heddle@example.com")"},
    {"to", text_or_list, "", "", later, "email: receivers.", R"("me@example.com")"},
    {"headers", header_map, "", "", now, "webhook: headers to send along.",
     R"({ X-Team = "data" })"},
    {"secret", text_or_list, "", "", now, "webhook: signs as Standard Webhooks do.",
     R"("${env:HOOK_SECRET}")"},
    {"command", text, "", "", later, "command: a line for sh -c; the message is its input.",
     R"("mail me")"},
    {"args", text_list, "", "", later, "command: program and arguments, run directly.",
     R"(["mail", "me"])"},
    {"template", text, "", "", later, "The message, with {tags}.", R"("{job_name}: {summary}")"},
};

constexpr Key kAlerts[] = {
    {"to", text_or_list, "", "", now, "Channels.", R"(["phone"])"},
    {"stuck_after", duration, "15m", "1m..7d", now,
     "A run without progress for this long raises an alert."},
};

constexpr Key kLog[] = {
    {"level", word, "info", "debug|info|warning|error", now,
     "The least severe messages that the daemon logs. `heddle up -q` and `-qq` show fewer on "
     "standard error; data/daemon.log has them all."},
    {"format", word, "text", "text|json", now,
     "\"json\": the daemon logs one JSON object per line with `time`, `level` and `message`, and "
     "`job_id` and `run_id` where known."},
    {"size", size, "10MB", "10KB..", now, "A log file is rotated at this size."},
    {"keep", integer, "5", "0..1000", now, "Rotated files that are kept."},
};

constexpr Section kSections[] = {
    {"project", "heddle.toml", kProject},
    {"jobs_file", "jobs.toml", kJobsFile},
    {"daemon", "[daemon] of heddle.toml", kDaemon},
    {"recovery", "[recovery] of heddle.toml", kRecovery},
    {"script", "[script] of heddle.toml", kScript},
    {"server", "[server] of heddle.toml", kServer},
    {"network", "[network] of heddle.toml", kNetwork},
    {"project_limits", "[limits] of heddle.toml", kProjectLimits, "limits"},
    {"host", "[hosts.\"NAME\"] of heddle.toml", kHost},
    {"retention", "[retention] of heddle.toml", kRetention},
    {"channel", "[channels.NAME] of heddle.toml", kChannel},
    {"alerts", "[alerts] of heddle.toml", kAlerts},
    {"log", "[log] of heddle.toml", kLog},
};

}  // namespace

std::span<const Section> project_sections() {
  return kSections;
}

}  // namespace heddle::config
