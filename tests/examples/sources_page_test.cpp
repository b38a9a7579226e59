// Every TOML block of docs/sources.md and docs/watching-text.md is a job that `heddle check`
// accepts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/examples/markdown_blocks.hpp"
#include "tests/program/project_folder.hpp"

namespace heddle::testing {
namespace {

// Returns how many there are. `before` stands in front of each.
std::size_t check_jobs(const std::string& page, const std::string& before) {
  std::size_t jobs = 0;
  for (const CodeBlock& block : code_blocks(read_text(source_folder() / "docs" / page))) {
    if (block.language != "toml") continue;
    ProjectFolder project;
    project.write_job("page", before + block.text);
    const ProgramResult check = project.heddle({"check"});
    EXPECT_EQ(check.exit_code, 0) << "docs/" << page << ":" << block.line << "\n" << check.out;
    EXPECT_THAT(check.out, ::testing::HasSubstr("0 warnings")) << block.text;
    ++jobs;
  }
  return jobs;
}

TEST(SourcesPage, HasJobsThatAreValid) {
  EXPECT_EQ(check_jobs("sources.md", "url = \"https://shop.example/\"\n"), 6U);
}

TEST(WatchingTextPage, HasJobsThatAreValid) {
  EXPECT_EQ(check_jobs("watching-text.md", ""), 6U);
}

}  // namespace
}  // namespace heddle::testing
