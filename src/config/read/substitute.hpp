// Fills ${env:NAME}, ${file:path} and {{name}} into texts and remembers what must stay secret.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "config/environment.hpp"
#include "config/read/value.hpp"

namespace heddle::config {

using Vars = std::map<std::string, std::string>;

// True when the text asks for a value of `vars`.
bool has_variables(const Value& value);
bool is_variable_name(std::string_view name);

// Lives while one project is loaded; not thread-safe. Filled-in text is never filled in again.
class Substitutor {
 public:
  Substitutor(std::filesystem::path root, const Environment& environment)
      : root_(std::move(root)), environment_(environment) {}

  // "$${env:X}" stands for "${env:X}" itself. Without `vars` any {{name}} is left as it is.
  Result<std::string> fill(std::string_view text, const Vars* vars);

  // What came from ${…} so far.
  [[nodiscard]] const std::set<std::string>& secrets() const { return secrets_; }

 private:
  Result<std::string> look_up(std::string_view reference);
  Result<std::string> read_secret_file(const std::string& path);

  std::filesystem::path root_;
  const Environment& environment_;
  std::set<std::string> secrets_;
  std::map<std::string, std::string> files_;  // each is read once
};

}  // namespace heddle::config
