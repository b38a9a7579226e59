// JsonParser builds a JsonDocument from one text. Never recurses. Used once; not thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pages/json/json_document.hpp"

namespace heddle::pages {

class JsonParser {
 public:
  JsonParser(std::string text, const JsonLimits& limits);

  Result<JsonDocument> parse();
  Result<JsonDocument> parse_lines();

 private:
  struct Slice {
    std::uint32_t begin = 0;
    std::uint32_t length = 0;
  };

  // Each returns false and sets error_ when the text is wrong.
  bool parse_value();            // up to its end, containers included
  bool begin_value(Slice name);  // opens a container or reads a whole other value
  bool begin_member();
  bool read_string(Slice& out);
  bool read_escape(std::size_t& write);
  bool read_code_unit(std::uint32_t& unit);
  bool read_number();
  bool read_word(std::string_view word, JsonKind kind, bool flag);
  bool fail(std::string_view what);
  bool fail_limit(std::string_view what);

  bool ends_container();  // closes the open one if it ends here
  bool append(JsonKind kind, Slice name, Slice value);
  void close();
  void find_replaced_members(std::size_t first);
  Result<JsonDocument> finish();
  Result<JsonDocument> reject_size() const;

  void skip_space();
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

  JsonDocument document_;
  std::string& text_;
  JsonLimits limits_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;  // strings hold no line ends, so counting outside of them is enough
  std::size_t line_begin_ = 0;
  JsonId open_ = kNoJson;
  std::size_t depth_ = 0;
  std::vector<JsonId> members_;        // of all open objects
  std::vector<std::size_t> first_of_;  // by depth: where the members of an open container begin
  std::string error_;
};

}  // namespace heddle::pages
