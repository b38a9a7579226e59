// Formats CSV for spreadsheets (RFC 4180) and escapes cells that would run as formulas.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::views {

std::string csv_row(const std::vector<std::string>& cells);

}  // namespace heddle::views
