// What a terminal shows of a program's output.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::testing {

struct ScreenLine {
  std::string text;         // all that was written into the line, without control codes
  std::size_t columns = 0;  // the farthest column that was reached
};

struct Screen {
  std::vector<ScreenLine> lines;
  bool has_codes = false;
  std::vector<std::string> invalid;  // control codes that are incomplete or not meant for people
};

// Understands line feeds, carriage returns, colours and "erase to the end of the line".
Screen read_screen(std::string_view output);

}  // namespace heddle::testing
