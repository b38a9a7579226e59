#include "config/read/bind.hpp"
#include "config/read/bindings.hpp"

namespace heddle::config {

namespace {

constexpr std::string_view kHosts = "hosts.";
constexpr NameTable<ReloadRule, 2> kReloads{
    {{ReloadRule::watch, "watch"}, {ReloadRule::manual, "manual"}}};
constexpr NameTable<FilterErrorPolicy, 2> kFilterErrorPolicies{
    {{FilterErrorPolicy::hold_back, "hold"}, {FilterErrorPolicy::keep, "keep"}}};
constexpr NameTable<LogLevel, 4> kLogLevels{{{LogLevel::debug, "debug"},
                                             {LogLevel::info, "info"},
                                             {LogLevel::warning, "warning"},
                                             {LogLevel::error, "error"}}};
constexpr NameTable<LogFormat, 2> kLogFormats{
    {{LogFormat::text, "text"}, {LogFormat::json, "json"}}};
constexpr NameTable<DeliveryKind, 2> kChannelKinds{
    {{DeliveryKind::webhook, "webhook"}, {DeliveryKind::desktop, "desktop"}}};

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
    {"script.on_error",
     [](Project& project, const Given& given) {
       project.script.on_error = given.word(kFilterErrorPolicies);
     }},
    {"log.level",
     [](Project& project, const Given& given) { project.log.level = given.word(kLogLevels); }},
    {"log.format",
     [](Project& project, const Given& given) { project.log.format = given.word(kLogFormats); }},
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

bool is_project_key_bound(std::string_view path) {
  if (path.starts_with(kHosts))
    return find_binding(kHostBindings, path.substr(kHosts.size())) != nullptr;
  if (path.starts_with(kChannels))
    return find_binding(kChannelBindings, path.substr(kChannels.size())) != nullptr;
  return find_binding(kProjectBindings, path) != nullptr;
}

}  // namespace heddle::config
