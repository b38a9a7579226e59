// Runs a fuzz target (LLVMFuzzerTestOneInput) on many mutated inputs, without libFuzzer.
//   parse_fuzz [--runs N] [--seed S] [--from NUMBER] [--max-bytes N] [--print] FOLDER…
// HEDDLE_FUZZ_RUNS overrides --runs. A crash prints the number of its input; --from that number
// with --runs 1 --print shows it.
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "tests/fuzz/mutator.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
// Defined with AddressSanitizer.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::uint64_t runs = 3000;
  std::uint64_t seed = 1;
  std::uint64_t from = 0;
  std::size_t max_bytes = 16'384;
  bool prints = false;
  std::vector<std::filesystem::path> folders;
};

volatile std::uint64_t current_run = 0;  // read by the crash handler

void tell_current_run() {
  char line[64] = "\nfuzz: died at --from ";
  char* end = std::to_chars(line + std::strlen(line), line + sizeof line - 1, current_run).ptr;
  *end++ = '\n';
  (void)!write(STDERR_FILENO, line, static_cast<std::size_t>(end - line));
}

void on_signal(int signal) {
  tell_current_run();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void watch_for_crashes() {
  if (__sanitizer_set_death_callback != nullptr)
    return __sanitizer_set_death_callback(tell_current_run);
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL})
    std::signal(signal, on_signal);
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) {
    std::cerr << "fuzz: not a number: " << text << "\n";
    std::exit(2);
  }
  return value;
}

Options read_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string_view name = arguments[i];
    const auto value = [&] { return number(i + 1 < count ? arguments[++i] : ""); };
    if (name == "--runs")
      options.runs = value();
    else if (name == "--seed")
      options.seed = value();
    else if (name == "--from")
      options.from = value();
    else if (name == "--max-bytes")
      options.max_bytes = value();
    else if (name == "--print")
      options.prints = true;
    else
      options.folders.emplace_back(name);
  }
  if (const char* runs = std::getenv("HEDDLE_FUZZ_RUNS")) options.runs = number(runs);
  return options;
}

void run_one(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = read_options(count, arguments);
  const auto corpus = heddle::fuzz::Corpus::read(options.folders);
  heddle::fuzz::Mutator mutator(corpus, options.seed, options.max_bytes);
  watch_for_crashes();

  for (const std::string& kept : corpus.inputs) run_one(kept);  // unmutated first
  Clock::duration slowest{};
  std::uint64_t slowest_run = 0;
  for (std::uint64_t run = options.from; run < options.from + options.runs; ++run) {
    current_run = run;
    const std::string input = mutator.make(run);
    if (options.prints) std::cout << input << std::endl;
    const auto start = Clock::now();
    run_one(input);
    if (Clock::now() - start <= slowest) continue;
    slowest = Clock::now() - start;
    slowest_run = run;
  }
  std::cout << options.runs << " runs with seed " << options.seed << " from "
            << corpus.inputs.size() << " inputs; the slowest, " << slowest_run << ", took "
            << std::chrono::duration_cast<std::chrono::milliseconds>(slowest).count() << " ms\n";
  return 0;
}
