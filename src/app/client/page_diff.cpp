#include "app/client/page_diff.hpp"

#include <utility>

#include "html/parse.hpp"
#include "pages/changes/text_diff.hpp"
#include "pipeline/job_plan.hpp"
#include "pipeline/page_text.hpp"

namespace heddle::app {

namespace {

constexpr std::size_t kContextLines = 2;

}  // namespace

Result<std::vector<DiffLine>> diff_bodies(const Job& job, const std::string& before,
                                          const std::string& after) {
  auto plan = pipeline::JobPlan::compile(job);
  if (!plan) return std::move(plan).error();
  html::Parser parser;
  auto newer = pipeline::read_text(parser, *plan, "", after, std::nullopt);
  if (!newer) return std::move(newer).error().during("read the newer version");
  auto older = pipeline::read_text(parser, *plan, "", before, newer->is_whole);
  if (!older) return std::move(older).error().during("read the older version");
  return pages::diff_texts(older->text, newer->text, kContextLines);
}

}  // namespace heddle::app
