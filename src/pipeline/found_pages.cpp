#include "pipeline/found_pages.hpp"

#include <algorithm>
#include <unordered_set>

#include "pages/discover/find_links.hpp"
#include "pages/discover/visit_url.hpp"

namespace heddle::pipeline {

namespace {

int greatest_depth(const Job& job) {
  return job.discover.depth.value_or(job.limits.depth);
}

bool follows_next_pages(const Job& job) {
  return std::ranges::find(job.discover.follow, FollowKind::pagination) !=
         job.discover.follow.end();
}

Hash128 visit_of(const Url& url) {
  return hash128(pages::normalize_for_visit(url));
}

// A redirect may lead a page that was found to another site, whose links are not followed.
bool has_left_host(const DiscoverRule& rule, const SearchedPage& page, const Url& url) {
  if (!rule.same_host || !page.task.is_discovered) return false;
  const auto requested = Url::parse(page.requested);
  return requested && !pages::is_same_host(*requested, url);
}

// As it may be stored: with ${…} in place of secrets.
std::string stored_text(const JobPlan& plan, const std::string& url) {
  std::string text = escape_references(url);
  plan.secrets.apply(text);
  return text;
}

class FoundPageList {
 public:
  FoundPageList(const JobPlan& plan, const SearchedPage& page) : plan_(plan), page_(page) {}

  void add(const std::vector<pages::FoundLink>& links) {
    for (const pages::FoundLink& link : links) add(link);
  }

  std::vector<FoundPage> take() { return std::move(pages_); }

 private:
  void add(const pages::FoundLink& link) {
    const Task& from = page_.task;
    const int depth = from.depth + (link.kind == FollowKind::pagination ? 0 : 1);
    if (link.kind != FollowKind::pagination && depth > greatest_depth(plan_.job)) return;
    const auto url = Url::parse(link.url);
    if (!url) return;
    const Hash128 visit = visit_of(*url);
    if (plan_.own_visits.contains(visit) || !visits_.insert(visit).second) return;
    const bool is_baseline = page_.is_read_first && (!from.is_discovered || from.is_baseline);
    pages_.push_back({stored_text(plan_, link.url), visit, depth, is_baseline});
  }

  const JobPlan& plan_;
  const SearchedPage& page_;
  std::unordered_set<Hash128> visits_;
  std::vector<FoundPage> pages_;
};

}  // namespace

bool finds_pages(const JobPlan& plan, const Task& task) {
  const Job& job = plan.job;
  return job.discover.is_enabled && (follows_next_pages(job) || task.depth < greatest_depth(job));
}

bool is_discovered(const JobPlan& plan, const Task& task) {
  if (task.is_discovered || plan.own_visits.empty()) return task.is_discovered;
  const auto text = resolve_references(task.url, plan.job.secrets);
  const auto url = Url::parse(text ? *text : task.url);
  return url && !plan.own_visits.contains(visit_of(*url));
}

bool has_mixed_pages(const Job& job) {
  return job.discover.is_enabled && std::ranges::any_of(job.discover.follow, [](FollowKind kind) {
           return kind != FollowKind::pagination;
         });
}

std::vector<FoundPage> found_pages(const JobPlan& plan, const SearchedPage& page) {
  const Job& job = plan.job;
  const auto url = Url::parse(page.response.url);
  if (!url || has_left_host(job.discover, page, *url)) return {};
  FoundPageList found(plan, page);
  if (page.content.links) found.add(*page.content.links);
  found.add(pages::links_of_items(page.content.items, job.fields, *url, job.discover));
  return found.take();
}

}  // namespace heddle::pipeline
