// CountingJournal counts ended processes and hooks on their way into the journal. Single event
// loop.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "store/run_journal.hpp"

namespace heddle::hub {

struct ProcessCounts {
  std::array<std::uint64_t, 5> processes{};  // that ended, by ProcessState
  std::array<std::uint64_t, 7> hooks{};      // attempts that ended, by HookState
};

class CountingJournal final : public store::RunJournal {
 public:
  CountingJournal(store::RunJournal& journal, ProcessCounts& counts)
      : journal_(journal), counts_(counts) {}

  Async<Status> record_process(ProcessRecord process) override {
    const bool has_ended = process.ended_at.has_value();
    const auto state = static_cast<std::size_t>(process.state);
    auto noted = co_await journal_.record_process(std::move(process));
    if (noted && has_ended) ++counts_.processes.at(state);
    co_return noted;
  }

  Async<Status> record_hook(HookRecord hook) override {
    const bool has_ended = hook.ended_at.has_value();
    const auto state = static_cast<std::size_t>(hook.state);
    auto noted = co_await journal_.record_hook(std::move(hook));
    if (noted && has_ended) ++counts_.hooks.at(state);
    co_return noted;
  }

  Async<Status> record_stage(RunId run, heddle::RunStageRecord course) override {
    return journal_.record_stage(std::move(run), std::move(course));
  }
  Async<Result<ProgramHistory>> program_history(RunId run) override {
    return journal_.program_history(std::move(run));
  }

 private:
  store::RunJournal& journal_;
  ProcessCounts& counts_;
};

}  // namespace heddle::hub
