// VmHost is what a VM can call in its environment without waiting.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace heddle::script {

struct ScriptSource {
  std::string name;  // for messages: the path relative to the project, "jobs/shop/hooks.lua"
  std::string text;
};

// Outlives the VMs that use it. Called on the VM's thread only; must not throw.
class VmHost {
 public:
  virtual ~VmHost() = default;

  virtual void log(std::string_view line) = 0;  // log(...): the job's log file and the live log
  virtual void log_to_file(std::string_view /*line*/) {}  // the job's log file only
  virtual void print(std::string_view line) = 0;          // print(...): the live log only
  virtual void warn(std::string_view message) = 0;        // errors that cannot be returned
  // HEDDLE_ENV_<key>, else SPYWEB_<key>; nothing else of the environment.
  [[nodiscard]] virtual std::optional<std::string> env(std::string_view key) = 0;
  // The file of require(name), from the job's folder or the project; an error lists the paths.
  [[nodiscard]] virtual Result<ScriptSource> module(std::string_view name) = 0;
};

}  // namespace heddle::script
