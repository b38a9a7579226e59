// Which values are secret although they stand in the file as they are. Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "config/settings.hpp"

namespace heddle::config {

// Tokens, passwords, signing secrets, credentials in headers and in proxy URLs.
bool is_secret(const Setting& setting);
std::set<std::string> literal_secrets(const Settings& settings);

// "DB_PASSWORD", "API_TOKEN": what such a variable holds is nobody's business.
bool is_secret_variable(std::string_view name);

// A setting as it may be shown: ${…} as written, what is secret by nature left out.
std::string safe_text(const Setting& setting);

}  // namespace heddle::config
