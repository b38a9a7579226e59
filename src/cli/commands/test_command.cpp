#include <fstream>

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/commands.hpp"

namespace heddle::cli {

namespace {

bool write_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return bool(file);
}

struct TestedJob {
  std::string job;
  std::vector<ScriptTest> tests;
  std::string error;  // set when its scripts could not be loaded
};

double milliseconds_of(const ScriptTest& test) {
  return static_cast<double>(test.duration.count()) / 1000.0;
}

std::string indented(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n'))
    out += fmt::format("{}        {}", out.empty() ? "" : "\n", line);
  return out;
}

void print_test(CommandContext& context, const ScriptTest& test) {
  const std::string mark = test.has_passed ? context.out.paint(Colour::green, "ok  ")
                                           : context.out.paint(Colour::red, "FAIL");
  context.out.line(fmt::format("  {}  {} ({:.1f} ms)", mark, test.name, milliseconds_of(test)));
  if (!test.has_passed) context.out.line(indented(test.message));
}

struct Counts {
  std::size_t passed = 0;
  std::size_t failed = 0;
};

Counts counts_of(const std::vector<TestedJob>& jobs) {
  Counts counts;
  for (const TestedJob& job : jobs) {
    if (!job.error.empty()) ++counts.failed;
    for (const ScriptTest& test : job.tests) ++(test.has_passed ? counts.passed : counts.failed);
  }
  return counts;
}

void write_tests(JsonWriter& json, const std::vector<TestedJob>& jobs) {
  json.begin_object().key("tests").begin_array();
  for (const TestedJob& job : jobs)
    for (const ScriptTest& test : job.tests) {
      json.begin_object().field("job_id", job.job).field("name", test.name);
      json.field("passed", test.has_passed).field("message", test.message);
      json.field("duration_ms", test.duration).end_object();
    }
  json.end_array().key("errors").begin_array();
  for (const TestedJob& job : jobs)
    if (!job.error.empty())
      json.begin_object().field("job_id", job.job).field("message", job.error).end_object();
  const Counts counts = counts_of(jobs);
  json.end_array().field("passed", counts.passed).field("failed", counts.failed).end_object();
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : to_valid_utf8(std::string(text))) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') {
      out += c;  // XML allows no other control characters
    }
  }
  return out;
}

std::string junit_case(const std::string& job, const ScriptTest& test) {
  const std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.6f}\"", xml_text(job),
                  xml_text(test.name), milliseconds_of(test) / 1000.0);
  if (test.has_passed) return head + "/>\n";
  return head + fmt::format(">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
                            xml_text(split(test.message, '\n').front()), xml_text(test.message));
}

std::string junit_of(const std::vector<TestedJob>& jobs) {
  const Counts all = counts_of(jobs);
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{}\" failures=\"{}\">\n",
      all.passed + all.failed, all.failed);
  for (const TestedJob& job : jobs) {
    const Counts counts = counts_of({job});
    xml += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n",
                       xml_text(job.job), counts.passed + counts.failed, counts.failed);
    for (const ScriptTest& test : job.tests) xml += junit_case(job.job, test);
    if (!job.error.empty()) xml += junit_case(job.job, {"loading", false, job.error, {}});
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

TestedJob test_job(CommandContext& context, const Job& job, const std::string& pattern) {
  TestedJob tested{job.id.text, {}, {}};
  const bool is_shown = !context.json;
  if (is_shown) context.out.line(context.out.paint(Colour::bold, job.name));
  const auto keep = [&](const ScriptTest& test) {
    if (is_shown) print_test(context, test);
    tested.tests.push_back(test);
  };
  auto done = context.backend.test_scripts(context.loaded.project, job, pattern, keep);
  if (done) return tested;
  tested.error = done.error().message;
  if (is_shown) context.out.line(indented(tested.error));
  return tested;
}

bool has_tests(const config::LoadedJob& job) {
  std::error_code ignored;
  return !job.directory.empty() &&
         std::filesystem::is_regular_file(job.directory / "tests.lua", ignored);
}

// A job whose tests cannot run because its configuration is invalid.
TestedJob refused_job(CommandContext& context, const config::LoadedJob& job) {
  TestedJob tested{job.id.text.empty() ? job.origin.file : job.id.text, {}, {}};
  for (const config::Problem& problem : job.problems)
    tested.error += (tested.error.empty() ? "" : "\n") + config::to_text(problem);
  if (context.json) return tested;
  context.out.line(context.out.paint(Colour::bold, job.name.empty() ? tested.job : job.name));
  context.out.line(indented(tested.error));
  return tested;
}

std::vector<TestedJob> test_all_jobs(CommandContext& context, const std::string& pattern) {
  std::vector<TestedJob> tested;
  for (const config::LoadedJob& written : context.loaded.jobs) {
    if (!has_tests(written)) continue;
    const Job* job = written.usable ? context.loaded.project.find_job(written.id.text) : nullptr;
    tested.push_back(job == nullptr ? refused_job(context, written)
                                    : test_job(context, *job, pattern));
  }
  return tested;
}

ExitCode refuse_without_tests(CommandContext& context, const Job& job) {
  const auto problems = script_problems(context, job.id.text);
  print_problems(context, problems);
  if (!problems.empty())
    return context.fail(
        fmt::format("job '{}' has errors (listed above): nothing was done", job.name));
  return context.fail(fmt::format("job '{}' has no tests.lua beside its config.toml", job.name));
}

ExitCode report(CommandContext& context, const TestArguments& arguments,
                const std::vector<TestedJob>& tested) {
  if (!arguments.junit.empty() && !write_file(arguments.junit, junit_of(tested)))
    return context.fail("cannot write " + arguments.junit);
  const Counts counts = counts_of(tested);
  if (context.json)
    context.print_json(write_tests, tested);
  else
    context.out.line(fmt::format("{} passed, {} failed", counts.passed, counts.failed));
  if (counts.passed + counts.failed == 0)
    return context.fail("no test matches '" + arguments.pattern + "'");
  return counts.failed == 0 ? ExitCode::done : ExitCode::failed;
}

}  // namespace

ExitCode test_scripts(CommandContext& context, const TestArguments& arguments) {
  if (arguments.job.empty()) {
    const auto tested = test_all_jobs(context, arguments.pattern);
    if (tested.empty()) return context.fail("no job has a tests.lua beside its config.toml");
    return report(context, arguments, tested);
  }
  const Job* job = find_job(context, arguments.job);
  if (job == nullptr) return ExitCode::failed;  // find_job() has printed the reason
  if (job->scripts.tests.empty()) return refuse_without_tests(context, *job);
  return report(context, arguments, {test_job(context, *job, arguments.pattern)});
}

ExitCode write_types(CommandContext& context, const std::string& file) {
  const std::string stubs = context.backend.type_stubs();
  if (file.empty()) {
    context.out.print(stubs);
    return ExitCode::done;
  }
  if (!write_file(file, stubs)) return context.fail("cannot write " + file);
  context.err.line("wrote " + file);
  return ExitCode::done;
}

}  // namespace heddle::cli
