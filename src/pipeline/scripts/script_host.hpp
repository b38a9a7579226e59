// ScriptHost gives a job's VM its logs, environment variables and modules.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files/file_jail.hpp"
#include "base/hash.hpp"
#include "base/log/log.hpp"
#include "base/log/rotating_file.hpp"
#include "base/time.hpp"
#include "model/job/job.hpp"
#include "script/vm_host.hpp"

namespace heddle::pipeline {

// env_get(key): HEDDLE_ENV_<key>, else SPYWEB_<key>.
std::optional<std::string> script_variable(std::string_view key);
// The folders that the job's scripts can use.
JailFolders script_folders(const Project& project, const Job& job);

// A module that the VM has loaded, to detect changes.
struct LoadedModule {
  std::string name;                    // as required: "lib.prices"
  std::optional<Hash128> text_hash{};  // none: it could not be read
};

class ScriptHost final : public script::VmHost {
 public:
  // All references outlive the host.
  ScriptHost(const Project& project, const Job& job, const Clock& clock, Log& live);

  void log(std::string_view line) override;
  void log_to_file(std::string_view line) override;
  void print(std::string_view line) override;
  void warn(std::string_view message) override;
  std::optional<std::string> env(std::string_view key) override;
  Result<script::ScriptSource> module(std::string_view name) override;

  // Shared with actions on the file thread.
  [[nodiscard]] const std::shared_ptr<const FileJail>& jail() const { return jail_; }
  // Whether no loaded module has changed.
  [[nodiscard]] bool is_up_to_date() const;

 private:
  void log_live(LogLevel level, std::string_view text, bool is_in_job_log);
  void remember_module(std::string_view name, std::optional<Hash128> text_hash);

  const Clock& clock_;
  Log& live_;
  std::string job_;  // its id
  std::vector<std::string> secrets_;
  std::shared_ptr<const FileJail> jail_;
  RotatingFile file_;
  std::vector<LoadedModule> modules_;
  bool has_warned_ = false;  // about the log file, once
};

}  // namespace heddle::pipeline
