// From SIGKILL to the next process of the slot being ready, with and without a spare.
#include <chrono>
#include <memory>

#include <benchmark/benchmark.h>
#include <boost/asio/io_context.hpp>
#include <signal.h>

#include "supervise/supervisor.hpp"

namespace heddle::supervise {
namespace {

using SteadyClock = std::chrono::steady_clock;

class Bench {
 public:
  explicit Bench(bool has_spare) {
    SlotSpec spec;
    spec.name = "worker";
    spec.argv = {HEDDLE_CHILD, "serve"};
    spec.recover = true;
    spec.restart = RestartPolicy{{}, {}, {}, 1'000'000, std::chrono::hours(1)};
    if (has_spare) spec.spare_kind = "worker";
    slot_ = supervisor_->add(std::move(spec));
    if (!supervisor_->start(slot_)) std::abort();
    run_until_ready(1);
  }

  double kill_and_wait() {
    const std::size_t before = ready_;
    const auto begin = SteadyClock::now();
    kill(supervisor_->status().at(slot_).pid, SIGKILL);
    run_until_ready(before + 1);
    return std::chrono::duration<double>(SteadyClock::now() - begin).count();
  }

  void let_the_spare_attach() {
    const auto end = SteadyClock::now() + std::chrono::milliseconds(60);
    while (SteadyClock::now() < end) turn();
  }

 private:
  void turn() {
    loop_.restart();
    loop_.run_one_for(std::chrono::milliseconds(5));
  }
  void run_until_ready(std::size_t times) {
    while (ready_ < times) turn();
  }

  boost::asio::io_context loop_{1};
  NoLog log_;
  SystemClock clock_;
  std::size_t ready_ = 0;
  std::unique_ptr<Supervisor> supervisor_ =
      std::make_unique<Supervisor>(loop_.get_executor(), log_, clock_);
  Subscription counting_ = supervisor_->subscribe(
      [this](const SlotEvent& event) { ready_ += event.kind == SlotEventKind::ready ? 1 : 0; });
  SlotId slot_ = 0;
};

void from_sigkill_to_ready(benchmark::State& state) {
  const bool has_spare = state.range(0) != 0;
  Bench bench(has_spare);
  for (auto _ : state) {
    if (has_spare) bench.let_the_spare_attach();
    state.SetIterationTime(bench.kill_and_wait());
  }
}

BENCHMARK(from_sigkill_to_ready)
    ->ArgName("spare")
    ->Arg(0)
    ->Arg(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(100);

}  // namespace
}  // namespace heddle::supervise
