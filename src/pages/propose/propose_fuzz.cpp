// Any bytes are a page: it has candidates or an obstacle, and each candidate's rows are what its
// rules find. What was found can be looked for as stored items.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.hpp"
#include "pages/propose/propose.hpp"
#include "pages/propose/propose_repair.hpp"

namespace heddle::pages {
namespace {

void require(bool is_true) {
  if (!is_true) std::abort();
}

void check(const WatchCandidate& candidate) {
  require(candidate.confidence > 0 && candidate.confidence <= 1);
  require(!candidate.fields.empty() && !candidate.description.empty());
  require(candidate.rows.size() <= candidate.items);
  for (const auto& row : candidate.rows) require(row.size() == candidate.fields.size());
  require(candidate.selector.find("${") == std::string::npos);
}

void try_repair(html::Parser& parser, const ProposedPage& page, const WatchCandidate& candidate) {
  Job job;
  job.selector = ".no-such-block";
  job.fields = candidate.fields;
  std::vector<Item> known;
  for (const auto& row : candidate.rows) {
    Item& item = known.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i)
      item.fields.emplace_back(candidate.fields[i].name, row[i]);
  }
  const RepairProposal repair = propose_repair(parser, page, job, known);
  require(repair.is_needed());
  if (!repair.found) return;
  check(*repair.found);
  require(repair.found->fields.size() == job.fields.size());
}

void try_page(std::string_view input) {
  static html::Parser parser;
  ProposedPage page{*Url::parse("https://a.example/list")};
  const char kind = input.empty() ? 'h' : input.front();
  page.headers = {{"content-type", kind == '{' || kind == '[' ? "application/json" : "text/html"}};
  page.body = to_valid_utf8(std::string(input));
  page.limits.max_nodes = 10'000;
  const WatchProposal proposal = propose_watch(parser, page);
  require(proposal.candidates.empty() != proposal.obstacle.empty());
  for (const WatchCandidate& candidate : proposal.candidates) check(candidate);
  if (proposal.candidates.empty()) return;
  const WatchCandidate& best = proposal.candidates.front();
  if (best.watch == WatchKind::items && best.json_in.empty() && kind != '{' && kind != '[')
    try_repair(parser, page, best);
}

}  // namespace
}  // namespace heddle::pages

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::pages::try_page({reinterpret_cast<const char*>(data), size});
  return 0;
}
