// Executes docs/discovery.md against a shop as it describes it.
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/examples/example_project.hpp"
#include "tests/examples/markdown_blocks.hpp"
#include "tests/program/project_folder.hpp"
#include "tests/support/test_site.hpp"

namespace heddle::testing {
namespace {

std::string product(const std::string& name) {
  return "<li class=product><h2><a href='/" + name + "'>" + name + "</a></h2></li>";
}

void open_shop(TestSite& site) {
  site.handle("/lamps", [](const SiteRequest& request) {
    if (request.query == "page=2")
      return html("<ul>" + product("floor-lamp") + product("wall-lamp") +
                  "</ul><div class=pager><a href='/lamps'>1</a> 2</div>");
    return html("<ul>" + product("desk-lamp") + product("lantern") + product("gift-cards") +
                "</ul><div class=pager>1 <a href='/lamps?page=2'>2</a>"
                "<a href='/lamps?page=2'>Next</a></div>");
  });
  for (const char* lamp : {"desk-lamp", "lantern", "floor-lamp", "wall-lamp"})
    site.answer("/" + std::string(lamp), html("<article class=product><h2>" + std::string(lamp) +
                                              "</h2><p class=material>brass</p></article>"));
}

std::string with_text_for_dots(const std::string& expected) {
  const std::string escaped =
      std::regex_replace(expected, std::regex(R"([.^$|()\[\]{}*+?\\])"), "\\$&");
  return std::regex_replace(escaped, std::regex("…"), ".*");
}

TEST(DiscoveryPage, HasAJobThatFindsWhatItSays) {
  TestSite site;
  open_shop(site);
  const ProjectFolder project;
  int executed = 0;
  for (const CodeBlock& block : code_blocks(read_text(source_folder() / "docs" / "discovery.md"))) {
    if (block.kind == "file")
      project.write(
          block.argument,
          std::regex_replace(block.text, std::regex("https://shop\\.example"), site.url("")));
    if (block.language != "console") continue;
    const std::string_view prompt = "$ heddle run lamps\n";
    ASSERT_TRUE(block.text.starts_with(prompt));
    const ProgramResult result = project.heddle({"run", "lamps"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(std::regex_match(result.out,
                                 std::regex(with_text_for_dots(block.text.substr(prompt.size())))))
        << block.text << "---\n"
        << result.out;
    ++executed;
  }
  EXPECT_EQ(executed, 1);
  EXPECT_EQ(site.count("/gift-cards"), 0U);
  const ProgramResult check = project.heddle({"check"});
  EXPECT_THAT(check.out, ::testing::HasSubstr("0 errors, 0 warnings"));
}

}  // namespace
}  // namespace heddle::testing
