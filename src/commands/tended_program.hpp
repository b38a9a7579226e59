// One program with all that it starts: its output goes to the book, it can be asked to end and
// killed as a whole, and nothing of it outlives this object. One event loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async.hpp"
#include "base/result.hpp"
#include "commands/output_book.hpp"
#include "commands/program_environment.hpp"
#include "model/program_run.hpp"
#include "process/start_thread.hpp"

namespace heddle::commands {

// What all programs are started with.
struct ProgramHouse {
  std::filesystem::path shepherd;
  Variables daemon;  // the environment of this process
  OutputBook& book;
  process::StartThread starts{};  // outlives all programs
  // How many descriptors a program may have open (soft), when this process has raised its own
  // limit: programs may count on what is usual. 0: as many as we.
  std::uint64_t descriptor_limit = 0;
};

struct ProgramOrder {
  ProgramLine line;
  ProgramSurroundings surroundings;
  OutputTag tag;
  std::optional<std::chrono::milliseconds> timeout{};  // then it is killed
};

struct ProgramDone {
  ProgramExit exit{};
  std::int64_t peak_memory_bytes = 0;
  std::chrono::milliseconds cpu_time{0};
  bool has_timed_out = false;
  bool was_asked_to_end = false;
  std::string output_tail{};  // both streams, readable

  [[nodiscard]] bool has_succeeded() const { return exit.code == 0 && !has_timed_out; }
};

class TendedProgram : public std::enable_shared_from_this<TendedProgram> {
 public:
  static Async<Result<std::shared_ptr<TendedProgram>>> start(ProgramOrder order,
                                                             ProgramHouse& house);
  ~TendedProgram();
  TendedProgram(const TendedProgram&) = delete;
  TendedProgram& operator=(const TendedProgram&) = delete;

  [[nodiscard]] pid_t pid() const;

  // The signal goes to all of them; what is left after that time is killed. Asked again, it is not
  // given more time.
  void ask_to_end(int signal, std::chrono::milliseconds patience);
  void kill();

  // Until nothing of it is left; once.
  Async<ProgramDone> wait();

 private:
  struct Parts;
  explicit TendedProgram(std::unique_ptr<Parts> parts);
  void keep_awake();
  void kill_after(std::chrono::milliseconds time, bool is_timeout);

  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::commands
