// What a job that watches the text of its pages does with one: reads it, and compares it with the
// version that is kept.
#pragma once

#include <optional>
#include <string>

#include "base/async.hpp"
#include "base/result.hpp"
#include "html/parse.hpp"
#include "model/run/page_result.hpp"
#include "pages/changes/page_text.hpp"
#include "pages/classify/classify.hpp"
#include "pipeline/cycle.hpp"
#include "pipeline/extract.hpp"
#include "pipeline/scripts/cycle_hooks.hpp"
#include "pipeline/services.hpp"

namespace heddle::pipeline {

// Fills in the text of `page`; none when another page stands in its place. Fails as extract() does.
Status extract_text(html::Parser& parser, const JobPlan& plan, const pages::PageResponse& response,
                    Extracted& page);

// The text of a body as the job reads it. `is_whole`: see pages::read_page_text().
Result<pages::PageText> read_text(html::Parser& parser, const JobPlan& plan,
                                  std::string_view content_type, std::string_view body,
                                  std::optional<bool> is_whole);

// Notes in `page` what has changed since the kept version of `url`, and whether this is a new
// version of it.
Async<Status> compare_with_kept_version(const CycleServices& services, JobSession& job,
                                        std::string url, Extracted& page);

// Fetches a page with a changed text again, as often as the job wants. References outlive it.
struct TextConfirmation {
  const CycleServices& services;
  JobSession& job;
  const CycleSpec& spec;
  CycleHooks* hooks;  // null: the job has no script

  // Why the changed text of `page` does not count; empty: it does.
  [[nodiscard]] Async<std::string> rejection_reason(const FetchRequest& request,
                                                    const Extracted& page) const;
};

// What is reported of the changes of a text.
std::vector<FieldChange> text_changes_told(const JobPlan& plan, const Extracted& page);

}  // namespace heddle::pipeline
