#include "process/child.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace heddle::process {

namespace {

// The system calls of posix_spawn report by return value.
Error spawn_error(int number, const std::string& program) {
  const ErrorCode code = number == ENOENT ? ErrorCode::not_found : ErrorCode::unavailable;
  return {code, program + ": " + std::generic_category().message(number)};
}

struct Pipe {
  FileDescriptor ours;
  FileDescriptor theirs;
};

Result<Pipe> make_output_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return Error{ErrorCode::unavailable, "pipe: " + std::generic_category().message(errno)};
  Pipe pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  // Only our end: a program does not expect its output to be non-blocking.
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return pipe;
}

// A socket, not a pipe: writing to one that was closed must not raise SIGPIPE in this process.
Result<Pipe> make_input_pipe() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return Error{ErrorCode::unavailable, "socketpair: " + std::generic_category().message(errno)};
  Pipe pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  shutdown(ends[1], SHUT_WR);
  return pipe;
}

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void give(int source, int target) {
    keep(posix_spawn_file_actions_adddup2(&actions_, source, target));
  }
  void give_nothing(int target) {
    keep(posix_spawn_file_actions_addopen(&actions_, target, "/dev/null", O_RDONLY, 0));
  }
  void enter(const std::filesystem::path& folder) {
    keep(posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str()));
  }
  void close_from(int first) { keep(posix_spawn_file_actions_addclosefrom_np(&actions_, first)); }

  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  void keep(int error) {
    if (error_ == 0) error_ = error;
  }
  posix_spawn_file_actions_t actions_{};
  int error_ = 0;
};

// A group of its own, and signals as a fresh program expects them.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;

  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// posix_spawn wants char*, though it changes nothing.
std::vector<char*> as_c_strings(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

struct Streams {
  Pipe input;
  Pipe output;
  Pipe errors;
};

Result<Streams> make_streams(bool has_input) {
  Streams streams;
  if (has_input) {
    auto input = make_input_pipe();
    if (!input) return std::move(input.error());
    streams.input = std::move(*input);
  }
  auto output = make_output_pipe();
  if (!output) return std::move(output.error());
  auto errors = make_output_pipe();
  if (!errors) return std::move(errors.error());
  streams.output = std::move(*output);
  streams.errors = std::move(*errors);
  return streams;
}

Result<pid_t> spawn(const ProgramSpec& spec, const Streams& streams) {
  FileActions actions;
  if (streams.input.theirs.get() >= 0)
    actions.give(streams.input.theirs.get(), STDIN_FILENO);
  else
    actions.give_nothing(STDIN_FILENO);
  actions.give(streams.output.theirs.get(), STDOUT_FILENO);
  actions.give(streams.errors.theirs.get(), STDERR_FILENO);
  if (!spec.directory.empty()) actions.enter(spec.directory);
  actions.close_from(STDERR_FILENO + 1);
  if (actions.error() != 0) return spawn_error(actions.error(), spec.argv[0]);

  const SpawnAttributes attributes;
  const auto argv = as_c_strings(spec.argv);
  const auto environment = as_c_strings(spec.environment);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, spec.argv[0].c_str(), actions.get(), attributes.get(),
                                argv.data(), environment.data());
  if (error != 0) return spawn_error(error, spec.argv[0]);
  return pid;
}

}  // namespace

Result<Child> Child::start(const ProgramSpec& spec) {
  if (spec.argv.empty()) return Error{ErrorCode::bad_input, "no program given"};
  auto streams = make_streams(!spec.input.empty());
  if (!streams) return std::move(streams.error());
  const auto pid = spawn(spec, *streams);
  if (!pid) return pid.error();

  Child child;
  child.pid_ = Pid(*pid);
  child.input = std::move(streams->input.ours);
  child.output = std::move(streams->output.ours);
  child.errors = std::move(streams->errors.ours);
  // Nobody else reaps our children, so the number cannot have passed to another process.
  child.pidfd = FileDescriptor(static_cast<int>(syscall(SYS_pidfd_open, *pid, 0)));
  if (child.pidfd.get() < 0) return spawn_error(errno, "pidfd_open");
  return child;
}

void Child::kill_group() const {
  if (pid_.number > 0) kill(-pid_.number, SIGKILL);
}

Reaped Child::reap() {
  kill_group();
  siginfo_t info{};
  int result = 0;
  do {
    result = waitid(P_PID, static_cast<id_t>(pid_.number), &info, WEXITED);
  } while (result != 0 && errno == EINTR);
  pid_.number = 0;
  if (result == 0 && info.si_code == CLD_EXITED) return {info.si_status, std::nullopt};
  return {std::nullopt, result == 0 ? info.si_status : SIGKILL};
}

Child::~Child() {
  if (pid_.number > 0) reap();
}

}  // namespace heddle::process
