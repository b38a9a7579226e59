// WatchProposal is what a page is and how a job could watch it, with sample rows. Plain values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/job/job.hpp"
#include "model/job/page_source.hpp"

namespace heddle {

// One way to read the page. Its rows are what a job with these rules extracts.
struct WatchCandidate {
  std::string description;  // "24 repeated blocks"
  WatchKind watch = WatchKind::items;
  std::string json_in{};            // as a job has it
  std::string selector{};           // empty: the whole page is one item
  std::vector<FieldRule> fields{};  // of a feed: those of its entries
  std::vector<std::string> key{};   // fields that tell its items apart; empty: no fields do
  double confidence = 0;            // 0 to 1
  std::size_t items = 0;
  std::vector<std::vector<std::string>> rows{};  // of the first items, by field
  std::vector<std::string> reasons{};            // the strongest first
};

struct WatchProposal {
  std::string url;        // as it was asked for
  std::string final_url;  // after redirects
  std::string title;      // of the page or the feed, on one line
  std::string page_class;
  double confidence = 0;                     // of the class, 0 to 1
  std::vector<std::string> signals{};        // that led to it
  std::vector<WatchCandidate> candidates{};  // the best first
  std::string obstacle{};                    // why there are no candidates
  std::vector<std::string> hints{};          // what else the page offers
};

}  // namespace heddle
