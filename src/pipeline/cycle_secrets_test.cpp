// Secrets of a job: requests and scripts get the values, nothing that is stored or reported does.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kValue = "s3cret/va lue7";
constexpr const char* kEncoded = "s3cret%2Fva%20lue7";

class CycleSecretsTest : public ::testing::Test {
 protected:
  CycleSecretsTest() {
    world.job.urls = {url()};
    world.site.answer("/list", testing::html(PipelineForTest::kPage));
    set_secret(kValue);
  }

  void set_secret(const std::string& value) {
    world.job.secrets = {{"${env:KEY}", value, true}, {"${env:N}", "17", false}};
    world.project.secrets = {value};
    world.job.secret_hash = value;
  }
  // As the daemon does after a restart with a new value.
  void rotate(const std::string& value) {
    set_secret(value);
    ASSERT_TRUE(world.load_job());
  }
  [[nodiscard]] std::string url(const std::string& path = "/list") const {
    return world.site.url(path + "?n=${env:N}&key=${env:KEY}");
  }

  std::vector<Record> records() {
    std::vector<Record> all;
    auto reader = store::SqliteReader::open(world.project.data_dir / "heddle.db");
    EXPECT_TRUE(reader);
    EXPECT_TRUE((*reader)->for_each_record(world.job.id, std::nullopt, [&](const Record& record) {
      all.push_back(record);
      return true;
    }));
    return all;
  }
  // In a file of the data folder.
  [[nodiscard]] bool is_stored(std::string_view text) const {
    std::string all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(world.project.data_dir))
      if (entry.is_regular_file()) {
        std::ifstream in(entry.path(), std::ios::binary);
        all.append(std::istreambuf_iterator<char>(in), {});
      }
    return all.find(text) != std::string::npos;
  }
  void expect_nothing_stored() const {
    for (const char* text : {kValue, kEncoded, "s3cret%2fva%20lue7", "s3cret/va%20lue7", "n=17&"})
      EXPECT_FALSE(is_stored(text)) << text;
  }
  std::string body_of(const std::string& page) {
    auto body = world.drive(world.store->newest_body(world.job.id, page));
    return body && *body ? **body : "none";
  }

  PipelineForTest world;
};

TEST_F(CycleSecretsTest, AreSentAndNotStored) {
  ASSERT_TRUE(world.load());
  EXPECT_EQ(failure_text(world.cycle(url())), "");
  EXPECT_EQ(world.site.requests("/list").front().query, "n=17&key=s3cret/va%20lue7");
  ASSERT_EQ(records().size(), 2U);
  EXPECT_EQ(records().front().url, url());
  for (const Delivery& delivery : world.artefacts.deliveries)
    EXPECT_THAT(delivery.payload, Not(HasSubstr("s3cret")));
  expect_nothing_stored();
}

TEST_F(CycleSecretsTest, LeaveAPageTheSameWhenTheyGetANewValue) {
  world.site.handle("/list", [](const testing::SiteRequest&) {
    return testing::html(PipelineForTest::kPage).with_header("ETag", "\"1\"");
  });
  ASSERT_TRUE(world.load());
  world.cycle(url());
  rotate("another-value8");
  const CycleResult again = world.cycle(url());
  EXPECT_TRUE(std::get<PageDone>(again.outcome).is_unchanged);
  EXPECT_EQ(world.site.requests("/list").back().header("If-None-Match"), "\"1\"");
  EXPECT_EQ(records().size(), 2U);
}

TEST_F(CycleSecretsTest, AreHiddenInTheUrlsOfRedirects) {
  world.site.answer("/list", testing::redirect(std::string("/next?again=") + kEncoded));
  world.site.answer("/next", testing::html(PipelineForTest::kPage));
  ASSERT_TRUE(world.load());
  EXPECT_EQ(failure_text(world.cycle(url())), "");
  EXPECT_EQ(records().front().url, world.site.url("/next?again=${env:KEY}"));
  expect_nothing_stored();
}

TEST_F(CycleSecretsTest, AreHiddenInErrors) {
  world.site.answer("/gone", testing::SiteResponse{.status = 404});
  world.site.answer("/loop", testing::redirect("/loop?key=" + std::string(kEncoded)));
  world.site.answer("/away", testing::redirect("http://10.0.0.1/" + std::string(kEncoded)));
  ASSERT_TRUE(world.load());
  for (const char* path : {"/gone", "/loop", "/away"}) {
    const CycleResult end = world.cycle(url(path));
    const auto* failure = std::get_if<PageFailure>(&end.outcome);
    ASSERT_NE(failure, nullptr) << path;
    EXPECT_EQ(failure->error.url, url(path));
    EXPECT_THAT(failure->error.message, HasSubstr("${env:KEY}"));
    for (const std::string& text : {failure->error.message, end.trace[Stage::fetch].note})
      EXPECT_THAT(text, Not(HasSubstr("s3cret"))) << path;
    EXPECT_THAT(failure->error.message, Not(HasSubstr("n=17"))) << path;
  }
}

TEST_F(CycleSecretsTest, AreHiddenInItemsAndBodiesOfPagesThatRepeatThem) {
  world.job.fields.push_back({"link", "a", "href", FieldType::text, ""});
  world.job.secrets.front().value = "s3cretvalue7";
  const auto page = [](const std::string& value) {
    return testing::html("<p>key " + value + "</p><ul><li><b>Tea for " + value +
                         "</b><a href='#top'>x</a></li></ul>");
  };
  world.site.answer("/list", page("s3cretvalue7"));
  ASSERT_TRUE(world.load());
  EXPECT_EQ(failure_text(world.cycle(url())), "");
  ASSERT_EQ(records().size(), 1U);
  EXPECT_EQ(*records().front().item.find("name"), "Tea for ${env:KEY}");
  EXPECT_THAT(*records().front().item.find("link"), HasSubstr("key=${env:KEY}#top"));
  EXPECT_THAT(body_of(url()), HasSubstr("Tea for ${env:KEY}"));
  EXPECT_FALSE(is_stored("s3cretvalue7"));

  world.site.answer("/list", page("another7value"));
  rotate("another7value");
  const CycleResult again = world.cycle(url());
  EXPECT_EQ(std::get<PageDone>(again.outcome).items.fresh, 0) << "the same item";
  EXPECT_EQ(records().size(), 1U);
}

TEST_F(CycleSecretsTest, AreSeenByScriptsAndNotByWhatIsStored) {
  ASSERT_TRUE(world.load(R"(
    function before_fetch(request, ctx) seen = request.url log(request.url) return request end
    function after_extract(items, ctx)
      items[1].fields.name = seen
      assert(string.find(ctx.last_fetch.response.body, "s3cret", 1, true), "the page as it came")
      return items
    end
    function before_notify(items, ctx)
      assert(string.find(ctx.last_fetch.response.body, "s3cret", 1, true), "still the same")
      return items
    end
    function before_webhook(payload, ctx) payload.asked = seen return payload end
    function on_success(ctx) error("at " .. seen) end
  )"));
  world.site.answer("/list", testing::html(std::string(PipelineForTest::kPage) + kValue));
  EXPECT_EQ(failure_text(world.cycle(url())), "");
  EXPECT_THAT(world.log.text(), Not(HasSubstr("the page as it came")));
  EXPECT_THAT(world.log.text(), Not(HasSubstr("still the same")));
  EXPECT_THAT(world.stored_names(),
              ElementsAre("Milk", world.site.url("/list?n=17&key=${env:KEY}")));
  for (const Delivery& delivery : world.artefacts.deliveries)
    EXPECT_THAT(delivery.payload, Not(HasSubstr("s3cret")));
}

TEST_F(CycleSecretsTest, ThatTheJobDoesNotHaveAnyMoreFailThePage) {
  ASSERT_TRUE(world.load());
  EXPECT_EQ(failure_text(world.cycle(world.site.url("/list?key=${env:FORMER}"))),
            "${env:FORMER} is not in the job's configuration any more");
  EXPECT_EQ(world.site.count("/list"), 0U);
}

TEST_F(CycleSecretsTest, OfOtherKindsLeavePagesAlone) {
  world.job.secrets = {{"${env:KEY}", "Milk", false}};
  ASSERT_TRUE(world.load());
  world.cycle(world.site.url("/list"));
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
}

}  // namespace
}  // namespace heddle::pipeline
