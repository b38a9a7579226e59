// What a job says about programs: its own, when it is a command or a service, and its hooks. Checks
// what one value alone cannot show; reads env_file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "config/load_project.hpp"

namespace heddle::config {

class ProgramBuilder {
 public:
  // `home`: what the job's paths are relative to.
  ProgramBuilder(LoadedJob& loaded, Job& job, std::filesystem::path home,
                 std::filesystem::path root)
      : loaded_(loaded), job_(job), home_(std::move(home)), root_(std::move(root)) {}

  // Complaints go to the job.
  void take();

 private:
  void check_line();
  void check_restart();
  void check_service();
  void check_environment();
  void read_environment_file(const Setting& file);
  void check_hooks();
  void warn_of_strangers();

  [[nodiscard]] const Setting* find(std::string_view path) const;
  void complain(const Setting& at, std::string message, Severity severity = Severity::error);

  LoadedJob& loaded_;
  Job& job_;
  std::filesystem::path home_;
  std::filesystem::path root_;
};

}  // namespace heddle::config
