#include <cstring>

#include <benchmark/benchmark.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <sys/mman.h>
#include <sys/wait.h>

#include "process/output_capture.hpp"
#include "process/pipe.hpp"
#include "process/shepherded.hpp"
#include "process/spawn.hpp"
#include "tests/support/shepherd_file.hpp"

namespace heddle::process {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kGigabyte = 1 << 30;

template <class T>
T run(Async<T> work) {
  boost::asio::io_context loop;
  auto done = boost::asio::co_spawn(loop, std::move(work), boost::asio::use_future);
  loop.run();
  return done.get();
}

// Memory whose page tables a fork would have to copy.
class Ballast {
 public:
  explicit Ballast(std::size_t megabytes) : bytes_(megabytes << 20) {
    if (bytes_ == 0) return;
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(memory_, bytes_, MADV_NOHUGEPAGE);
    std::memset(memory_, 1, bytes_);
  }
  ~Ballast() {
    if (bytes_ != 0) munmap(memory_, bytes_);
  }
  Ballast(const Ballast&) = delete;
  Ballast& operator=(const Ballast&) = delete;

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
};

SpawnSpec nothing() {
  SpawnSpec spec;
  spec.argv = {"/bin/true"};
  return spec;
}

void spawn_and_reap(benchmark::State& state) {
  const Ballast ballast(static_cast<std::size_t>(state.range(0)));
  const SpawnSpec spec = nothing();
  for (auto _ : state) {
    auto spawned = spawn(spec);
    if (!spawned || !spawned->wait_at_most(10s)) state.SkipWithError("not spawned");
  }
}
BENCHMARK(spawn_and_reap)->ArgName("parent_mb")->Arg(0)->Arg(512)->UseRealTime();

// The baseline for spawn().
void fork_execute_and_reap(benchmark::State& state) {
  const Ballast ballast(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    const pid_t pid = fork();
    if (pid == 0) {
      execl("/bin/true", "/bin/true", nullptr);
      _exit(1);
    }
    waitpid(pid, nullptr, 0);
  }
}
BENCHMARK(fork_execute_and_reap)->ArgName("parent_mb")->Arg(0)->Arg(512)->UseRealTime();

ShepherdedSpec shepherded_nothing() {
  ShepherdedSpec spec;
  spec.program = nothing();
  spec.shepherd = testing::shepherd_file();
  return spec;
}

// Measures until the program is reported as running.
void shepherd_start(benchmark::State& state) {
  for (auto _ : state) {
    auto program = run(Shepherded::start(shepherded_nothing()));
    if (!program) return state.SkipWithError("not started");
    state.PauseTiming();
    program->reset();
    state.ResumeTiming();
  }
}
BENCHMARK(shepherd_start)->UseRealTime();

Async<bool> start_and_end() {
  ShepherdedSpec spec = shepherded_nothing();
  auto program = co_await Shepherded::start(std::move(spec));
  if (!program) co_return false;
  const ExitStatus exit_status = co_await (*program)->wait();
  co_await (*program)->wait_for_tree();
  co_return exit_status.succeeded();
}

void shepherd_and_program_from_start_to_end(benchmark::State& state) {
  for (auto _ : state)
    if (!run(start_and_end())) state.SkipWithError("not started");
}
BENCHMARK(shepherd_and_program_from_start_to_end)->UseRealTime();

void capture_a_gigabyte(benchmark::State& state) {
  for (auto _ : state) {
    auto pipe = make_output_pipe();
    auto errors_pipe = make_output_pipe();
    SpawnSpec spec;
    spec.argv = {"/usr/bin/head", "-c", std::to_string(kGigabyte), "/dev/zero"};
    spec.descriptors = {{pipe->theirs.get(), STDOUT_FILENO},
                        {errors_pipe->theirs.get(), STDERR_FILENO}};
    auto spawned = spawn(spec);
    if (!spawned) return state.SkipWithError("not spawned");
    pipe->theirs.reset();
    errors_pipe->theirs.reset();
    OutputCapture output(std::move(pipe->ours), 16UL * 1024);
    OutputCapture errors(std::move(errors_pipe->ours), 16UL * 1024);
    run(capture_until_end(spawned->wait(), output, errors, 1s));
    if (output.total_bytes() != kGigabyte) state.SkipWithError("bytes are missing");
  }
  state.SetBytesProcessed(state.iterations() * kGigabyte);
}
BENCHMARK(capture_a_gigabyte)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace heddle::process
