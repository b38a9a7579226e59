// CSV as spreadsheets read it (RFC 4180), safe against cells that would run as formulas.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {

std::string csv_row(const std::vector<std::string>& cells);

}  // namespace heddle::cli
