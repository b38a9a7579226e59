// StoreContract: what is stored of pages and items, and how it is read.
#include <zstd.h>

#include "store/store_contract_for_test.hpp"

namespace heddle::store::testing {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Snapshot snapshot_of(const std::string& body) {
  std::string compressed(ZSTD_compressBound(body.size()), '\0');
  compressed.resize(
      ZSTD_compress(compressed.data(), compressed.size(), body.data(), body.size(), 1));
  return {.content_hash = hash128(body), .size = body.size(), .compressed = std::move(compressed)};
}

TEST_P(StoreContract, KeepsThePageMemory) {
  const RunId run = begin("r1", {"http://a/1"});
  auto result = page(lease_one(run), {1, 2});
  result.final_url = "http://a/1/";
  result.memory = {.etag = "\"x\"",
                   .last_modified = "Mon",
                   .body_hash = {1, 2},
                   .text_hash = {5, 6},
                   .rules_hash = {3, 4},
                   .item_count = 2,
                   .key_matches = "-fields.b\n+selector",
                   .finding = {ErrorKind::empty_field, "b is empty", ""}};
  ASSERT_TRUE(commit(std::move(result)));

  auto memory = run_async(store_->recall_page({"shop"}, "http://a/1"));
  ASSERT_TRUE(memory) << memory.error().message;
  ASSERT_TRUE(*memory);
  EXPECT_EQ((*memory)->etag, "\"x\"");
  EXPECT_EQ((*memory)->last_modified, "Mon");
  EXPECT_EQ((*memory)->body_hash, (Hash128{1, 2}));
  EXPECT_EQ((*memory)->text_hash, (Hash128{5, 6}));
  EXPECT_EQ((*memory)->rules_hash, (Hash128{3, 4}));
  EXPECT_EQ((*memory)->item_count, 2);
  EXPECT_EQ((*memory)->key_matches, "-fields.b\n+selector");
  EXPECT_EQ((*memory)->finding.kind, ErrorKind::empty_field);
  EXPECT_EQ((*memory)->finding.message, "b is empty");
}

TEST_P(StoreContract, HasTheKeyMatchesOfPagesThatWereReadWithTheNewestRules) {
  int minute = 0;
  const auto store_matches = [&](const std::string& url, Hash128 rules,
                                 std::optional<std::string> matches, std::int64_t items) {
    auto result = page(lease_one(begin("r" + std::to_string(++minute), {url})), {});
    result.fetched_at += std::chrono::minutes(minute);
    result.memory.rules_hash = rules;
    result.memory.item_count = items;
    result.memory.key_matches = std::move(matches);
    ASSERT_TRUE(commit(std::move(result)));
  };
  store_matches("http://a/1", {1, 1}, "-selector", 0);
  EXPECT_THAT(*reader()->key_matches({"shop"}), ElementsAre("-selector"));
  store_matches("http://a/2", {2, 2}, "-fields.b", 1);
  store_matches("http://a/3", {2, 2}, "-fields.b", 1);
  store_matches("http://a/4", {2, 2}, std::nullopt, 0);
  EXPECT_THAT(*reader()->key_matches({"shop"}), ElementsAre("-fields.b"));
  store_matches("http://a/5", {2, 2}, std::nullopt, 3);
  EXPECT_THAT(*reader()->key_matches({"shop"}), ::testing::UnorderedElementsAre("", "-fields.b"));
  EXPECT_THAT(*reader()->key_matches({"market"}), IsEmpty());
}

TEST_P(StoreContract, CountsThePagesOfARunThatAreSuspicious) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2", "http://a/3"});
  const std::vector<ErrorKind> kinds{ErrorKind::empty_field, ErrorKind::no_items, ErrorKind::none};
  for (const ErrorKind kind : kinds) {
    auto result = page(lease_one(run), {});
    if (kind != ErrorKind::none) result.problem = {kind, "what is wrong", "http://a/"};
    ASSERT_TRUE(commit(std::move(result)));
  }
  EXPECT_EQ((*reader()->run(run))->suspicious_pages, 1);
  auto ended = run_async(store_->end_run(run, RunState::completed, (*reader()->run(run))->errors,
                                         WallTime(std::chrono::milliseconds(5))));
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->suspicious_pages, 1);
  ASSERT_THAT(ended->errors, SizeIs(2));
  EXPECT_EQ(ended->errors[0].kind, ErrorKind::no_items) << "what casts doubt comes first";
}

TEST_P(StoreContract, RecallsNoPageThatWasNotStoredForTheJob) {
  store_page(begin("r1", {"http://a/1"}), {1});
  begin("r2", {}, "market");
  auto other_page = run_async(store_->recall_page({"shop"}, "http://a/2"));
  ASSERT_TRUE(other_page);
  EXPECT_FALSE(*other_page);
  auto other_job = run_async(store_->recall_page({"market"}, "http://a/1"));
  ASSERT_TRUE(other_job);
  EXPECT_FALSE(*other_job);
}

TEST_P(StoreContract, OnlyTouchesAnUnchangedPage) {
  auto first = page(lease_one(begin("r1", {"http://a/1"})), {1, 2});
  first.memory.etag = "\"x\"";
  ASSERT_TRUE(commit(std::move(first)));
  const RunId run = begin("r2", {"http://a/1"});
  PageResult same;
  same.lease = lease_one(run);
  same.job = {"shop"};
  same.fetched_at = at(7000);
  same.unchanged = true;
  auto receipt = commit(std::move(same));
  ASSERT_TRUE(receipt) << receipt.error().message;
  EXPECT_EQ(receipt->new_items, 0);

  auto memory = run_async(store_->recall_page({"shop"}, "http://a/1"));
  ASSERT_TRUE(memory && *memory);
  EXPECT_EQ((*memory)->etag, "\"x\"");
  for (const Record& record : records()) {
    EXPECT_EQ(record.last_seen, at(7000));
    EXPECT_EQ(record.state, "present");
  }
  auto ended = end(run);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->pages.done, 1);
  EXPECT_EQ(ended->items.seen, 2);
}

TEST_P(StoreContract, RefusesAnUnchangedPageThatWasNeverStored) {
  PageResult same;
  same.lease = lease_one(begin("r1", {"http://a/1"}));
  same.job = {"shop"};
  same.unchanged = true;
  auto refused = commit(std::move(same));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
}

TEST_P(StoreContract, KnowsExactlyTheKeysThatWereStored) {
  store_page(begin("r1", {"http://a/1"}), {1, 2, 3});
  EXPECT_THAT(known({1, 9, 3, 8}).keys, ElementsAre(true, false, true, false));
  EXPECT_THAT(known({}).keys, IsEmpty());
  reopen();
  EXPECT_THAT(known({1, 9, 3, 8}).keys, ElementsAre(true, false, true, false));
}

TEST_P(StoreContract, DoesNotKnowKeysOfARefusedCommit) {
  const RunId run = begin("r1", {"http://a/1"});
  const Lease old = lease_one(run);
  ASSERT_TRUE(run_async(store_->release_leases(run)));
  ASSERT_FALSE(commit(page(old, {1})));
  EXPECT_THAT(known({1}).keys, ElementsAre(false));
}

TEST_P(StoreContract, KeepsABodyOnceAndKnowsItsContent) {
  const std::string body(5000, 'x');
  const KnownQuery query{.job = {"shop"}, .keys = {}, .content = hash128(body)};
  auto before = run_async(store_->find_known(query));
  ASSERT_TRUE(before);
  EXPECT_FALSE(before->content);

  const RunId run = begin("r1", {"http://a/1", "http://a/2"});
  auto first = page(lease_one(run), {});
  first.snapshot = snapshot_of(body);
  ASSERT_TRUE(commit(std::move(first)));
  auto after = run_async(store_->find_known(query));
  ASSERT_TRUE(after);
  EXPECT_TRUE(after->content);

  auto second = page(lease_one(run), {});
  second.snapshot = Snapshot{.content_hash = hash128(body), .size = body.size(), .compressed = {}};
  ASSERT_TRUE(commit(std::move(second)));
  for (const char* url : {"http://a/1", "http://a/2"}) {
    auto kept = reader()->newest_body({"shop"}, url);
    ASSERT_TRUE(kept) << kept.error().message;
    EXPECT_EQ(*kept, body);
  }
}

TEST_P(StoreContract, RefusesABodyThatIsNeitherSentNorStored) {
  auto result = page(lease_one(begin("r1", {"http://a/1"})), {1});
  result.snapshot = Snapshot{.content_hash = {1, 1}, .size = 5, .compressed = {}};
  auto refused = commit(std::move(result));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
  EXPECT_THAT(records(), IsEmpty());  // all or nothing
  EXPECT_THAT(known({1}).keys, ElementsAre(false));
}

TEST_P(StoreContract, ReturnsTheNewestBodyByOriginalAndFinalUrl) {
  for (const std::string body : {"one", "two"}) {
    auto result = page(lease_one(begin("run-" + body, {"http://a/1"})), {});
    result.final_url = "http://a/final";
    result.snapshot = snapshot_of(body);
    ASSERT_TRUE(commit(std::move(result)));
  }
  EXPECT_EQ(*reader()->newest_body({"shop"}, "http://a/1"), "two");
  EXPECT_EQ(*run_async(store_->newest_body({"shop"}, "http://a/1")), "two");
  EXPECT_EQ(*run_async(store_->newest_body({"shop"}, "http://a/other")), std::nullopt);
  EXPECT_EQ(*reader()->newest_body({"shop"}, "http://a/final"), "two");
  EXPECT_EQ(*reader()->newest_body({"shop"}, "http://a/other"), std::nullopt);
  EXPECT_EQ(*reader()->newest_body({"unknown"}, "http://a/1"), std::nullopt);
}

TEST_P(StoreContract, ReadsRecordsNewestFirstWithAllTheirFields) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2"});
  auto result = page(lease_one(run), {});
  result.final_url = "http://a/1/final";
  result.keys = {key(1)};
  result.new_items = {
      {key(1),
       {.fields = {{"title", "Quote \" slash \\ line\nend \x01 \xC3\xA9 \xFF"}, {"a", "second"}},
        .matches = {"red", "blue"},
        .values_json = R"({"price":{"amount":"1.50","currency":"EUR"}})"}}};
  ASSERT_TRUE(commit(std::move(result)));
  store_page(run, {2}, at(4000));

  const auto all = records();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(*all[0].item.find("title"), "item 2");
  const Record& record = all[1];
  EXPECT_EQ(record.job.text, "shop");
  EXPECT_EQ(record.url, "http://a/1/final");
  EXPECT_EQ(record.first_seen, at(3000));
  EXPECT_EQ(record.last_seen, at(3000));
  EXPECT_EQ(record.state, "present");
  EXPECT_THAT(record.item.fields,
              ElementsAre(Field("title", "Quote \" slash \\ line\nend \x01 \xC3\xA9 \xEF\xBF\xBD"),
                          Field("a", "second")));
  EXPECT_THAT(record.item.matches, ElementsAre("red", "blue"));
  EXPECT_EQ(record.item.values_json, R"({"price":{"amount":"1.50","currency":"EUR"}})");
}

TEST_P(StoreContract, ReadsManyRecordsOnceAndStopsOnRequest) {
  const RunId run = begin("r1", {"http://a/1"});
  std::vector<std::uint64_t> numbers(1700);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i + 1;
  ASSERT_EQ(store_page(run, numbers), 1700);
  const auto all = records();
  ASSERT_THAT(all, SizeIs(1700));
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LT(all[i].id, all[i - 1].id);
  int visited = 0;
  ASSERT_TRUE(
      reader()->for_each_record({"shop"}, {}, [&](const Record&) { return ++visited < 3; }));
  EXPECT_EQ(visited, 3);
}

TEST_P(StoreContract, ReadsOnlyRecordsFirstSeenSinceATime) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2"});
  store_page(run, {1}, at(3000));
  store_page(run, {2}, at(4000));
  EXPECT_THAT(records("shop", at(4000)), SizeIs(1));
  EXPECT_THAT(records("shop", at(3000)), SizeIs(2));
  EXPECT_THAT(records("shop", at(4001)), IsEmpty());
}

TEST_P(StoreContract, ReportsARemovedItemAsLeftWithItsLastSeenTime) {
  store_page(begin("r1", {"http://a/1"}), {1, 2}, at(3000));
  store_page(begin("r2", {"http://a/1"}), {1, 2}, at(4000));
  store_page(begin("r3", {"http://a/1"}), {2}, at(5000));
  const auto all = records();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(*all[0].item.find("title"), "item 2");
  EXPECT_EQ(all[0].state, "present");
  EXPECT_EQ(all[0].last_seen, at(5000));
  EXPECT_EQ(all[1].state, "left");
  EXPECT_EQ(all[1].last_seen, at(4000));
}

TEST_P(StoreContract, KeepsAnItemPresentWhileAnyPageListsIt) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2"});
  store_page(run, {1}, at(3000));
  store_page(run, {1}, at(3500));
  store_page(begin("r2", {"http://a/1"}), {}, at(5000));
  const auto all = records();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].state, "present");
  EXPECT_EQ(all[0].last_seen, at(3500));
  EXPECT_EQ(all[0].url, "http://a/1");
}

TEST_P(StoreContract, KeepsAnItemPresentThatMovedToAnotherPageAndBack) {
  store_page(begin("r1", {"http://a/1"}), {1}, at(3000));
  store_page(begin("r2", {"http://a/2"}), {1}, at(4000));
  EXPECT_EQ(records()[0].last_seen, at(4000)) << "both pages list it";
  store_page(begin("r3", {"http://a/1"}), {}, at(5000));
  EXPECT_EQ(records()[0].state, "present");
  EXPECT_EQ(records()[0].last_seen, at(4000));
  store_page(begin("r4", {"http://a/2"}), {}, at(6000));
  EXPECT_EQ(records()[0].state, "left");
  EXPECT_EQ(records()[0].last_seen, at(4000));
  store_page(begin("r5", {"http://a/1"}), {1}, at(7000));
  EXPECT_EQ(records()[0].state, "present");
  EXPECT_EQ(records()[0].last_seen, at(7000));
  store_page(begin("r6", {"http://a/1"}), {}, at(8000));
  EXPECT_EQ(records()[0].state, "left");
  EXPECT_EQ(records()[0].last_seen, at(7000));
}

TEST_P(StoreContract, ReportsAReturningItemAsPresent) {
  store_page(begin("r1", {"http://a/1"}), {1}, at(3000));
  store_page(begin("r2", {"http://a/1"}), {}, at(4000));
  ASSERT_EQ(records()[0].state, "left");
  store_page(begin("r3", {"http://a/1"}), {1}, at(5000));
  EXPECT_EQ(records()[0].state, "present");
  EXPECT_EQ(records()[0].last_seen, at(5000));
  EXPECT_EQ(records()[0].first_seen, at(3000));
}

TEST_P(StoreContract, KeepsTheNamesOfJobs) {
  ASSERT_TRUE(run_async(store_->put_job_name({{"shop"}, "Shop", "web", "r1"})));
  ASSERT_TRUE(run_async(store_->put_job_name({{"shop"}, "My shop", "web", "r2"})));
  auto jobs = reader()->jobs();
  ASSERT_TRUE(jobs);
  ASSERT_THAT(*jobs, SizeIs(1));
  EXPECT_EQ((*jobs)[0].id.text, "shop");
  EXPECT_EQ((*jobs)[0].name, "My shop");
  EXPECT_EQ((*jobs)[0].kind, "web");
  EXPECT_EQ((*jobs)[0].revision, "r2");
}

TEST_P(StoreContract, ReadsTheRunsOfAJobNewestFirst) {
  for (const std::string run : {"r1", "r2", "r3"}) begin(run, {});
  begin("x", {}, "market");
  auto runs = reader()->runs({"shop"}, 2);
  ASSERT_TRUE(runs);
  ASSERT_THAT(*runs, SizeIs(2));
  EXPECT_EQ((*runs)[0].id.text, "r3");
  EXPECT_EQ((*runs)[1].id.text, "r2");
  EXPECT_EQ(reader()->run({"unknown"})->has_value(), false);
}

TEST_P(StoreContract, KeepsTheTraceOfTheLastAttempt) {
  const RunId run = begin("r1", {"http://a/1", "http://a/2"});
  TaskRetry retry{.lease = lease_one(run),
                  .error = {ErrorKind::dns, "no such host", ""},
                  .due_at = at(1),
                  .trace = {}};
  retry.trace[Stage::fetch] = {StageStatus::error, std::chrono::microseconds(1500), "no such host"};
  ASSERT_TRUE(run_async(store_->postpone(retry)));
  auto traces = traces_of(*reader(), run);
  ASSERT_TRUE(traces);
  ASSERT_THAT(*traces, SizeIs(2));
  EXPECT_EQ((*traces)[0].state, TaskState::retry);
  EXPECT_EQ((*traces)[0].error, "dns: no such host");
  EXPECT_EQ((*traces)[0].trace[Stage::fetch].note, "no such host");
  EXPECT_EQ((*traces)[1].state, TaskState::pending);
  EXPECT_EQ((*traces)[1].trace[Stage::fetch].status, StageStatus::inactive);

  auto result = page(lease_one(run), {});
  result.trace[Stage::extract] = {StageStatus::success, std::chrono::microseconds(7), ""};
  ASSERT_TRUE(commit(std::move(result)));
  traces = traces_of(*reader(), run);
  ASSERT_TRUE(traces);
  EXPECT_EQ((*traces)[0].state, TaskState::done);
  EXPECT_EQ((*traces)[0].error, "");
  EXPECT_EQ((*traces)[0].trace[Stage::fetch].status, StageStatus::inactive);
  EXPECT_EQ((*traces)[0].trace[Stage::extract].duration.count(), 7);
}

}  // namespace

}  // namespace heddle::store::testing
