// SilentHost drops all output and has no modules: for the VMs of tests, benches and fuzz targets.
#pragma once

#include "script/vm_host.hpp"

namespace heddle::script {

class SilentHost final : public VmHost {
 public:
  void log(std::string_view /*line*/) override {}
  void print(std::string_view /*line*/) override {}
  void warn(std::string_view /*message*/) override {}
  std::optional<std::string> env(std::string_view /*key*/) override { return std::nullopt; }
  Result<ScriptSource> module(std::string_view /*name*/) override {
    return Error{ErrorCode::not_found, "no modules here"};
  }
};

}  // namespace heddle::script
