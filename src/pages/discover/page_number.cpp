#include "pages/discover/page_number.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace heddle::pages {

namespace {

constexpr auto kPageWords = std::to_array<std::string_view>(
    {"page",       "paged",     "pg",          "p",      "pn",      "pageno",   "pagenum",
     "pagenumber", "pageindex", "currentpage", "cpage",  "pageid",  "seite",    "pagina",
     "pag",        "sida",      "side",        "strona", "stranka", "str",      "sayfa",
     "oldal",      "halaman",   "trang",       "pagenr", "page_no", "page_num", "pageno_",
     "ipage",      "curpage",   "currpage",    "pi",     "pno",     "npage"});
constexpr auto kOffsetWords = std::to_array<std::string_view>(
    {"start", "offset", "from", "skip", "first", "begin", "startat", "startindex", "startfrom",
     "st", "limitstart", "firstresult", "startrow", "o", "s", "start_index", "index"});

template <class Words>
bool has_word(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// A piece of a URL with at most one number in it: a path segment or a query parameter.
struct UrlPart {
  std::string name;  // the text around the number, in lower case
  long number = -1;
  bool is_query = false;
};

bool is_digit_char(char c) {
  return c >= '0' && c <= '9';
}

// Splits "news-3.html" into "news-#.html" and 3: the last number of at most five digits counts.
UrlPart part_of(std::string_view text, bool is_query) {
  UrlPart part;
  part.is_query = is_query;
  const std::size_t value = is_query ? text.find('=') : std::string_view::npos;
  const bool is_text_value =
      value != std::string_view::npos &&
      text.find_first_not_of("0123456789", value + 1) != std::string_view::npos;
  if (is_text_value) {
    part.name = to_lower_ascii(text);
    return part;
  }
  std::size_t end = text.size();
  while (end > 0 && !is_digit_char(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit_char(text[begin - 1])) --begin;
  if (end == begin || end - begin > 5) {
    part.name = to_lower_ascii(text);
    return part;
  }
  part.number = std::atol(std::string(text.substr(begin, end - begin)).c_str());
  part.name = to_lower_ascii(text.substr(0, begin)) + "#" + to_lower_ascii(text.substr(end));
  return part;
}

std::vector<UrlPart> parts_of(const Url& url) {
  std::vector<UrlPart> parts;
  for (const std::string_view segment : split(url.path(), '/'))
    if (!segment.empty()) parts.push_back(part_of(segment, false));
  for (const std::string_view parameter : split(url.query(), '&'))
    if (!parameter.empty()) parts.push_back(part_of(parameter, true));
  return parts;
}

// The word that names the number of a part: "page" of "page=3", "page-3", "/page/3".
std::string word_of(const UrlPart& part, const UrlPart* before) {
  std::string word;
  const std::size_t mark = part.name.find('#');
  std::string_view left = std::string_view(part.name).substr(0, mark);
  if (part.is_query) left = left.substr(0, left.find('='));
  while (!left.empty() && !((left.back() >= 'a' && left.back() <= 'z'))) left.remove_suffix(1);
  const std::size_t cut = left.find_last_of("-_.[]%");
  if (cut != std::string_view::npos) left.remove_prefix(cut + 1);
  word = left;
  if (word.empty() && before != nullptr && !part.is_query) word = before->name;
  return word;
}

PageStep named_step(long from, long to, const std::string& word) {
  PageStep step{from, to};
  step.is_offset = has_word(kOffsetWords, word);
  step.is_named = step.is_offset || has_word(kPageWords, word) || word.ends_with("page") ||
                  word.starts_with("page");
  return step;
}

const UrlPart* part_before(const std::vector<UrlPart>& parts, std::size_t at) {
  return at == 0 ? nullptr : &parts[at - 1];
}

// Both URLs have the same parts, one with another number.
std::optional<PageStep> changed_number(const std::vector<UrlPart>& a,
                                       const std::vector<UrlPart>& b) {
  std::optional<PageStep> step;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].name != b[i].name) return std::nullopt;
    if (a[i].number == b[i].number) continue;
    if (step) return std::nullopt;
    step = named_step(a[i].number, b[i].number, word_of(b[i], part_before(b, i)));
  }
  return step;
}

bool has_part(const std::vector<UrlPart>& parts, const UrlPart& wanted) {
  return std::any_of(parts.begin(), parts.end(), [&](const UrlPart& part) {
    return part.name == wanted.name && part.number == wanted.number;
  });
}

// The second URL adds a number to the first: "?page=2", "/page/2", "/2".
std::optional<PageStep> added_number(const std::vector<UrlPart>& a, const std::vector<UrlPart>& b) {
  std::optional<PageStep> step;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (has_part(a, b[i])) continue;
    const std::string word = word_of(b[i], part_before(b, i));
    if (b[i].number < 0) {
      // "/page" before "/2", and parameters that go with the number.
      const bool is_page_segment = !b[i].is_query && has_word(kPageWords, b[i].name);
      if (is_page_segment || b[i].is_query) continue;
      return std::nullopt;
    }
    const PageStep here = named_step(1, b[i].number, word);
    if (!step || (here.is_named && !step->is_named)) step = here;
  }
  if (step) step->is_first = true;
  if (step && step->is_offset) step->from = 0;
  return step;
}

// The number of a URL that a word for pages names.
std::optional<PageStep> own_page(const std::vector<UrlPart>& parts) {
  for (std::size_t i = parts.size(); i-- > 0;) {
    if (parts[i].number < 0) continue;
    const PageStep here = named_step(1, parts[i].number, word_of(parts[i], part_before(parts, i)));
    if (here.is_named) return here;
  }
  return std::nullopt;
}

// Sites that write a listing's pages under another path than its first one.
std::optional<PageStep> step_elsewhere(const std::vector<UrlPart>& a,
                                       const std::vector<UrlPart>& b) {
  auto step = own_page(b);
  if (!step) return std::nullopt;
  step->is_elsewhere = true;
  const auto own = own_page(a);
  step->is_first = !own;
  if (own) step->from = own->to;
  return step;
}

}  // namespace

std::optional<PageStep> page_step(const Url& from, const Url& to) {
  const auto a = parts_of(from);
  const auto b = parts_of(to);
  if (a.size() == b.size())
    if (const auto step = changed_number(a, b)) return step;
  auto step = added_number(a, b);
  if (!step) return step_elsewhere(a, b);
  // The first URL may name its page in other words ("/page/3" beside "?paged=4").
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].number < 0 || has_part(b, a[i])) continue;
    const PageStep own = named_step(0, a[i].number, word_of(a[i], part_before(a, i)));
    if (!own.is_named) continue;
    step->from = own.to;
    step->is_first = false;
  }
  return step;
}

}  // namespace heddle::pages
