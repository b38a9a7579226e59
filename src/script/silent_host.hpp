// A host that says nothing and has no modules: for a VM that tests, benches and fuzzing drive.
#pragma once

#include "script/host.hpp"

namespace heddle::script {

class SilentHost final : public Host {
 public:
  void log(std::string_view /*line*/) override {}
  void print(std::string_view /*line*/) override {}
  void warn(std::string_view /*message*/) override {}
  std::optional<std::string> env(std::string_view /*key*/) override { return std::nullopt; }
  Result<Source> module(std::string_view /*name*/) override {
    return Error{ErrorCode::not_found, "no modules here"};
  }
};

}  // namespace heddle::script
