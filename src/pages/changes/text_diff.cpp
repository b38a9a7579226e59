#include "pages/changes/text_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "pages/changes/alignment.hpp"

namespace heddle::pages {

namespace {

constexpr std::size_t kLineSteps = 4'000'000;
constexpr std::size_t kWordSteps = 200'000;  // of one pair of lines

using Words = std::vector<std::string_view>;

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

Words words_of(std::string_view line) {
  Words words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t start = at;
    while (at < line.size() && !is_space(line[at])) ++at;
    if (at > start) words.push_back(line.substr(start, at - start));
    while (at < line.size() && is_space(line[at])) ++at;
  }
  return words;
}

std::vector<Words> lines_of(std::string_view text) {
  std::vector<Words> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    Words words = words_of(text.substr(0, end));
    if (!words.empty()) lines.push_back(std::move(words));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string joined(const Words& words, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin) text += ' ';
    text += words[i];
  }
  return text;
}

std::string joined(const Words& words) {
  return joined(words, 0, words.size());
}

// Equal texts get equal numbers.
class TextNumbers {
 public:
  std::uint32_t of(std::string text) {
    return numbers_.try_emplace(std::move(text), static_cast<std::uint32_t>(numbers_.size()))
        .first->second;
  }
  std::vector<std::uint32_t> of(const Words& words) {
    std::vector<std::uint32_t> numbers;
    numbers.reserve(words.size());
    for (const std::string_view word : words) numbers.push_back(of(std::string(word)));
    return numbers;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

DiffLine whole_line(DiffKind kind, const Words& words) {
  const std::vector<DiffPart> parts{{joined(words), kind != DiffKind::same}};
  DiffLine line{.kind = kind};
  if (kind != DiffKind::added) line.before = parts;
  if (kind != DiffKind::removed) line.after = parts;
  return line;
}

void add_part(std::vector<DiffPart>& parts, const Words& words, std::size_t begin, std::size_t end,
              bool differs) {
  if (begin < end) parts.push_back({joined(words, begin, end), differs});
}

class LineDiff {
 public:
  LineDiff(std::string_view before, std::string_view after)
      : before_(lines_of(before)), after_(lines_of(after)) {}

  std::vector<DiffLine> run() {
    TextNumbers numbers;
    std::vector<std::uint32_t> a;
    std::vector<std::uint32_t> b;
    for (const Words& line : before_) a.push_back(numbers.of(joined(line)));
    for (const Words& line : after_) b.push_back(numbers.of(joined(line)));
    std::size_t at = 0;  // in `after`
    for (const Hunk& hunk : align(a, b, kLineSteps)) {
      add_same(at, hunk.after_begin);
      add_hunk(hunk);
      at = hunk.after_end;
    }
    add_same(at, after_.size());
    return std::move(lines_);
  }

 private:
  void add_same(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      lines_.push_back(whole_line(DiffKind::same, after_[i]));
  }

  // Lines at the same place of the hunk belong together when they have words in common.
  void add_hunk(const Hunk& hunk) {
    std::size_t old_line = hunk.before_begin;
    std::size_t new_line = hunk.after_begin;
    while (old_line < hunk.before_end && new_line < hunk.after_end) {
      if (add_pair(before_[old_line], after_[new_line])) {
        ++old_line;
        ++new_line;
        continue;
      }
      const bool has_more_before = hunk.before_end - old_line >= hunk.after_end - new_line;
      if (has_more_before)
        lines_.push_back(whole_line(DiffKind::removed, before_[old_line++]));
      else
        lines_.push_back(whole_line(DiffKind::added, after_[new_line++]));
    }
    while (old_line < hunk.before_end)
      lines_.push_back(whole_line(DiffKind::removed, before_[old_line++]));
    while (new_line < hunk.after_end)
      lines_.push_back(whole_line(DiffKind::added, after_[new_line++]));
  }

  bool add_pair(const Words& old_words, const Words& new_words) {
    TextNumbers numbers;
    const auto a = numbers.of(old_words);
    const auto b = numbers.of(new_words);
    const std::vector<Hunk> hunks = align(a, b, kWordSteps);
    std::size_t same = old_words.size();
    for (const Hunk& hunk : hunks) same -= hunk.before_end - hunk.before_begin;
    if (same * 3 < std::max(old_words.size(), new_words.size())) return false;
    DiffLine line{.kind = DiffKind::changed};
    std::size_t old_at = 0;
    std::size_t new_at = 0;
    for (const Hunk& hunk : hunks) {
      add_part(line.before, old_words, old_at, hunk.before_begin, false);
      add_part(line.after, new_words, new_at, hunk.after_begin, false);
      add_part(line.before, old_words, hunk.before_begin, hunk.before_end, true);
      add_part(line.after, new_words, hunk.after_begin, hunk.after_end, true);
      old_at = hunk.before_end;
      new_at = hunk.after_end;
    }
    add_part(line.before, old_words, old_at, old_words.size(), false);
    add_part(line.after, new_words, new_at, new_words.size(), false);
    lines_.push_back(std::move(line));
    return true;
  }

  std::vector<Words> before_;
  std::vector<Words> after_;
  std::vector<DiffLine> lines_;
};

std::vector<DiffLine> with_context(std::vector<DiffLine> all, std::size_t context) {
  std::vector<bool> is_shown(all.size(), false);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == DiffKind::same) continue;
    const std::size_t end = std::min(all.size(), i + context + 1);
    for (std::size_t near = i < context ? 0 : i - context; near < end; ++near)
      is_shown[near] = true;
  }
  std::vector<DiffLine> lines;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_shown[i])
      lines.push_back(std::move(all[i]));
    else if (!lines.empty() && lines.back().kind == DiffKind::skipped)
      ++lines.back().skipped;
    else
      lines.push_back({.kind = DiffKind::skipped, .skipped = 1});
  }
  return lines;
}

}  // namespace

std::vector<DiffLine> diff_texts(std::string_view before, std::string_view after,
                                 std::size_t context) {
  std::vector<DiffLine> all = LineDiff(before, after).run();
  const bool is_same =
      std::ranges::all_of(all, [](const DiffLine& line) { return line.kind == DiffKind::same; });
  if (is_same) return {};
  return with_context(std::move(all), context);
}

}  // namespace heddle::pages
