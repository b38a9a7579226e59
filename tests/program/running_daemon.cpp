#include "tests/program/running_daemon.hpp"

#include <fstream>
#include <stdexcept>

#include "tests/support/processes.hpp"

namespace heddle::testing {

namespace json = boost::json;

namespace {

json::array workers_of(const ProjectFolder& project) {
  const ProgramResult answer = project.heddle({"workers", "--json"});
  if (answer.exit_code != 0) return {};
  return json::parse(answer.out).as_array();
}

bool are_all_ready(const json::array& workers, int processes) {
  int ready = 0;
  for (const json::value& worker : workers) ready += worker.at("state").as_string() == "ready";
  return ready >= processes;
}

}  // namespace

RunningDaemon::RunningDaemon(const ProjectFolder& project, int processes)
    : project_(project),
      program_(std::make_unique<RunningHeddle>(
          project.path(), std::vector<std::string>{"up", "--processes", std::to_string(processes)},
          project.path() / "up.out", project.path() / "up.err")) {
  if (!eventually([&] { return are_all_ready(workers_of(project_), processes); }))
    throw std::runtime_error("the daemon does not become ready:\n" + log());
}

std::string RunningDaemon::log() const {
  return read_file(project_.path() / "up.err");
}

bool RunningDaemon::logs(const std::string& text) const {
  return eventually([&] { return log().find(text) != std::string::npos; });
}

std::vector<pid_t> RunningDaemon::workers() const {
  std::vector<pid_t> pids;
  for (const json::value& worker : workers_of(project_))
    if (!worker.at("pid").is_null())
      pids.push_back(static_cast<pid_t>(worker.at("pid").as_int64()));
  return pids;
}

std::string RunningDaemon::worker_state(int slot) const {
  for (const json::value& worker : workers_of(project_))
    if (worker.at("slot").as_int64() == slot) return std::string(worker.at("state").as_string());
  return "";
}

std::vector<pid_t> RunningDaemon::children() const {
  const std::string number = std::to_string(program_->pid());
  std::ifstream file("/proc/" + number + "/task/" + number + "/children");
  std::vector<pid_t> pids;
  for (pid_t pid = 0; file >> pid;) pids.push_back(pid);
  return pids;
}

bool exit_within(const std::vector<pid_t>& pids, std::chrono::milliseconds time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  for (const pid_t pid : pids)
    while (is_alive(pid)) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      usleep(5'000);
    }
  return true;
}

}  // namespace heddle::testing
