#include "html/parser/tokenizer/doctype_reader.hpp"

#include <algorithm>

#include "html/parser/tokenizer/characters.hpp"

namespace heddle::html::parser {

namespace {

// After an error the rest is skipped, whether or not the doctype is closed.
enum class DoctypeProgress { reading, done, skips_rest };

class DoctypeReader {
 public:
  explicit DoctypeReader(std::string_view text) : rest_(text) {}

  DoctypeParts read(bool is_closed) {
    const DoctypeProgress progress = read_all();
    if (!is_closed && progress != DoctypeProgress::skips_rest) parts_.forces_quirks = true;
    return parts_;
  }

 private:
  DoctypeProgress read_all() {
    skip_space();
    if (rest_.empty()) return give_up(DoctypeProgress::done);
    read_name();
    skip_space();
    if (rest_.empty()) return DoctypeProgress::done;
    if (take_word("public")) return read_public_id();
    if (take_word("system")) return read_system_id(true);
    return give_up(DoctypeProgress::skips_rest);
  }

  DoctypeProgress read_public_id() {
    const DoctypeProgress progress = read_quoted(parts_.public_id, parts_.has_public_id);
    return progress == DoctypeProgress::reading ? read_system_id(false) : progress;
  }

  DoctypeProgress read_system_id(bool is_needed) {
    skip_space();
    if (rest_.empty() && !is_needed) return DoctypeProgress::done;
    const DoctypeProgress progress = read_quoted(parts_.system_id, parts_.has_system_id);
    if (progress != DoctypeProgress::reading) return progress;
    skip_space();
    return rest_.empty() ? DoctypeProgress::done : DoctypeProgress::skips_rest;
  }

  DoctypeProgress read_quoted(std::string_view& id, bool& is_present) {
    skip_space();
    if (rest_.empty()) return give_up(DoctypeProgress::done);
    const char quote = rest_.front();
    if (quote != '"' && quote != '\'') return give_up(DoctypeProgress::skips_rest);
    rest_.remove_prefix(1);
    is_present = true;
    const std::size_t end = rest_.find(quote);
    id = rest_.substr(0, end);
    if (end == std::string_view::npos) return give_up(DoctypeProgress::done);
    rest_.remove_prefix(end + 1);
    return DoctypeProgress::reading;
  }

  void read_name() {
    const auto* end = std::find_if(rest_.begin(), rest_.end(),
                                   [](char byte) { return has_class(byte, is_space); });
    parts_.name = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(parts_.name.size());
  }

  bool take_word(std::string_view lower) {
    if (rest_.size() < lower.size()) return false;
    for (std::size_t i = 0; i < lower.size(); ++i)
      if (to_lower(rest_[i]) != lower[i]) return false;
    rest_.remove_prefix(lower.size());
    return true;
  }

  void skip_space() {
    while (!rest_.empty() && has_class(rest_.front(), is_space)) rest_.remove_prefix(1);
  }

  DoctypeProgress give_up(DoctypeProgress progress) {
    parts_.forces_quirks = true;
    return progress;
  }

  std::string_view rest_;
  DoctypeParts parts_;
};

}  // namespace

DoctypeParts read_doctype_parts(std::string_view text, bool is_closed) {
  return DoctypeReader(text).read(is_closed);
}

}  // namespace heddle::html::parser
