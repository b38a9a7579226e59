// What a restore has decided to do to the databases of a folder, written down before the first of
// them is touched: one that is cut short is finished by whoever takes the project's lock next, so
// that there is never a mix of old and new. Blocks.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace heddle::app {

// New databases wait under this name beside the old ones.
inline constexpr std::string_view kRestoring = ".restoring";

struct RestorePlan {
  std::string suffix;                // the old ones get this name: ".replaced-20261116T112233Z"
  std::vector<std::string> replace;  // "heddle.db": the new one takes its place
  std::vector<std::string> remove;   // goes aside, nothing takes its place
};

// Told what comes next; tests end the process there.
using BeforeStep = std::function<void(std::string_view step)>;

// From when this returns the restore takes place, whatever happens.
Status decide_restore(const std::filesystem::path& data_dir, const RestorePlan& plan,
                      const BeforeStep& before = nullptr);

// One that was decided and not finished. Under the project's lock only.
Status finish_restore(const std::filesystem::path& data_dir, const BeforeStep& before = nullptr);

// True between the two.
bool is_restore_unfinished(const std::filesystem::path& data_dir);

}  // namespace heddle::app
