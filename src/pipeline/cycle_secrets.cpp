#include "pipeline/cycle_secrets.hpp"

#include "model/web/url.hpp"

namespace heddle::pipeline {

CycleSecrets::CycleSecrets(const JobPlan& plan, const std::string& task_url)
    : plan_(plan), task_url_(task_url), url_(resolve_references(task_url, plan.job.secrets)) {
  if (!url_ || *url_ == task_url) return;
  const auto parsed = Url::parse(*url_);
  secret_url_ = parsed ? parsed->text() : *url_;
}

std::string CycleSecrets::stored_url(std::string url) const {
  if (!secret_url_.empty() && url == secret_url_) return task_url_;
  plan_.secrets.apply(url);
  return url;
}

void CycleSecrets::hide_in(std::string& message) const {
  // A short secret is found with its URL only.
  if (!secret_url_.empty())
    for (auto at = message.find(secret_url_); at != std::string::npos;
         at = message.find(secret_url_, at + task_url_.size()))
      message.replace(at, secret_url_.size(), task_url_);
  plan_.secrets.apply(message);
}

void CycleSecrets::hide_in(CycleTrace& trace) const {
  if (plan_.secrets.is_empty() && secret_url_.empty()) return;
  for (StageTrace& stage : trace.stages)
    if (!stage.note.empty()) hide_in(stage.note);
  for (StageTrace& stage : trace.engine)
    if (!stage.note.empty()) hide_in(stage.note);
}

void CycleSecrets::hide_in(Item& item) const {
  if (plan_.page_secrets.is_empty()) return;
  for (Field& field : item.fields) plan_.page_secrets.apply(field.second);
  for (std::string& match : item.matches) plan_.page_secrets.apply(match);
  plan_.page_secrets.apply(item.values_json);
}

void CycleSecrets::hide_in(PageResult& page) const {
  if (plan_.page_secrets.is_empty()) return;
  for (Delivery& delivery : page.deliveries) plan_.page_secrets.apply(delivery.payload);
  // A changed validator is of no use.
  for (std::string* validator : {&page.memory.etag, &page.memory.last_modified})
    if (plan_.page_secrets.finds_any(*validator)) validator->clear();
}

bool CycleSecrets::occur_in(const Extracted& page) const {
  return !plan_.page_secrets.is_empty() && plan_.page_secrets.finds_any(page.body);
}

void CycleSecrets::hide_in(Extracted& page) const {
  plan_.page_secrets.apply(page.body);
}

}  // namespace heddle::pipeline
