#include "store/sqlite/secrets/stored_secrets.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/store_contract_for_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {
namespace {

using testing::at;
using testing::run_async;

constexpr const char* kFormerUrl = "https://shop.test/list?n=17&key=s3cret-value7";
constexpr const char* kUrl = "https://shop.test/list?n=${env:N}&key=${env:KEY}";

// A database as earlier versions wrote it.
class StoredSecrets : public ::testing::Test {
 protected:
  StoredSecrets() {
    job_.id = {"shop"};
    job_.name = "Shop";
    job_.urls = {kUrl};
    job_.secrets = {{"${env:KEY}", "s3cret-value7", true}, {"${env:N}", "17", false}};
  }

  [[nodiscard]] Item item() const {
    return {.fields = {{"link", "https://shop.test/tea?key=s3cret-value7"}},
            .matches = {},
            .values_json = {}};
  }

  void store_page(const std::string& url, const JobId& job = {"shop"}) {
    auto store = SqliteStore::open(file_);
    ASSERT_TRUE(store) << store.error().message;
    heddle::Run run;
    run.id = {"run-" + job.text + std::to_string(++runs_)};
    run.job = job;
    run.started_at = at(1000);
    ASSERT_TRUE(run_async((*store)->put_job_name({job, "Shop", "web", "1"})));
    ASSERT_TRUE(run_async((*store)->begin_run(run, {url, url})));
    auto batch = run_async((*store)->lease_tasks(run.id, 2, at(1000)));
    ASSERT_TRUE(batch);
    PageResult page;
    page.lease = batch->leases[0];
    page.job = job;
    page.final_url = url;
    page.fetched_at = at(2000);
    page.http_status = 200;
    page.memory.text_hash = hash128("text");
    page.memory.etag = "\"s3cret-value7\"";
    const Hash128 key = item_key(job, item(), {});
    page.keys = {key};
    page.new_items = {{key, item()}};
    page.snapshot = Snapshot{.content_hash = hash128(url), .size = 1, .compressed = "x"};
    Delivery delivery;
    delivery.id = {"d" + run.id.text};
    delivery.job = job;
    delivery.run = run.id;
    delivery.payload = "{\"url\":\"" + url + "\",\"price\":17}";
    page.deliveries = {delivery};
    page.trace[Stage::fetch].status = StageStatus::success;
    page.trace[Stage::fetch].note = "at " + url;
    ASSERT_TRUE(run_async((*store)->commit(std::move(page))));
    TaskDeath death;
    death.lease = batch->leases[1];
    death.job = job;
    death.error = {ErrorKind::http, url + " answered with status 500", url};
    ASSERT_TRUE(run_async((*store)->dead_letter(std::move(death))));
    ASSERT_TRUE(run_async((*store)->end_run(run.id, RunState::completed, {}, at(3000))));
  }

  std::int64_t replace() {
    const auto changed = replace_stored_secrets(file_, {job_});
    EXPECT_TRUE(changed) << changed.error().message;
    return changed ? *changed : -1;
  }

  // In a file of the database; the WAL is one.
  [[nodiscard]] bool is_stored(std::string_view text) const {
    std::string all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::ifstream in(entry.path(), std::ios::binary);
      all.append(std::istreambuf_iterator<char>(in), {});
    }
    return all.find(text) != std::string::npos;
  }

  std::optional<PageMemory> recall(const std::string& url) {
    auto store = SqliteStore::open(file_);
    EXPECT_TRUE(store);
    auto memory = run_async((*store)->recall_page(job_.id, url));
    return memory ? *memory : std::nullopt;
  }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "heddle.db";
  Job job_;
  int runs_ = 0;
};

TEST_F(StoredSecrets, AreReplacedEverywhere) {
  store_page(kFormerUrl);
  ASSERT_TRUE(is_stored("s3cret-value7"));
  EXPECT_EQ(replace(), 1);
  EXPECT_FALSE(is_stored("s3cret-value7"));
  EXPECT_FALSE(is_stored("n=17&"));
  auto reader = SqliteReader::open(file_);
  ASSERT_TRUE(reader);
  ASSERT_TRUE((*reader)->for_each_record(job_.id, std::nullopt, [](const Record& record) {
    EXPECT_EQ(record.url, kUrl);
    EXPECT_EQ(*record.item.find("link"), "https://shop.test/tea?key=${env:KEY}");
    return true;
  }));
}

TEST_F(StoredSecrets, LeaveThePageAndItsItemsTheSame) {
  store_page(kFormerUrl);
  replace();
  EXPECT_FALSE(recall(kFormerUrl));
  const auto memory = recall(kUrl);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->text_hash, hash128("text"));
  EXPECT_EQ(memory->etag, "");
  Item now = item();
  now.fields[0].second = "https://shop.test/tea?key=${env:KEY}";
  auto store = SqliteStore::open(file_);
  ASSERT_TRUE(store);
  KnownQuery query;
  query.job = job_.id;
  query.keys = {item_key(job_.id, now, {})};
  const auto known = run_async((*store)->find_known(query));
  ASSERT_TRUE(known);
  EXPECT_TRUE(known->keys[0]);
}

TEST_F(StoredSecrets, AreLookedForOnlyOnce) {
  store_page(kFormerUrl);
  EXPECT_EQ(replace(), 1);
  EXPECT_EQ(replace(), 0);
  store_page(kUrl);
  EXPECT_EQ(replace(), 0);
}

TEST_F(StoredSecrets, AreFoundInDeadLettersAlone) {
  store_page("https://shop.test/other");
  {
    auto db = Connection::open(file_, {});
    ASSERT_TRUE(db);
    ASSERT_TRUE(
        (*db)->execute(std::string("UPDATE dead_letters SET payload = '") + kFormerUrl + "'"));
  }
  EXPECT_EQ(replace(), 1);
}

TEST_F(StoredSecrets, OfOneJobLeaveAnotherWithTheSamePageAlone) {
  store_page(kFormerUrl);
  store_page(kFormerUrl, {"other"});
  EXPECT_EQ(replace(), 1);
  EXPECT_TRUE(recall(kUrl));
  job_.id = {"other"};
  EXPECT_TRUE(recall(kFormerUrl));
}

TEST_F(StoredSecrets, MergeAPageThatIsStoredUnderBothUrls) {
  store_page(kFormerUrl);
  store_page(kUrl);
  EXPECT_EQ(replace(), 1);
  EXPECT_TRUE(recall(kUrl));
  auto db = Connection::open(file_, {.read_only = true});
  ASSERT_TRUE(db);
  EXPECT_EQ(*(*db)->query_integer("SELECT count(*) FROM pages"), 1);
  EXPECT_EQ(*(*db)->query_integer("SELECT count(*) FROM versions JOIN pages p ON p.id = page"), 2);
}

TEST_F(StoredSecrets, NeedNoDatabase) {
  EXPECT_EQ(replace(), 0);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

}  // namespace
}  // namespace heddle::store
