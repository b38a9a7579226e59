// Queries about processes, including those that are not children of the test.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace heddle::testing {

// Counts zombies as well.
inline bool has_children() {
  return waitid(P_ALL, 0, nullptr, WEXITED | WNOHANG | WNOWAIT) == 0;
}

// Returns what could be read: a file of /proc fails when its process ends meanwhile.
inline std::string read_file(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// The state character of /proc/PID/stat; 0 when there is no such process.
inline char state_of(pid_t pid) {
  const std::string text = read_file("/proc/" + std::to_string(pid) + "/stat");
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= text.size()) return '\0';
  return text[name_end + 2];
}

// A zombie counts as dead.
inline bool is_alive(pid_t pid) {
  const char state = state_of(pid);
  return state != 0 && state != 'Z' && state != 'X';
}

// Waits until the condition holds; false after 30 seconds.
template <class Condition>
bool eventually(Condition condition) {
  for (int i = 0; i < 3000; ++i) {
    if (condition()) return true;
    usleep(10'000);
  }
  return condition();
}

inline bool exits_eventually(pid_t pid) {
  return eventually([pid] { return !is_alive(pid); });
}

// Reads the pid that a program wrote to the file; waits for the complete line.
inline pid_t read_pid(const std::filesystem::path& file) {
  pid_t pid = 0;
  eventually([&] {
    std::ifstream stream(file);
    std::string line;
    if (!std::getline(stream, line) || stream.eof()) return false;
    pid = std::stoi(line);
    return true;
  });
  return pid;
}

// Runs the code in a forked process; -1 when it was ended by a signal.
template <class Code>
int exit_code_of(Code code) {
  std::fflush(nullptr);  // or both processes would write the buffered output
  const pid_t pid = fork();
  if (pid == 0) _exit(code());
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

inline std::size_t count_open_descriptors(const std::string& process = "self") {
  const std::filesystem::directory_iterator entries("/proc/" + process + "/fd");
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

}  // namespace heddle::testing
