#include "app/client/propose_page.hpp"

#include <utility>

#include "app/client/engine.hpp"
#include "base/log/redact.hpp"
#include "pages/propose/propose.hpp"
#include "pages/propose/propose_repair.hpp"

namespace heddle::app {

namespace {

void hide_secrets(WatchCandidate& candidate, const std::vector<std::string>& secrets) {
  for (auto& row : candidate.rows)
    for (std::string& value : row) value = redact(value, secrets);
}

void hide_secrets(WatchProposal& proposal, const std::vector<std::string>& secrets) {
  proposal.title = redact(proposal.title, secrets);
  proposal.final_url = redact(proposal.final_url, secrets);
  for (std::string& hint : proposal.hints) hint = redact(hint, secrets);
  for (WatchCandidate& candidate : proposal.candidates) hide_secrets(candidate, secrets);
}

Result<pages::ProposedPage> read_page(const Project& project, const Job& job, Log& log) {
  auto page = fetch_first_page(project, job, log);
  if (!page) return std::move(page).error();
  auto url = Url::parse(page->response.url);
  if (!url) return std::move(url).error();
  return pages::ProposedPage{*std::move(url),
                             page->response.status,
                             std::move(page->response.headers),
                             std::move(page->body),
                             {.max_nodes = static_cast<std::size_t>(job.limits.nodes),
                              .max_depth = static_cast<std::size_t>(job.limits.html_depth)}};
}

}  // namespace

Result<WatchProposal> propose_page(const Project& project, const Job& job, Log& log) {
  auto page = read_page(project, job, log);
  if (!page) return std::move(page).error();
  html::Parser parser;
  WatchProposal proposal = pages::propose_watch(parser, *page);
  proposal.url = job.urls.front();
  hide_secrets(proposal, project.secrets);
  return proposal;
}

Result<RepairProposal> propose_repair(const Project& project, const Job& job,
                                      const std::vector<Item>& known, Log& log) {
  auto page = read_page(project, job, log);
  if (!page) return std::move(page).error();
  html::Parser parser;
  RepairProposal proposal = pages::propose_repair(parser, *page, job, known);
  proposal.url = job.urls.front();
  if (proposal.found) hide_secrets(*proposal.found, project.secrets);
  return proposal;
}

}  // namespace heddle::app
