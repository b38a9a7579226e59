// SecretMask replaces the values of secrets in a text by the texts that are shown for them, in
// every spelling that secret_encodings() knows. Immutable; may be shared by threads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/secrets/secret_text.hpp"

namespace heddle {

class SecretMask {
 public:
  SecretMask() = default;
  // Values shorter than kShortestSecret are left out: they would hit harmless text.
  explicit SecretMask(const std::vector<Secret>& secrets);

  [[nodiscard]] bool is_empty() const { return spellings_.empty(); }
  [[nodiscard]] bool finds_any(std::string_view text) const;

  // Returns whether the text was changed. Where two secrets overlap the longer one wins.
  bool apply(std::string& text) const;

 private:
  struct Spelling {
    std::string text;
    std::string shown;
  };
  std::vector<Spelling> spellings_;  // longest first
};

}  // namespace heddle
