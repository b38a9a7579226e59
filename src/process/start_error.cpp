#include "process/start_error.hpp"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

namespace heddle::process {

namespace {

std::string describe_step(const ChildStart& start, const SpawnSpec& spec) {
  switch (start.failed_step) {
    case StartStep::directory:
      return "folder " + spec.directory.string();
    case StartStep::execute: {
      // The kernel also reports ENOENT for a script whose interpreter is missing.
      const bool file_exists = spec.argv[0][0] == '/' && access(spec.argv[0].c_str(), F_OK) == 0;
      return spec.argv[0] + (start.error == ENOENT && file_exists ? ": its interpreter" : "");
    }
    case StartStep::clone:
      return spec.argv[0] + ": new process";
    case StartStep::group:
      return spec.argv[0] + ": process group";
    case StartStep::parent_death:
      return spec.argv[0] + ": parent";
    case StartStep::descriptors:
      return spec.argv[0] + ": descriptors";
    case StartStep::none:
      break;
  }
  return spec.argv[0];
}

bool is_missing(const ChildStart& start) {
  const bool names_a_file =
      start.failed_step == StartStep::directory || start.failed_step == StartStep::execute;
  return names_a_file && (start.error == ENOENT || start.error == ENOTDIR);
}

}  // namespace

Error start_error(const ChildStart& start, const SpawnSpec& spec) {
  return {is_missing(start) ? ErrorCode::not_found : ErrorCode::unavailable,
          fmt::format("{}: {}", describe_step(start, spec),
                      std::generic_category().message(start.error))};
}

}  // namespace heddle::process
