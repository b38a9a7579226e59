#include "cli/candidate_table.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace heddle::cli {

namespace {

constexpr std::size_t kShownReasons = 3;

std::string header_of(const std::string& name) {
  std::string text = name;
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

std::string rules_text(const WatchCandidate& candidate) {
  if (candidate.watch == WatchKind::feed) return "watch = \"feed\"";
  if (candidate.selector.empty()) return "the whole page is one item";
  return candidate.json_in.empty()
             ? fmt::format("selector {}", candidate.selector)
             : fmt::format("selector {} in {}", candidate.selector, candidate.json_in);
}

// Columns without any value in the rows are left out.
std::vector<std::size_t> shown_columns(const WatchCandidate& candidate) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < candidate.fields.size(); ++i) {
    const bool has_value = std::any_of(
        candidate.rows.begin(), candidate.rows.end(),
        [i](const std::vector<std::string>& row) { return i < row.size() && !row[i].empty(); });
    if (has_value) columns.push_back(i);
  }
  return columns;
}

void print_rows(Terminal& terminal, const WatchCandidate& candidate, std::size_t most) {
  const std::vector<std::size_t> columns = shown_columns(candidate);
  std::vector<std::string> header;
  for (const std::size_t column : columns)
    header.push_back(header_of(candidate.fields[column].name));
  TextTable table(std::move(header));
  for (std::size_t i = 0; i < candidate.rows.size() && i < most; ++i) {
    TextTable::Row row;
    for (const std::size_t column : columns) row.emplace_back(candidate.rows[i][column]);
    table.add(std::move(row));
  }
  if (!columns.empty() && !candidate.rows.empty()) table.print(terminal);
}

// JSON has the class itself.
std::string_view word_of_class(std::string_view page_class) {
  if (page_class == "generic") return "unknown";
  if (page_class == "collection" || page_class == "listing") return "list";
  if (page_class == "login") return "login page";
  if (page_class == "bot_wall") return "bot check (CAPTCHA)";
  return page_class == "error_page" ? "error page" : page_class;
}

}  // namespace

void print_page_class(Terminal& terminal, const WatchProposal& proposal) {
  const std::string title = proposal.title.empty() ? "" : ": " + proposal.title;
  terminal.line(terminal.paint(Colour::bold, proposal.final_url) + title);
  if (!proposal.page_class.empty())
    terminal.line(fmt::format(
        "kind of page: {}{}", word_of_class(proposal.page_class),
        proposal.signals.empty() ? "" : fmt::format(" ({})", fmt::join(proposal.signals, ", "))));
}

void print_candidate(Terminal& terminal, const WatchCandidate& candidate, std::size_t rows) {
  terminal.line(
      terminal.paint(Colour::bold, candidate.description) +
      terminal.paint(Colour::grey, fmt::format(", confidence {:.2f}", candidate.confidence)));
  std::vector<std::string> reasons = candidate.reasons;
  if (reasons.size() > kShownReasons) reasons.resize(kShownReasons);
  terminal.line(terminal.paint(
      Colour::grey, fmt::format("{}{}{}", rules_text(candidate), reasons.empty() ? "" : "; ",
                                fmt::join(reasons, ", "))));
  print_rows(terminal, candidate, rows);
}

void print_candidate(Terminal& terminal, const WatchCandidate& candidate, std::size_t number,
                     std::size_t rows) {
  terminal.line("");
  terminal.print(terminal.paint(Colour::bold, std::to_string(number)) + "  ");
  print_candidate(terminal, candidate, rows);
}

}  // namespace heddle::cli
