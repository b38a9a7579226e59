#include "commands/start_claims.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "commands/supervised_process.hpp"
#include "process/tree/start_claim.hpp"

namespace heddle::commands {

namespace {

// A shepherd without an owner ends within milliseconds, unless it is stopped.
constexpr std::chrono::milliseconds kClaimTimeout{5000};

// FNV-1a. The names of hooks may be long or hold any character. The installed library has this
// file, too, and must not need another library for it.
std::uint64_t short_name(std::string_view program) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : program) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

}  // namespace

OutputTag process_tag(const JobId& job, const RunId& run, int index, int attempt) {
  OutputTag tag;
  tag.job = job;
  tag.run = run;
  tag.program = fmt::format("{}.{}", index, attempt);
  return tag;
}

std::filesystem::path start_claim_file(const LaunchContext& context, const OutputTag& tag) {
  if (context.start_claims.empty()) return {};
  return context.start_claims / fmt::format("{}-{:016x}", tag.run.text, short_name(tag.program));
}

Async<bool> was_executed(LaunchContext& context, OutputTag tag) {
  const auto file = start_claim_file(context, tag);
  if (file.empty()) co_return true;
  bool is_executed = false;
  std::function<void()> read = [&is_executed, &file] {
    is_executed = process::read_start_claim(file, kClaimTimeout);
  };
  co_await context.start_thread.call(std::move(read));
  co_return is_executed;
}

Async<void> remove_start_claim(LaunchContext& context, OutputTag tag) {
  const auto file = start_claim_file(context, tag);
  if (file.empty()) co_return;
  std::function<void()> remove = [&file] {
    std::error_code missing;
    std::filesystem::remove(file, missing);
  };
  co_await context.start_thread.call(std::move(remove));
}

Async<void> remove_start_claims(LaunchContext& context, RunId run) {
  if (context.start_claims.empty()) co_return;
  std::function<void()> remove = [&context, &run] {
    const std::string prefix = run.text + "-";
    std::error_code failed;
    for (const auto& claim : std::filesystem::directory_iterator(context.start_claims, failed))
      if (claim.path().filename().string().starts_with(prefix))
        std::filesystem::remove(claim.path(), failed);
  };
  co_await context.start_thread.call(std::move(remove));
}

}  // namespace heddle::commands
