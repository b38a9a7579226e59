#include "config/read/shared_pages.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/hash.hpp"
#include "model/url.hpp"

namespace heddle::config {

namespace {

struct Wish {
  std::uint64_t page = 0;
  std::size_t job = 0;  // index
};

// Only what asks for a page without changing anything there is ever shared.
bool only_reads(const Job& job) {
  return job.kind == JobKind::web && job.method == "GET" && job.body.empty();
}

std::vector<Wish> wishes_of(const std::vector<Job>& jobs) {
  std::vector<Wish> wishes;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!only_reads(jobs[i])) continue;
    for (const std::string& written : jobs[i].urls) {
      const auto url = Url::parse(written);
      if (url) wishes.push_back({hash64(url->without_fragment()), i});
    }
  }
  return wishes;
}

// The smallest page names the circle, so that the order of the jobs does not matter.
void join(std::uint64_t& circle, std::uint64_t page) {
  circle = circle == 0 ? page : std::min(circle, page);
}

}  // namespace

void find_shared_pages(std::vector<Job>& jobs) {
  for (Job& job : jobs) job.page_circle = 0;
  if (jobs.size() < 2) return;
  std::vector<Wish> wishes = wishes_of(jobs);
  std::sort(wishes.begin(), wishes.end(), [](const Wish& left, const Wish& right) {
    return left.page != right.page ? left.page < right.page : left.job < right.job;
  });
  for (std::size_t i = 1; i < wishes.size(); ++i) {
    const Wish& one = wishes[i - 1];
    const Wish& other = wishes[i];
    if (one.page != other.page || one.job == other.job) continue;
    join(jobs[one.job].page_circle, one.page);
    join(jobs[other.job].page_circle, other.page);
  }
}

}  // namespace heddle::config
