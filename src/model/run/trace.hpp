// The outcome and cost of every stage of a cycle, stored per task and shown by debug and run-trace.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
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

// Parts of a cycle that only telemetry lists, beside the stages: the filter by script or keywords,
// and the making of messages, which are sent after the cycle.
enum class EngineStage { filter, notify, webhook };
inline constexpr std::size_t kEngineStageCount = 3;

enum class StageStatus { inactive, success, error, skipped };
enum class StageType { hook, internal };

std::string_view to_text(Stage stage);
std::string_view to_text(StageStatus status);
StageType type_of(Stage stage);
std::string_view to_text(EngineStage stage);
// The part of a cycle that the hook belongs to, if any.
std::optional<EngineStage> engine_stage_of(Stage hook);

struct StageTrace {
  StageStatus status = StageStatus::inactive;
  std::chrono::microseconds duration{0};
  std::string note;  // why it was skipped, or the error
  // Of a hook, for live display only; not stored.
  std::int64_t lua_mem_bytes = 0;       // held by the VM when it ended
  std::int64_t mem_delta_bytes = 0;     // added by the hook
  int browsers = 0;                     // open when it ended
  std::chrono::microseconds offset{0};  // from the start of the cycle to that of the stage
};

// Indexed by Stage.
struct CycleTrace {
  std::array<StageTrace, kStageCount> stages;
  // For live display only; not stored.
  std::array<StageTrace, kEngineStageCount> engine;
  std::chrono::microseconds began{0};  // monotonic clock

  StageTrace& operator[](Stage stage) { return stages[static_cast<std::size_t>(stage)]; }
  const StageTrace& operator[](Stage stage) const {
    return stages[static_cast<std::size_t>(stage)];
  }
  StageTrace& operator[](EngineStage stage) { return engine[static_cast<std::size_t>(stage)]; }
  const StageTrace& operator[](EngineStage stage) const {
    return engine[static_cast<std::size_t>(stage)];
  }
};

// A stage as telemetry lists it.
struct NamedStage {
  std::string_view name;
  StageType type;
  const StageTrace& trace;
};

// The stages of both kinds in the order of a cycle.
inline constexpr std::size_t kTelemetryStageCount = kStageCount + kEngineStageCount;
NamedStage telemetry_stage(const CycleTrace& trace, std::size_t index);

}  // namespace heddle
