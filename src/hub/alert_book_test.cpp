#include "hub/alert_book.hpp"

#include <gmock/gmock.h>

#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "tests/support/run_async.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::hub {
namespace {

using heddle::testing::run_async;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class AlertBookTest : public ::testing::Test {
 protected:
  void SetUp() override { open(); }

  // A daemon's start, on what is in the store.
  void open() {
    book_.reset();
    store_.reset();
    auto opened = store::SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    book_ = std::make_unique<AlertBook>(*store_, log_, receivers(), [this] { ++times_told_; });
    ASSERT_TRUE(run_async(book_->load()));
  }

  static AlertReceivers receivers() {
    AlertReceivers made;
    made.to = {"ops", "screen", "phone", "nobody"};
    made.channels["ops"].kind = DeliveryKind::webhook;
    made.channels["screen"].kind = DeliveryKind::desktop;
    made.channels["phone"];  // of a type that is not available yet
    return made;
  }

  void raise(AlertLevel level, WallTime at) {
    ASSERT_TRUE(run_async(book_->raise({"queue_depth", level, "600 pages to do", at})));
  }
  void over(WallTime at) { ASSERT_TRUE(run_async(book_->over("queue_depth", at))); }

  std::vector<std::string> events() {
    auto reader = store::SqliteReader::open(folder_.path() / "heddle.db");
    std::vector<std::string> kinds;
    const auto all = (*reader)->events(0, 100);
    for (const auto& event : *all) kinds.push_back(event.kind);
    return kinds;
  }
  std::vector<Delivery> messages() { return *run_async(store_->due_deliveries(start_ + 24h, 100)); }

  heddle::testing::TemporaryFolder folder_;
  NoLog log_;
  const WallTime start_ = *parse_iso8601("2026-11-15T12:00:00Z");
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<AlertBook> book_;
  int times_told_ = 0;
};

TEST_F(AlertBookTest, TellsEveryChannelThatCanBeUsedOnce) {
  raise(AlertLevel::warning, start_);
  raise(AlertLevel::warning, start_ + 1min);
  EXPECT_THAT(events(), ElementsAre("alert.raised"));
  EXPECT_EQ(times_told_, 1);
  const auto told = messages();
  ASSERT_THAT(told, SizeIs(2));
  EXPECT_EQ(told[0].channel, "ops");
  EXPECT_THAT(told[0].payload, HasSubstr(R"("event":"alert.raised")"));
  EXPECT_THAT(told[0].payload, HasSubstr(R"("severity":"warning")"));
  EXPECT_THAT(told[0].payload, HasSubstr("600 pages to do"));
  EXPECT_EQ(told[1].channel, "screen");
  EXPECT_THAT(told[1].payload, HasSubstr(R"("title":"heddle")"));
}

TEST_F(AlertBookTest, TellsAgainWhenItGetsWorseAndOnlyThen) {
  raise(AlertLevel::critical, start_);
  raise(AlertLevel::warning, start_ + 1min);
  EXPECT_THAT(messages(), SizeIs(2));
  raise(AlertLevel::emergency, start_ + 2min);
  EXPECT_THAT(messages(), SizeIs(4));
  EXPECT_EQ(book_->raised().at("queue_depth").since, start_);
}

TEST_F(AlertBookTest, KeepsItsWordsCurrentWithoutTellingThem) {
  raise(AlertLevel::critical, start_);
  for (const AlertLevel level : {AlertLevel::critical, AlertLevel::warning}) {
    const std::string words = "pages to do: " + std::string(to_text(level));
    ASSERT_TRUE(run_async(book_->raise({"queue_depth", level, words, start_ + 1min})));
    const SystemAlert expected{"queue_depth", AlertLevel::critical, words, start_};
    EXPECT_EQ(book_->raised().at("queue_depth"), expected);
    EXPECT_THAT(*run_async(store_->alerts()), ElementsAre(expected));
  }
  EXPECT_THAT(events(), ElementsAre("alert.raised"));
  EXPECT_THAT(messages(), SizeIs(2));
  EXPECT_EQ(times_told_, 1);
}

TEST_F(AlertBookTest, TellsOnceThatItIsOver) {
  raise(AlertLevel::critical, start_);
  over(start_ + 90min);
  over(start_ + 91min);
  EXPECT_THAT(events(), ElementsAre("alert.raised", "alert.over"));
  EXPECT_THAT(book_->raised(), IsEmpty());
  const auto told = messages();
  ASSERT_THAT(told, SizeIs(4));
  EXPECT_THAT(told[2].payload, HasSubstr(R"("severity":"info")"));
  EXPECT_THAT(told[2].payload, HasSubstr("over after 1h30m: 600 pages to do"));
}

TEST_F(AlertBookTest, KnowsAfterARestartWhatWasTold) {
  raise(AlertLevel::warning, start_);
  open();
  raise(AlertLevel::warning, start_ + 1h);
  EXPECT_THAT(events(), ElementsAre("alert.raised"));
  over(start_ + 2h);
  open();
  EXPECT_THAT(book_->raised(), IsEmpty());
  over(start_ + 3h);
  EXPECT_THAT(events(), ElementsAre("alert.raised", "alert.over"));
}

TEST_F(AlertBookTest, NeedsNobodyToTell) {
  AlertBook quiet(*store_, log_, {});
  ASSERT_TRUE(run_async(quiet.raise({"storage", AlertLevel::critical, "full", start_})));
  EXPECT_THAT(events(), ElementsAre("alert.raised"));
  EXPECT_THAT(messages(), IsEmpty());
  EXPECT_THAT(quiet.raised(), SizeIs(1));
}

}  // namespace
}  // namespace heddle::hub
