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

 private:
  std::string held_;
};

}  // namespace heddle
