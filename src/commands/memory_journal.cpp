#include "commands/memory_journal.hpp"

#include <algorithm>

namespace heddle::commands {

namespace {

template <class Record, class IsSame>
void replace_or_add(std::vector<Record>& records, Record record, IsSame is_same) {
  const auto found = std::find_if(records.begin(), records.end(), is_same);
  if (found == records.end())
    records.push_back(std::move(record));
  else
    *found = std::move(record);
}

}  // namespace

Async<Status> MemoryJournal::record_process(ProcessRecord process) {
  ProgramHistory& history = runs_[process.run];
  const int index = process.index;
  const int attempt = process.attempt;
  replace_or_add(history.processes, std::move(process), [index, attempt](const auto& each) {
    return each.index == index && each.attempt == attempt;
  });
  co_return Done{};
}

Async<Status> MemoryJournal::record_hook(HookRecord hook) {
  ProgramHistory& history = runs_[hook.run];
  const HookRecord key = hook;
  replace_or_add(history.hooks, std::move(hook), [&key](const auto& each) {
    return each.phase == key.phase && each.hook == key.hook && each.attempt == key.attempt;
  });
  co_return Done{};
}

Async<Status> MemoryJournal::record_stage(RunId run, RunStageRecord record) {
  runs_[run].stage_record = std::move(record);
  co_return Done{};
}

Async<Result<ProgramHistory>> MemoryJournal::program_history(RunId run) {
  const ProgramHistory* found = find(run);
  co_return found == nullptr ? ProgramHistory{} : *found;
}

const ProgramHistory* MemoryJournal::find(const RunId& run) const {
  const auto found = runs_.find(run);
  return found == runs_.end() ? nullptr : &found->second;
}

}  // namespace heddle::commands
