// Substitutes ${env:NAME}, ${file:path} and {{name}} in texts and collects the secret values.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "config/environment.hpp"
#include "config/read/values/toml_value.hpp"

namespace heddle::config {

using Vars = std::map<std::string, std::string>;

// True when a text uses a variable of `vars`.
bool has_variables(const TomlValue& value);
bool is_variable_name(std::string_view name);

// Used while one project is loaded; not thread-safe. Substituted text is not substituted again.
class Substitutor {
 public:
  Substitutor(std::filesystem::path root, const Environment& environment)
      : root_(std::move(root)), environment_(environment) {}

  // "$${env:X}" yields "${env:X}". Without `vars` every {{name}} stays unchanged.
  Result<std::string> fill(std::string_view text, const Vars* vars);

  // All values of ${…} so far.
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
