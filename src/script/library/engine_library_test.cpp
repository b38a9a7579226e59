#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"


namespace heddle::script {
namespace {

TEST(EnvGet, GivesNilAndNotNothingForWhatIsNotThere) {
  EXPECT_EQ(run_sandboxed("return select('#', env_get('X')), json_encode(env_get('X')), "
                          "tostring(env_get('HOME'))"),
            "1|null|nil");
}

TEST(Engine, CannotBeWrittenPastItsMetatable) {
  EXPECT_EQ(run_sandboxed("local ok, m = pcall(rawset, engine, 'os', 'evil') "
                          "return ok, m:find('engine is read%-only') ~= nil, engine.os"),
            "false|true|linux");
  EXPECT_EQ(run_sandboxed("local t = setmetatable({}, {__metatable = false}) rawset(t, 'a', 1) "
                          "return t.a, rawset(t, 'b', 2) == t, t.b"),
            "1|true|2");
}

}  // namespace
}  // namespace heddle::script
