// table.freeze: nothing changes a frozen table, and everything reads it as before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/library/library_testing.hpp"
#include "script/script_for_test.hpp"

namespace heddle::script {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(FrozenTable, RefusesEveryChange) {
  auto lua = TestLua::sandbox();
  for (const char* change :
       {"t[1] = 'changed'", "t[1] = nil", "t.name = 'changed'", "t.name = nil", "t.new = 1",
        "t[4] = 4", "rawset(t, 1, 2)", "rawset(t, 'new', 1)", "table.insert(t, 4)",
        "table.insert(t, 1, 4)", "table.remove(t)", "table.remove(t, 1)", "table.sort(t)",
        "table.move({9}, 1, 1, 1, t)", "table.move(t, 1, 2, 2)", "table.clear(t)",
        "setmetatable(t, {})", "setmetatable(t, nil)", "json_array(t)"})
    EXPECT_EQ(lua.run(std::string("local t = table.freeze({3, 1, 2, name = 'kept'})\n"
                                  "local ok, message = pcall(function() ") +
                      change +
                      " end)\nassert(not ok and "
                      "message:find('attempt to modify a readonly table', 1, true), message)\n"
                      "return #t, t[1], t[2], t[3], t.name, t.new, t[4]"),
              "3|3|1|2|kept|nil|nil")
        << change;
}

TEST(FrozenTable, ReportsTheLineOfTheChange) {
  EXPECT_THAT(run_sandboxed("local t = table.freeze({})\n\nt.x = 1"),
              HasSubstr("test:3: attempt to modify a readonly table"));
}

TEST(FrozenTable, ReadsAsBefore) {
  EXPECT_EQ(run_sandboxed(R"(
    local t = table.freeze({10, 20, 30, name = "n", inner = {1}})
    local seen = {}
    for k, v in pairs(t) do seen[#seen + 1] = tostring(k) end
    for i, v in ipairs(t) do seen[#seen + 1] = v end
    for k in next, t do seen[#seen + 1] = "+" end
    table.sort(seen, function(a, b) return tostring(a) < tostring(b) end)
    assert(#t == 3 and rawlen(t) == 3 and t.name == "n" and rawget(t, "name") == "n" and t.x == nil)
    assert(next(t) == 1 and next({}) == nil and select("#", table.unpack(t)) == 3)
    assert(table.concat(t, ",") == "10,20,30" and table.find(t, 20) == 2)
    assert(table.isfrozen(t) and not table.isfrozen(t.inner) and getmetatable(t) == nil)
    t.inner[1] = 2
    assert(t.inner[1] == 2 and t == t and rawequal(t, t))
    assert(string.gsub("name", "%a+", t) == "n")
    return table.concat(seen, " ")
  )"),
            "+ + + + + 1 10 2 20 3 30 inner name");
}

TEST(FrozenTable, IsWrittenAsBefore) {
  EXPECT_EQ(run_sandboxed("local t = table.freeze({list = table.freeze({1, 2}), name = 'n', "
                          "none = table.freeze(json_array())}) "
                          "return json_encode(t), (dump(t):gsub('%s+', ' '))"),
            R"({"list":[1,2],"name":"n","none":[]}|{ list = { 1, 2, }, name = "n", none = {}, })");
}

TEST(FrozenTable, IsCopiedUnfrozen) {
  EXPECT_EQ(run_sandboxed(R"(
    local inner = table.freeze({1})
    local t = table.freeze({inner = inner, 5})
    local results = {}
    for _, make in ipairs({copy, deep_copy, table.clone}) do
      local twin = make(t)
      assert(not table.isfrozen(twin) and twin ~= t and twin[1] == 5)
      twin[1] = 6
      results[#results + 1] = tostring(twin.inner == inner) .. twin[1]
    end
    assert(t[1] == 5)
    return table.concat(results, " ")
  )"),
            "true6 false6 true6");
}

TEST(FrozenTable, KeepsItsMetatable) {
  EXPECT_EQ(run_sandboxed(R"(
    local Point = {}
    Point.__index = Point
    Point.__add = function(a, b) return a.x + b.x end
    Point.__tostring = function(p) return "point " .. p.x end
    Point.__eq = function(a, b) return a.x == b.x end
    function Point.double(p) return 2 * p.x end
    local p = table.freeze(setmetatable({x = 1}, Point))
    local q = table.freeze(setmetatable({x = 2}, {__index = function(t, k) return k .. t.x end,
                                                  __len = function() return 7 end,
                                                  __call = function(_, a) return a end}))
    assert(getmetatable(p) == Point and p:double() == 2 and p + p == 2 and tostring(p) == "point 1")
    assert(p == setmetatable({x = 1}, Point) and not pcall(rawset, p, "x", 2))
    return q.name, #q, q(5), q.x, p.missing
  )"),
            "name2|7|5|2|nil");
}

TEST(FrozenTable, MayBeAMetatable) {
  EXPECT_EQ(run_sandboxed(R"(
    local Queue = {}
    Queue.__index = Queue
    local early = setmetatable({}, Queue)
    function Queue.new() return setmetatable({items = 0}, Queue) end
    function Queue:push() self.items = self.items + 1 return self end
    table.freeze(Queue)
    early.items = 5
    local made = Queue.new():push():push()
    return made.items, early:push().items, getmetatable(made) == Queue, pcall(rawset, Queue, "x", 1)
  )"),
            "2|6|true|false|attempt to modify a readonly table");
}

TEST(FrozenTable, WaitsInItsIndexFunction) {
  TestScript test;
  test.answer = [](const Want&) { return Answer(Values{ScriptValue{std::string("answer")}}); };
  EXPECT_EQ(test.run_text("local t = table.freeze(setmetatable({}, {__index = function(_, key) "
                          "return store_get(key) end})) assert(t.anything == 'answer')"),
            "");
}

TEST(FrozenTable, CannotBeFrozenTwiceNorWithAProtectedMetatable) {
  EXPECT_THAT(run_sandboxed("table.freeze(table.freeze({}))"), HasSubstr("already frozen"));
  EXPECT_THAT(run_sandboxed("table.freeze(setmetatable({}, {__metatable = 1}))"),
              HasSubstr("table has a protected metatable"));
  EXPECT_THAT(run_sandboxed("table.freeze(5)"), HasSubstr("table expected"));
}

TEST(FrozenTable, IsComparedInDepth) {
  TestScript test({}, true);
  EXPECT_EQ(test.run_text("heddle.assert_eq(table.freeze({1, {2}}), {1, {2}}) "
                          "heddle.assert_eq({1, {2}}, {1, table.freeze({2})}) "
                          "heddle.assert_ne(table.freeze({1}), {1, 2})"),
            "");
  EXPECT_THAT(test.run_text("heddle.assert_eq(table.freeze({a = 1}), {a = 2})"),
              HasSubstr("a: 1 is not 2"));
}

TEST(FrozenTable, MayBeAnErrorObject) {
  TestScript test;
  EXPECT_THAT(test.run_text("error(table.freeze({message = 'out of stock'}))"),
              testing::StartsWith("out of stock"));
}

Item item_named(const std::string& name) {
  Item item;
  item.fields.emplace_back("name", name);
  return item;
}

TEST(FrozenTable, MayBeReturnedAsItems) {
  TestScript test;
  ASSERT_EQ(test.load(R"(
    function after_extract(items)
      items[1].fields.name = "changed"
      table.freeze(items[1].fields)
      table.freeze(items[1])
      items[3] = table.freeze({fields = table.freeze({name = "new"})})
      return table.freeze(items)
    end
    function filter_item(item) table.freeze(item.fields) return table.freeze(item) end)"),
            "");
  const auto result = test.run(test.script->items_hook(ScriptHook::after_extract, *test.context,
                                                       {item_named("a"), item_named("b")}));
  ASSERT_TRUE(result.value) << test.message_of(result);
  ASSERT_EQ(result.value->size(), 3U);
  EXPECT_EQ(*result.value->at(0).find("name"), "changed");
  EXPECT_EQ(*result.value->at(1).find("name"), "b");
  EXPECT_EQ(*result.value->at(2).find("name"), "new");

  const auto filtered = test.run(test.script->filter_items(*test.context, {item_named("a")}));
  ASSERT_TRUE(filtered.value && filtered.value->kept.size() == 1U) << test.message_of(filtered);
  EXPECT_EQ(*filtered.value->kept.at(0).find("name"), "a");
}

TEST(FrozenTable, MayBeReturnedAsRequestResponseAndPayload) {
  TestScript test;
  ASSERT_EQ(test.load(R"(
    function before_fetch(request)
      request.headers = table.freeze({["X-A"] = 10 / 2})
      return table.freeze(request)
    end
    function override_fetch() return table.freeze({status = 201, body = "b"}) end
    function after_fetch(result)
      result.response = table.freeze({status = 200, body = "given"})
      return table.freeze(result)
    end
    function before_webhook(payload) return table.freeze({list = table.freeze({1, 2})}) end)"),
            "");
  FetchRequest request;
  request.url = "https://shop.example/";
  const auto sent = test.run(test.script->before_fetch(*test.context, request));
  ASSERT_TRUE(sent.value) << test.message_of(sent);
  EXPECT_THAT(sent.value->headers, ElementsAre(Header{"X-A", "5"}));

  const auto overridden = test.run(test.script->override_fetch(*test.context, request));
  ASSERT_TRUE(overridden.value) << test.message_of(overridden);
  EXPECT_EQ(std::get<FetchResponse>(*overridden.value).status, 201);

  FetchResult failed;
  failed.request = request;
  failed.error.emplace();
  const auto after = test.run(test.script->after_fetch(*test.context, failed));
  ASSERT_TRUE(after.value && after.value->response) << test.message_of(after);
  EXPECT_EQ(after.value->response->body, "given");

  const auto payload = test.run(test.script->before_webhook(*test.context, ScriptValue{Map{}}));
  ASSERT_TRUE(payload.value) << test.message_of(payload);
  const auto& list = std::get<Map>(payload.value->data).front().second;
  EXPECT_EQ(std::get<List>(list.data).size(), 2U);
}

TEST(FrozenTable, MayBeAnArgumentOfABinding) {
  TestScript test;
  auto call = test.script->load(
      {"hooks.lua",
       "http_request(table.freeze({url = 'http://x/', headers = table.freeze({A = 'b'})}))"});
  ASSERT_EQ(call->resume(), ResumeResult::wants);
  const auto request = std::get<HttpWant>(call->take_want()).request;
  EXPECT_EQ(request.url, "http://x/");
  EXPECT_THAT(request.headers, ElementsAre(Header{"A", "b"}));
}

TEST(FrozenTable, LeavesTheTableUnchangedWithoutMemory) {
  auto lua = TestLua::sandbox(2'000'000);
  EXPECT_EQ(lua.run("local t = {} for i = 1, 60000 do t[i] = i end "
                    "local ok, message = pcall(table.freeze, t) "
                    "if ok then return 'froze' end "
                    "t[1] = 5 return message, #t, t[1], t[60000]"),
            "not enough memory|60000|5|60000");
}

}  // namespace
}  // namespace heddle::script
