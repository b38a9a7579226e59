#include "base/secrets/secret_mask.hpp"

#include <algorithm>

#include "base/log/redact.hpp"

namespace heddle {

SecretMask::SecretMask(const std::vector<Secret>& secrets) {
  for (const Secret& secret : secrets) {
    if (secret.value.size() < kShortestSecret) continue;
    // The text may be JSON.
    const bool is_plain = secret.shown.find_first_of("\"\\") == std::string::npos;
    for (std::string& text : secret_encodings(secret.value)) {
      const bool is_known = std::any_of(spellings_.begin(), spellings_.end(),
                                        [&](const Spelling& each) { return each.text == text; });
      if (!is_known)
        spellings_.push_back({std::move(text), is_plain ? secret.shown : std::string(kRedacted)});
    }
  }
  std::stable_sort(spellings_.begin(), spellings_.end(), [](const Spelling& a, const Spelling& b) {
    return a.text.size() > b.text.size();
  });
}

bool SecretMask::finds_any(std::string_view text) const {
  return std::any_of(spellings_.begin(), spellings_.end(), [text](const Spelling& spelling) {
    return text.find(spelling.text) != std::string_view::npos;
  });
}

bool SecretMask::apply(std::string& text) const {
  struct Next {
    const Spelling* spelling;
    std::size_t at;
  };
  std::vector<Next> next;  // where each spelling occurs next, longest first
  for (const Spelling& spelling : spellings_)
    if (const std::size_t at = text.find(spelling.text); at != std::string::npos)
      next.push_back({&spelling, at});
  if (next.empty()) return false;
  std::string out;
  std::size_t done = 0;
  while (!next.empty()) {
    const auto first = std::min_element(next.begin(), next.end(),
                                        [](const Next& a, const Next& b) { return a.at < b.at; });
    out.append(text, done, first->at - done);
    out += first->spelling->shown;
    done = first->at + first->spelling->text.size();
    for (Next& each : next)
      if (each.at < done) each.at = text.find(each.spelling->text, done);
    std::erase_if(next, [](const Next& each) { return each.at == std::string::npos; });
  }
  out.append(text, done);
  text = std::move(out);
  return true;
}

}  // namespace heddle
