// Finds secrets that are written literally in the files. Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "config/settings.hpp"

namespace heddle::config {

// Tokens, passwords, signing secrets, credentials in headers and in proxy URLs.
bool is_secret(const Setting& setting);
std::set<std::string> literal_secrets(const Settings& settings);

// "DB_PASSWORD", "API_TOKEN": the name suggests a secret value.
bool is_secret_variable(std::string_view name);

// A setting's text for display: ${…} as written, secrets removed.
std::string safe_text(const Setting& setting);

}  // namespace heddle::config
