// Finds secrets that are written literally in the files. Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/secrets/secret_text.hpp"
#include "config/settings.hpp"

namespace heddle::config {

// Tokens, passwords, signing secrets, credentials in headers and in proxy URLs.
bool is_secret(const Setting& setting);
std::set<std::string> literal_secrets(const Settings& settings);

// "DB_PASSWORD", "API_TOKEN": the name suggests a secret value.
bool is_secret_variable(std::string_view name);

// The parts of a whole URL, header or cookie that are secret by themselves.
std::set<std::string> secret_parts(std::string_view value);

// Adds it and its parts unless they are known.
void add_secret(std::vector<Secret>& secrets, Secret secret);

// Adds the form that a secret takes in the host of a URL of the settings: "Key7" becomes "key7".
void add_host_spellings(std::vector<Secret>& secrets, const Settings& settings);

// Whether `text` refers to a secret: "${env:X}", but not "$${env:X}".
bool has_reference(std::string_view text);

// Whether the value cannot be mistaken for other text, so that it may be replaced in the content of
// pages: its name says that it is secret, or it is long and mixes letters with digits.
bool is_distinctive(const Secret& secret);

// A setting's text for display: ${…} as written, secrets removed.
std::string safe_text(const Setting& setting);

}  // namespace heddle::config
