// Test fixture: runs with real programs on their own loop.
#pragma once

#include <fstream>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "commands/command_work.hpp"
#include "commands/hooked_run.hpp"
#include "commands/memory_journal.hpp"
#include "commands/service_work.hpp"
#include "tests/support/processes.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/shepherd_file.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::commands::testing {

using namespace std::chrono_literals;

class ProgramRunTest : public ::testing::Test {
 protected:
  ProgramRunTest() : output_log_(rules()) {
    launch_context_.shepherd = heddle::testing::shepherd_file();
    launch_context_.daemon_environment = {{"PATH", "/usr/bin:/bin"}, {"HOME", "/nowhere"}};
    job_.id = {"job"};
    job_.name = "job";
    job_.kind = JobKind::command;
    job_.program.home = folder_.path();
    job_.retry.base = 10ms;
    job_.retry.jitter = 0;
    job_.stop_timeout = 5s;
    run_.id = {"R1"};
    run_.job = job_.id;
    run_.started_at = clock_.now();
  }
  ~ProgramRunTest() override { EXPECT_FALSE(heddle::testing::has_children()) << "left behind"; }

  OutputLogRules rules() {
    OutputLogRules rules;
    rules.file_of = [this](const JobId&) { return log_file(); };
    rules.secrets = {"sesame"};
    return rules;
  }
  [[nodiscard]] std::filesystem::path log_file() const { return folder_.path() / "log/output.log"; }

  HookRule& add_hook(HookPhase phase, const std::string& name, const std::string& command) {
    HookRule hook;
    hook.phase = phase;
    hook.name = name;
    hook.program.command = command;
    job_.hooks.push_back(hook);
    return job_.hooks.back();
  }

  RunParts parts() { return {loop_.get_executor(), journal_, launch_context_, clock_, log_}; }

  std::shared_ptr<HookedRun> make_run() { return std::make_shared<HookedRun>(parts(), job_, run_); }

  HookedRun::MakeWork make_work() {
    return [this](std::vector<ProcessRecord> before) -> std::shared_ptr<RunWork> {
      if (job_.kind == JobKind::service)
        return std::make_shared<ServiceWork>(parts(), job_, run_.id, std::move(before));
      return std::make_shared<CommandWork>(parts(), job_, run_.id, std::move(before));
    };
  }

  // Runs from the recorded stage to the end; calls `meanwhile` repeatedly with the run.
  ExecutionResult carry_out(const std::function<void(HookedRun&)>& meanwhile = nullptr) {
    const auto run = make_run();
    return drive(*run, run->carry_out(make_work()), meanwhile);
  }

  ExecutionResult drive(HookedRun& run, Async<Result<ExecutionResult>> work,
                        const std::function<void(HookedRun&)>& meanwhile = nullptr) {
    auto done = boost::asio::co_spawn(loop_, std::move(work), boost::asio::use_future);
    while (done.wait_for(0s) != std::future_status::ready) {
      loop_.run_for(5ms);
      if (meanwhile) meanwhile(run);
    }
    loop_.restart();
    loop_.run_for(20ms);  // for coroutines that end a moment later
    loop_.restart();
    auto end = done.get();
    EXPECT_TRUE(end) << end.error().message;
    return end ? std::move(*end) : ExecutionResult{};
  }

  const ProgramHistory& history() {
    const ProgramHistory* found = journal_.find(run_.id);
    static const ProgramHistory none;
    return found == nullptr ? none : *found;
  }

  // "pre_start/a#1 succeeded"
  std::vector<std::string> hooks() {
    std::vector<std::string> out;
    for (const HookRecord& hook : history().hooks)
      out.push_back(std::string(to_text(hook.phase)) + "/" + hook.hook + "#" +
                    std::to_string(hook.attempt) + " " + std::string(to_text(hook.state)));
    return out;
  }
  // "0#1 succeeded"
  std::vector<std::string> processes() {
    std::vector<std::string> out;
    for (const ProcessRecord& process : history().processes)
      out.push_back(std::to_string(process.index) + "#" + std::to_string(process.attempt) + " " +
                    std::string(to_text(process.state)));
    return out;
  }

  [[nodiscard]] std::string text_of(const std::string& name) const {
    return heddle::testing::read_file(folder_.path() / name);
  }
  [[nodiscard]] std::vector<std::string> lines_of(const std::string& name) const {
    std::vector<std::string> out;
    std::ifstream file(folder_.path() / name);
    for (std::string line; std::getline(file, line);) out.push_back(line);
    return out;
  }
  // Whether a program has written to this file; a shell makes it before it writes.
  [[nodiscard]] bool exists(const std::string& name) const {
    std::error_code missing;
    return std::filesystem::file_size(folder_.path() / name, missing) > 0 && !missing;
  }

  heddle::testing::TemporaryFolder folder_;
  SystemClock clock_;
  NoLog log_;
  boost::asio::io_context loop_;
  MemoryJournal journal_;
  OutputLog output_log_;
  LaunchContext launch_context_{{}, {}, output_log_};
  Job job_;
  heddle::Run run_;
};

}  // namespace heddle::commands::testing
