#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

using testing::HasSubstr;

TEST(JsonPathBinding, SelectsInAValue) {
  EXPECT_EQ(run_sandboxed("local shop = {items = {{name = 'Tea', price = 3}, {name = 'Pot'}}}\n"
                          "local names = json_path(shop, '$.items[*].name')\n"
                          "return #names, names[1], names[2], "
                          "json_path(shop, '$.items[?@.price].price')[1]"),
            "2|Tea|Pot|3");
}

TEST(JsonPathBinding, ReadsATextAsJson) {
  EXPECT_EQ(run_sandboxed("return tostring(json_path('{\"a\":[1,2.5,null]}', '$.a[*]')[2]), "
                          "json_path('[null]', '$[0]')[1] == json_null"),
            "2.5|true");
}

TEST(JsonPathBinding, ReturnsAListAlsoWhenNothingMatches) {
  EXPECT_EQ(run_sandboxed("return json_encode(json_path({}, '$.nothing'))"), "[]");
}

TEST(JsonPathBinding, ReturnsCopies) {
  EXPECT_EQ(run_sandboxed("local value = {a = {b = 1}}\n"
                          "json_path(value, '$.a')[1].b = 2 return value.a.b"),
            "1");
}

TEST(JsonPathBinding, RejectsWhatItCannotRead) {
  EXPECT_THAT(run_sandboxed("json_path({}, '$[')"), HasSubstr("JSONPath: position"));
  EXPECT_THAT(run_sandboxed("json_path('{', '$')"), HasSubstr("json_path: JSON: line 1"));
  EXPECT_THAT(run_sandboxed("json_path({print}, '$')"), HasSubstr("function"));
  EXPECT_THAT(run_sandboxed("json_path({}, ('.a'):rep(6000))"), HasSubstr("longer than"));
  EXPECT_THAT(run_sandboxed("json_path({})"), HasSubstr("string expected"));
}

TEST(JsonPathBinding, LimitsWhatItReturns) {
  EXPECT_THAT(run_sandboxed("local text = ('x'):rep(1000000)\n"
                            "json_path({text}, '$' .. '[0,0,0,0,0,0,0,0,0,0,0]')"),
              HasSubstr("larger than 10 MB"));
}

}  // namespace
}  // namespace heddle::script
