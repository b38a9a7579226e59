// Engine runs a job's cycles inside this process, for `heddle debug` and script tests.
#pragma once

#include <memory>

#include "base/log/log.hpp"
#include "base/result.hpp"
#include "cli/command_backend.hpp"
#include "model/job/job.hpp"

namespace heddle::app {

// Stores nothing in debug(). Holds the project's lock unless another heddle process holds it; does
// not wait for it. One thread.
class Engine {
 public:
  static Result<std::unique_ptr<Engine>> open(const Project& project, Log& log);

  virtual ~Engine() = default;

  // Runs the job once without storing or sending anything.
  virtual Result<std::vector<cli::DebugPage>> debug(const Job& job, std::size_t max_pages) = 0;

  // Runs one test function of the job in a new VM. Use a fresh data folder.
  virtual Result<cli::ScriptTest> test(const Job& job, const std::string& name) = 0;
  // The names of the test functions, in order.
  virtual Result<std::vector<std::string>> test_names(const Job& job) = 0;
};

// data/heddle.db
std::filesystem::path database_file(const Project& project);

}  // namespace heddle::app
