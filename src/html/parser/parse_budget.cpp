#include "html/parser/parse_budget.hpp"

#include <string>

#include <fmt/format.h>

namespace heddle::html::parser {

Error ParseBudget::error() const {
  const auto too_many = [](std::size_t limit, const char* what) {
    return fmt::format("the page has more than {} {} (limits.nodes)", limit, what);
  };
  std::string why;
  switch (reason_) {
    case Reason::nodes:
      why = too_many(limits_.max_nodes, "nodes");
      break;
    case Reason::attributes:
      why = too_many(limits_.max_nodes, "attributes");
      break;
    case Reason::depth:
      why = fmt::format("elements are nested more than {} deep (limits.html_depth)",
                        limits_.max_depth);
      break;
    case Reason::names:
      why = fmt::format("the page has more than {} different names of tags and attributes",
                        kMaxNames);
      break;
    case Reason::none:
      why = fmt::format("{} bytes take more than {} steps to parse; such pages are made to be slow",
                        page_bytes_, max_work_);
      break;
  }
  return {ErrorCode::bad_input, "too_complex: " + why};
}

}  // namespace heddle::html::parser
