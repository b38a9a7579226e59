#include "config/write/edit_selectors.hpp"

#include <gtest/gtest.h>

#include "config/project_for_test.hpp"
#include "config/write/job_folder.hpp"

namespace heddle::config {
namespace {

FieldRule field(std::string name, std::string selector, std::string attribute = "") {
  return {std::move(name), std::move(selector), std::move(attribute), FieldType::text, ""};
}

TEST(EditSelectors, LeavesCommentsAndLayoutAsTheyAre) {
  const std::string text = R"(# A job ] of mine
name = "Shop"   # its name
selector   =   ".old"  # the blocks
fields = [  # what to take
  # the title, "quoted" ]
  "title:.name",   # stays
    { name = "price", selector = ".price", type = "money" },  # 12 ] EUR
  'link:a@href', ]
# the end
)";
  SelectorEdit edit;
  edit.selector_line = 3;
  edit.selector = R"([data-id="x"])";
  edit.fields_line = 4;
  FieldRule price = field("price", ".amount");
  price.type = FieldType::money;
  edit.fields = {std::nullopt, price, field("link", "h3 a", "href")};
  const auto edited = edit_selectors(text, edit);
  ASSERT_TRUE(edited) << edited.error().message;
  EXPECT_EQ(*edited, R"(# A job ] of mine
name = "Shop"   # its name
selector   =   "[data-id=\"x\"]"  # the blocks
fields = [  # what to take
  # the title, "quoted" ]
  "title:.name",   # stays
    { name = "price", selector = ".amount", type = "money" },  # 12 ] EUR
  "link:h3 a@href", ]
# the end
)");
}

TEST(EditSelectors, ReplacesValuesOfSeveralLines) {
  const std::string text =
      "selector = \"\"\"\n.old\"\"\"\nfields = [\"a:'''\", '''b:\nc''']\nx = 1\n";
  SelectorEdit edit;
  edit.selector_line = 1;
  edit.selector = ".new";
  edit.fields_line = 3;
  edit.fields = {std::nullopt, field("b", "d")};
  const auto edited = edit_selectors(text, edit);
  ASSERT_TRUE(edited) << edited.error().message;
  EXPECT_EQ(*edited, "selector = \".new\"\nfields = [\"a:'''\", \"b:d\"]\nx = 1\n");
}

TEST(EditSelectors, ChangesOneJobOfMany) {
  ProjectForTest project;
  const std::string text =
      "[[jobs]]\nname = \"a\"\nurl = \"https://example.com/\"\nselector = \".old\"\nfields = "
      "[\"t:h2\"]\n\n[[jobs]]\nname = \"b\"  # the second\nurl = "
      "\"https://example.com/b\"\nselector "
      "= \".old\"\nfields = [\"t:h2\"]\n";
  project.write("jobs.toml", text);
  const Loaded loaded = project.load();
  const LoadedJob* job = loaded.find_job("b");
  ASSERT_NE(job, nullptr);
  SelectorEdit edit;
  edit.selector_line = job->settings.at("selector").origin.line;
  edit.selector = ".new";
  edit.fields_line = job->settings.at("fields").origin.line;
  edit.fields = {field("t", "h3")};
  const auto edited = edit_selectors(text, edit);
  ASSERT_TRUE(edited) << edited.error().message;
  const Loaded after =
      load_project(project.root(), project.environment(), DraftFile{"jobs.toml", *edited});
  EXPECT_EQ(after.project.find_job("a")->selector, ".old");
  EXPECT_EQ(after.project.find_job("b")->selector, ".new");
  EXPECT_EQ(after.project.find_job("b")->fields[0].selector, "h3");
  EXPECT_NE(edited->find("# the second"), std::string::npos);
}

TEST(EditSelectors, RefusesWhatItCannotFind) {
  SelectorEdit edit;
  edit.selector_line = 1;
  for (const char* text : {"", "\"selector\" = \"x\"", "selectors = \"x\"", "selector \"x\"",
                           "job = { selector = \"x\" }", "selector = \"open"}) {
    const auto edited = edit_selectors(text, edit);
    ASSERT_FALSE(edited) << text;
    EXPECT_EQ(edited.error().code, ErrorCode::bad_input);
  }
  SelectorEdit fields;
  fields.fields_line = 1;
  fields.fields = {field("a", "b")};
  for (const char* text :
       {"fields = \"x\"", "fields = []", "fields = [\"a\", \"b\"]", "fields = ["})
    EXPECT_FALSE(edit_selectors(text, fields)) << text;
}

TEST(ChangedLines, AreThoseThatDiffer) {
  const auto changes = changed_lines("a\nb\nc\n", "a\nx\nc\n");
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].line, 2);
  EXPECT_TRUE(changes[0].is_removed);
  EXPECT_EQ(changes[0].text, "b");
  EXPECT_EQ(changes[1].text, "x");
  EXPECT_EQ(changed_lines("a\nb\nc\nd\n", "a\nx\nd\n").size(), 3U);
  EXPECT_TRUE(changed_lines("a\n", "a\n").empty());
}

TEST(JobFile, IsReplacedOnlyWhenNothingElseChangedIt) {
  const heddle::testing::TemporaryFolder root;
  const auto file = root.write("jobs/a/config.toml", "one\n");
  std::filesystem::permissions(
      file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  ASSERT_TRUE(replace_job_file(file, "one\n", "two\n"));
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  const auto late = replace_job_file(file, "one\n", "three\n");
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::conflict);
  EXPECT_EQ(*read_job_file(file), "two\n");
}

}  // namespace
}  // namespace heddle::config
