// Validates the texts of a program: command line, environment, the address of a readiness check.
// Error messages continue a sentence that begins with the key. Pure.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "model/job/program.hpp"

namespace heddle::config {

struct ProgramKeys {
  bool has_command = false;
  bool has_args = false;
};
Status check_program(const ProgramLine& line, const ProgramKeys& given);

Status check_environment_entry(std::string_view name, std::string_view value);

// "http://127.0.0.1:8080/health", "tcp://localhost:5432": loopback addresses only.
Status check_ready_address(std::string_view address);

bool is_plain_line(std::string_view text);

// NAME=value lines; `export` before a name and quotes around a value are removed, "#" begins a
// comment line.
struct EnvironmentFile {
  struct Mistake {
    int line = 0;
    std::string message;
  };
  std::vector<std::pair<std::string, std::string>> entries{};
  std::vector<Mistake> mistakes{};
};
EnvironmentFile parse_environment_file(std::string_view text);

}  // namespace heddle::config
