// All services wired together in this process: for looking at a job and testing its scripts.
#pragma once

#include <memory>

#include "base/log.hpp"
#include "base/result.hpp"
#include "cli/work.hpp"
#include "model/job.hpp"

namespace heddle::app {

// Stores nothing. Holds the project's lock as long as it lives, unless another heddle has it, which
// is not waited for. One thread.
class Engine {
 public:
  static Result<std::unique_ptr<Engine>> open(const Project& project, Log& log);

  virtual ~Engine() = default;

  // One iteration of the job, without storing or telling anything.
  virtual Result<std::vector<cli::DebugPage>> debug(const Job& job, std::size_t max_pages) = 0;

  // One test function of the job, in a VM of its own. The engine's data folder is best a fresh one.
  virtual Result<cli::ScriptTest> test(const Job& job, const std::string& name) = 0;
  // Their names, in order.
  virtual Result<std::vector<std::string>> test_names(const Job& job) = 0;
};

// data/heddle.db
std::filesystem::path database_file(const Project& project);

}  // namespace heddle::app
