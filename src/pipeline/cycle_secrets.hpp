// CycleSecrets resolves the URL of a task and removes the job's secrets from everything that its
// cycle stores or reports. Scripts and requests see the values. One per cycle.
#pragma once

#include <string>

#include "base/result.hpp"
#include "model/run/page_result.hpp"
#include "pipeline/extract.hpp"
#include "pipeline/job_plan.hpp"

namespace heddle::pipeline {

class CycleSecrets {
 public:
  // Both outlive it. `task_url` has ${…} in place of secrets.
  CycleSecrets(const JobPlan& plan, const std::string& task_url);

  // The URL to fetch; fails when the configuration does not have its references any more.
  [[nodiscard]] const Result<std::string>& url() const { return url_; }

  // The text to store for a URL that was fetched; the task's own when it is the task's.
  [[nodiscard]] std::string stored_url(std::string url) const;

  // Of messages and notes.
  void hide_in(std::string& message) const;
  void hide_in(CycleTrace& trace) const;
  // Of page content: only secrets that cannot be mistaken for other text.
  void hide_in(Item& item) const;
  // Before the result is committed: messages and validators.
  void hide_in(PageResult& page) const;

  [[nodiscard]] bool occur_in(const Extracted& page) const;
  void hide_in(Extracted& page) const;  // its body

 private:
  const JobPlan& plan_;
  const std::string& task_url_;
  Result<std::string> url_;
  std::string secret_url_;  // as it is requested; empty: it holds no secret
};

}  // namespace heddle::pipeline
