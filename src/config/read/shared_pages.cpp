#include "config/read/shared_pages.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/hash.hpp"
#include "model/web/url.hpp"

namespace heddle::config {

namespace {

struct PageUse {
  std::uint64_t page = 0;
  std::size_t job = 0;  // index
};

// Only requests without side effects are shared.
bool only_reads(const Job& job) {
  return job.kind == JobKind::web && job.method == "GET" && job.body.empty();
}

std::vector<PageUse> page_uses_of(const std::vector<Job>& jobs) {
  std::vector<PageUse> uses;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!only_reads(jobs[i])) continue;
    for (const std::string& written : jobs[i].urls) {
      const auto resolved = resolve_references(written, jobs[i].secrets);
      const auto url = Url::parse(resolved ? *resolved : written);
      if (url) uses.push_back({hash64(url->without_fragment()), i});
    }
  }
  return uses;
}

// The smallest page identifies the group, so that the order of the jobs does not matter.
void join(std::uint64_t& group, std::uint64_t page) {
  group = group == 0 ? page : std::min(group, page);
}

}  // namespace

void find_shared_pages(std::vector<Job>& jobs) {
  for (Job& job : jobs) job.shared_page_group = 0;
  if (jobs.size() < 2) return;
  std::vector<PageUse> uses = page_uses_of(jobs);
  std::sort(uses.begin(), uses.end(), [](const PageUse& left, const PageUse& right) {
    return left.page != right.page ? left.page < right.page : left.job < right.job;
  });
  for (std::size_t i = 1; i < uses.size(); ++i) {
    const PageUse& one = uses[i - 1];
    const PageUse& other = uses[i];
    if (one.page != other.page || one.job == other.job) continue;
    join(jobs[one.job].shared_page_group, one.page);
    join(jobs[other.job].shared_page_group, other.page);
  }
}

}  // namespace heddle::config
