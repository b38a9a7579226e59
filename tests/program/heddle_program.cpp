#include "tests/program/heddle_program.hpp"

#include <array>
#include <csignal>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace heddle::testing {

namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  return {ends[0], ends[1]};
}

pid_t spawn(std::vector<std::string> arguments, int out, int err) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start " + arguments[0]);
  return pid;
}

// Reads both pipes concurrently, so that neither fills up and blocks the program, until both are
// closed or `is_enough` returns true.
void read_both(int out, int err, ProgramResult& result, const std::function<bool()>& is_enough) {
  std::array<pollfd, 2> waiting{{{out, POLLIN, 0}, {err, POLLIN, 0}}};
  std::array<std::string*, 2> texts{&result.out, &result.err};
  while ((waiting[0].fd >= 0 || waiting[1].fd >= 0) && !is_enough()) {
    poll(waiting.data(), waiting.size(), -1);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      std::array<char, 65536> buffer{};
      const ssize_t size = read(waiting[i].fd, buffer.data(), buffer.size());
      if (size > 0)
        texts[i]->append(buffer.data(), static_cast<std::size_t>(size));
      else
        waiting[i].fd = -1;
    }
  }
}

std::size_t lines_that_begin_with(std::string_view start, const std::string& text) {
  std::size_t found = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) found += line.starts_with(start) ? 1 : 0;
  return found;
}

void redirect(int pipe_end, const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  dup3(file, pipe_end, O_CLOEXEC);
  close(file);
}

}  // namespace

std::filesystem::path heddle_program() {
  return HEDDLE_PROGRAM;
}

RunningHeddle::RunningHeddle(const std::filesystem::path& project,
                             std::vector<std::string> arguments,
                             const std::filesystem::path& out_file,
                             const std::filesystem::path& err_file) {
  const Pipe out = make_pipe();
  const Pipe err = make_pipe();
  std::vector<std::string> all{heddle_program(), "--project", project.string()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  if (!out_file.empty()) redirect(out.write_end, out_file);
  if (!err_file.empty()) redirect(err.write_end, err_file);
  pid_ = spawn(std::move(all), out.write_end, err.write_end);
  close(out.write_end);
  close(err.write_end);
  out_ = out.read_end;
  err_ = err.read_end;
}

RunningHeddle::~RunningHeddle() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(out_);
  close(err_);
}

void RunningHeddle::signal(int number) const {
  kill(pid_, number);
}

void RunningHeddle::wait_for_lines(std::string_view start, std::size_t count) {
  read_both(out_, err_, result_,
            [&] { return lines_that_begin_with(start, result_.err) >= count; });
}

ProgramResult RunningHeddle::wait() {
  ProgramResult result = std::move(result_);
  read_both(out_, err_, result, [] { return false; });
  int status = 0;
  rusage usage{};
  wait4(pid_, &status, 0, &usage);
  pid_ = -1;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.peak_memory_kb = usage.ru_maxrss;
  return result;
}

ProgramResult run_heddle_into(const std::filesystem::path& file,
                              const std::filesystem::path& project,
                              std::vector<std::string> arguments) {
  return RunningHeddle(project, std::move(arguments), file).wait();
}

ProgramResult run_heddle(const std::filesystem::path& project, std::vector<std::string> arguments) {
  return RunningHeddle(project, std::move(arguments)).wait();
}

}  // namespace heddle::testing
