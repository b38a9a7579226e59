// Tests the arguments and results of hooks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "script/script_for_test.hpp"

namespace heddle::script {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Item item(std::vector<Field> fields) {
  Item made;
  made.fields = std::move(fields);
  return made;
}

JobScript::Items two_items() {
  JobScript::Items items{item({{"title", "Bike"}, {"price", "12"}, {"city", "Bern"}}),
                         item({{"title", "Car"}, {"price", "900"}, {"city", "Chur"}})};
  items[0].matches = {"bike"};
  items[0].values_json = "{\"price\":12}";
  return items;
}

FetchResult page(int status, const std::string& body) {
  FetchResult result;
  result.request.url = "http://shop/";
  FetchResponse response;
  response.status = status;
  response.url = "http://shop/final";
  response.headers = {{"content-type", "text/html"}};
  response.body = body;
  response.wire_bytes = 5;
  result.response = response;
  if (status >= 300) {
    FetchError error;
    error.kind = FetchErrorKind::http;
    error.message = "HTTP " + std::to_string(status);
    result.error = error;
  }
  return result;
}

class HookValues : public testing::Test {
 protected:
  HookResult<JobScript::Items> after_extract(const std::string& body) {
    EXPECT_EQ(test.load("function after_extract(items, ctx) " + body + " end"), "");
    return test.run(test.script->items_hook(ScriptHook::after_extract, *test.context, two_items()));
  }
  // The kept items; those that were held back are in held_back.
  HookResult<JobScript::Items> filter(const std::string& body) {
    EXPECT_EQ(test.load("function filter_item(item, ctx) " + body + " end"), "");
    auto result = test.run(test.script->filter_items(*test.context, two_items()));
    HookResult<JobScript::Items> kept;
    kept.error = std::move(result.error);
    kept.partial_failure = std::move(result.partial_failure);
    if (!result.value) return kept;
    kept.value = std::move(result.value->kept);
    held_back = std::move(result.value->held_back);
    return kept;
  }
  HookResult<AfterFetchResult> after_fetch(const std::string& body, const FetchResult& result) {
    EXPECT_EQ(test.load("function after_fetch(result, ctx) " + body + " end"), "");
    return test.run(test.script->after_fetch(*test.context, result));
  }
  HookResult<OverrideFetchResult> override_fetch(const std::string& body) {
    EXPECT_EQ(test.load("function override_fetch(request, ctx) " + body + " end"), "");
    FetchRequest request;
    request.url = "http://shop/";
    return test.run(test.script->override_fetch(*test.context, request));
  }
  HookResult<JobScript::Items> override_extract(const std::string& body) {
    EXPECT_EQ(test.load("function override_extract(response, ctx) " + body + " end"), "");
    return test.run(test.script->override_extract(*test.context, *page(200, "x").response));
  }

  TestScript test;
  JobScript::Items held_back;
};

TEST_F(HookValues, KeepUnchangedItems) {
  const auto result = after_extract("return items");

  ASSERT_TRUE(result.value) << test.message_of(result);
  ASSERT_EQ(result.value->size(), 2U);
  EXPECT_EQ(result.value->at(0).fields, two_items()[0].fields);
  EXPECT_EQ(result.value->at(0).matches, two_items()[0].matches);
  EXPECT_EQ(result.value->at(0).values_json, "{\"price\":12}");
}

TEST_F(HookValues, KeepTheOrderOfFieldsAndAddNewOnesByName) {
  const auto result = after_extract(R"(
    items[1].fields.zip = 3000
    items[1].fields.area = true
    items[1].fields.price = nil
    items[1].fields.city = "Biel"
    return {items[2], items[1]})");

  ASSERT_TRUE(result.value) << test.message_of(result);
  EXPECT_EQ(result.value->at(0).fields, two_items()[1].fields);
  EXPECT_THAT(result.value->at(1).fields, ElementsAre(Field{"title", "Bike"}, Field{"city", "Biel"},
                                                      Field{"area", "true"}, Field{"zip", "3000"}));
  EXPECT_EQ(result.value->at(1).values_json, "");
}

TEST_F(HookValues, OrderFieldsOfNewItemsLikeThoseOfOldOnes) {
  const auto result = after_extract(
      "return {{fields = {price = 1.5, extra = 2.0, title = 'New'}}, "
      "{fields = {city = 'Bern', title = 'T'}}}");

  ASSERT_TRUE(result.value) << test.message_of(result);
  EXPECT_THAT(result.value->at(0).fields,
              ElementsAre(Field{"title", "New"}, Field{"price", "1.5"}, Field{"extra", "2"}));
  EXPECT_THAT(result.value->at(1).fields, ElementsAre(Field{"title", "T"}, Field{"city", "Bern"}));
}

TEST_F(HookValues, RejectFieldsThatAreNotText) {
  EXPECT_EQ(
      test.message_of(after_extract("items[2].fields.price = {} return items")),
      "after_extract: item 2: field \"price\" must be a string, number or boolean (got table)");
  EXPECT_EQ(test.message_of(after_extract("items[1].fields[1] = 'x' return items")),
            "after_extract: item 1: names of fields must be strings (got a number)");
  EXPECT_EQ(test.message_of(after_extract("return 'items'")),
            "after_extract must return a list of items (got string)");
  EXPECT_EQ(test.message_of(after_extract("return {title = 'x'}")),
            "after_extract must return a list of items (got a table with names)");
  EXPECT_EQ(test.message_of(after_extract("return {items[1], 5}")),
            "after_extract: item 2 must be an item table (got number)");
}

TEST_F(HookValues, AcceptAnEmptyListAsNoItems) {
  const auto result = after_extract("return {}");
  ASSERT_TRUE(result.value);
  EXPECT_THAT(*result.value, IsEmpty());
  EXPECT_FALSE(after_extract("return nil").value);
  EXPECT_FALSE(after_extract("return false").value);
}

TEST_F(HookValues, FilterItemsOneByOne) {
  const auto result = filter("if item.fields.title == 'Car' then return nil end return item");
  ASSERT_TRUE(result.value);
  ASSERT_EQ(result.value->size(), 1U);
  EXPECT_EQ(result.value->at(0).fields, two_items()[0].fields);
  EXPECT_THAT(*filter("return false").value, IsEmpty());
}

TEST_F(HookValues, KeepAnItemUnchangedWhenTheFilterReturnsTrue) {
  const auto result = filter("item.fields.title = 'changed' return true");
  ASSERT_TRUE(result.value);
  EXPECT_EQ(result.value->at(0).fields, two_items()[0].fields);
}

TEST_F(HookValues, ChangeItemsWhileFiltering) {
  const auto result = filter("item.fields.price = tonumber(item.fields.price) * 2 return item");
  ASSERT_TRUE(result.value);
  EXPECT_THAT(result.value->at(1).fields,
              ElementsAre(Field{"title", "Car"}, Field{"price", "1800"}, Field{"city", "Chur"}));
}

TEST_F(HookValues, HoldBackItemsWhoseFilterFailed) {
  const auto result = filter("if item.fields.title == 'Bike' then error('oops') end return nil");

  ASSERT_TRUE(result.value);
  EXPECT_THAT(*result.value, IsEmpty());
  ASSERT_EQ(held_back.size(), 1U);
  EXPECT_EQ(*held_back.at(0).find("title"), "Bike");
  EXPECT_THAT(test.host.warnings, ElementsAre(HasSubstr("filter_item: item 1: hooks.lua:1: oops")));
  EXPECT_EQ(filter("return 12").value->size(), 2U);
  EXPECT_THAT(test.host.warnings.back(), HasSubstr("(got number)"));
}

TEST_F(HookValues, RunDefersPerFilteredItemAndWait) {
  test.answer = [](const Want&) { return Answer(script::Values{ScriptValue{std::string("yes")}}); };
  const auto result = filter(R"(
    defer(function() print("after " .. item.fields.title) end)
    print("wait " .. item.fields.title)
    return store_get("x") == "yes" and item)");

  ASSERT_TRUE(result.value);
  EXPECT_EQ(result.value->size(), 2U);
  EXPECT_THAT(test.host.lines, ElementsAre("wait Bike", "after Bike", "wait Car", "after Car"));
}

TEST(FilterCall, GivesEachItemItsOwnBudgetAndEndsWhenOneExceedsIt) {
  ScriptLimits limits;
  limits.cpu = 500ms;  // less than two items take together
  TestScript test(limits);
  test.load(
      "local function spin(s) local t = os.clock() while os.clock() - t < s do end end "
      "function filter_item(item) defer(function() print(item.fields.title) end) "
      "spin(item.fields.title == 'last' and 10 or 0.26) return item end");
  const JobScript::Items items{item({{"title", "a"}}), item({{"title", "b"}}),
                               item({{"title", "last"}}), item({{"title", "never"}})};

  const auto result = test.run(test.script->filter_items(*test.context, items));

  EXPECT_TRUE(result.exceeded_budget);
  EXPECT_THAT(test.message_of(result), HasSubstr("cpu_limit"));
  EXPECT_FALSE(result.value);
  EXPECT_THAT(test.host.lines, ElementsAre("a", "b", "last"));
  EXPECT_GE(test.slices, 5);
}

TEST_F(HookValues, ApplyOnlyTheBodyOfASuccessfulFetch) {
  const auto result = after_fetch(
      "assert(result.ok and result.error == nil and result.request.url == 'http://shop/') "
      "result.response.body = result.response.body .. '!' result.response.status = 500 return "
      "result",
      page(200, "page"));

  ASSERT_TRUE(result.value && result.value->response) << test.message_of(result);
  EXPECT_EQ(result.value->response->body, "page!");
  EXPECT_EQ(result.value->response->status, 200);
  EXPECT_EQ(result.value->response->url, "http://shop/final");
  EXPECT_EQ(result.value->response->wire_bytes, 5U);
}

TEST_F(HookValues, KeepAFailureUnlessAPageIsProvided) {
  EXPECT_FALSE(after_fetch("return result", page(404, "gone")).value->response);
  const auto supplied = after_fetch(
      "assert(not result.ok and result.error.kind == 'http' and result.response.status == 404) "
      "result.response = {status = 200, body = 'cached', headers = {['X-From'] = 'cache'}} "
      "return result",
      page(404, "gone"));
  ASSERT_TRUE(supplied.value->response);
  EXPECT_EQ(supplied.value->response->body, "cached");
  EXPECT_EQ(supplied.value->response->url, "http://shop/final");
  EXPECT_THAT(supplied.value->response->headers, ElementsAre(Header{"x-from", "cache"}));
}

TEST_F(HookValues, AcceptResponsesCreatedByScripts) {
  const auto result = override_fetch("return {status = 200, body = 'made', headers = {A = 1}}");
  ASSERT_TRUE(result.value) << test.message_of(result);
  const auto& response = std::get<FetchResponse>(*result.value);
  EXPECT_EQ(response.body, "made");
  EXPECT_EQ(response.url, "http://shop/");
  EXPECT_THAT(response.headers, ElementsAre(Header{"a", "1"}));

  const auto failed = override_fetch("return {error = 'no browser'}");
  EXPECT_EQ(std::get<FetchError>(*failed.value).message, "no browser");
  EXPECT_FALSE(override_fetch("return nil").value);
  EXPECT_EQ(test.message_of(override_fetch("return 'x'")),
            "override_fetch must return a response table (got string)");
  EXPECT_EQ(test.message_of(override_fetch("return {body = 'x'}")),
            "override_fetch: response.status is missing");
}

TEST_F(HookValues, AcceptItemsExtractedByScripts) {
  const auto result =
      override_extract("assert(response.body == 'x') return {{fields = {b = 1, a = 2}}}");
  ASSERT_TRUE(result.value) << test.message_of(result);
  EXPECT_THAT(result.value->at(0).fields, ElementsAre(Field{"a", "2"}, Field{"b", "1"}));
  EXPECT_THAT(*override_extract("return {}").value, IsEmpty());
}

TEST_F(HookValues, TakeAnItemOfAScriptWithoutFieldsAsItsFields) {
  const auto result = override_extract(
      "return {{title = 'flat', price = 3, matches = {'made up'}, values = {}}, {}}");
  ASSERT_TRUE(result.value) << test.message_of(result);
  EXPECT_THAT(result.value->at(0).fields, ElementsAre(Field{"price", "3"}, Field{"title", "flat"}));
  EXPECT_THAT(result.value->at(0).matches, IsEmpty());
  EXPECT_THAT(result.value->at(1).fields, IsEmpty());
}

TEST_F(HookValues, LeaveAnItemOfTheEngineUnchangedWhenItsFieldsAreGone) {
  Item item;
  item.fields = {{"title", "Tea"}};
  test.load(
      "function filter_item(item) return {other = 'x'} end\n"
      "function after_extract(items) items[1].fields = nil items[2] = {title = 'new'} return items "
      "end");
  const auto kept = test.run(test.script->filter_items(*test.context, {item}));
  ASSERT_TRUE(kept.value);
  EXPECT_THAT(kept.value->kept.at(0).fields, ElementsAre(Field{"title", "Tea"}));
  EXPECT_THAT(test.host.warnings, IsEmpty());
  const auto changed =
      test.run(test.script->items_hook(ScriptHook::after_extract, *test.context, {item}));
  ASSERT_TRUE(changed.value) << test.message_of(changed);
  EXPECT_THAT(changed.value->at(0).fields, ElementsAre(Field{"title", "Tea"}));
  EXPECT_THAT(changed.value->at(1).fields, ElementsAre(Field{"title", "new"}));
}

TEST_F(HookValues, RejectItemsWhoseFieldsAreNoTable) {
  EXPECT_EQ(test.message_of(override_extract("return {{fields = 'x'}}")),
            "override_extract: item 1: fields must be a table (got string)");
  EXPECT_EQ(test.message_of(override_extract("return {{'x'}}")),
            "override_extract: item 1: names of fields must be strings (got a number)");
  EXPECT_EQ(test.message_of(override_extract("return {{title = 'x', tags = {}}}")),
            "override_extract: item 1: field \"tags\" must be a string, number or boolean (got "
            "table)");
}

TEST_F(HookValues, PassTheWebhookPayloadThrough) {
  test.load(
      "function before_webhook(payload) payload.extra = {1, 2.5, 'x'} payload.gone = nil "
      "payload.item_count = payload.item_count + 1 return payload end");
  const ScriptValue payload{Map{{"gone", ScriptValue{true}},
                                {"item_count", ScriptValue{std::int64_t{2}}},
                                {"items", ScriptValue{List{}}}}};

  const auto result = test.run(test.script->before_webhook(*test.context, payload));

  ASSERT_TRUE(result.value) << test.message_of(result);
  const ScriptValue expected{
      Map{{"extra", ScriptValue{List{ScriptValue{std::int64_t{1}}, ScriptValue{2.5},
                                     ScriptValue{std::string("x")}}}},
          {"item_count", ScriptValue{std::int64_t{3}}},
          {"items", ScriptValue{List{}}}}};
  EXPECT_EQ(*result.value, expected);
}

TEST_F(HookValues, RejectInvalidRequests) {
  const auto run = [&](const std::string& change) {
    test.load("function before_fetch(request) " + change + " return request end");
    FetchRequest request;
    request.url = "http://shop/";
    return test.message_of(test.run(test.script->before_fetch(*test.context, request)));
  };
  EXPECT_EQ(run("request.url = {}"), "before_fetch: request.url must be a string (got table)");
  EXPECT_EQ(run("request.timeout = 'soon'"),
            "before_fetch: request.timeout must be a number (got string)");
  EXPECT_THAT(run("request.timeout = -1"), HasSubstr("request.timeout must be seconds"));
  EXPECT_THAT(run("request.max_body_size = 0/0"), HasSubstr("must be megabytes"));
  EXPECT_EQ(run("request.headers = 'x'"),
            "before_fetch: request.headers must be a table of name -> string (got string)");
  EXPECT_EQ(run("request.url = ''"), "before_fetch: request.url is missing");
  EXPECT_EQ(run("for i = 1, 201 do request.headers['h' .. i] = 'x' end"),
            "before_fetch: request.headers: 201 of them, at most 200 can be sent");
  EXPECT_EQ(run("request.headers = {a = ('x'):rep(70000)}"),
            "before_fetch: request.headers: more than 65536 bytes together");
  EXPECT_EQ(run("request.headers = {a = {}}"),
            "before_fetch: request.headers[\"a\"] must be a string (got table)");
}

TEST_F(HookValues, PassTheErrorToOnError) {
  test.load(
      "function on_error(err, ctx) print(err, ctx.run_id) end "
      "function on_finally(ctx) print('finally', ctx.job.name) end "
      "function on_finished(ctx) print('finished', ctx) end");

  test.run(test.script->on_error(*test.context, "fetch failed"));
  test.run(test.script->on_finally(*test.context));
  test.run(test.script->on_finished());

  EXPECT_THAT(test.host.lines,
              ElementsAre("fetch failed\trun-1", "finally\tShop", "finished\tnil"));
}

}  // namespace
}  // namespace heddle::script
