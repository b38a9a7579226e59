#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"
#include "script/script_for_test.hpp"

namespace heddle::script {
namespace {

TEST(EnvGet, ReturnsNilInsteadOfNoValueForAnAbsentVariable) {
  EXPECT_EQ(run_sandboxed("return select('#', env_get('X')), json_encode(env_get('X')), "
                          "tostring(env_get('HOME'))"),
            "1|null|nil");
}

TEST(Engine, CannotBeChangedWithRawset) {
  EXPECT_EQ(run_sandboxed("local ok, m = pcall(rawset, engine, 'os', 'evil') "
                          "return ok, m:find('engine is read%-only') ~= nil, engine.os"),
            "false|true|linux");
  EXPECT_EQ(run_sandboxed("local t = setmetatable({}, {__metatable = false}) rawset(t, 'a', 1) "
                          "return t.a, rawset(t, 'b', 2) == t, t.b"),
            "1|true|2");
}

TEST(Print, DropsLinesBeyondTheQuota) {
  TestScript test;
  EXPECT_EQ(test.run_text("for i = 1, 1500 do print(i) end"), "");
  EXPECT_EQ(test.host.lines.size(), 1000u);
  ASSERT_EQ(test.host.warnings.size(), 1u);
  EXPECT_NE(test.host.warnings[0].find("500 more lines were left out"), std::string::npos);
  EXPECT_EQ(test.run_text("print('again')"), "");
  EXPECT_EQ(test.host.lines.back(), "again");
}

TEST(Print, DropsBytesBeyondTheQuota) {
  TestScript test;
  EXPECT_EQ(test.run_text("for i = 1, 100 do print(('x'):rep(50000)) end"), "");
  EXPECT_EQ(test.host.lines.size(), 20u);
}

TEST(Log, WritesDroppedLinesToTheFile) {
  TestScript test;
  EXPECT_EQ(test.run_text("for i = 1, 1500 do log(i) end"), "");
  EXPECT_EQ(test.host.lines.size(), 1000u);
  EXPECT_EQ(test.host.kept.size(), 500u);
}

TEST(WrongArguments, NameTheFunctionEvenWhenCalledWithoutAName) {
  for (const char* call : {"json_encode", "json_decode", "copy", "dump", "os.date", "string.rep"}) {
    const std::string code = std::string("return select(2, pcall(") + call +
                             (std::string(call) == "os.date" ? ", {}" : "") + "))";
    EXPECT_NE(run_sandboxed(code).find(call), std::string::npos) << run_sandboxed(code);
  }
}

}  // namespace
}  // namespace heddle::script
