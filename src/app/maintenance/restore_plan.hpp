// RestorePlan is the write-ahead record of a restore, stored before the first database changes. The
// next holder of the project's lock finishes an interrupted restore, so that old and new databases
// never mix. Blocks.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace heddle::app {

// Suffix of the new databases until they replace the old ones.
inline constexpr std::string_view kRestoring = ".restoring";

struct RestorePlan {
  std::string suffix;                // for the old ones: ".replaced-20261116T112233Z"
  std::vector<std::string> replace;  // "heddle.db": replaced by the new one
  std::vector<std::string> remove;   // renamed without a replacement
};

// Called before each step; tests kill the process there.
using BeforeStep = std::function<void(std::string_view step)>;
inline void ignore_step(std::string_view /*step*/) {}

// Stores the plan. After it returns, the restore will be finished even after a crash.
Status commit_restore(const std::filesystem::path& data_dir, const RestorePlan& plan,
                      const BeforeStep& before = ignore_step);

// Finishes a committed restore, if there is one. Requires the project's lock.
Status finish_restore(const std::filesystem::path& data_dir,
                      const BeforeStep& before = ignore_step);

// True between commit_restore() and the end of finish_restore().
bool is_restore_unfinished(const std::filesystem::path& data_dir);

}  // namespace heddle::app
