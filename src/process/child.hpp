// A started program: owns its process until it is reaped, so that none is ever left behind.
#pragma once

#include <utility>

#include <sys/types.h>
#include <unistd.h>

#include "base/result.hpp"
#include "process/run_program.hpp"

namespace heddle::process {

class FileDescriptor {
 public:
  explicit FileDescriptor(int number = -1) : number_(number) {}
  ~FileDescriptor() { close_now(); }
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    if (this != &other) {
      close_now();
      number_ = other.release();
    }
    return *this;
  }

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }
  void close_now() {
    if (number_ >= 0) close(release());
  }

 private:
  int number_;
};

// How a reaped program ended.
struct Reaped {
  std::optional<int> exit_code;
  std::optional<int> signal;
};

class Child {
 public:
  static Result<Child> start(const ProgramSpec& spec);

  Child(Child&& other) noexcept = default;
  Child& operator=(Child&&) = delete;
  ~Child();  // kills the group and reaps what was not reaped

  FileDescriptor input;  // our ends; -1 when the program was given no input
  FileDescriptor output;
  FileDescriptor errors;
  FileDescriptor pidfd;  // readable once the program has ended

  void kill_group() const;
  // Only when pidfd is readable. Kills the rest of the group first, while its number is still ours.
  Reaped reap();

 private:
  Child() = default;
  struct Pid {  // moved-from: none
    Pid() = default;
    explicit Pid(pid_t number_in) : number(number_in) {}
    Pid(Pid&& other) noexcept : number(std::exchange(other.number, 0)) {}
    Pid& operator=(Pid&& other) noexcept {
      number = std::exchange(other.number, 0);
      return *this;
    }
    pid_t number = 0;
  };
  Pid pid_;
};

}  // namespace heddle::process
