#include "script/lua/stack.hpp"

#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

using testing::HasSubstr;

// Runs code that calls give(value) and returns the value, or the error.
class LuaStack : public testing::Test {
 protected:
  LuaStack() {
    lua_State* lua = lua_.state();
    lua_pushlightuserdata(lua, this);
    lua_pushcclosure(lua, take, 1);
    lua_setglobal(lua, "give");
  }

  ScriptValue read(const std::string& expression) {
    error_ = lua_.run("give(" + expression + ")");
    return taken_;
  }

  std::string refusal(const std::string& expression) {
    read(expression);
    return error_;
  }

  static int take(lua_State* lua) {
    auto& self = *static_cast<LuaStack*>(lua_touserdata(lua, lua_upvalueindex(1)));
    self.taken_ = read_value(lua, 1);
    return 0;
  }

  TestLua lua_ = TestLua::sandbox();
  ScriptValue taken_;
  std::string error_;
};

TEST_F(LuaStack, ReadsSimpleValues) {
  EXPECT_EQ(read("nil"), ScriptValue{});
  EXPECT_EQ(read("true"), ScriptValue{true});
  EXPECT_EQ(read("1 << 62"), ScriptValue{std::int64_t{1} << 62});
  EXPECT_EQ(read("1.0"), ScriptValue{1.0});
  EXPECT_EQ(read("'a\\0b'"), ScriptValue{std::string("a\0b", 3)});
  EXPECT_EQ(read("json_null"), ScriptValue{Null{}});
}

TEST_F(LuaStack, DistinguishesListsFromMaps) {
  EXPECT_EQ(read("{}"), ScriptValue{Map{}});
  EXPECT_EQ(read("json_array()"), ScriptValue{List{}});
  EXPECT_EQ(read("{1, nil, 3}"), (ScriptValue{List{{std::int64_t{1}}, {}, {std::int64_t{3}}}}));
  EXPECT_EQ(read("{b = 1, a = {true}}"),
            (ScriptValue{Map{{"a", {List{{true}}}}, {"b", {std::int64_t{1}}}}}));
}

TEST_F(LuaStack, RejectsValuesThatCannotLeaveTheScript) {
  EXPECT_THAT(refusal("print"), HasSubstr("a function cannot be handed"));
  EXPECT_THAT(refusal("coroutine.create(print)"), HasSubstr("a thread cannot be handed"));
  EXPECT_THAT(refusal("html.parse('')"), HasSubstr("a userdata cannot be handed"));
  EXPECT_THAT(refusal("{1, a = 2}"), HasSubstr("both positions and names"));
  EXPECT_THAT(refusal("{1, 2, [9] = 3}"), HasSubstr("holes"));
  EXPECT_THAT(refusal("{[true] = 1}"), HasSubstr("a key that is a boolean"));
  EXPECT_THAT(refusal("(function() local t = {} t.t = t return t end)()"),
              HasSubstr("contains itself"));
}

TEST_F(LuaStack, RejectsMoreThanAHundredLevels) {
  const std::string nested = "(function(n) local t = {} for i = 2, n do t = {t} end return t end)";
  EXPECT_EQ(refusal(nested + "(100)"), "");
  EXPECT_THAT(refusal(nested + "(101)"), HasSubstr("more than 100 levels"));
}

TEST_F(LuaStack, RejectsATableThatGrowsDuringTheCopy) {
  EXPECT_THAT(refusal("(function() local t = {} for i = 1, 60 do t = {t, t} end return t end)()"),
              HasSubstr("too large"));
}

TEST_F(LuaStack, PushesWhatItReads) {
  const ScriptValue value{Map{{"a", {List{{1.5}, {Null{}}, {List{}}, {Map{}}}}},
                              {"b", {std::string("\xff")}},
                              {"c", {false}}}};
  push_value(lua_.state(), value);
  lua_setglobal(lua_.state(), "value");
  EXPECT_EQ(read("value"), value);
  EXPECT_EQ(lua_.run("return #value.a, value.b, value.a[2] == json_null"), "4|\xff|true");
}

TEST_F(LuaStack, PushesAListThatScriptsCanChange) {
  push_value(lua_.state(), ScriptValue{List{{true}}});
  lua_setglobal(lua_.state(), "list");
  EXPECT_EQ(lua_.run("table.insert(list, 2) list[3] = 3 return #list"), "3");
}

}  // namespace
}  // namespace heddle::script
