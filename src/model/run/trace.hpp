// The outcome and cost of every stage of a cycle, stored per task and shown by debug and run-trace.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// In the order of a cycle.
enum class Stage {
  before_fetch,
  override_fetch,
  fetch,
  after_fetch,
  override_extract,
  extract,
  after_extract,
  filter_item,
  before_store,
  dedup,
  before_notify,
  before_webhook,
  store,
  on_success,
  on_error,
  on_finally,
};
inline constexpr std::size_t kStageCount = 16;

enum class StageStatus { inactive, success, error, skipped };
enum class StageType { hook, internal };

std::string_view to_text(Stage stage);
std::string_view to_text(StageStatus status);
StageType type_of(Stage stage);

struct StageTrace {
  StageStatus status = StageStatus::inactive;
  std::chrono::microseconds duration{0};
  std::string note;  // why it was skipped, or the error
  // Of a hook, for live display only; not stored.
  std::int64_t lua_mem_bytes = 0;    // held by the VM when it ended
  std::int64_t mem_delta_bytes = 0;  // added by the hook
  int browsers = 0;                  // open when it ended
};

// Indexed by Stage.
struct CycleTrace {
  std::array<StageTrace, kStageCount> stages;

  StageTrace& operator[](Stage stage) { return stages[static_cast<std::size_t>(stage)]; }
  const StageTrace& operator[](Stage stage) const {
    return stages[static_cast<std::size_t>(stage)];
  }
};

}  // namespace heddle
