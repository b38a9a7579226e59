// A daemon on a project with one command job.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "tests/daemon/daemon_fixture.hpp"

namespace heddle::testing {

class CommandJobs : public DaemonFixture {
 protected:
  // A command job "work"; its output files are beside its config.toml.
  void command(const std::string& line, const std::string& more = "",
               const std::string& kind = "command") {
    project_.write_job("work", "kind = \"" + kind + "\"\ncommand = '''" + line + "'''\n" + more);
  }
  static std::string hook(const std::string& phase, const std::string& name,
                          const std::string& line, const std::string& more = "") {
    return "[[hooks." + phase + "]]\nname = \"" + name + "\"\ncommand = '''" + line + "'''\n" +
           more;
  }
  [[nodiscard]] std::filesystem::path file(const std::string& name) const {
    return project_.path() / "jobs" / "work" / name;
  }
  [[nodiscard]] std::vector<std::string> lines(const std::string& name) const {
    std::vector<std::string> out;
    std::ifstream in(file(name));
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }
  // Whether a program has written to this file; a shell makes it before it writes.
  [[nodiscard]] bool exists(const std::string& name) const {
    std::error_code missing;
    return std::filesystem::file_size(file(name), missing) > 0 && !missing;
  }
  std::string state(const std::string& job = "work") {
    return std::string(project_.heddle_json({"show", job}).at("state").as_string());
  }
  bool reaches_state(const std::string& wanted, const std::string& job = "work") {
    return eventually([&] { return state(job) == wanted; });
  }
  // The state of the last run that ended.
  std::string result() {
    const auto last = count("SELECT max(number) FROM runs");
    for (const char* word : {"completed", "failed", "stopped", "cancelled", "limited"})
      if (count("SELECT count(*) FROM runs WHERE number = " + std::to_string(last) +
                " AND state = '" + word + "'") == 1)
        return word;
    return "";
  }
  std::int64_t ended_runs() {
    return count("SELECT count(*) FROM runs WHERE ended_at IS NOT NULL");
  }
};

}  // namespace heddle::testing
