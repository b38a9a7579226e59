#include "script/type_stubs.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"
#include "script/script_hook.hpp"

namespace heddle::script {
namespace {

using testing::HasSubstr;

std::set<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::set<std::string> all;
  for (std::string word; stream >> word;) all.insert(word);
  return all;
}

// Every global function, and every function in a global table, of a state.
constexpr const char* kNamesOfFunctions = R"(
  local names = {}
  for name, value in pairs(_G) do
    if type(value) == 'function' then names[#names + 1] = name end
    if type(value) == 'table' and value ~= _G and name ~= 'spyweb' and name ~= 'package' then
      for inner, f in pairs(value) do
        if type(f) == 'function' then names[#names + 1] = name .. '.' .. inner end
      end
    end
  end
  return table.concat(names, ' ')
)";

TEST(TypeStubs, DescribeExactlyWhatScriptsCanCall) {
  auto sandbox = TestLua::test_sandbox();
  auto stock = TestLua::stock();
  std::set<std::string> found = words(sandbox.run(kNamesOfFunctions));
  const std::set<std::string> of_lua = words(stock.run(kNamesOfFunctions));
  std::erase_if(found, [&](const std::string& name) { return of_lua.contains(name); });

  std::set<std::string> described;
  for (const BindingDoc& doc : binding_docs())
    if (!of_lua.contains(std::string(doc.name))) described.emplace(doc.name);
  EXPECT_EQ(found, described);
}

TEST(TypeStubs, DescribeEveryGlobalTableAndValue) {
  auto sandbox = TestLua::test_sandbox();
  auto stock = TestLua::stock();
  constexpr const char* kNames =
      "local names = {} for name, value in pairs(_G) do "
      "if type(value) ~= 'function' then names[#names + 1] = name end end "
      "return table.concat(names, ' ')";
  std::set<std::string> found = words(sandbox.run(kNames));
  for (const std::string& name : words(stock.run(kNames))) found.erase(name);
  found.insert(
      {"last_fetch", "selector_matches", "spyweb_telemetry"});  // present while a cycle runs

  std::set<std::string> described;
  for (const GlobalDoc& doc : global_docs()) described.emplace(doc.name);
  EXPECT_EQ(found, described);
}

TEST(TypeStubs, DescribeEveryHookInOrder) {
  ASSERT_EQ(hook_docs().size(), kHookCount);
  for (std::size_t i = 0; i < kHookCount; ++i) EXPECT_EQ(hook_docs()[i].name, kHookNames[i]);
}

TEST(TypeStubs, GiveEveryFieldAClassThatIsDescribed) {
  for (const FieldDoc& field : field_docs()) {
    const auto classes = class_docs();
    EXPECT_TRUE(std::any_of(classes.begin(), classes.end(), [&](const ClassDoc& doc) {
      return doc.name == field.owner;
    })) << field.owner;
  }
}

TEST(TypeStubs, AreValidLua) {
  EXPECT_EQ(TestLua::stock().run(lua_type_stubs()), "");
}

TEST(TypeStubs, AnnotateParametersAndResults) {
  const std::string stubs = lua_type_stubs();
  EXPECT_THAT(stubs, HasSubstr("---@async\n"
                               "---@param url string\n"
                               "---@param headers? Headers\n"
                               "---@return Response?\n"
                               "---@return FetchFailure?\n"
                               "function http_get(url, headers) end\n"));
  EXPECT_THAT(stubs, HasSubstr("---@param params? any[]|table<string, any>\n"
                               "---@return table<string, any>[]\n"
                               "function db_query(sql, params) end\n"));
  EXPECT_THAT(stubs, HasSubstr("---@param ... any\nfunction log(...) end\n"));
  EXPECT_THAT(stubs, HasSubstr("---@class Request\n---@field url string\n"));
  EXPECT_THAT(stubs, HasSubstr("---@type fun(request: Request, ctx: Context): Request|false|nil\n"
                               "before_fetch = nil\n"));
}

}  // namespace
}  // namespace heddle::script
