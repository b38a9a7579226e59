#include <cmath>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"

namespace heddle::script {
namespace {

using testing::HasSubstr;

ScriptValue text(std::string bytes) {
  return ScriptValue{std::move(bytes)};
}

// Decodes and encodes again.
class JsonLibrary : public testing::Test {
 protected:
  std::string normalise(const std::string& json) {
    return lua_.call(
        "(function(s) local v, message = json_decode(s)\n"
        "if message then return nil, message end return json_encode(v) end)",
        {text(json)});
  }
  std::string decode_error(const std::string& json) {
    return lua_.call("(function(s) return select(2, json_decode(s)) end)", {text(json)});
  }

  TestLua lua_ = TestLua::sandbox();
};

TEST_F(JsonLibrary, RoundTripsValues) {
  for (const char* json : {"null",
                           "true",
                           "false",
                           "0",
                           "-1",
                           "9223372036854775807",
                           "-9223372036854775808",
                           "1.5",
                           "-0",
                           "1e+300",
                           "\"\"",
                           "\"a\"",
                           "[]",
                           "{}",
                           "[[],{}]",
                           "[1,2,3]",
                           "{\"a\":{\"b\":[null]}}",
                           "{\"\":1}",
                           "[false,null,true]",
                           "\"\\\"\\\\\\n\\r\\t\\u0001\"",
                           "\"ü€😀\"",
                           "[null,null]"})
    EXPECT_EQ(normalise(json), json);
}

TEST_F(JsonLibrary, ReadsEveryNotation) {
  EXPECT_EQ(normalise(" [ 1 ,\t2\r\n] "), "[1,2]");
  EXPECT_EQ(normalise("\"\\u00e4\\ud83d\\ude00\\/\\b\\f\""), "\"ä😀/\\u0008\\u000c\"");
  EXPECT_EQ(normalise("\"\\u0000\""), "\"\\u0000\"");
  EXPECT_EQ(normalise("1E2"), "100");
  EXPECT_EQ(normalise("1.0"), "1");
  EXPECT_EQ(normalise("1e-400"), "0");
  EXPECT_EQ(normalise("{\"b\":1,\"a\":2,\"b\":3}"), "{\"a\":2,\"b\":3}");
  EXPECT_EQ(normalise("\xEF\xBB\xBF{}"), "{}");
}

TEST_F(JsonLibrary, KeepsIntegersAsIntegersAndMakesFloatsOfLargerOnes) {
  EXPECT_EQ(lua_.run("local v = json_decode('[1, 1.0, 1e0, 9223372036854775807, "
                     "9223372036854775808, -0]')\n"
                     "local t = {} for i, n in ipairs(v) do t[i] = math.type(n) end\n"
                     "return table.concat(t, ' '), v[4] == math.maxinteger, 1 / v[6]"),
            "integer float float integer float float|true|-inf");
}

TEST_F(JsonLibrary, ReportsErrorsWithPosition) {
  EXPECT_EQ(decode_error(""), "the text ends where a value should stand at 1:1");
  EXPECT_EQ(decode_error("{\"a\":1,\n \"ü\" 2}"), "expected ':' at 2:6");
  EXPECT_EQ(decode_error("[1 2]"), "expected ',' or ']' at 1:4");
  EXPECT_EQ(decode_error("[1,]"), "expected a value at 1:4");
  EXPECT_EQ(decode_error("{,}"), "expected a name in quotes at 1:2");
  EXPECT_EQ(decode_error("{\"a\":1"), "the text ends where ',' or '}' should stand at 1:7");
  EXPECT_EQ(decode_error("01"), "a number that starts with 0 at 1:3");
  EXPECT_EQ(decode_error("1."), "digits must follow the decimal point at 1:3");
  EXPECT_EQ(decode_error("1e+"), "digits must follow the exponent at 1:4");
  EXPECT_EQ(decode_error("-"), "expected a value at 1:1");
  EXPECT_EQ(decode_error("nul"), "expected a value at 1:1");
  EXPECT_EQ(decode_error("1e999"), "a number too large to be represented at 1:6");
  EXPECT_EQ(decode_error("true false"), "unexpected text after the value at 1:6");
  EXPECT_EQ(decode_error("\"\\x\""), "an unknown escape at 1:2");
  EXPECT_EQ(decode_error("\"\\u12\""), "\\u needs four hexadecimal digits at 1:2");
  EXPECT_EQ(decode_error("\"\\ud800\""), "half of a surrogate pair at 1:2");
  EXPECT_EQ(decode_error("\"\\udc00\\ud800\""), "half of a surrogate pair at 1:2");
  EXPECT_EQ(decode_error("\"a\nb\""), "a control character inside a string at 1:3");
  EXPECT_EQ(decode_error("\"a\xff\""), "bytes that are not UTF-8 at 1:3");
  EXPECT_EQ(decode_error("\"abc"), "the text ends inside a string at 1:5");
  EXPECT_EQ(decode_error(std::string("\0", 1)), "expected a value at 1:1");
  EXPECT_EQ(decode_error("\"\\"), "an unknown escape at 1:2");
}

TEST_F(JsonLibrary, ReadsManyElements) {
  EXPECT_EQ(lua_.run("local parts = {} for i = 1, 1000 do parts[i] = i end\n"
                     "local list = json_decode('[' .. table.concat(parts, ',') .. ']')\n"
                     "for i = 1, 1000 do assert(list[i] == i)\n"
                     "parts[i] = '\"k' .. i .. '\":' .. i end\n"
                     "local map = json_decode('{' .. table.concat(parts, ',') .. '}')\n"
                     "for i = 1, 1000 do assert(map['k' .. i] == i) end return #list"),
            "1000");
}

TEST_F(JsonLibrary, LimitsNesting) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_EQ(normalise(nested(200)), nested(200));
  EXPECT_EQ(decode_error(nested(201)), "more than 200 levels of nesting at 1:201");
  EXPECT_THAT(decode_error(std::string(100'000, '[')), HasSubstr("more than 200 levels"));
  EXPECT_THAT(lua_.run("local t = {} for i = 1, 300 do t = {t} end return json_encode(t)"),
              HasSubstr("more than 200 levels of nesting at $[1][1]"));
}

TEST_F(JsonLibrary, ReadsAndWritesNoMoreThanTenMegabytes) {
  EXPECT_EQ(lua_.run("return json_decode('\"' .. ('x'):rep(10 * 1024 * 1024) .. '\"')"),
            "nil|the JSON text is larger than 10 MB");
  EXPECT_EQ(lua_.run("return #json_decode('\"' .. ('x'):rep(10 * 1024 * 1024 - 2) .. '\"')"),
            "10485758");
  EXPECT_EQ(lua_.run("return json_encode(('x'):rep(10 * 1024 * 1024))"),
            "error: test:1: the JSON text is larger than 10 MB");
  EXPECT_EQ(lua_.run("local t = {} for i = 1, 40 do t = {t, t} end return json_encode(t)"),
            "error: test:1: the JSON text is larger than 10 MB");
}

TEST_F(JsonLibrary, KeepsListMarks) {
  EXPECT_EQ(lua_.run("local v = json_decode('{\"a\":[],\"b\":{},\"c\":[1]}')\n"
                     "table.remove(v.c) return json_encode(v)"),
            "{\"a\":[],\"b\":{},\"c\":[]}");
  EXPECT_EQ(lua_.run("return json_encode({}), json_encode(json_array()), "
                     "json_encode(json_array({})), json_encode(json_array({1}))"),
            "{}|[]|[]|[1]");
  EXPECT_EQ(lua_.run("local t = json_array() t[1] = 'x' return #t, getmetatable(t)"), "1|false");
  EXPECT_EQ(lua_.run("return pcall(json_array, setmetatable({}, {}))"),
            "false|a table with a metatable cannot be marked as a list");
}

TEST_F(JsonLibrary, DistinguishesNullFromNil) {
  EXPECT_EQ(lua_.run("local v = json_decode('[null]') return v[1] == json_null, tostring(v[1]), "
                     "v[1] ~= nil, getmetatable(json_null), #v"),
            "true|null|true|false|1");
}

TEST_F(JsonLibrary, SortsNames) {
  EXPECT_EQ(lua_.run("local t = {} for _, n in ipairs{'d', 'a', 'c', 'aa', 'b'} do t[n] = 1 end "
                     "return json_encode(t)"),
            "{\"a\":1,\"aa\":1,\"b\":1,\"c\":1,\"d\":1}");
}

TEST_F(JsonLibrary, WritesNumbersThatReadBackTheSame) {
  EXPECT_EQ(lua_.run("return json_encode({0.1, 5.0, -0.0, 1e100, 2^53, 1/3, math.mininteger})"),
            "[0.1,5,-0,1e+100,9007199254740992,0.3333333333333333,-9223372036854775808]");
}

TEST_F(JsonLibrary, RejectsUnrepresentableValuesWithTheirPath) {
  const auto refused = [this](const std::string& value) {
    return lua_.run("return json_encode(" + value + ")");
  };
  EXPECT_EQ(refused("{a = {1, {b = print}}}"),
            "error: test:1: a function at $.a[2].b cannot be written as JSON");
  EXPECT_THAT(refused("{0/0}"), HasSubstr("NaN at $[1] "));
  EXPECT_THAT(refused("{x = 1/0}"), HasSubstr("an infinite number at $.x "));
  EXPECT_THAT(refused("{1, nil, 3}"), HasSubstr("a list with holes at $ "));
  EXPECT_THAT(refused("{[5] = 1}"), HasSubstr("a list with holes at $ "));
  EXPECT_THAT(refused("{1, a = 2}"), HasSubstr("a table with both positions and names"));
  EXPECT_THAT(refused("{[1.5] = 2}"), HasSubstr("holes"));
  EXPECT_THAT(refused("{[true] = 2}"), HasSubstr("a key that is a boolean"));
  EXPECT_THAT(refused("{items = {{title = '\\xff'}}}"),
              HasSubstr("a text that is not UTF-8 at $.items[1].title "));
  EXPECT_THAT(refused("{['\\xff'] = 1}"), HasSubstr("a name that is not UTF-8 at $.\xEF\xBF\xBD "));
  EXPECT_THAT(refused("coroutine and html"), HasSubstr("a function at $.parse"));
  EXPECT_THAT(lua_.run("local t = {} t.self = t return json_encode(t)"),
              HasSubstr("a table that contains itself at $.self "));
  EXPECT_THAT(lua_.run("return json_encode()"), HasSubstr("value expected"));
}

TEST_F(JsonLibrary, WritesASharedTableTwice) {
  EXPECT_EQ(lua_.run("local t = {1} return json_encode({t, t})"), "[[1],[1]]");
}

TEST_F(JsonLibrary, RunsNoMetamethods) {
  EXPECT_EQ(lua_.run("local hits = 0 local f = function() hits = hits + 1 return 1 end\n"
                     "local t = setmetatable({a = 1}, {__index = f, __pairs = f, __len = f})\n"
                     "return json_encode(t), hits"),
            "{\"a\":1}|0");
}

// Generates random documents in many styles.
class JsonGenerator {
 public:
  explicit JsonGenerator(unsigned seed) : random_(seed) {}

  std::string value(int level) {
    switch (below(level > 4 ? 5 : 7)) {
      case 0:
        return std::vector<std::string>{"null", "true",
                                        "false"}[static_cast<std::size_t>(below(3))];
      case 1:
        return std::to_string(static_cast<std::int64_t>(random_()) >> below(64));
      case 2:
        return number();
      case 3:
      case 4:
        return string();
      case 5:
        return list('[', ']', [&] { return value(level + 1); });
      default:
        return list('{', '}', [&] { return string() + space() + ":" + value(level + 1); });
    }
  }

 private:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }
  std::string space() { return below(4) == 0 ? " \n" : ""; }

  std::string number() {
    std::string digits = (below(2) == 0 ? "-" : "") + std::to_string(below(1000));
    if (below(2) == 0) digits += "." + std::to_string(below(100000));
    if (below(2) == 0) digits += (below(2) == 0 ? "e-" : "E+") + std::to_string(below(200));
    return digits;
  }

  std::string string() {
    static const std::vector<std::string> kPieces{"a", "\\n",  "ü",    "\\u00fc", "\\ud83d\\ude00",
                                                  "😀", "\\\"", "\\\\", "/",       "\\u0000"};
    std::string body;
    for (int i = below(8); i > 0; --i)
      body += kPieces[static_cast<std::size_t>(below(static_cast<int>(kPieces.size())))];
    return "\"" + body + "\"";
  }

  template <class Element>
  std::string list(char open, char close, const Element& element) {
    std::string body(1, open);
    const int count = below(40) == 0 ? 100 : below(5);
    for (int i = 0; i < count; ++i) body += (i > 0 ? "," : "") + space() + element() + space();
    return body + close;
  }

  std::mt19937_64 random_;
};

TEST_F(JsonLibrary, IsStableAfterOneRoundTrip) {
  JsonGenerator random(3);
  for (int i = 0; i < 5'000 && !HasFailure(); ++i) {
    const std::string json = random.value(0);
    const std::string once = normalise(json);
    EXPECT_THAT(once, Not(testing::StartsWith("nil|"))) << json;
    EXPECT_EQ(normalise(once), once) << json;
  }
}

}  // namespace
}  // namespace heddle::script
