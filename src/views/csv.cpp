#include "views/csv.hpp"

namespace heddle::views {

namespace {

// Cells come from untrusted pages, and spreadsheets would run these as formulas. Numbers such as
// "-12.50" stay unchanged.
bool looks_like_formula(std::string_view cell) {
  if (cell.empty()) return false;
  if (std::string_view("=@\t\r").find(cell[0]) != std::string_view::npos) return true;
  if (cell[0] != '+' && cell[0] != '-') return false;
  return cell.find_first_not_of("+-0123456789.,' ") != std::string_view::npos;
}

void append_cell(std::string& out, std::string_view cell) {
  const bool is_formula = looks_like_formula(cell);
  if (!is_formula && cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += cell;
    return;
  }
  out += '"';
  if (is_formula) out += '\'';
  for (const char c : cell) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

}  // namespace

std::string csv_row(const std::vector<std::string>& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) out += ',';
    append_cell(out, cells[i]);
  }
  out += "\r\n";
  return out;
}

}  // namespace heddle::views
