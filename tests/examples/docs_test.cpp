// Runs every Lua block of docs/scripting.md, so that the page stays correct. The word after ```lua
// selects how; a block without one is an error:
//   hooks      is hooks.lua of a job that is run once on a small shop (three products)
//   defer      is defer.lua of the hooks block before it
//   test       is tests.lua of the hooks block before it; all its tests must pass
//   run        is the body of a test function, which must pass
//   fails      likewise, but it must fail
//   file PATH  is a file of every block's project
// "--> text" in a hooks, defer or run block is a line it prints at that point of its output; runs
// of blanks count as one. A ```text block right after a hooks or fails block is the expected
// message, with JOB for the job; a hooks block without one must cause no warning.
// https://shop.example is the test's own server, and budgets are smaller here than by default.
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/examples/markdown_blocks.hpp"
#include "tests/program/project_folder.hpp"

namespace heddle::testing {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kJob = "block";

// A block and the blocks that belong to it.
struct Sample {
  CodeBlock code;
  std::string defer;
  std::string tests;
  std::string message;
};

// For the names of failed tests.
void PrintTo(const Sample& sample, std::ostream* out) {  // NOLINT(readability-identifier-naming)
  *out << "docs/scripting.md:" << sample.code.line;
}

std::string page() {
  return read_text(source_folder() / "docs" / "scripting.md");
}

// Adds the block to the previous sample if it belongs there.
bool belongs_to(Sample& sample, const CodeBlock& block) {
  const bool is_hooks = sample.code.kind == "hooks";
  const bool is_message = block.language == "text" && sample.message.empty();
  if (is_message && (is_hooks || sample.code.kind == "fails"))
    return sample.message = block.text, true;
  if (is_hooks && block.kind == "defer") return sample.defer = block.text, true;
  if (is_hooks && block.kind == "test") return sample.tests = block.text, true;
  return false;
}

std::vector<Sample> samples() {
  std::vector<Sample> found;
  for (const CodeBlock& block : code_blocks(page())) {
    if (!found.empty() && belongs_to(found.back(), block)) continue;
    if (block.language == "lua") found.push_back({block, "", "", ""});
  }
  return found;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string with_single_blanks(const std::string& text) {
  return std::regex_replace(text, std::regex("\\s+"), " ");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// A tests.lua with the block in a function; its lines have the numbers they have on the page.
std::string as_test(const CodeBlock& block) {
  std::string text =
      "local printed = {}; local function print(...) local t = table.pack(...); "
      "for i = 1, t.n do t[i] = tostring(t[i]) end; "
      "printed[#printed + 1] = table.concat(t, ' '):gsub('%s+', ' ') end; "
      "local function block()";
  text += std::string(block.line - 1, '\n') + block.text + "end\n";
  text += "function test_block()\n  block()\n  heddle.assert_eq(printed, {\n";
  for (const std::string& line : expected_output(block.text))
    text += "    [==[" + with_single_blanks(line) + "]==],\n";
  return text + "  }, 'what it prints')\nend\n";
}

class ScriptingDocs : public ::testing::TestWithParam<Sample> {
 protected:
  void SetUp() override {
    site_.handle_rest([](const SiteRequest& request) {
      if (request.method != "GET") return SiteResponse{.status = 204};
      return shop_page(
          {"Kettle|€ 49.50|in stock", "Lamp|€ 159.00|in stock", "Candles|€ 12.90|sold out"});
    });
    project_.write(fmt::format("jobs/{}/config.toml", kJob), config());
    for (const CodeBlock& block : code_blocks(page()))
      if (block.kind == "file") project_.write(block.argument, block.text);
  }

  std::string config() const {
    return fmt::format(
        "id = \"{}\"\nname = \"Shop\"\nurl = \"{}\"\nselector = \"li.product\"\n"
        "fields = [\"name:.name\", \"link:.name@href\", \"price:.price\", \"stock:.stock\"]\n"
        "vars = {{ max_price = \"50\" }}\nwebhook = {{ enabled = true, url = \"{}\" }}\n",
        kJob, site_.url("/"), site_.url("/hook"));
  }

  void write(const std::string& file, const std::string& text) const {
    const std::string here =
        replaced(text, "https://shop.example", "http://127.0.0.1:" + std::to_string(site_.port()));
    project_.write(fmt::format("jobs/{}/{}", kJob, file),
                   replaced(here, "shop.example", "127.0.0.1"));
  }

  // The error messages of the job's tests; empty when they passed.
  std::string test_errors() const {
    const ProgramResult result = project_.heddle({"test", kJob, "--json"});
    const json::value report = parse_json(result.out);
    std::string text;
    for (const char* list : {"tests", "errors"})
      for (const json::value& entry : report.at(list).as_array())
        text += std::string(entry.at("message").as_string());
    EXPECT_EQ(text.empty(), result.exit_code == 0);
    return text;
  }

  void run_hooks(const Sample& sample) const {
    write("hooks.lua", sample.code.text);
    if (!sample.defer.empty()) write("defer.lua", sample.defer);
    const ProgramResult result = project_.heddle({"run", kJob, "--json"});
    EXPECT_EQ(parse_json(result.out).at("state"), "completed") << result.out;
    expect_printed(sample, result.err);
    expect_messages(sample, result.err);
    if (sample.tests.empty()) return;
    write("tests.lua", sample.tests);
    EXPECT_EQ(test_errors(), "");
  }

  // Other lines may come between the expected ones.
  static void expect_printed(const Sample& sample, const std::string& output) {
    const std::string printed = with_single_blanks(output);
    std::size_t from = 0;
    for (const std::string& line : expected_output(sample.code.text + sample.defer)) {
      const std::string wanted = fmt::format("[{}] {}", kJob, with_single_blanks(line));
      const std::size_t at = printed.find(wanted, from);
      ASSERT_NE(at, std::string::npos) << "not printed there: " << line << "\n" << output;
      from = at + wanted.size();
    }
  }

  static void expect_messages(const Sample& sample, const std::string& output) {
    if (sample.message.empty()) {
      EXPECT_THAT(output, Not(HasSubstr("warning")));
    }
    for (const std::string& line : lines_of(sample.message))
      EXPECT_THAT(output, HasSubstr(replaced(replaced(line, "JOB", kJob), "longer than 5s",
                                             "longer than 500ms")));
  }

  TestSite site_;
  ProjectFolder project_{"[script]\nmemory = \"16MB\"\ncpu_limit = \"500ms\"\n"};
};

INSTANTIATE_TEST_SUITE_P(Docs, ScriptingDocs, ::testing::ValuesIn(samples()),
                         [](const auto& sample) {
                           return fmt::format("Line{}", sample.param.code.line);
                         });

TEST_P(ScriptingDocs, MatchesTheProgram) {
  const Sample& sample = GetParam();
  const std::string& kind = sample.code.kind;
  if (kind == "hooks") return run_hooks(sample);
  if (kind == "file") return;
  ASSERT_TRUE(kind == "run" || kind == "fails") << "how is the block run? It says '" << kind << "'";
  write("tests.lua", as_test(sample.code));
  if (kind == "run") {
    EXPECT_EQ(test_errors(), "");
    return;
  }
  ASSERT_FALSE(sample.message.empty()) << "a block that fails needs its message after it";
  expect_messages(sample, test_errors());
}

TEST(ScriptingReference, NamesEveryHookAndBinding) {
  const TemporaryFolder anywhere;
  const std::string types = run_heddle(anywhere.path(), {"types"}).out;
  const std::string text = page();
  std::size_t count = 0;
  const std::regex declaration("\nfunction ([a-z0-9_.]+)\\(");
  for (std::sregex_iterator found(types.begin(), types.end(), declaration), end; found != end;
       ++found, ++count) {
    std::string name = (*found)[1];
    const bool is_bit_function = name.starts_with("bit.") || name.starts_with("bit32.");
    if (is_bit_function) name = "`" + name.substr(name.find('.') + 1) + "`";
    EXPECT_THAT(text, HasSubstr(name));
  }
  EXPECT_GT(count, 60u);
}

}  // namespace
}  // namespace heddle::testing
