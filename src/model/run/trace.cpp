#include "model/run/trace.hpp"

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
