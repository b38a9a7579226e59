#include "pages/changes/judged_changes.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

#include "base/text.hpp"
#include "pages/product/stock.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kMostChanges = 100;   // of one reading of a page
constexpr std::size_t kLongestText = 4000;  // bytes of each side of a change
constexpr std::size_t kLongestContext = 400;
constexpr std::size_t kLongestStockLine = 200;
constexpr std::size_t kMostPricedLines = 30;  // of a change

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 128;
}

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (is_letter(c)) letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return letters;
}

std::set<StockState> stock_in(std::string_view text) {
  std::set<StockState> said;
  for (const std::string_view line : split(text, '\n'))
    if (line.size() <= kLongestStockLine) said.insert(stock_said(line));
  said.erase(StockState::unknown);
  return said;
}

// Of several lines that changed together, one may differ in its price only.
bool has_changed_price(const TextChange& change) {
  if (change.is_price) return true;
  const auto before = split(change.before, '\n');
  const auto after = split(change.after, '\n');
  if (before.size() > kMostPricedLines || after.size() > kMostPricedLines) return false;
  for (const std::string_view old_line : before)
    for (const std::string_view new_line : after) {
      const auto pair = compare_texts(old_line, new_line).changes;
      if (pair.size() == 1 && pair[0].is_price) return true;
    }
  return false;
}

ChangeKind kind_of(const TextChange& change) {
  if (change.before.empty()) return ChangeKind::text_added;
  return change.after.empty() ? ChangeKind::text_removed : ChangeKind::text_changed;
}

std::string cut(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  return std::string(utf8_prefix(text, most)) + "…";
}

// In the order that they had; of equally significant ones the first.
std::vector<FieldChange> most_significant(std::vector<FieldChange> changes) {
  std::vector<std::size_t> order(changes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&changes](std::size_t a, std::size_t b) {
    return changes[a].significance > changes[b].significance;
  });
  order.resize(kMostChanges);
  std::ranges::sort(order);
  std::vector<FieldChange> kept;
  for (const std::size_t i : order) kept.push_back(std::move(changes[i]));
  return kept;
}

}  // namespace

Significance significance_of(const TextChange& change) {
  if (has_changed_price(change)) return Significance::high;
  if (stock_in(change.before) != stock_in(change.after)) return Significance::high;
  if (letters_of(change.before) == letters_of(change.after)) return Significance::low;
  return Significance::medium;
}

JudgedChanges judge_changes(const TextComparison& comparison, const std::string& url) {
  JudgedChanges judged;
  for (const TextChange& change : comparison.changes)
    judged.changes.push_back({.key = url,
                              .field = "text",
                              .before = cut(change.before, kLongestText),
                              .after = cut(change.after, kLongestText),
                              .significance = significance_of(change),
                              .kind = kind_of(change),
                              .context = cut(change.context, kLongestContext)});
  if (judged.changes.size() <= kMostChanges) return judged;
  judged.left_out = judged.changes.size() - kMostChanges;
  judged.changes = most_significant(std::move(judged.changes));
  return judged;
}

}  // namespace heddle::pages
