#include "pages/source/file_item.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"

namespace heddle::pages {

std::vector<FieldRule> file_fields() {
  std::vector<FieldRule> fields;
  for (const char* name : {"url", "hash", "size", "type"}) fields.emplace_back().name = name;
  fields[2].type = FieldType::number;
  return fields;
}

Item item_of_file(const std::string& page_url, std::string_view bytes,
                  std::string_view content_type) {
  const std::string_view type = trim(content_type.substr(0, content_type.find(';')));
  Item item;
  item.fields = {{"url", page_url},
                 {"hash", hash128(bytes).hex()},
                 {"size", std::to_string(bytes.size())},
                 {"type", to_lower_ascii(type)}};
  return item;
}

}  // namespace heddle::pages
