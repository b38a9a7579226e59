#include "model/run/trace.hpp"

#include <stdexcept>

#include "model/names.hpp"

namespace heddle {

namespace {

constexpr std::array<std::string_view, kStageCount> kStageNames{
    "before_fetch",  "override_fetch", "fetch",       "after_fetch",  "override_extract",
    "extract",       "after_extract",  "filter_item", "before_store", "dedup",
    "before_notify", "before_webhook", "store",       "on_success",   "on_error",
    "on_finally"};

constexpr NameTable<StageStatus, 4> kStatuses{{{StageStatus::inactive, "inactive"},
                                               {StageStatus::success, "success"},
                                               {StageStatus::error, "error"},
                                               {StageStatus::skipped, "skipped"}}};

}  // namespace

std::string_view to_text(Stage stage) {
  return kStageNames[static_cast<std::size_t>(stage)];
}
std::string_view to_text(StageStatus status) {
  return name_of(kStatuses, status);
}

std::string_view to_text(EngineStage stage) {
  switch (stage) {
    case EngineStage::filter:
      return "filter";
    case EngineStage::notify:
      return "notify";
    case EngineStage::webhook:
      break;
  }
  return "webhook";
}

std::optional<EngineStage> engine_stage_of(Stage hook) {
  switch (hook) {
    case Stage::filter_item:
      return EngineStage::filter;
    case Stage::before_notify:
      return EngineStage::notify;
    case Stage::before_webhook:
      return EngineStage::webhook;
    default:
      return std::nullopt;
  }
}

NamedStage telemetry_stage(const CycleTrace& trace, std::size_t index) {
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    if (index-- == 0) return {to_text(stage), type_of(stage), trace[stage]};
    const auto engine = engine_stage_of(stage);
    if (engine && index-- == 0) return {to_text(*engine), StageType::internal, trace[*engine]};
  }
  throw std::out_of_range("no such stage");
}

StageType type_of(Stage stage) {
  switch (stage) {
    case Stage::fetch:
    case Stage::extract:
    case Stage::dedup:
    case Stage::store:
      return StageType::internal;
    default:
      return StageType::hook;
  }
}

}  // namespace heddle
