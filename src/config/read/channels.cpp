#include "config/read/channels.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "config/read/bind.hpp"
#include "config/read/values/toml_value.hpp"
#include "model/notify/webhook_secret.hpp"
#include "model/web/address_guard.hpp"
#include "model/web/url.hpp"

namespace heddle::config {

namespace {

Problem problem_at(const Setting& at, std::string message,
                   ProblemSeverity severity = ProblemSeverity::error) {
  return {at.origin.file, at.origin.line, at.label, std::move(message), severity};
}

const Setting* find_key_of(const Settings& settings, const std::string& channel,
                           std::string_view key) {
  const auto found = settings.find(std::string(kChannels) + channel + "." + std::string(key));
  return found == settings.end() ? nullptr : &found->second;
}

// Any key of the channel, for the location of a problem.
const Setting* find_any_of(const Settings& settings, const std::string& channel) {
  for (const auto& [path, setting] : settings)
    if (path.starts_with(kChannels) && setting.key != nullptr &&
        name_in_path(kChannels, path, setting) == channel)
      return &setting;
  return nullptr;
}

bool can_sign(const std::vector<std::string>& secrets) {
  return std::all_of(secrets.begin(), secrets.end(), [](const std::string& each) {
    return webhook_secret_base64(each).has_value();
  });
}

void check_webhook(const Settings& settings, const std::string& name, const ChannelRule& channel,
                   Loaded& loaded) {
  auto& problems = loaded.project_problems;
  const Setting* url = find_key_of(settings, name, "url");
  const Setting* secret = find_key_of(settings, name, "secret");
  const Setting& type = *find_key_of(settings, name, "type");
  if (url == nullptr) problems.push_back(problem_at(type, "a webhook needs a `url`"));
  if (secret != nullptr && channel.webhook.secrets.size() > 2)
    problems.push_back(
        problem_at(*secret, "at most two secrets can be given, the second during a rotation"));
  else if (secret != nullptr && !can_sign(channel.webhook.secrets))
    problems.push_back(
        problem_at(*secret, "invalid secret: expected " + std::string(kWebhookSecretShape)));
  const auto parsed = Url::parse(channel.webhook.url);
  const auto guard = AddressGuard::make(loaded.project.network, TrafficClass::delivery);
  if (url == nullptr || !parsed || !guard) return;
  if (auto warning = literal_address_warning(*parsed, *guard))
    problems.push_back(problem_at(*url, *std::move(warning), ProblemSeverity::warning));
}

void check_alerts(const Settings& settings, Loaded& loaded) {
  const auto to = settings.find("alerts.to");
  if (to == settings.end()) return;
  for (const std::string& name : loaded.project.alerts.to) {
    const auto channel = loaded.project.channels.find(name);
    if (channel == loaded.project.channels.end() || channel->second.kind) continue;
    loaded.project_problems.push_back(
        problem_at(to->second,
                   fmt::format("channel {} is of a type that is not available yet: alerts do not "
                               "reach it",
                               in_quotes(name)),
                   ProblemSeverity::warning));
  }
}

}  // namespace

void check_channel_types(Settings& project) {
  for (auto& [path, setting] : project) {
    if (!path.starts_with(kChannels) || setting.key == nullptr || setting.key->name != "type")
      continue;
    if (!setting.prevents_running) continue;
    setting.prevents_running = false;
    setting.problems.clear();
    setting.problems.push_back(
        problem_at(setting,
                   fmt::format("{} is not available yet: nothing is sent through this channel",
                               setting.written),
                   ProblemSeverity::notice));
  }
}

void check_channels(Loaded& loaded) {
  const Settings& settings = loaded.project_settings;
  for (auto& [name, channel] : loaded.project.channels) {
    if (find_key_of(settings, name, "type") == nullptr) {
      if (const Setting* any = find_any_of(settings, name))
        loaded.project_problems.push_back(
            problem_at(*any, fmt::format("channel {} needs a `type`", in_quotes(name))));
      continue;
    }
    if (channel.kind == DeliveryKind::webhook) check_webhook(settings, name, channel, loaded);
    channel.webhook.enabled = channel.kind == DeliveryKind::webhook;
  }
  check_alerts(settings, loaded);
}

}  // namespace heddle::config
