#include "config/read/values/substitute.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.hpp"

namespace heddle::config {
namespace {

class Substitution : public ::testing::Test {
 protected:
  Substitution() {
    environment_.variable = [](const std::string& name) -> std::optional<std::string> {
      if (name == "TOKEN") return "s3cret";
      if (name == "TRICK") return "${env:TOKEN}{{city}}";
      return std::nullopt;
    };
  }
  std::string fill(std::string_view text) {
    auto filled = substitutor_.fill(text, &vars_);
    return filled ? *filled : "error: " + filled.error().message;
  }

  heddle::testing::TemporaryFolder folder_;
  Environment environment_;
  Vars vars_{{"city", "Berlin"}, {"page", "3"}};
  Substitutor substitutor_{folder_.path(), environment_};
};

TEST_F(Substitution, ReplacesEnvironmentVariables) {
  EXPECT_EQ(fill("Bearer ${env:TOKEN}!"), "Bearer s3cret!");
}

TEST_F(Substitution, ReplacesFilesWithoutTheirLastLineBreak) {
  folder_.write("secrets/key", "line1\nline2\r\n");
  EXPECT_EQ(fill("${file:secrets/key}"), "line1\nline2");
}

TEST_F(Substitution, ReplacesVars) {
  EXPECT_EQ(fill("https://x/{{city}}/?p={{ page }}"), "https://x/Berlin/?p=3");
}

TEST_F(Substitution, ReplacesNothingTwice) {
  EXPECT_EQ(fill("${env:TRICK}"), "${env:TOKEN}{{city}}");
}

TEST_F(Substitution, CollectsSecrets) {
  folder_.write("key", "from-file\n");
  fill("${env:TOKEN} ${file:key} {{city}}");
  EXPECT_THAT(substitutor_.secrets(), ::testing::ElementsAre("from-file", "s3cret"));
}

TEST_F(Substitution, KeepsOtherBraces) {
  for (const char* text : {"{a}", "{{", "{{}}", "{{ }}", "{{a b}}", "{{{}}}", "${X}", "$",
                           "${env:", "{", "{\"a\":{\"b\":1}}", "${other:x}"})
    EXPECT_EQ(fill(text), text) << text;
}

TEST_F(Substitution, CanBeEscaped) {
  EXPECT_EQ(fill("$${env:TOKEN}"), "${env:TOKEN}");
  EXPECT_EQ(fill("$${file:x} $$"), "${file:x} $$");
}

TEST_F(Substitution, NamesAnUnsetVariable) {
  EXPECT_EQ(fill("${env:NOPE}"), "error: environment variable NOPE is not set");
}

TEST_F(Substitution, NamesAnUnreadableFile) {
  EXPECT_EQ(fill("${file:nope}"), "error: file nope does not exist");
  std::filesystem::create_directory(folder_.path() / "dir");
  EXPECT_EQ(fill("${file:dir}"), "error: file dir is not a file");
  folder_.write("binary", "\xFF\xFE");
  EXPECT_EQ(fill("${file:binary}"), "error: file binary is not UTF-8 text");
}

TEST_F(Substitution, NamesAMissingVarWithASuggestion) {
  EXPECT_EQ(fill("{{cty}}"), "error: {{cty}} is not in `vars`, did you mean {{city}}?");
  EXPECT_EQ(fill("{{country}}"), "error: {{country}} is not in `vars`");
}

TEST_F(Substitution, KeepsVariablesWithoutVars) {
  auto filled = substitutor_.fill("{{city}} ${env:TOKEN}", nullptr);
  ASSERT_TRUE(filled);
  EXPECT_EQ(*filled, "{{city}} s3cret");
}

TEST_F(Substitution, FindsVariablesInsideListsAndTables) {
  const TomlValue list{TomlList{TomlValue{std::string("a")}, TomlValue{std::string("{{b}}")}}};
  EXPECT_TRUE(has_variables(list));
  EXPECT_FALSE(has_variables(TomlValue{std::string("{b} {{")}));
}

}  // namespace
}  // namespace heddle::config
