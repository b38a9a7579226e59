// The jobs of docs/expectations.md are valid, and the first one says what the page shows.
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/examples/markdown_blocks.hpp"
#include "tests/program/project_folder.hpp"
#include "tests/support/tls_site.hpp"

namespace heddle::testing {
namespace {

constexpr const char* kSite = "https://shop.example/";

std::vector<CodeBlock> blocks() {
  return code_blocks(read_text(source_folder() / "docs" / "expectations.md"));
}

std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
  return std::regex_replace(text, std::regex(from), to);
}

// With one sign for each number: times and dates differ from run to run.
std::string without_numbers(const std::string& text) {
  return replaced(text, "[0-9]+", "#");
}

// The first lines that a run prints, as the page shows them.
std::string shown(const std::string& output) {
  const std::string page = replaced(output, "https://127.0.0.1:[0-9]+/", kSite);
  const std::string text = replaced(page, "127\\.0\\.0\\.1", "shop.example");
  const std::size_t second = text.find('\n', text.find('\n') + 1);
  return without_numbers(replaced(text.substr(0, second + 1), "in [0-9.]+ ?m?s", "in 0.1 s"));
}

TEST(ExpectationsPage, HasJobsThatAreValid) {
  std::size_t jobs = 0;
  for (const CodeBlock& block : blocks()) {
    if (block.language != "toml") continue;
    const bool has_url = block.text.find("url = ") != std::string::npos;
    const ProjectFolder project;
    project.write("heddle.toml", "[defaults.notification]\nenabled = false\n");
    project.write_job("page",
                      (has_url ? "" : "url = \"" + std::string(kSite) + "\"\n") + block.text);
    const ProgramResult check = project.heddle({"check"});
    EXPECT_EQ(check.exit_code, 0) << "docs/expectations.md:" << block.line << "\n" << check.out;
    EXPECT_THAT(check.out, ::testing::HasSubstr("0 warnings")) << check.out << block.text;
    ++jobs;
  }
  EXPECT_EQ(jobs, 6U);
}

TEST(ExpectationsPage, ShowsWhatTheUptimeJobSays) {
  if (!TlsSite::is_available()) GTEST_SKIP() << "nginx and openssl are needed";
  const TlsSite site(10);
  ASSERT_TRUE(site.is_listening());
  const ProjectFolder project;
  project.write("heddle.toml", "[network]\nallow = [\"127.0.0.1\"]\nca_file = \"" + site.ca_file() +
                                   "\"\n[defaults.notification]\nenabled = false\n");
  std::string warning;
  std::string failure;
  for (const CodeBlock& block : blocks()) {
    if (block.kind == "uptime")
      project.write_job("uptime", replaced(block.text, kSite, site.url()));
    if (block.kind == "warning") warning = without_numbers(block.text);
    if (block.kind == "failure") failure = without_numbers(block.text);
  }
  site.show("<title>Shop</title><button>Add to basket</button>");
  const ProgramResult good = project.heddle({"run", "uptime"});
  EXPECT_EQ(good.exit_code, 0) << good.out << good.err;
  EXPECT_EQ(shown(good.out), warning) << good.out;
  site.show(
      "<title>Shop</title><p>We are down for maintenance until 8:00.</p><button>Add to basket");
  const ProgramResult bad = project.heddle({"run", "uptime"});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(shown(bad.out), failure) << bad.out;
}

}  // namespace
}  // namespace heddle::testing
