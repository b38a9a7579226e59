// A file as an item that is followed by the URL of its page: whatever it holds, by its hash. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/job/job.hpp"
#include "model/run/item.hpp"

namespace heddle::pages {

// url, hash (of the bytes, in hexadecimal digits), size (in bytes), type (the content type).
std::vector<FieldRule> file_fields();

Item item_of_file(const std::string& page_url, std::string_view bytes,
                  std::string_view content_type);

}  // namespace heddle::pages
