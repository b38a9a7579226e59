// Terminal prints text, with colour and width limits only on a terminal. Results go to standard
// output, everything else to standard error. Not thread-safe.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "base/result.hpp"

namespace heddle::cli {

enum class Colour { none, green, red, yellow, grey, bold };

class Terminal {
 public:
  // Uses colour when `file` is a terminal, NO_COLOR is not set and TERM is not "dumb".
  explicit Terminal(std::FILE* file);

  [[nodiscard]] bool is_interactive() const { return is_interactive_; }
  // Whether it can rewrite a line; a "dumb" terminal cannot.
  [[nodiscard]] bool can_rewrite() const { return can_rewrite_; }
  // COLUMNS, else the width of the terminal, else a default.
  [[nodiscard]] int width() const;
  // Marks the text; print() and line() turn the marks into colour codes.
  [[nodiscard]] std::string paint(Colour colour, std::string_view text) const;
  // A bar of `filled` and `empty` columns; ASCII unless the locale is UTF-8.
  [[nodiscard]] std::string bar(std::int64_t filled, std::int64_t empty = 0) const;
  // Cuts the text to `columns` as the function of that name does, with an ellipsis of the locale.
  [[nodiscard]] std::string fit(std::string_view text, std::size_t columns) const;

  // Replaces these texts by "[redacted]" from now on.
  void hide(std::vector<std::string> secrets) { secrets_ = std::move(secrets); }
  [[nodiscard]] std::string shown(std::string_view text) const;

  // On a terminal, escapes control characters of the text, colour codes too.
  void print(std::string_view text);
  // The same with a line feed, and on a terminal with lines broken at blanks to fit its width.
  void line(std::string_view text);
  void erase_line();  // the line of the cursor

  // Whether the output cannot be read any more: its pipe or connection is closed at the other end.
  [[nodiscard]] bool is_unread() const;
  // Ends the process as a write would then, by SIGPIPE; returns if that signal is ignored.
  void end_unread() const;

  // Flushes. Fails when any write so far failed: a full disk is reported here, not by print().
  Status finish();

 private:
  void write(const std::string& text);

  std::FILE* file_;
  bool is_interactive_;
  bool can_rewrite_;
  bool has_colour_;
  bool has_utf8_;
  int write_error_ = 0;  // errno of the first failed write
  std::vector<std::string> secrets_;
};

// ProgressLine shows the state of long work: a rewritten line on a terminal, a line at intervals
// elsewhere, nothing for short work. The terminal outlives it.
class ProgressLine {
 public:
  // `interval`: of rewriting.
  ProgressLine(Terminal& terminal, std::chrono::milliseconds interval)
      : terminal_(terminal),
        interval_(terminal.can_rewrite() ? interval : std::chrono::seconds(10)) {}
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Waits for the whole interval again.
  void restart() { shown_at_ = Clock::now(); }
  [[nodiscard]] bool is_due() const { return Clock::now() - shown_at_ >= interval_; }
  void show(std::string_view text);
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  Terminal& terminal_;
  std::chrono::milliseconds interval_;
  bool is_shown_ = false;
  Clock::time_point shown_at_ = Clock::now();
};

// The width of a text in columns; wide East Asian characters take two.
std::size_t display_width(std::string_view text);

// Cuts the text to `columns` with an ellipsis, on one line, without control characters.
std::string fit(std::string_view text, std::size_t columns, std::string_view ellipsis = "…");

// "48 ms", "3.2 s", "2 min 5 s".
std::string duration_text(std::chrono::microseconds duration);

// The colour is applied after the text has been cut and stripped of control characters.
struct TableCell {
  // NOLINTBEGIN(google-explicit-constructor): a text is a cell
  TableCell(std::string text_in, Colour colour_in = Colour::none)
      : text(std::move(text_in)), colour(colour_in) {}
  TableCell(std::string_view text_in, Colour colour_in = Colour::none)
      : text(text_in), colour(colour_in) {}
  TableCell(const char* text_in) : text(text_in) {}
  // NOLINTEND(google-explicit-constructor)

  std::string text;
  Colour colour = Colour::none;
};

// TextTable prints rows under a header in aligned columns; on a narrow terminal it shortens the
// widest columns and leaves out the last ones, but never cuts an id.
class TextTable {
 public:
  // So many rows decide about the widths of the columns; a long table is printed in such parts.
  static constexpr std::size_t kRowsForWidths = 500;

  // The first `whole_columns` are never cut: they are what users type into the next command.
  explicit TextTable(std::vector<std::string> header, std::size_t whole_columns = 0)
      : header_(std::move(header)), whole_columns_(whole_columns) {}
  using Row = std::vector<TableCell>;
  void add(Row row);
  // Prints rows while they are added, so that memory does not grow with their number; print()
  // prints the rest. The terminal outlives the table.
  void stream_to(Terminal& terminal) { stream_ = &terminal; }
  // Cuts nothing unless the output is a terminal: users copy and compare the values.
  void keep_whole_in_pipes() { is_whole_in_pipes_ = true; }
  // Leaves out the last columns that do not fit instead of cutting all; implies the above.
  void drop_columns_that_do_not_fit() { drops_columns_ = is_whole_in_pipes_ = true; }
  [[nodiscard]] bool is_empty() const { return rows_.empty() && widths_.empty(); }
  void print(Terminal& terminal) const;

 private:
  [[nodiscard]] bool is_uncut(const Terminal& terminal) const;
  [[nodiscard]] std::vector<std::size_t> widths_for(const Terminal& terminal) const;
  [[nodiscard]] std::vector<std::size_t> column_widths(std::size_t available) const;
  [[nodiscard]] std::string format(const Terminal& terminal, const Row& row,
                                   const std::vector<std::size_t>& widths) const;
  void print_header(Terminal& terminal, const std::vector<std::size_t>& widths) const;
  void print_rows(Terminal& terminal, const std::vector<std::size_t>& widths) const;

  std::vector<std::string> header_;
  std::size_t whole_columns_;
  std::vector<Row> rows_;            // not printed yet
  std::vector<std::size_t> widths_;  // of the printed part; empty: nothing was printed yet
  Terminal* stream_ = nullptr;
  bool is_whole_in_pipes_ = false;
  bool drops_columns_ = false;
};

}  // namespace heddle::cli
