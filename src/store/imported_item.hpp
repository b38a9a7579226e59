// An item that another program has found and reported.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "base/time.hpp"
#include "model/run/page_result.hpp"

namespace heddle::store {

struct ImportedItem {
  JobId job;
  std::string url;
  KeyedItem item;
  WallTime first_seen{};
};

// Returns the next one; nullopt after the last. Called on the thread of the store's writer.
using NextImportedItem = std::function<Result<std::optional<ImportedItem>>()>;

}  // namespace heddle::store
