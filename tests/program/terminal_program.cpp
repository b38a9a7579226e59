#include "tests/program/terminal_program.hpp"

#include <array>
#include <cstdlib>
#include <stdexcept>

#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/file_descriptor.hpp"
#include "tests/program/heddle_program.hpp"

extern char** environ;

namespace heddle::testing {

namespace {

struct Terminal {
  FileDescriptor outer;
  FileDescriptor inner;
};

Terminal open_terminal(int columns) {
  Terminal terminal;
  terminal.outer = FileDescriptor(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal.outer || grantpt(terminal.outer.get()) != 0 || unlockpt(terminal.outer.get()) != 0)
    throw std::runtime_error("no pseudo-terminal");
  std::array<char, 64> name{};
  ptsname_r(terminal.outer.get(), name.data(), name.size());
  terminal.inner = FileDescriptor(open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC));
  termios modes{};
  tcgetattr(terminal.inner.get(), &modes);
  cfmakeraw(&modes);  // the bytes as the program writes them
  modes.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  tcsetattr(terminal.inner.get(), TCSANOW, &modes);
  winsize size{};
  size.ws_row = 24;
  size.ws_col = static_cast<unsigned short>(columns);
  ioctl(terminal.inner.get(), TIOCSWINSZ, &size);
  return terminal;
}

std::vector<std::string> environment_with(const TerminalSettings& settings) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string variable = *each;
    const std::string name = variable.substr(0, variable.find('='));
    bool is_replaced = name == "COLUMNS";  // of the shell that runs the test
    for (const auto& [replaced, value] : settings.environment) is_replaced |= replaced == name;
    if (!is_replaced) all.push_back(variable);
  }
  for (const auto& [name, value] : settings.environment)
    if (!value.empty()) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Until the program has closed its end.
std::string read_all(const FileDescriptor& outer) {
  std::string text;
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t size = read(outer.get(), buffer.data(), buffer.size());
    if (size <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace

TerminalResult run_on_terminal(const std::filesystem::path& project,
                               std::vector<std::string> arguments,
                               const TerminalSettings& settings) {
  Terminal terminal = open_terminal(settings.columns);
  std::vector<std::string> words{heddle_program(), "--project", project.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment_with(settings);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_adddup2(&actions, terminal.inner.get(), number);
  pid_t pid = -1;
  const int failed = posix_spawn(&pid, words[0].c_str(), &actions, nullptr,
                                 pointers_to(words).data(), pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start " + words[0]);
  terminal.inner = FileDescriptor();
  const ssize_t typed = write(terminal.outer.get(), settings.typed.data(), settings.typed.size());
  if (typed != static_cast<ssize_t>(settings.typed.size()))
    throw std::runtime_error("the terminal takes no input");
  TerminalResult result;
  result.output = read_all(terminal.outer);
  int status = 0;
  waitpid(pid, &status, 0);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  return result;
}

}  // namespace heddle::testing
