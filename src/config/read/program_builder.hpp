// ProgramBuilder completes the programs of a job: its own, if it is a command or a service, and its
// hooks. Checks values that depend on each other; reads env_file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "config/load_project.hpp"

namespace heddle::config {

class ProgramBuilder {
 public:
  // The job's paths are relative to `base_dir`.
  ProgramBuilder(LoadedJob& loaded, Job& job, std::filesystem::path base_dir,
                 std::filesystem::path root)
      : loaded_(loaded), job_(job), base_dir_(std::move(base_dir)), root_(std::move(root)) {}

  // Adds problems to the job.
  void build();

 private:
  void check_line();
  void check_restart();
  void check_service();
  void check_environment();
  void read_environment_file(const Setting& file);
  void check_hooks();
  void warn_of_foreign_keys();

  [[nodiscard]] const Setting* find(std::string_view path) const;
  void report_problem(const Setting& at, std::string message,
                      ProblemSeverity severity = ProblemSeverity::error);

  LoadedJob& loaded_;
  Job& job_;
  std::filesystem::path base_dir_;
  std::filesystem::path root_;
};

}  // namespace heddle::config
