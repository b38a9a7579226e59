#include "config/read/bind.hpp"

#include <functional>
#include <string>

#include <signal.h>

#include "base/text.hpp"
#include "config/read/quantity.hpp"
#include "config/read/scalar.hpp"
#include "model/names.hpp"

namespace heddle::config {

namespace {

using std::chrono::milliseconds;
using Texts = std::vector<std::string>;

constexpr std::string_view kHosts = "hosts.";
constexpr std::string_view kChannels = "channels.";

constexpr NameTable<JobKind, 3> kKinds{
    {{JobKind::web, "web"}, {JobKind::command, "command"}, {JobKind::service, "service"}}};
constexpr NameTable<ProxyRotation, 3> kRotations{{{ProxyRotation::round_robin, "RoundRobin"},
                                                  {ProxyRotation::sticky, "Sticky"},
                                                  {ProxyRotation::random, "Random"}}};
constexpr NameTable<SnapshotPolicy, 3> kSnapshots{{{SnapshotPolicy::changed, "changed"},
                                                   {SnapshotPolicy::all, "all"},
                                                   {SnapshotPolicy::none, "none"}}};
constexpr NameTable<RobotsRule, 3> kRobots{{{RobotsRule::discovered_only, "discovered"},
                                            {RobotsRule::obey, "obey"},
                                            {RobotsRule::ignore, "ignore"}}};
constexpr NameTable<ReloadRule, 2> kReloads{
    {{ReloadRule::watch, "watch"}, {ReloadRule::manual, "manual"}}};
constexpr NameTable<LogLevel, 4> kLogLevels{{{LogLevel::debug, "debug"},
                                             {LogLevel::info, "info"},
                                             {LogLevel::warning, "warning"},
                                             {LogLevel::error, "error"}}};
constexpr NameTable<Misfire, 2> kMisfires{
    {{Misfire::run_once, "run_once"}, {Misfire::skip, "skip"}}};
constexpr NameTable<DeliveryKind, 2> kChannelKinds{
    {{DeliveryKind::webhook, "webhook"}, {DeliveryKind::desktop, "desktop"}}};
constexpr NameTable<Overlap, 3> kOverlaps{
    {{Overlap::skip, "skip"}, {Overlap::queue, "queue"}, {Overlap::replace, "replace"}}};

constexpr NameTable<CompletionMode, 2> kCompletionModes{
    {{CompletionMode::any, "any"}, {CompletionMode::indexed, "indexed"}}};
constexpr NameTable<RestartRule, 3> kRestarts{{{RestartRule::never, "never"},
                                               {RestartRule::on_failure, "on_failure"},
                                               {RestartRule::always, "always"}}};

// One value in the type the model wants.
struct Given {
  const Typed& typed;

  template <class T>
  [[nodiscard]] const T& as() const {
    return std::get<T>(typed);
  }
  [[nodiscard]] bool flag() const { return as<bool>(); }
  [[nodiscard]] std::int64_t count() const { return as<std::int64_t>(); }
  [[nodiscard]] int small_count() const { return static_cast<int>(count()); }
  [[nodiscard]] double number() const { return as<double>(); }
  [[nodiscard]] const std::string& text() const { return as<std::string>(); }
  [[nodiscard]] milliseconds time() const { return as<milliseconds>(); }
  [[nodiscard]] const Texts& texts() const { return as<Texts>(); }
  [[nodiscard]] const NamedText& named() const { return as<NamedText>(); }
  // A size, or a share of the disk: "10%".
  [[nodiscard]] StorageRule storage() const {
    StorageRule rule;
    if (const auto* bytes = std::get_if<std::int64_t>(&typed))
      rule.bytes = *bytes;
    else
      rule.share = parse_percent(trim(text())).value_or(10) / 100;
    return rule;
  }
  template <class Enum, std::size_t N>
  [[nodiscard]] Enum word(const NameTable<Enum, N>& table) const {
    return value_of(table, text()).value_or(table.front().first);
  }
};

void add_hooks(Job& job, const Given& given) {
  const auto& hooks = given.as<std::vector<HookRule>>();
  job.hooks.insert(job.hooks.end(), hooks.begin(), hooks.end());
}

template <class Target>
struct Binding {
  std::string_view path;
  void (*set)(Target&, const Given&);
};

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
    {"snapshots", [](Job& job, const Given& given) { job.snapshots = given.word(kSnapshots); }},
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

constexpr Binding<Project> kProjectBindings[] = {
    {"timezone", [](Project& project, const Given& given) { project.timezone = given.text(); }},
    {"reload", [](Project& project, const Given& given) { project.reload = given.word(kReloads); }},
    {"data_dir", [](Project& project, const Given& given) { project.data_dir = given.text(); }},
    {"network.allow",
     [](Project& project, const Given& given) { project.network.allow = given.texts(); }},
    {"network.deny",
     [](Project& project, const Given& given) { project.network.deny = given.texts(); }},
    {"network.allow_delivery",
     [](Project& project, const Given& given) { project.network.allow_delivery = given.texts(); }},
    {"network.user_agent",
     [](Project& project, const Given& given) { project.network.user_agent = given.text(); }},
    {"network.ca_file",
     [](Project& project, const Given& given) { project.network.ca_file = given.text(); }},
    {"daemon.processes",
     [](Project& project, const Given& given) { project.daemon.processes = given.small_count(); }},
    {"daemon.shutdown_timeout",
     [](Project& project, const Given& given) { project.daemon.shutdown_timeout = given.time(); }},
    {"daemon.recycle_after",
     [](Project& project, const Given& given) { project.daemon.recycle_after = given.time(); }},
    {"daemon.misfire_spread",
     [](Project& project, const Given& given) { project.daemon.misfire_spread = given.time(); }},
    {"daemon.recycle_rss",
     [](Project& project, const Given& given) { project.daemon.recycle_rss = given.count(); }},
    {"recovery.delay",
     [](Project& project, const Given& given) { project.recovery.delay = given.time(); }},
    {"recovery.backoff",
     [](Project& project, const Given& given) { project.recovery.backoff = given.time(); }},
    {"recovery.backoff_cap",
     [](Project& project, const Given& given) { project.recovery.backoff_cap = given.time(); }},
    {"recovery.max_restarts",
     [](Project& project, const Given& given) {
       project.recovery.max_restarts = given.small_count();
     }},
    {"recovery.window",
     [](Project& project, const Given& given) { project.recovery.window = given.time(); }},
    {"recovery.hang_timeout",
     [](Project& project, const Given& given) { project.recovery.hang_timeout = given.time(); }},
    {"recovery.poison_limit",
     [](Project& project, const Given& given) {
       project.recovery.poison_limit = given.small_count();
     }},
    {"script.cpu_limit",
     [](Project& project, const Given& given) { project.script.cpu_limit = given.time(); }},
    {"script.wall_limit",
     [](Project& project, const Given& given) { project.script.wall_limit = given.time(); }},
    {"script.memory",
     [](Project& project, const Given& given) { project.script.memory = given.count(); }},
    {"script.slice",
     [](Project& project, const Given& given) { project.script.slice = given.time(); }},
    {"script.max_loaded",
     [](Project& project, const Given& given) { project.script.max_loaded = given.count(); }},
    {"log.level",
     [](Project& project, const Given& given) { project.log.level = given.word(kLogLevels); }},
    {"alerts.to", [](Project& project, const Given& given) { project.alerts.to = given.texts(); }},
    {"alerts.stuck_after",
     [](Project& project, const Given& given) { project.alerts.stuck_after = given.time(); }},
    {"log.size", [](Project& project, const Given& given) { project.log.size = given.count(); }},
    {"log.keep",
     [](Project& project, const Given& given) { project.log.keep = given.small_count(); }},
    {"limits.per_host",
     [](Project& project, const Given& given) { project.per_host = given.small_count(); }},
    {"limits.per_host_delay",
     [](Project& project, const Given& given) { project.per_host_delay = given.time(); }},
    {"limits.runs_in_parallel",
     [](Project& project, const Given& given) { project.runs_in_parallel = given.small_count(); }},
    {"retention.versions",
     [](Project& project, const Given& given) { project.retention.versions.time = given.time(); }},
    {"retention.versions_size",
     [](Project& project, const Given& given) {
       project.retention.versions.bytes = given.count();
     }},
    {"retention.runs",
     [](Project& project, const Given& given) { project.retention.runs.time = given.time(); }},
    {"retention.runs_size",
     [](Project& project, const Given& given) { project.retention.runs.bytes = given.count(); }},
    {"retention.events",
     [](Project& project, const Given& given) { project.retention.events.time = given.time(); }},
    {"retention.events_size",
     [](Project& project, const Given& given) { project.retention.events.bytes = given.count(); }},
    {"retention.prices",
     [](Project& project, const Given& given) { project.retention.prices.time = given.time(); }},
    {"retention.prices_size",
     [](Project& project, const Given& given) { project.retention.prices.bytes = given.count(); }},
    {"retention.dead_letters",
     [](Project& project, const Given& given) {
       project.retention.dead_letters.time = given.time();
     }},
    {"retention.dead_letters_size",
     [](Project& project, const Given& given) {
       project.retention.dead_letters.bytes = given.count();
     }},
    {"retention.traces",
     [](Project& project, const Given& given) { project.retention.traces.time = given.time(); }},
    {"retention.traces_size",
     [](Project& project, const Given& given) { project.retention.traces.bytes = given.count(); }},
    {"retention.archive_after",
     [](Project& project, const Given& given) { project.retention.archive_after = given.time(); }},
    {"limits.storage",
     [](Project& project, const Given& given) { project.storage = given.storage(); }},
};

constexpr Binding<HostRule> kHostBindings[] = {
    {"concurrency",
     [](HostRule& host, const Given& given) { host.concurrency = given.small_count(); }},
    {"delay", [](HostRule& host, const Given& given) { host.delay = given.time(); }},
    {"headers", [](HostRule& host, const Given& given) { host.headers.push_back(given.named()); }},
    {"robots", [](HostRule& host, const Given& given) { host.robots = given.word(kRobots); }},
};

constexpr Binding<ChannelRule> kChannelBindings[] = {
    {"type", [](ChannelRule& channel,
                const Given& given) { channel.kind = value_of(kChannelKinds, given.text()); }},
    {"url", [](ChannelRule& channel, const Given& given) { channel.webhook.url = given.text(); }},
    {"headers", [](ChannelRule& channel,
                   const Given& given) { channel.webhook.headers.push_back(given.named()); }},
    {"secret",
     [](ChannelRule& channel, const Given& given) { channel.webhook.secrets = given.texts(); }},
};

template <class Target, std::size_t N>
const Binding<Target>* find_binding(const Binding<Target> (&table)[N], std::string_view path) {
  for (const Binding<Target>& binding : table)
    if (binding.path == path) return &binding;
  return nullptr;
}

// "headers.accept" -> "headers": entries of a map share the row of their key.
std::string_view path_of_key(std::string_view path, const Setting& setting) {
  if (const auto* named = std::get_if<NamedText>(&setting.value))
    path.remove_suffix(named->first.size() + 1);
  return path;
}

bool has_value(const Setting& setting) {
  return !std::holds_alternative<std::monostate>(setting.value);
}

template <class Target, std::size_t N>
void bind_all(const Binding<Target> (&table)[N], const Settings& settings, Target& target) {
  for (const auto& [path, setting] : settings) {
    if (!has_value(setting)) continue;
    const auto* binding = find_binding(table, path_of_key(path, setting));
    if (binding != nullptr) binding->set(target, Given{setting.value});
  }
}

template <class Target, std::size_t N>
void bind_presets(const Binding<Target> (&table)[N], const Section& section,
                  const std::string& prefix, Target& target) {
  for (const Key& key : section.keys) {
    const std::string path = prefix + std::string(key.name);
    if (key.type == KeyType::table && key.allowed != "job")
      bind_presets(table, section_named(key.allowed), path + ".", target);
    const Typed preset = preset_of(key);
    const auto* binding = find_binding(table, path);
    if (binding != nullptr && !std::holds_alternative<std::monostate>(preset))
      binding->set(target, Given{preset});
  }
}

void bind_host(std::string_view path, const Setting& setting, Project& project) {
  const std::string name = to_lower_ascii(name_in_path(kHosts, path, setting));
  const auto* binding = find_binding(kHostBindings, setting.key->name);
  if (binding != nullptr) binding->set(project.hosts[name], Given{setting.value});
}

void bind_channel(std::string_view path, const Setting& setting, Project& project) {
  ChannelRule& channel = project.channels[std::string(name_in_path(kChannels, path, setting))];
  const auto* binding = find_binding(kChannelBindings, setting.key->name);
  if (binding != nullptr) binding->set(channel, Given{setting.value});
}

}  // namespace

std::string_view name_in_path(std::string_view prefix, std::string_view path,
                              const Setting& setting) {
  std::string_view name = path_of_key(path, setting);
  name.remove_prefix(prefix.size());
  name.remove_suffix(setting.key->name.size() + 1);
  return name;
}

Job job_of_presets() {
  Job job;
  bind_presets(kJobBindings, section_named("job"), "", job);
  return job;
}

void bind_job(const Settings& settings, Job& job) {
  bind_all(kJobBindings, settings, job);
}

Project project_of_presets() {
  Project project;
  bind_presets(kProjectBindings, section_named("project"), "", project);
  return project;
}

void bind_project(const Settings& settings, Project& project) {
  bind_all(kProjectBindings, settings, project);
  for (const auto& [path, setting] : settings) {
    if (setting.key == nullptr || !has_value(setting)) continue;
    if (path.starts_with(kHosts)) bind_host(path, setting, project);
    if (path.starts_with(kChannels)) bind_channel(path, setting, project);
  }
}

bool is_job_key_bound(std::string_view path) {
  return find_binding(kJobBindings, path) != nullptr;
}

bool is_project_key_bound(std::string_view path) {
  if (path.starts_with(kHosts))
    return find_binding(kHostBindings, path.substr(kHosts.size())) != nullptr;
  if (path.starts_with(kChannels))
    return find_binding(kChannelBindings, path.substr(kChannels.size())) != nullptr;
  return find_binding(kProjectBindings, path) != nullptr;
}

}  // namespace heddle::config
