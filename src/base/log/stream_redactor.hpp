// Redacts secrets in a stream of text, also where chunks split them. Plain value; one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class StreamRedactor {
 public:
  // Returns the text that is safe to show. Holds back an end that may be the start of a secret.
  std::string feed(std::string_view piece, const std::vector<std::string>& secrets);

  // Returns the held text at the end of the stream, without the start of a secret.
  std::string finish(const std::vector<std::string>& secrets);

  // After finish(): input was lost, so the next chunk may begin inside a secret, whose end is
  // redacted.
  void skip() { is_after_gap_ = true; }

 private:
  std::string show_after_gap(std::string_view text, const std::vector<std::string>& secrets);
  std::string show(std::string_view text, const std::vector<std::string>& secrets);

  std::string held_;
  bool is_after_gap_ = false;  // and nothing was shown since
};

}  // namespace heddle
