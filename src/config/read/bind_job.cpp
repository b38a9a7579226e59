#include <signal.h>

#include "config/read/bind.hpp"
#include "config/read/bindings.hpp"
#include "config/read/values/field_rule.hpp"
#include "config/read/values/formats.hpp"

namespace heddle::config {

namespace {

constexpr NameTable<JobKind, 3> kKinds{
    {{JobKind::web, "web"}, {JobKind::command, "command"}, {JobKind::service, "service"}}};
constexpr NameTable<ProxyRotation, 3> kRotations{{{ProxyRotation::round_robin, "RoundRobin"},
                                                  {ProxyRotation::sticky, "Sticky"},
                                                  {ProxyRotation::random, "Random"}}};
constexpr NameTable<SnapshotPolicy, 3> kSnapshots{{{SnapshotPolicy::changed, "changed"},
                                                   {SnapshotPolicy::all, "all"},
                                                   {SnapshotPolicy::none, "none"}}};
constexpr NameTable<FirstRun, 2> kFirstRuns{
    {{FirstRun::report, "report"}, {FirstRun::baseline, "baseline"}}};
constexpr NameTable<FollowKind, 4> kFollowKinds{{{FollowKind::pagination, "pagination"},
                                                 {FollowKind::items, "items"},
                                                 {FollowKind::sitemap, "sitemap"},
                                                 {FollowKind::links, "links"}}};
constexpr NameTable<PageFormat, 6> kFormats{{{PageFormat::detected, "auto"},
                                             {PageFormat::html, "html"},
                                             {PageFormat::xml, "xml"},
                                             {PageFormat::json, "json"},
                                             {PageFormat::json_lines, "jsonl"},
                                             {PageFormat::text, "text"}}};
constexpr NameTable<MisfirePolicy, 2> kMisfires{
    {{MisfirePolicy::run_once, "run_once"}, {MisfirePolicy::skip, "skip"}}};
constexpr NameTable<OverlapPolicy, 3> kOverlaps{{{OverlapPolicy::skip, "skip"},
                                                 {OverlapPolicy::queue, "queue"},
                                                 {OverlapPolicy::replace, "replace"}}};
constexpr NameTable<CompletionMode, 2> kCompletionModes{
    {{CompletionMode::any, "any"}, {CompletionMode::indexed, "indexed"}}};
constexpr NameTable<RestartRule, 3> kRestarts{{{RestartRule::never, "never"},
                                               {RestartRule::on_failure, "on_failure"},
                                               {RestartRule::always, "always"}}};

// Text that cannot be read is reported by the job's other checks.
void set_json_in(Job& job, const Given& given) {
  if (auto element = parse_unnamed_field(given.text()))
    job.json_in = {element->selector, element->kind, element->attribute};
}

void add_hooks(Job& job, const Given& given) {
  const auto& hooks = given.as<std::vector<HookRule>>();
  job.hooks.insert(job.hooks.end(), hooks.begin(), hooks.end());
}

void set_follow(Job& job, const Given& given) {
  job.discover.follow.clear();
  for (const std::string& word : given.texts())
    if (const auto kind = value_of(kFollowKinds, word)) job.discover.follow.push_back(*kind);
}

void add_texts(const std::vector<std::string>& texts, std::vector<std::string>& list) {
  list.insert(list.end(), texts.begin(), texts.end());
}

// Ranges that cannot be read are reported by the job's other checks.
void set_expected_status(Job& job, const Given& given) {
  job.expect.status.clear();
  for (const std::string& text : given.texts())
    if (const auto range = read_status_range(text)) job.expect.status.push_back(*range);
}

constexpr Binding<Job> kJobBindings[] = {
    {"name", [](Job& job, const Given& given) { job.name = trim(given.text()); }},
    {"group", [](Job& job, const Given& given) { job.group = given.text(); }},
    {"tags", [](Job& job, const Given& given) { job.tags = given.texts(); }},
    {"vars", [](Job& job, const Given& given) { job.vars.insert(given.named()); }},
    {"kind", [](Job& job, const Given& given) { job.kind = given.word(kKinds); }},
    {"enabled", [](Job& job, const Given& given) { job.enabled = given.flag(); }},
    {"interval", [](Job& job, const Given& given) { job.interval = given.time(); }},
    {"schedule", [](Job& job, const Given& given) { job.schedule = given.text(); }},
    {"timezone", [](Job& job, const Given& given) { job.timezone = given.text(); }},
    {"active_hours", [](Job& job, const Given& given) { job.active_hours = given.texts(); }},
    {"jitter", [](Job& job, const Given& given) { job.jitter = given.time(); }},
    {"misfire", [](Job& job, const Given& given) { job.misfire = given.word(kMisfires); }},
    {"overlap", [](Job& job, const Given& given) { job.overlap = given.word(kOverlaps); }},
    {"stop_timeout", [](Job& job, const Given& given) { job.stop_timeout = given.time(); }},
    {"alert_after", [](Job& job, const Given& given) { job.alert_after = given.small_count(); }},
    {"method", [](Job& job, const Given& given) { job.method = given.text(); }},
    {"headers", [](Job& job, const Given& given) { job.headers.push_back(given.named()); }},
    {"body", [](Job& job, const Given& given) { job.body = given.text(); }},
    {"timeout", [](Job& job, const Given& given) { job.timeout = given.time(); }},
    {"cookie_file", [](Job& job, const Given& given) { job.cookie_file = given.text(); }},
    {"proxy.enabled", [](Job& job, const Given& given) { job.proxy.enabled = given.flag(); }},
    {"proxy.rotate",
     [](Job& job, const Given& given) { job.proxy.rotate = given.word(kRotations); }},
    {"proxy.urls", [](Job& job, const Given& given) { job.proxy.urls = given.texts(); }},
    {"robots", [](Job& job, const Given& given) { job.robots = given.word(kRobots); }},
    {"watch",
     [](Job& job, const Given& given) {
       job.watch = watch_kind_from(given.text()).value_or(WatchKind::items);
     }},
    {"convert", [](Job& job, const Given& given) { job.convert = given.texts(); }},
    {"format", [](Job& job, const Given& given) { job.format = given.word(kFormats); }},
    {"json_in", set_json_in},
    {"namespaces", [](Job& job, const Given& given) { job.namespaces.insert(given.named()); }},
    {"selector", [](Job& job, const Given& given) { job.selector = given.text(); }},
    {"fields",
     [](Job& job, const Given& given) { job.fields = given.as<std::vector<FieldRule>>(); }},
    {"keywords", [](Job& job, const Given& given) { job.keywords = given.texts(); }},
    {"search_fields", [](Job& job, const Given& given) { job.search_fields = given.texts(); }},
    {"hash_fields", [](Job& job, const Given& given) { job.hash_fields = given.texts(); }},
    {"key", [](Job& job, const Given& given) { job.key = given.texts(); }},
    {"workers", [](Job& job, const Given& given) { job.workers = given.small_count(); }},
    {"stagger", [](Job& job, const Given& given) { job.stagger = given.time(); }},
    {"max_error_rate", [](Job& job, const Given& given) { job.max_error_rate = given.number(); }},
    {"webhook.enabled", [](Job& job, const Given& given) { job.webhook.enabled = given.flag(); }},
    {"webhook.url", [](Job& job, const Given& given) { job.webhook.url = given.text(); }},
    {"webhook.headers",
     [](Job& job, const Given& given) { job.webhook.headers.push_back(given.named()); }},
    {"webhook.secret", [](Job& job, const Given& given) { job.webhook.secrets = given.texts(); }},
    {"notification.enabled",
     [](Job& job, const Given& given) { job.notification.enabled = given.flag(); }},
    {"notification.title",
     [](Job& job, const Given& given) { job.notification.title = given.text(); }},
    {"notification.body",
     [](Job& job, const Given& given) { job.notification.body = given.text(); }},
    {"notification.timeout",
     [](Job& job, const Given& given) { job.notification.timeout = given.time(); }},
    {"retry.max", [](Job& job, const Given& given) { job.retry.max = given.small_count(); }},
    {"retry.base", [](Job& job, const Given& given) { job.retry.base = given.time(); }},
    {"retry.factor", [](Job& job, const Given& given) { job.retry.factor = given.number(); }},
    {"retry.jitter", [](Job& job, const Given& given) { job.retry.jitter = given.number(); }},
    {"retry.cap", [](Job& job, const Given& given) { job.retry.cap = given.time(); }},
    {"retry.runs", [](Job& job, const Given& given) { job.retry.runs = given.small_count(); }},
    {"limits.pages_per_run",
     [](Job& job, const Given& given) { job.limits.pages_per_run = given.count(); }},
    {"limits.run_time", [](Job& job, const Given& given) { job.limits.run_time = given.time(); }},
    {"limits.body", [](Job& job, const Given& given) { job.limits.body = given.count(); }},
    {"limits.nodes", [](Job& job, const Given& given) { job.limits.nodes = given.count(); }},
    {"limits.html_depth",
     [](Job& job, const Given& given) { job.limits.html_depth = given.small_count(); }},
    {"limits.redirects",
     [](Job& job, const Given& given) { job.limits.redirects = given.small_count(); }},
    {"limits.pages_per_day",
     [](Job& job, const Given& given) { job.limits.pages_per_day = given.count(); }},
    {"limits.runs_per_day",
     [](Job& job, const Given& given) { job.limits.runs_per_day = given.count(); }},
    {"gone_after", [](Job& job, const Given& given) { job.gone_after = given.small_count(); }},
    {"limits.depth", [](Job& job, const Given& given) { job.limits.depth = given.small_count(); }},
    {"ignore", [](Job& job, const Given& given) { job.changes.ignore = given.texts(); }},
    {"ignore_text", [](Job& job, const Given& given) { job.changes.ignore_text = given.texts(); }},
    {"trigger", [](Job& job, const Given& given) { job.changes.trigger = given.texts(); }},
    {"trigger_text",
     [](Job& job, const Given& given) { job.changes.trigger_text = given.texts(); }},
    {"min_significance",
     [](Job& job, const Given& given) {
       job.changes.min_significance =
           significance_from(given.text()).value_or(Significance::low);
     }},
    {"confirm", [](Job& job, const Given& given) { job.changes.confirm = given.small_count(); }},
    {"must_not_contain",
     [](Job& job, const Given& given) { add_texts(given.texts(), job.expect.not_contains); }},
    {"discover.follow", set_follow},
    {"discover.same_host",
     [](Job& job, const Given& given) { job.discover.same_host = given.flag(); }},
    {"discover.include",
     [](Job& job, const Given& given) { job.discover.include = given.texts(); }},
    {"discover.exclude",
     [](Job& job, const Given& given) { job.discover.exclude = given.texts(); }},
    {"discover.depth",
     [](Job& job, const Given& given) { job.discover.depth = given.small_count(); }},
    {"discover.max_pages",
     [](Job& job, const Given& given) { job.discover.max_pages = given.count(); }},
    {"expect.contains", [](Job& job, const Given& given) { job.expect.contains = given.texts(); }},
    {"expect.not_contains",
     [](Job& job, const Given& given) { add_texts(given.texts(), job.expect.not_contains); }},
    {"expect.max_ms",
     [](Job& job, const Given& given) {
       job.expect.max_time = std::chrono::milliseconds(given.count());
     }},
    {"expect.tls_days",
     [](Job& job, const Given& given) { job.expect.tls_days = given.small_count(); }},
    {"expect.min_items", [](Job& job, const Given& given) { job.expect.min_items = given.count(); }},
    {"expect.status", set_expected_status},
    {"series", [](Job& job, const Given& given) { job.series = given.texts(); }},
    {"snapshots", [](Job& job, const Given& given) { job.snapshots = given.word(kSnapshots); }},
    {"first_run", [](Job& job, const Given& given) { job.first_run = given.word(kFirstRuns); }},
    {"script", [](Job& job, const Given& given) { job.scripts.files = {given.text()}; }},
    {"debug", [](Job& job, const Given& given) { job.debug = given.flag(); }},
    {"command", [](Job& job, const Given& given) { job.program.line.command = given.text(); }},
    {"args", [](Job& job, const Given& given) { job.program.line.args = given.texts(); }},
    {"work_dir", [](Job& job, const Given& given) { job.program.work_dir = given.text(); }},
    {"env", [](Job& job, const Given& given) { job.program.env.insert(given.named()); }},
    {"env_pass", [](Job& job, const Given& given) { job.program.env_pass = given.texts(); }},
    {"parallelism",
     [](Job& job, const Given& given) { job.program.parallelism = given.small_count(); }},
    {"completions",
     [](Job& job, const Given& given) { job.program.completions = given.small_count(); }},
    {"completion_mode",
     [](Job& job,
        const Given& given) { job.program.completion_mode = given.word(kCompletionModes); }},
    {"restart", [](Job& job, const Given& given) { job.program.restart = given.word(kRestarts); }},
    {"backoff_limit",
     [](Job& job, const Given& given) { job.program.backoff_limit = given.small_count(); }},
    {"max_restarts",
     [](Job& job, const Given& given) { job.program.max_restarts = given.small_count(); }},
    {"restart_window",
     [](Job& job, const Given& given) { job.program.restart_window = given.time(); }},
    {"ready_after", [](Job& job, const Given& given) { job.program.ready_after = given.time(); }},
    {"ready_check", [](Job& job, const Given& given) { job.program.ready_check = given.text(); }},
    {"deadline", [](Job& job, const Given& given) { job.program.deadline = given.time(); }},
    {"stop_signal",
     [](Job& job,
        const Given&
            given) { job.program.stop_signal = signal_from(given.text()).value_or(SIGTERM); }},
    {"hooks.pre_start", add_hooks},
    {"hooks.post_start", add_hooks},
    {"hooks.pre_stop", add_hooks},
    {"hooks.post_stop", add_hooks},
};

}  // namespace

Job job_of_presets() {
  Job job;
  bind_presets(kJobBindings, section_named("job"), "", job);
  return job;
}

void bind_job(const Settings& settings, Job& job) {
  bind_all(kJobBindings, settings, job);
}

bool is_job_key_bound(std::string_view path) {
  return find_binding(kJobBindings, path) != nullptr;
}

}  // namespace heddle::config
