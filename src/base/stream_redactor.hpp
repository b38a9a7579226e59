// Keeps secrets out of a text that comes in pieces, wherever it is cut. Plain value; one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class StreamRedactor {
 public:
  // What can be shown by now, without secrets. An end that may be the beginning of one is held back
  // until more has come.
  std::string feed(std::string_view piece, const std::vector<std::string>& secrets);

  // What was held back, when nothing follows it. The beginning of a secret is not shown either.
  std::string finish(const std::vector<std::string>& secrets);

  // After finish(): what comes next is not what followed, and may begin in the middle of a secret.
  // The end of one is not shown either.
  void skip() { is_after_gap_ = true; }

 private:
  std::string show_after_gap(std::string_view text, const std::vector<std::string>& secrets);
  std::string show(std::string_view text, const std::vector<std::string>& secrets);

  std::string held_;
  bool is_after_gap_ = false;  // and nothing was shown since
};

}  // namespace heddle
