// The configuration of a project and its jobs, all defaults resolved. Plain values; built by the
// config module, never changed afterwards.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.hpp"
#include "base/log/log.hpp"
#include "base/secrets/secret_text.hpp"
#include "model/job/page_rules.hpp"
#include "model/job/page_source.hpp"
#include "model/job/program.hpp"
#include "model/job/retention.hpp"
#include "model/notify/delivery.hpp"
#include "model/web/fetch.hpp"

namespace heddle {

enum class JobKind { web, command, service };
std::string_view to_text(JobKind kind);
enum class FieldType { text, money, number, date };
enum class ProxyRotation { round_robin, sticky, random };
enum class SnapshotPolicy { changed, all, none };
enum class FirstRun { report, baseline };
enum class RobotsRule { discovered_only, obey, ignore };
enum class ReloadRule { watch, manual };
enum class MisfirePolicy { run_once, skip };
enum class OverlapPolicy { skip, queue, replace };
enum class TriggerOn { completed, failed, finished };  // finished: either of them

// Starts a job when a run of the upstream job has ended.
struct UpstreamTrigger {
  JobId job;
  TriggerOn on = TriggerOn::completed;

  bool operator==(const UpstreamTrigger&) const = default;
};

struct FieldRule {
  std::string name;
  std::string selector;   // empty: the container itself
  std::string attribute;  // empty: the readable text
  FieldType type = FieldType::text;
  std::string regex;  // empty: none; the first group, or the whole match
  SelectorKind kind = SelectorKind::css;
  std::string fallback{};             // the value when there is no other
  std::optional<std::string> join{};  // several matches joined by this; nullopt: the first one

  bool operator==(const FieldRule&) const = default;
};

// The element whose text or attribute holds the JSON of an HTML page.
struct EmbeddedJsonRule {
  std::string selector;  // empty: the page itself is JSON
  SelectorKind kind = SelectorKind::css;
  std::string attribute;  // empty: the text
};

struct ProxyRule {
  bool enabled = false;
  ProxyRotation rotate = ProxyRotation::round_robin;
  std::vector<std::string> urls;
};

struct WebhookRule {
  bool enabled = false;
  std::string url;
  Headers headers;
  std::vector<std::string> secrets;  // signs with each; two during a rotation
};

struct NotificationRule {
  bool enabled = true;
  std::string title = "{job_name}";
  std::string body = "{item_count} new on {url}";
  std::chrono::milliseconds timeout{5000};
};

struct RetryPolicy {
  int max = 3;  // retries after the first try
  std::chrono::milliseconds base = std::chrono::seconds(1);
  double factor = 3;
  double jitter = 0.1;
  std::chrono::milliseconds cap = std::chrono::minutes(5);
  int runs = 0;
};

struct JobLimits {
  std::int64_t pages_per_run = 10'000;
  std::chrono::milliseconds run_time = std::chrono::hours(1);
  std::int64_t body = 10'000'000;  // decoded bytes
  std::int64_t nodes = 300'000;
  int html_depth = 1000;
  int redirects = 10;
  int depth = 2;                              // links followed from a start page by discovery
  std::optional<std::int64_t> pages_per_day;  // local days of the job's zone
  std::optional<std::int64_t> runs_per_day;
};

// The job's Lua files, absolute.
struct JobScripts {
  std::vector<std::filesystem::path> files;  // in the order they are loaded; empty: no script
  std::filesystem::path tests;               // tests.lua; empty: none
};

struct Job {
  JobId id;
  std::string name;
  std::string group;
  std::vector<std::string> tags;
  std::map<std::string, std::string> vars;
  JobKind kind = JobKind::web;
  bool enabled = true;
  std::filesystem::path directory;  // of config.toml; empty for a job of jobs.toml

  std::optional<std::chrono::milliseconds> interval;  // at most one of these two
  std::string schedule;                               // cron expression or "manual"
  std::string timezone;                               // the project's unless the job has its own
  std::vector<std::string> active_hours;              // empty: always
  std::chrono::milliseconds jitter{0};
  MisfirePolicy misfire = MisfirePolicy::run_once;
  OverlapPolicy overlap = OverlapPolicy::skip;
  std::vector<UpstreamTrigger> after;
  std::chrono::milliseconds stop_timeout = std::chrono::seconds(30);
  int alert_after = 2;  // failed runs in a row

  // `url`, `urls` or the lines of `urls_file`; as written, with ${…} in place of secrets.
  std::vector<std::string> urls;
  bool is_url_list = false;  // urls or urls_file: a queue; otherwise each worker takes the one url
  std::string method = "GET";
  Headers headers;
  std::string body;
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  std::string cookie_file;
  ProxyRule proxy;
  RobotsRule robots = RobotsRule::discovered_only;

  WatchKind watch = WatchKind::items;
  PageFormat format = PageFormat::detected;
  EmbeddedJsonRule json_in;
  std::map<std::string, std::string> namespaces;  // prefixes of XPath expressions
  std::string selector;
  std::vector<FieldRule> fields;
  std::vector<std::string> keywords;
  std::vector<std::string> search_fields;  // empty: all
  std::vector<std::string> hash_fields;    // empty: all
  std::vector<std::string> key;      // fields that identify an item over time; empty: hash_fields
  int gone_after = 2;                // whole readings without an item that is followed by its key
  std::vector<std::string> convert;  // a program that makes readable text of a body; empty: none
  ChangeRule changes;
  DiscoverRule discover;
  ExpectRule expect;
  std::vector<std::string> series;  // numeric fields that are followed over time

  int workers = 1;
  std::chrono::milliseconds stagger{200};
  WebhookRule webhook;
  NotificationRule notification;
  RetryPolicy retry;
  double max_error_rate = 0.5;
  JobLimits limits;
  SnapshotPolicy snapshots = SnapshotPolicy::changed;
  FirstRun first_run = FirstRun::report;
  bool debug = false;
  JobScripts scripts;
  ProgramRule program;          // of command and service jobs; its environment is every hook's too
  std::vector<HookRule> hooks;  // of a phase in the order of the file

  std::vector<Secret> secrets;  // that stand in its settings, and in those of hosts

  std::string revision;     // changes whenever any of the above changes except values of secrets
  std::string secret_hash;  // of these values; empty: there are none. Never stored

  // Equal when nothing has changed, secrets included. For processes that read the same files.
  [[nodiscard]] std::string version() const { return revision + secret_hash; }

  // Equal for jobs that fetch a common page and may share its download; 0: no other job does.
  // Depends on the other jobs, so it is not part of the revision.
  std::uint64_t shared_page_group = 0;
};

// A 64-bit id of the job for shared memory that outlives a process. Never 0.
std::uint64_t mark_of(const JobId& job);

struct NetworkRules {
  std::vector<std::string> allow;  // CIDR or host
  std::vector<std::string> deny;
  std::vector<std::string> allow_delivery;  // besides allow, for channels and proxies
  std::string user_agent;
  std::string ca_file;
};

struct HostRule {
  std::optional<int> concurrency;
  std::optional<std::chrono::milliseconds> delay;
  Headers headers;
  std::optional<RobotsRule> robots;
};

// Resource limits for the scripts of one job.
// What happens to an item whose filter_item raises an error.
enum class FilterErrorPolicy {
  hold_back,  // it is not stored, and its page fails
  keep,       // it is stored as it was
};

struct ScriptRules {
  std::chrono::milliseconds cpu_limit = std::chrono::seconds(5);
  std::chrono::milliseconds wall_limit = std::chrono::minutes(5);
  std::int64_t memory = 256'000'000;
  std::chrono::milliseconds slice{5};
  std::int64_t max_loaded = 2000;  // jobs
  FilterErrorPolicy on_error = FilterErrorPolicy::hold_back;
};

// The worker processes of a daemon.
struct DaemonRules {
  int processes = 0;  // 0: one per core
  std::chrono::milliseconds shutdown_timeout = std::chrono::seconds(20);
  std::chrono::milliseconds recycle_after = std::chrono::hours(24);
  std::int64_t recycle_rss = 512'000'000;
  std::chrono::milliseconds misfire_spread = std::chrono::minutes(5);
};

// How dead worker processes are restarted.
struct RecoveryRules {
  std::chrono::milliseconds delay{0};
  std::chrono::milliseconds backoff{100};
  std::chrono::milliseconds backoff_cap = std::chrono::seconds(10);
  int max_restarts = 20;
  std::chrono::milliseconds window = std::chrono::minutes(1);
  std::chrono::milliseconds hang_timeout = std::chrono::seconds(30);
  int poison_limit = 3;
};

// A named notification channel.
struct ChannelRule {
  std::optional<DeliveryKind> kind{};  // nullopt: of a type that is not available yet
  WebhookRule webhook{};               // of a webhook
};

// Receivers and thresholds of system alerts.
struct AlertRules {
  std::vector<std::string> to;  // names of channels
  std::chrono::milliseconds stuck_after = std::chrono::minutes(15);
};

enum class LogFormat { text, json };

struct LogRules {
  LogLevel level = LogLevel::info;
  LogFormat format = LogFormat::text;
  std::int64_t size = 10'000'000;
  int keep = 5;
};

// The disk space limit of a project.
struct StorageRule {
  std::int64_t bytes = 0;  // 0: `share` applies
  double share = 0.1;      // of the disk, as it is when the project is first started
};

struct Project {
  std::filesystem::path root;
  std::string settings_text;  // of heddle.toml, as it was read
  std::filesystem::path data_dir;
  std::string timezone;
  ReloadRule reload = ReloadRule::watch;
  NetworkRules network;
  std::map<std::string, HostRule> hosts;
  int per_host = 4;
  std::chrono::milliseconds per_host_delay{0};
  int runs_in_parallel = 256;
  DaemonRules daemon;
  RecoveryRules recovery;
  ScriptRules script;
  std::map<std::string, ChannelRule> channels;
  AlertRules alerts;
  LogRules log;
  RetentionRules retention;
  StorageRule storage;
  std::vector<std::string> secrets;  // came from ${env:…}/${file:…}: redacted wherever shown
  std::vector<Job> jobs;

  // By id, name or folder; nullptr when there is none.
  [[nodiscard]] const Job* find_job(std::string_view name) const;
  // The folder of the files that the engine writes for the job: data/jobs/<id>.
  [[nodiscard]] std::filesystem::path job_data_dir(const Job& job) const;
};

}  // namespace heddle
