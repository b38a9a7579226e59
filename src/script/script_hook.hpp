// Lists the hooks that a job's script may define, in the order of a cycle.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "model/run/trace.hpp"

namespace heddle::script {

enum class ScriptHook {
  before_fetch,
  override_fetch,
  after_fetch,
  override_extract,
  after_extract,
  filter_item,
  before_store,
  before_notify,
  before_webhook,
  on_success,
  on_error,
  on_finally,
  on_finished,
};

inline constexpr std::array<std::string_view, 13> kHookNames{
    "before_fetch", "override_fetch", "after_fetch",   "override_extract", "after_extract",
    "filter_item",  "before_store",   "before_notify", "before_webhook",   "on_success",
    "on_error",     "on_finally",     "on_finished",
};
inline constexpr std::size_t kHookCount = kHookNames.size();

constexpr std::string_view to_text(ScriptHook hook) {
  return kHookNames[static_cast<std::size_t>(hook)];
}

}  // namespace heddle::script
