#include "hub/health/alert_manager.hpp"

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

class AlertManagerTest : public ::testing::Test {
 protected:
  void SetUp() override { open(); }

  // Starts a daemon on the same store.
  void open() {
    manager_.reset();
    store_.reset();
    auto opened = store::SqliteStore::open(folder_.path() / "heddle.db");
    ASSERT_TRUE(opened) << opened.error().message;
    store_ = std::move(*opened);
    manager_ =
        std::make_unique<AlertManager>(*store_, log_, receivers(), [this] { ++notifications_; });
    ASSERT_TRUE(run_async(manager_->load()));
  }

  static AlertReceivers receivers() {
    AlertReceivers made;
    made.to = {"ops", "screen", "phone", "unknown"};
    made.channels["ops"].kind = DeliveryKind::webhook;
    made.channels["screen"].kind = DeliveryKind::desktop;
    made.channels["phone"];  // of a type that is not available yet
    return made;
  }

  void raise(AlertLevel level, WallTime at) {
    ASSERT_TRUE(run_async(manager_->raise({"queue_depth", level, "600 pages waiting", at})));
  }
  void clear(WallTime at) { ASSERT_TRUE(run_async(manager_->clear("queue_depth", at))); }

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
  std::unique_ptr<AlertManager> manager_;
  int notifications_ = 0;
};

TEST_F(AlertManagerTest, NotifiesEachUsableChannelOnce) {
  raise(AlertLevel::warning, start_);
  raise(AlertLevel::warning, start_ + 1min);
  EXPECT_THAT(events(), ElementsAre("alert.raised"));
  EXPECT_EQ(notifications_, 1);
  const auto sent = messages();
  ASSERT_THAT(sent, SizeIs(2));
  EXPECT_EQ(sent[0].channel, "ops");
  EXPECT_THAT(sent[0].payload, HasSubstr(R"("event":"alert.raised")"));
  EXPECT_THAT(sent[0].payload, HasSubstr(R"("severity":"warning")"));
  EXPECT_THAT(sent[0].payload, HasSubstr("600 pages waiting"));
  EXPECT_EQ(sent[1].channel, "screen");
  EXPECT_THAT(sent[1].payload, HasSubstr(R"("title":"heddle")"));
}

TEST_F(AlertManagerTest, NotifiesAgainOnlyWhenTheLevelRises) {
  raise(AlertLevel::critical, start_);
  raise(AlertLevel::warning, start_ + 1min);
  EXPECT_THAT(messages(), SizeIs(2));
  raise(AlertLevel::emergency, start_ + 2min);
  EXPECT_THAT(messages(), SizeIs(4));
  EXPECT_EQ(manager_->raised().at("queue_depth").since, start_);
}

TEST_F(AlertManagerTest, UpdatesTheTextWithoutNotifying) {
  raise(AlertLevel::critical, start_);
  for (const AlertLevel level : {AlertLevel::critical, AlertLevel::warning}) {
    const std::string text = "pages to do: " + std::string(to_text(level));
    ASSERT_TRUE(run_async(manager_->raise({"queue_depth", level, text, start_ + 1min})));
    const SystemAlert expected{"queue_depth", AlertLevel::critical, text, start_};
    EXPECT_EQ(manager_->raised().at("queue_depth"), expected);
    EXPECT_THAT(*run_async(store_->alerts()), ElementsAre(expected));
  }
  EXPECT_THAT(events(), ElementsAre("alert.raised"));
  EXPECT_THAT(messages(), SizeIs(2));
  EXPECT_EQ(notifications_, 1);
}

TEST_F(AlertManagerTest, NotifiesOnceWhenAnAlertIsCleared) {
  raise(AlertLevel::critical, start_);
  clear(start_ + 90min);
  clear(start_ + 91min);
  EXPECT_THAT(events(), ElementsAre("alert.raised", "alert.over"));
  EXPECT_THAT(manager_->raised(), IsEmpty());
  const auto sent = messages();
  ASSERT_THAT(sent, SizeIs(4));
  EXPECT_THAT(sent[2].payload, HasSubstr(R"("severity":"info")"));
  EXPECT_THAT(sent[2].payload, HasSubstr("cleared after 1h30m: 600 pages waiting"));
}

TEST_F(AlertManagerTest, RemembersRaisedAlertsAfterARestart) {
  raise(AlertLevel::warning, start_);
  open();
  raise(AlertLevel::warning, start_ + 1h);
  EXPECT_THAT(events(), ElementsAre("alert.raised"));
  clear(start_ + 2h);
  open();
  EXPECT_THAT(manager_->raised(), IsEmpty());
  clear(start_ + 3h);
  EXPECT_THAT(events(), ElementsAre("alert.raised", "alert.over"));
}

TEST_F(AlertManagerTest, WorksWithoutReceivers) {
  AlertManager quiet(*store_, log_, {});
  ASSERT_TRUE(run_async(quiet.raise({"storage", AlertLevel::critical, "full", start_})));
  EXPECT_THAT(events(), ElementsAre("alert.raised"));
  EXPECT_THAT(messages(), IsEmpty());
  EXPECT_THAT(quiet.raised(), SizeIs(1));
}

}  // namespace
}  // namespace heddle::hub
