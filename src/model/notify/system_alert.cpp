#include "model/notify/system_alert.hpp"

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr NameTable<AlertLevel, 3> kLevels{{{AlertLevel::warning, "warning"},
                                            {AlertLevel::critical, "critical"},
                                            {AlertLevel::emergency, "emergency"}}};

constexpr NameTable<AlertKind, 10> kKinds{{{AlertKind::worker_crashes, "worker_crashes"},
                                           {AlertKind::worker_gave_up, "worker_gave_up"},
                                           {AlertKind::queue_age, "queue_age"},
                                           {AlertKind::queue_depth, "queue_depth"},
                                           {AlertKind::dead_letters, "dead_letters"},
                                           {AlertKind::storage, "storage"},
                                           {AlertKind::run_stuck, "run_stuck"},
                                           {AlertKind::run_slow, "run_slow"},
                                           {AlertKind::run_errors, "run_errors"},
                                           {AlertKind::loop_latency, "loop_latency"}}};

}  // namespace

std::string_view to_text(AlertLevel level) {
  return name_of(kLevels, level);
}

std::optional<AlertLevel> alert_level_from(std::string_view text) {
  return value_of(kLevels, text);
}

std::string_view to_text(AlertKind kind) {
  return name_of(kKinds, kind);
}

std::string alert_key(AlertKind kind, std::string_view subject) {
  std::string key(to_text(kind));
  if (!subject.empty()) key.append("/").append(subject);
  return key;
}

std::string_view alert_subject(std::string_view key) {
  const auto slash = key.find('/');
  return slash == std::string_view::npos ? std::string_view() : key.substr(slash + 1);
}

bool is_of_kind(std::string_view key, AlertKind kind) {
  return key.substr(0, key.find('/')) == to_text(kind);
}

}  // namespace heddle
