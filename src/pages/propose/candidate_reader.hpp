// CandidateReader reads a page with the rules of a candidate, as a run of its job will, and fills
// in what it finds. Parses the page again only for JSON inside of it. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/run/item.hpp"
#include "pages/propose/propose.hpp"
#include "pages/source/source_document.hpp"

namespace heddle::pages {

class CandidateReader {
 public:
  static constexpr std::size_t kRows = 5;
  static constexpr std::size_t kMaxValue = 400;  // bytes of a value of a row

  // Both outlive it; `document` is the page as it is read without `json_in`.
  CandidateReader(const ProposedPage& page, const SourceDocument& document)
      : page_(page), document_(document) {}

  // The items that the candidate's rules find; empty also when the rules are invalid.
  std::vector<Item> read(const WatchCandidate& candidate);
  // Sets items, rows and key. False: the rules find nothing, or a text in them means something
  // else in a configuration file.
  bool complete(WatchCandidate& candidate);
  // The JSON inside the page; nullptr: none.
  const SourceDocument* embedded(const std::string& json_in);

 private:
  const ProposedPage& page_;
  const SourceDocument& document_;
  std::string json_in_;  // of embedded_
  std::optional<SourceDocument> embedded_;
};

// White space collapses, control characters are left out.
std::string one_line(std::string_view text, std::size_t max_bytes);

// Sets items and rows from what was read.
void fill_rows(WatchCandidate& candidate, const std::vector<Item>& items);

// The fewest fields whose values tell the items apart, links first; empty: there are none.
std::vector<std::string> find_key(const std::vector<FieldRule>& fields,
                                  const std::vector<Item>& items);

}  // namespace heddle::pages
