#include "pages/changes/text_changes.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "pages/changes/alignment.hpp"
#include "pages/changes/volatile_text.hpp"
#include "pages/values/money.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kLineSteps = 4'000'000;
constexpr std::size_t kWordSteps = 200'000;

using Words = std::vector<std::string_view>;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

Words split_words(std::string_view text) {
  Words words;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && is_space(text[at])) ++at;
    const std::size_t start = at;
    while (at < text.size() && !is_space(text[at])) ++at;
    if (at > start) words.push_back(text.substr(start, at - start));
  }
  return words;
}

std::string join(const Words& words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

struct TextLines {
  std::vector<std::string> lines;  // white space folded, none is empty
  std::size_t words = 0;
};

TextLines split_lines(std::string_view text) {
  TextLines result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Words words = split_words(text.substr(0, end));
    if (!words.empty()) result.lines.push_back(join(words));
    result.words += words.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

// Equal texts get equal numbers.
class Numbering {
 public:
  std::uint32_t number_of(std::string text) {
    return numbers_.try_emplace(std::move(text), static_cast<std::uint32_t>(numbers_.size()))
        .first->second;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// Only lines that the other text does not have are searched for volatile parts.
std::vector<std::uint32_t> number_lines(const std::vector<std::string>& lines,
                                        const std::vector<std::string>& other, Numbering& numbers) {
  const std::unordered_set<std::string_view> known(other.begin(), other.end());
  std::vector<std::uint32_t> result;
  result.reserve(lines.size());
  for (const std::string& line : lines)
    result.push_back(numbers.number_of(known.contains(line) ? line : without_volatile_parts(line)));
  return result;
}

using LinePositions = std::vector<std::size_t>;

// Lines that were removed at one place and added at another were only moved.
class MovedLines {
 public:
  MovedLines(const std::vector<Hunk>& hunks, const std::vector<std::uint32_t>& before,
             const std::vector<std::uint32_t>& after) {
    std::unordered_map<std::uint32_t, std::size_t> added;
    for (const Hunk& hunk : hunks)
      for (std::size_t i = hunk.after_begin; i < hunk.after_end; ++i) ++added[after[i]];
    for (const Hunk& hunk : hunks)
      for (std::size_t i = hunk.before_begin; i < hunk.before_end; ++i) {
        const auto found = added.find(before[i]);
        if (found == added.end() || found->second == 0) continue;
        --found->second;
        ++from_before_[before[i]];
        ++from_after_[before[i]];
      }
  }

  LinePositions left_of_before(const Hunk& hunk, const std::vector<std::uint32_t>& numbers) {
    return left(from_before_, hunk.before_begin, hunk.before_end, numbers);
  }
  LinePositions left_of_after(const Hunk& hunk, const std::vector<std::uint32_t>& numbers) {
    return left(from_after_, hunk.after_begin, hunk.after_end, numbers);
  }

 private:
  using Counts = std::unordered_map<std::uint32_t, std::size_t>;

  static LinePositions left(Counts& moved, std::size_t begin, std::size_t end,
                            const std::vector<std::uint32_t>& numbers) {
    LinePositions positions;
    for (std::size_t i = begin; i < end; ++i) {
      const auto found = moved.find(numbers[i]);
      if (found != moved.end() && found->second > 0)
        --found->second;
      else
        positions.push_back(i);
    }
    return positions;
  }

  Counts from_before_;
  Counts from_after_;
};

std::size_t differing_words(std::string_view before, std::string_view after) {
  Numbering numbers;
  std::vector<std::uint32_t> a;
  std::vector<std::uint32_t> b;
  for (const std::string_view word : split_words(before))
    a.push_back(numbers.number_of(std::string(word)));
  for (const std::string_view word : split_words(after))
    b.push_back(numbers.number_of(std::string(word)));
  std::size_t words = 0;
  for (const Hunk& hunk : align(a, b, kWordSteps))
    words += std::max(hunk.before_end - hunk.before_begin, hunk.after_end - hunk.after_begin);
  return words;
}

std::string without_digits(std::string_view text) {
  std::string rest;
  for (const char c : text)
    if ((c < '0' || c > '9') && c != '.' && c != ',' && c != ' ' && c != '\'') rest += c;
  return rest;
}

// "Kettle €49.50" and "Kettle €39": the same words and currency with another amount.
bool differ_in_price(const std::string& before, const std::string& after) {
  constexpr std::size_t kLongestLine = 300;
  if (before.size() > kLongestLine || after.size() > kLongestLine) return false;
  if (without_digits(before) != without_digits(after)) return false;
  const Money old_price = read_money(before);
  const Money new_price = read_money(after);
  return old_price.amount && new_price.amount && old_price.currency && new_price.currency &&
         *old_price.amount != *new_price.amount;
}

class LineComparer {
 public:
  LineComparer(std::vector<std::string> before, std::vector<std::string> after)
      : before_(std::move(before)), after_(std::move(after)) {}

  std::vector<TextChange> run() {
    Numbering numbers;
    const auto a = number_lines(before_, after_, numbers);
    const auto b = number_lines(after_, before_, numbers);
    const std::vector<Hunk> hunks = align(a, b, kLineSteps);
    MovedLines moved(hunks, a, b);
    for (const Hunk& hunk : hunks) {
      context_ = hunk.after_begin > 0 ? after_[hunk.after_begin - 1] : std::string();
      add(moved.left_of_before(hunk, a), moved.left_of_after(hunk, b));
    }
    return std::move(changes_);
  }

 private:
  // As many lines on both sides belong together in pairs.
  void add(const LinePositions& removed, const LinePositions& added) {
    if (removed.size() != added.size()) return add_change(removed, added);
    for (std::size_t i = 0; i < removed.size(); ++i) add_change({removed[i]}, {added[i]});
  }

  void add_change(const LinePositions& removed, const LinePositions& added) {
    if (removed.empty() && added.empty()) return;
    TextChange change{.before = join_lines(before_, removed),
                      .after = join_lines(after_, added),
                      .context = context_};
    change.words = differing_words(change.before, change.after);
    change.is_price =
        removed.size() == 1 && added.size() == 1 && differ_in_price(change.before, change.after);
    changes_.push_back(std::move(change));
  }

  static std::string join_lines(const std::vector<std::string>& lines,
                                const LinePositions& positions) {
    std::string text;
    for (const std::size_t position : positions) {
      if (!text.empty()) text += '\n';
      text += lines[position];
    }
    return text;
  }

  std::vector<std::string> before_;
  std::vector<std::string> after_;
  std::string context_;
  std::vector<TextChange> changes_;
};

}  // namespace

TextComparison compare_texts(std::string_view before, std::string_view after) {
  TextLines old_text = split_lines(before);
  TextLines new_text = split_lines(after);
  TextComparison comparison{
      .changes = {}, .words_before = old_text.words, .words_after = new_text.words};
  if (old_text.lines == new_text.lines) return comparison;
  comparison.changes = LineComparer(std::move(old_text.lines), std::move(new_text.lines)).run();
  return comparison;
}

}  // namespace heddle::pages
