// Test support for libraries: calls a function in a sandboxed VM or in stock Lua and returns the
// result as text, so that the two can be compared.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <lua.hpp>

#include "base/free_with.hpp"
#include "html/parse.hpp"
#include "script/lua/vm.hpp"
#include "script/script_value.hpp"
#include "script/silent_host.hpp"

namespace heddle::script {

// A Lua state and a way to run code in it.
class TestLua {
 public:
  static TestLua sandbox(std::size_t memory = 256'000'000);
  static TestLua test_sandbox();  // with the library of script tests
  static TestLua stock();

  // Runs a chunk and formats its results: values separated by "|", floats in hexadecimal, or
  // "error: …".
  std::string run(const std::string& code);
  // The same for a function expression ("string.find") called with these arguments.
  std::string call(const std::string& function, const std::vector<ScriptValue>& arguments);

  [[nodiscard]] lua_State* state() { return vm_ ? vm_->main() : state_.get(); }
  [[nodiscard]] Vm& vm() { return *vm_; }

 private:
  static TestLua make_sandbox(JobScriptSettings settings);
  std::string finish(int arguments);

  std::unique_ptr<SilentHost> host_;
  std::unique_ptr<html::Parser> parser_;
  std::unique_ptr<Vm> vm_;
  std::unique_ptr<lua_State, FreeWith<lua_close>> state_;
};

// Runs `code` in a fresh sandbox.
std::string run_sandboxed(const std::string& code);
// The same with this CPU budget. A loop that does not count its steps never returns.
std::string run_in_budget(const std::string& code, std::chrono::milliseconds cpu);

}  // namespace heddle::script
