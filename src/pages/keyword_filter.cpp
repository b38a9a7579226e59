#include "pages/keyword_filter.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace heddle::pages {

namespace {

bool is_ascii(std::string_view text) {
  unsigned char all = 0;
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

char lower_ascii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

}  // namespace

KeywordFilter::KeywordFilter(std::vector<std::string> keywords,
                             std::vector<std::string> search_fields)
    : search_fields_(std::move(search_fields)) {
  for (std::string& keyword : keywords) {
    if (keyword.empty()) continue;
    std::string folded = fold_case(keyword);
    keywords_.push_back({std::move(keyword), std::move(folded)});
  }
}

bool KeywordFilter::keep(Item& item) {
  item.matches.clear();
  if (keywords_.empty()) return true;
  found_.assign(keywords_.size(), false);
  for (const Field& field : item.fields) {
    if (!is_searched(field.first)) continue;
    fold(field.second);
    for (std::size_t i = 0; i < keywords_.size(); ++i)
      if (!found_[i]) found_[i] = folded_text_.find(keywords_[i].folded) != std::string::npos;
  }
  for (std::size_t i = 0; i < keywords_.size(); ++i)
    if (found_[i]) item.matches.push_back(keywords_[i].written);
  return !item.matches.empty();
}

bool KeywordFilter::is_searched(std::string_view field) const {
  return search_fields_.empty() ||
         std::find(search_fields_.begin(), search_fields_.end(), field) != search_fields_.end();
}

void KeywordFilter::fold(std::string_view text) {
  if (!is_ascii(text)) {
    folded_text_ = fold_case(text);
    return;
  }
  folded_text_.resize(text.size());
  std::transform(text.begin(), text.end(), folded_text_.begin(), lower_ascii);
}

}  // namespace heddle::pages
