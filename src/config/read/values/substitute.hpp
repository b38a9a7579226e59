// Substitutes ${env:NAME}, ${file:path} and {{name}} in texts and collects the secret values.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/secrets/secret_text.hpp"
#include "config/environment.hpp"
#include "config/read/values/toml_value.hpp"

namespace heddle::config {

// The text of a variable, and the same with ${…} instead of secrets.
struct VarText {
  VarText(std::string text) : value(std::move(text)), unresolved(escape_references(value)) {}
  VarText(const char* text) : VarText(std::string(text)) {}
  VarText(std::string text, std::string with_references)
      : value(std::move(text)), unresolved(std::move(with_references)) {}

  std::string value;
  std::string unresolved;
};
using Vars = std::map<std::string, VarText>;

// True when a text uses a variable of `vars`.
bool has_variables(const TomlValue& value);
bool is_variable_name(std::string_view name);

// Used while one project is loaded; not thread-safe. Substituted text is not substituted again.
class Substitutor {
 public:
  Substitutor(std::filesystem::path root, const Environment& environment)
      : root_(std::move(root)), environment_(environment) {}

  // Texts that are filled from now on belong to another job or file.
  void begin_job() { filled_in_job_ = 0; }

  // "$${env:X}" yields "${env:X}". Without `vars` every {{name}} stays unchanged. Fails when what
  // is filled in exceeds kTextLimits.
  Result<std::string> fill(std::string_view text, const Vars* vars);

  // The text that stands for fill()'s result wherever it is stored: ${…} and "$${…}" stay.
  static std::string unresolved(std::string_view text, const Vars* vars);

  // The references since the last call; nullopt when fill() met none, escaped ones included.
  std::optional<std::vector<Secret>> take_used();

  // All values of ${…} so far.
  [[nodiscard]] const std::set<std::string>& secrets() const { return secrets_; }

 private:
  Result<std::string> look_up(std::string_view reference);
  Result<std::string> read_secret_file(const std::string& path);
  // Counts what is filled into a text; `in_text` is the count so far.
  Status count(std::size_t bytes, std::size_t& in_text);

  std::filesystem::path root_;
  const Environment& environment_;
  std::set<std::string> secrets_;
  std::size_t filled_in_job_ = 0;             // bytes
  std::optional<std::vector<Secret>> used_;   // since take_used()
  std::map<std::string, std::string> files_;  // each is read once
};

}  // namespace heddle::config
