#include "cli/commands/diff_printer.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/quantity.hpp"

namespace heddle::cli {

namespace {

constexpr int kWide = 120;  // columns that two texts side by side need
constexpr std::string_view kBetween = " | ";

std::string skipped_text(const DiffLine& line) {
  return fmt::format("... {} ...", counted(line.skipped, "same line"));
}

void append_word(std::string& text, std::string_view word) {
  if (!text.empty()) text += ' ';
  text += word;
}

std::string plain_text(const std::vector<DiffPart>& parts) {
  std::string text;
  for (const DiffPart& part : parts) append_word(text, part.text);
  return text;
}

// Both sides in one line, as wdiff writes them.
std::string merged_text(const DiffLine& line) {
  std::string text;
  auto old_part = line.before.begin();
  auto new_part = line.after.begin();
  while (old_part != line.before.end() || new_part != line.after.end()) {
    if (old_part != line.before.end() && old_part->differs) {
      append_word(text, "[-" + (old_part++)->text + "-]");
    } else if (new_part != line.after.end() && new_part->differs) {
      append_word(text, "{+" + (new_part++)->text + "+}");
    } else {  // the same part on both sides
      const auto& same = old_part != line.before.end() ? old_part->text : new_part->text;
      append_word(text, same);
      if (old_part != line.before.end()) ++old_part;
      if (new_part != line.after.end()) ++new_part;
    }
  }
  return text;
}

void print_plain(Terminal& terminal, const DiffLine& line) {
  switch (line.kind) {
    case DiffKind::same:
      return terminal.line("  " + plain_text(line.after));
    case DiffKind::changed:
      return terminal.line("~ " + merged_text(line));
    case DiffKind::removed:
      return terminal.line("- " + plain_text(line.before));
    case DiffKind::added:
      return terminal.line("+ " + plain_text(line.after));
    case DiffKind::skipped:
      return terminal.line(skipped_text(line));
  }
}

std::string painted(const Terminal& terminal, const std::vector<DiffPart>& parts, Colour colour) {
  std::string text;
  for (const DiffPart& part : parts)
    append_word(text, part.differs ? terminal.paint(colour, part.text) : part.text);
  return text;
}

void print_coloured(Terminal& terminal, const DiffLine& line) {
  if (line.kind == DiffKind::skipped)
    return terminal.line(terminal.paint(Colour::grey, skipped_text(line)));
  if (line.kind == DiffKind::same) return terminal.line("  " + plain_text(line.after));
  if (!line.before.empty())
    terminal.line(terminal.paint(Colour::red, "- ") + painted(terminal, line.before, Colour::red));
  if (!line.after.empty())
    terminal.line(terminal.paint(Colour::green, "+ ") +
                  painted(terminal, line.after, Colour::green));
}

// One side of a line, broken at blanks into rows of a column.
class Column {
 public:
  Column(const Terminal& terminal, std::size_t width, Colour colour)
      : terminal_(terminal), width_(width), colour_(colour) {}

  void add(const std::vector<DiffPart>& parts) {
    for (const DiffPart& part : parts) {
      std::string_view rest = part.text;
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        add_word(rest.substr(0, end), part.differs);
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
  }

  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  // Padded to the width.
  [[nodiscard]] std::string row(std::size_t index) const {
    if (index >= rows_.size()) return std::string(width_, ' ');
    return rows_[index].text + std::string(width_ - rows_[index].columns, ' ');
  }

 private:
  struct Row {
    std::string text;
    std::size_t columns = 0;
  };

  void add_word(std::string_view word, bool differs) {
    const std::string shown = terminal_.fit(word, width_);
    const std::size_t columns = display_width(shown);
    const bool fits = !rows_.empty() && rows_.back().columns + 1 + columns <= width_;
    if (!fits) rows_.emplace_back();
    Row& row = rows_.back();
    if (fits) row.text += ' ';
    row.text += differs ? terminal_.paint(colour_, shown) : shown;
    row.columns += columns + (fits ? 1 : 0);
  }

  const Terminal& terminal_;
  std::size_t width_;
  Colour colour_;
  std::vector<Row> rows_;
};

void print_side_by_side(Terminal& terminal, const DiffLine& line, std::size_t width) {
  if (line.kind == DiffKind::skipped) return print_coloured(terminal, line);
  Column before(terminal, width, Colour::red);
  Column after(terminal, width, Colour::green);
  before.add(line.before);
  after.add(line.after);
  for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
    std::string row = before.row(i);
    row += kBetween;
    row += after.row(i);
    row.erase(row.find_last_not_of(' ') + 1);
    terminal.print(row + "\n");
  }
}

}  // namespace

void print_diff(Terminal& terminal, const std::vector<DiffLine>& lines) {
  const bool is_wide = terminal.width() >= kWide;
  const std::size_t width = (static_cast<std::size_t>(terminal.width()) - kBetween.size()) / 2;
  for (const DiffLine& line : lines) {
    if (!terminal.is_interactive())
      print_plain(terminal, line);
    else if (is_wide)
      print_side_by_side(terminal, line, width);
    else
      print_coloured(terminal, line);
  }
}

}  // namespace heddle::cli
