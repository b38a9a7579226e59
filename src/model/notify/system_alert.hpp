// A problem of the whole system rather than of one page. Raised, notified and resolved once.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "model/job/job_status.hpp"
#include "model/notify/delivery.hpp"

namespace heddle {

enum class AlertLevel { warning, critical, emergency };
inline constexpr std::array kAllAlertLevels{AlertLevel::warning, AlertLevel::critical,
                                            AlertLevel::emergency};
std::string_view to_text(AlertLevel level);
std::optional<AlertLevel> alert_level_from(std::string_view text);

enum class AlertKind {
  worker_crashes,  // workers crash repeatedly
  worker_gave_up,  // a worker slot stays empty
  queue_age,       // a due run is not being worked on
  queue_depth,     // pending pages per worker process
  dead_letters,    // pages and messages became dead letters
  storage,         // the allowed disk space is running out
  run_stuck,       // a run makes no progress
  run_slow,        // a run takes far longer than usual for the job
  run_errors,      // far more pages fail than is usual for the job
  loop_latency,    // the coordinator's event loop is late
};
inline constexpr std::array kAllAlertKinds{AlertKind::worker_crashes, AlertKind::worker_gave_up,
                                           AlertKind::queue_age,      AlertKind::queue_depth,
                                           AlertKind::dead_letters,   AlertKind::storage,
                                           AlertKind::run_stuck,      AlertKind::run_slow,
                                           AlertKind::run_errors,     AlertKind::loop_latency};
std::string_view to_text(AlertKind kind);

// "queue_depth", or "run_stuck/shop" when it is about one job.
std::string alert_key(AlertKind kind, std::string_view subject = {});
// The job that it is about; empty: none.
std::string_view alert_subject(std::string_view key);
// Whether the key is of this kind.
bool is_of_kind(std::string_view key, AlertKind kind);

struct SystemAlert {
  std::string key;
  AlertLevel level = AlertLevel::warning;
  std::string text;  // one line for people
  WallTime since{};

  bool operator==(const SystemAlert&) const = default;
};

// Committed in one transaction before notifications are sent.
struct AlertChange {
  SystemAlert alert;
  bool is_over = false;
  std::optional<JobEvent> event{};  // nullopt: only the text changes, without a notification
  std::vector<Delivery> deliveries{};
};

}  // namespace heddle
