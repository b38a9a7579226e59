#include "model/job/page_rules.hpp"

#include <algorithm>

namespace heddle {

bool ExpectRule::accepts(int http_status) const {
  if (status.empty())
    return StatusRange{}.first <= http_status && http_status <= StatusRange{}.last;
  return std::any_of(status.begin(), status.end(), [http_status](const StatusRange& range) {
    return range.first <= http_status && http_status <= range.last;
  });
}

}  // namespace heddle
