// Every TOML block of docs/sources.md is a job that `heddle check` accepts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/examples/markdown_blocks.hpp"
#include "tests/program/project_folder.hpp"

namespace heddle::testing {
namespace {

TEST(SourcesPage, HasJobsThatAreValid) {
  std::size_t jobs = 0;
  for (const CodeBlock& block : code_blocks(read_text(source_folder() / "docs" / "sources.md"))) {
    if (block.language != "toml") continue;
    ProjectFolder project;
    project.write_job("page", "url = \"https://shop.example/\"\n" + block.text);
    const ProgramResult check = project.heddle({"check"});
    EXPECT_EQ(check.exit_code, 0) << "docs/sources.md:" << block.line << "\n" << check.out;
    EXPECT_THAT(check.out, ::testing::HasSubstr("0 warnings")) << block.text;
    ++jobs;
  }
  EXPECT_EQ(jobs, 6U);
}

}  // namespace
}  // namespace heddle::testing
