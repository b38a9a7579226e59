// Printing for people: colour and width only where a terminal is. Standard output carries the
// answer, standard error everything beside it.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace heddle::cli {

enum class Colour { none, green, red, yellow, grey, bold };

class Terminal {
 public:
  // Colour when `file` is a terminal, NO_COLOR is not set and TERM is not "dumb".
  explicit Terminal(std::FILE* file);

  [[nodiscard]] bool is_interactive() const { return is_interactive_; }
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] std::string paint(Colour colour, std::string_view text) const;

  // From now on these texts are shown as "[redacted]".
  void hide(std::vector<std::string> secrets) { secrets_ = std::move(secrets); }
  [[nodiscard]] std::string shown(std::string_view text) const;

  // A terminal gets control characters of the text spelt out, but for our own colours.
  void print(std::string_view text);
  void line(std::string_view text);
  void erase_line();  // the one the cursor is in

  // Writes out what is still waiting. Fails when anything printed so far did not get through: a
  // full disk shows here, not at the print that caused it.
  Status finish();

 private:
  void write(const std::string& text);

  std::FILE* file_;
  bool is_interactive_;
  bool has_colour_;
  int width_;
  int write_error_ = 0;  // errno of the first write that failed
  std::vector<std::string> secrets_;
};

// Columns a text takes on a terminal; wide East Asian characters take two.
std::size_t display_width(std::string_view text);

// Cut to `columns` with an ellipsis, on one line, without control characters.
std::string fit(std::string_view text, std::size_t columns);

// How long something took, as people say it: "48 ms", "3.2 s", "2 min 5 s".
std::string duration_text(std::chrono::milliseconds duration);

// Rows under a header, columns aligned; the widest columns give way when the terminal is narrow.
class Table {
 public:
  explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  // Where no terminal is, nothing is cut: values are there to be copied and compared.
  void keep_whole_in_pipes() { is_whole_in_pipes_ = true; }
  [[nodiscard]] bool is_empty() const { return rows_.empty(); }
  void print(Terminal& terminal) const;

 private:
  [[nodiscard]] std::vector<std::size_t> column_widths(std::size_t available) const;

  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> rows_;
  bool is_whole_in_pipes_ = false;
};

}  // namespace heddle::cli
