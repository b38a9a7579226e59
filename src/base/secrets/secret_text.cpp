#include "base/secrets/secret_text.hpp"

#include <algorithm>

namespace heddle {

std::size_t reference_length(std::string_view text) {
  if (!text.starts_with("${env:") && !text.starts_with("${file:")) return 0;
  const std::size_t end = text.find('}');
  return end == std::string_view::npos ? 0 : end + 1;
}

std::string escape_references(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t mark = std::min(text.find('$'), text.size());
    out += text.substr(0, mark);
    text.remove_prefix(mark);
    if (text.empty()) break;
    out += reference_length(text) > 0 ? "$$" : "$";
    text.remove_prefix(1);
  }
  return out;
}

Result<std::string> resolve_references(std::string_view text, const std::vector<Secret>& secrets) {
  std::string out;
  while (!text.empty()) {
    const std::size_t mark = std::min(text.find('$'), text.size());
    out += text.substr(0, mark);
    text.remove_prefix(mark);
    if (text.empty()) break;
    const std::size_t escaped = reference_length(text.substr(1));
    const std::string_view reference = text.substr(0, reference_length(text));
    if (escaped > 0) {
      out += text.substr(1, escaped);
      text.remove_prefix(escaped + 1);
    } else if (reference.empty()) {
      out += '$';
      text.remove_prefix(1);
    } else {
      const auto found = std::find_if(secrets.begin(), secrets.end(), [&](const Secret& secret) {
        return secret.shown == reference;
      });
      if (found == secrets.end())
        return Error{ErrorCode::not_found,
                     std::string(reference) + " is not in the job's configuration any more"};
      out += found->value;
      text.remove_prefix(reference.size());
    }
  }
  return out;
}

}  // namespace heddle
