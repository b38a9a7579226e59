// The kept versions of a page and what differs between two of them, line by line and word by word.
// Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"

namespace heddle {

struct PageVersion {
  std::int64_t id = 0;  // grows with time; unique among all pages
  WallTime at{};
  RunId run;               // empty: no longer stored
  std::int64_t bytes = 0;  // of the body
};

// Words of a line, separated by single spaces; parts of a line are separated by one, too.
struct DiffPart {
  std::string text;
  bool differs = false;
  bool operator==(const DiffPart&) const = default;
};

enum class DiffKind {
  same,
  changed,
  removed,
  added,
  skipped,  // lines that are the same and not shown
};

struct DiffLine {
  DiffKind kind = DiffKind::same;
  std::vector<DiffPart> before{};  // empty when added
  std::vector<DiffPart> after{};   // empty when removed; the same as `before` when the same
  std::size_t skipped = 0;         // how many lines
  bool operator==(const DiffLine&) const = default;
};

struct PageDiff {
  JobId job;
  std::string url;
  std::optional<PageVersion> from;  // nullopt: the page has one version only
  PageVersion to;
  std::vector<DiffLine> lines;
};

}  // namespace heddle
