// Jobs that watch a page as a whole, through the whole pipeline: its text, its product, a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pages/product/product_item.hpp"
#include "pages/source/file_item.hpp"
#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class WatchedPage : public ::testing::Test {
 protected:
  void show(const std::string& body) { world.site.answer("/", testing::html(body)); }

  // Reads the page in a run of its own; returns the counts of the ended run.
  heddle::Run run() {
    const CycleResult end = world.cycle();
    error = failure_text(end);
    told.clear();
    for (const Delivery& delivery : world.artefacts.deliveries) told.push_back(delivery.payload);
    const RunId id{"run-" + std::to_string(world.runs)};
    auto ended = world.drive(world.store->end_run(id, RunState::completed, {}, world.clock.now()));
    EXPECT_TRUE(ended);
    return ended ? *ended : heddle::Run{};
  }

  std::unique_ptr<store::SqliteReader> reader() {
    auto opened = store::SqliteReader::open(world.project.data_dir / "heddle.db");
    EXPECT_TRUE(opened);
    return std::move(*opened);
  }

  // "medium text.changed one -> two", oldest first.
  std::vector<std::string> changes() {
    std::vector<std::string> lines;
    EXPECT_TRUE(reader()->for_each_change(world.job.id, std::nullopt, [&](const Change& change) {
      std::string line = std::string(to_text(change.significance)) + " ";
      line += to_text(change.kind);
      if (!is_of_text(change.kind)) line += " " + change.field;
      lines.insert(lines.begin(), line + " " + change.before + " -> " + change.after);
      return true;
    }));
    return lines;
  }

  std::vector<PageVersion> versions() {
    auto found = reader()->versions(world.job.id, world.site.url("/"), 100);
    EXPECT_TRUE(found);
    return found ? *found : std::vector<PageVersion>();
  }

  PipelineForTest world;
  std::vector<std::string> told;  // payloads of the last run
  std::string error;              // of the last run
};

class WatchedText : public WatchedPage {
 protected:
  WatchedText() {
    world.job.watch = WatchKind::text;
    world.job.selector.clear();
    world.job.fields.clear();
    world.job.notification.enabled = false;
  }
};

constexpr const char* kHours =
    "<nav>Home</nav><main><h1>Hours</h1><p>From nine to five</p><p>Closed on Sundays</p></main>";
constexpr const char* kNewHours =
    "<nav>Home</nav><main><h1>Hours</h1><p>From nine to six</p><p>Closed on Sundays</p></main>";

TEST_F(WatchedText, IsNoNewsTheFirstTime) {
  show(kHours);
  ASSERT_TRUE(world.load());
  const heddle::Run first = run();
  EXPECT_EQ(error, "");
  EXPECT_EQ(first.changes, 0);
  EXPECT_EQ(first.suspicious_pages, 0);
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(versions(), SizeIs(1));
  EXPECT_THAT(world.stored_records(), IsEmpty());
}

TEST_F(WatchedText, IsStoredAndToldWhenItChanges) {
  show(kHours);
  ASSERT_TRUE(world.load());
  run();
  show(kNewHours);
  EXPECT_EQ(run().changes, 1);
  EXPECT_THAT(changes(), ElementsAre("medium text.changed From nine to five -> From nine to six"));
  EXPECT_THAT(versions(), SizeIs(2));
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr(R"("event":"page.changed")"));
  EXPECT_THAT(told[0], HasSubstr(R"("field":"text","before":"From nine to five")"));
  EXPECT_THAT(told[0], HasSubstr(R"("kind":"text.changed","context":"Hours")"));
  EXPECT_THAT(told[0], HasSubstr(R"("summary":"Shop: 1 change")"));

  EXPECT_EQ(run().changes, 0);
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(changes(), SizeIs(1));
}

TEST_F(WatchedText, NamesWhatWasAddedAndRemoved) {
  show("<main><p>one</p><p>two</p><p>three</p></main>");
  ASSERT_TRUE(world.load());
  run();
  show("<main><p>one</p><p>three</p><p>four</p></main>");
  run();
  EXPECT_THAT(changes(), ElementsAre("medium text.removed two -> ", "medium text.added  -> four"));
}

TEST_F(WatchedText, IsTheSameWithOtherMarkupOrderAndCounters) {
  show("<main><p>one</p><p>two</p><p>12 views</p></main>");
  ASSERT_TRUE(world.load());
  run();
  for (const char* page : {"<main><div>one</div>\n<div class=x>two</div><p>12  views</p></main>",
                           "<main><p>two</p><p>one</p><p>12 views</p></main>",
                           "<nav>New navigation</nav><main><p>one</p><p>two</p><p>13 views</p>"}) {
    show(page);
    EXPECT_EQ(run().changes, 0) << page;
    EXPECT_THAT(told, IsEmpty()) << page;
  }
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(versions(), SizeIs(1));
  show("<main><p>one</p><p>2</p><p>14 views</p></main>");
  EXPECT_EQ(run().changes, 1);
  EXPECT_THAT(changes(), ElementsAre("medium text.changed two -> 2"));
}

TEST_F(WatchedText, IsComparedWithTheVersionThatIsKeptAndNotWithTheLastReading) {
  show("<p>from nine to five</p>");
  ASSERT_TRUE(world.load());
  run();
  show("<p>from nine to six</p>");
  run();
  show("<p>from nine to five</p>");
  EXPECT_EQ(run().changes, 1);
  EXPECT_THAT(changes(), SizeIs(2)) << "back and forth is two changes";
}

TEST_F(WatchedText, OfASelectedPartHasNoOtherChanges) {
  world.job.selector = "h1";
  show(kHours);
  ASSERT_TRUE(world.load());
  run();
  show(kNewHours);
  run();
  EXPECT_THAT(changes(), IsEmpty());
  show("<main><h1>New hours</h1></main>");
  run();
  EXPECT_THAT(changes(), ElementsAre("medium text.changed Hours -> New hours"));
}

TEST_F(WatchedText, LeavesOutWhatIsIgnored) {
  world.job.changes.ignore = {".ad"};
  world.job.changes.ignore_text = {"weather: .*"};
  show("<main><p>one</p><p class=ad>Buy!</p><p>weather: sunny</p></main>");
  ASSERT_TRUE(world.load());
  run();
  show("<main><p>one</p><p class=ad>Sell!</p><p>weather: rain</p></main>");
  EXPECT_EQ(run().changes, 0);
  EXPECT_THAT(changes(), IsEmpty());
}

TEST_F(WatchedText, StoresButDoesNotTellWhatMattersTooLittle) {
  world.job.changes.min_significance = Significance::high;
  show("<main><p>Kettle €20.00</p><p>Room one</p></main>");
  ASSERT_TRUE(world.load());
  run();
  show("<main><p>Kettle €20.00</p><p>Room two</p></main>");
  EXPECT_EQ(run().changes, 1);
  EXPECT_THAT(told, IsEmpty());
  show("<main><p>Kettle €10.00</p><p>Room three</p></main>");
  run();
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("10.00"));
  EXPECT_THAT(told[0], Not(HasSubstr("Room three")));
  EXPECT_THAT(changes(), ElementsAre("medium text.changed Room one -> Room two",
                                     "high text.changed Kettle €20.00 -> Kettle €10.00",
                                     "medium text.changed Room two -> Room three"));
}

TEST_F(WatchedText, TellsOnlyChangesOfTriggerParts) {
  world.job.changes.trigger = {".status"};
  show("<main><p class=status>All fine</p><p>one</p></main>");
  ASSERT_TRUE(world.load());
  run();
  show("<main><p class=status>All fine</p><p>two</p></main>");
  run();
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(changes(), SizeIs(1));
  show("<main><p class=status>An outage</p><p>three</p></main>");
  run();
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("An outage"));
  EXPECT_THAT(told[0], Not(HasSubstr("three")));
}

TEST_F(WatchedText, TellsOnlyChangesWithTriggerTexts) {
  world.job.changes.trigger_text = {"(?i)tickets"};
  show("<main><p>No tickets</p><p>one</p></main>");
  ASSERT_TRUE(world.load());
  run();
  show("<main><p>No tickets</p><p>two</p></main>");
  run();
  EXPECT_THAT(told, IsEmpty());
  show("<main><p>Tickets on sale</p><p>two</p></main>");
  run();
  EXPECT_THAT(told, SizeIs(1));
}

TEST_F(WatchedText, IsNotChangedByEditedRules) {
  show("<main><h1>Hours</h1><p>From nine to five</p></main>");
  ASSERT_TRUE(world.load());
  run();
  world.job.selector = "p";
  ASSERT_TRUE(world.load_job());
  EXPECT_EQ(run().changes, 0);
  EXPECT_THAT(changes(), IsEmpty());
  show("<main><h1>Times</h1><p>From nine to six</p></main>");
  run();
  EXPECT_THAT(changes(), ElementsAre("medium text.changed From nine to five -> From nine to six"));
}

TEST_F(WatchedText, IsNotComparedWithAPageThatAsksToLogIn) {
  show(kHours);
  ASSERT_TRUE(world.load());
  run();
  show(
      "<title>Log in</title><main><h1>Log in</h1><form action='/login' method=post>"
      "<input name=user><input type=password name=password><button>Log in</button></form></main>");
  const heddle::Run locked = run();
  EXPECT_EQ(locked.changes, 0);
  EXPECT_EQ(locked.pages.done, 0) << "the page has failed";
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(versions(), SizeIs(1));
  show(kNewHours);
  run();
  EXPECT_THAT(changes(), ElementsAre("medium text.changed From nine to five -> From nine to six"));
}

TEST_F(WatchedText, ThatItsSelectorNoLongerFindsIsAFinding) {
  world.job.selector = ".hours";
  show("<p class=hours>From nine to five</p>");
  ASSERT_TRUE(world.load());
  run();
  show("<p class=times>From nine to five</p>");
  const heddle::Run ended = run();
  EXPECT_EQ(ended.suspicious_pages, 1);
  const auto page = world.drive(world.store->recall_page(world.job.id, world.site.url("/")));
  ASSERT_TRUE(page && *page);
  EXPECT_EQ((**page).finding.message,
            "selector \".hours\" matches nothing on the page; it had text before");
  EXPECT_THAT(changes(), IsEmpty());
  show("<p class=hours></p>");
  run();
  EXPECT_THAT(changes(), ElementsAre("medium text.removed From nine to five -> "))
      << "an empty part is a text";
}

TEST_F(WatchedText, OfPlainTextHasLines) {
  world.site.answer("/", testing::SiteResponse{.body = "User-agent: *\nDisallow: /a\n"}.with_header(
                             "Content-Type", "text/plain"));
  ASSERT_TRUE(world.load());
  run();
  world.site.answer("/", testing::SiteResponse{.body = "User-agent: *\nDisallow: /b\n"}.with_header(
                             "Content-Type", "text/plain"));
  run();
  EXPECT_THAT(changes(), ElementsAre("medium text.changed Disallow: /a -> Disallow: /b"));
}

TEST_F(WatchedText, OfJsonHasALineForEachValue) {
  const auto answer = [this](const std::string& body) {
    world.site.answer(
        "/", testing::SiteResponse{.body = body}.with_header("Content-Type", "application/json"));
  };
  answer(R"({"status":"up","parts":[{"name":"api","state":"fine"}]})");
  ASSERT_TRUE(world.load());
  run();
  answer(R"({"status":"up","parts":[{"name":"api","state":"broken"}]})");
  run();
  EXPECT_THAT(changes(), ElementsAre("medium text.changed state: fine -> state: broken"));
}

TEST_F(WatchedText, IsShownToBeforeNotifyWhichMaySilenceIt) {
  show(kHours);
  world.job.webhook.enabled = false;
  world.job.notification.enabled = true;
  ASSERT_TRUE(world.load(R"(function before_notify(items, ctx)
    local change = ctx.changes[1]
    log(#items .. " " .. change.kind .. " " .. change.context .. ": " .. change.before .. " > " ..
        change.after .. " " .. change.significance)
    return nil
  end)"));
  run();
  show(kNewHours);
  run();
  EXPECT_THAT(world.log.text(),
              HasSubstr("0 text.changed Hours: From nine to five > From nine to six medium"));
  EXPECT_THAT(told, IsEmpty());
}

TEST_F(WatchedText, IsShownOnTheDesktop) {
  world.job.webhook.enabled = false;
  world.job.notification.enabled = true;
  show(kHours);
  ASSERT_TRUE(world.load());
  run();
  show(kNewHours);
  run();
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("From nine to five -> From nine to six"));
}

TEST_F(WatchedText, IsWatchedWhenNeitherTheJobNorItsScriptMakesItems) {
  world.job.watch = WatchKind::items;  // what a job with a script has when it says nothing
  show(kHours);
  ASSERT_TRUE(world.load("function before_notify(items) return items end"));
  run();
  show(kNewHours);
  run();
  EXPECT_THAT(changes(), SizeIs(1));
}

TEST_F(WatchedText, IsConfirmedByFurtherFetches) {
  world.job.changes.confirm = 2;
  show(kHours);
  ASSERT_TRUE(world.load());
  run();
  EXPECT_EQ(world.site.count("/"), 1U);
  show(kNewHours);
  EXPECT_EQ(run().changes, 1);
  EXPECT_EQ(world.site.count("/"), 4U);
  EXPECT_THAT(told, SizeIs(1));
}

TEST_F(WatchedText, ThatAFurtherFetchDoesNotShowIsNoChange) {
  world.job.changes.confirm = 1;
  show(kHours);
  ASSERT_TRUE(world.load());
  run();
  bool is_odd = false;
  world.site.handle("/", [&is_odd](const testing::SiteRequest&) {
    is_odd = !is_odd;
    return testing::html(is_odd ? kNewHours : kHours).with_header("ETag", is_odd ? "1" : "2");
  });
  EXPECT_EQ(run().changes, 0);
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(versions(), SizeIs(1));
  show(kNewHours);
  EXPECT_EQ(run().changes, 1) << "the next run compares again";
  EXPECT_THAT(changes(), SizeIs(1));
}

TEST_F(WatchedText, DoesNotShowSecretsOfTheJob) {
  world.job.secrets = {{"${env:TOKEN}", "a-long-secret-value-1"}};
  world.job.secrets[0].in_pages = true;
  show("<main><p>one</p></main>");
  ASSERT_TRUE(world.load());
  run();
  show("<main><p>key a-long-secret-value-1</p></main>");
  run();
  EXPECT_THAT(changes(), ElementsAre("medium text.changed one -> key ${env:TOKEN}"));
}

class WatchedProduct : public WatchedPage {
 protected:
  WatchedProduct() {
    world.job.watch = WatchKind::product;
    world.job.selector.clear();
    world.job.fields = pages::product_fields();
    world.job.key = {"url"};
    world.job.notification.enabled = false;
  }

  void offer(const std::string& price, const std::string& stock) {
    show(
        "<title>Kettle</title><h1>Kettle</h1><script type='application/ld+json'>"
        R"({"@context":"https://schema.org","@type":"Product","name":"Kettle","sku":"K-1",)"
        R"("image":"/kettle.jpg","offers":{"@type":"Offer","price":")" +
        price + R"(","priceCurrency":"EUR","availability":"https://schema.org/)" + stock +
        R"("}}</script><button>Add to cart</button>)");
  }
};

TEST_F(WatchedProduct, IsOneItemOfItsPage) {
  offer("49.99", "InStock");
  ASSERT_TRUE(world.load());
  const heddle::Run ended = run();
  EXPECT_EQ(ended.items.fresh, 1);
  EXPECT_EQ(ended.suspicious_pages, 0);
  ASSERT_THAT(world.stored_records(), SizeIs(1));
  const Item item = world.stored_records()[0].item;
  EXPECT_EQ(*item.find("url"), world.site.url("/"));
  EXPECT_EQ(*item.find("name"), "Kettle");
  EXPECT_EQ(*item.find("price"), "49.99 EUR");
  EXPECT_EQ(*item.find("stock"), "in");
  EXPECT_EQ(*item.find("sku"), "K-1");
  EXPECT_EQ(*item.find("image"), world.site.url("/kettle.jpg"));
  EXPECT_THAT(item.values_json, HasSubstr(R"("amount":"49.99","currency":"EUR")"));
}

TEST_F(WatchedProduct, ChangesItsPriceAndItsStockWithHighSignificance) {
  offer("49.99", "InStock");
  ASSERT_TRUE(world.load());
  run();
  offer("39.99", "OutOfStock");
  EXPECT_EQ(run().items.changed, 1);
  EXPECT_THAT(changes(), ElementsAre("high item.changed price 49.99 EUR -> 39.99 EUR",
                                     "high item.changed stock in -> out"));
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr(R"("event":"item.changed")"));
  offer("39.99", "OutOfStock");
  EXPECT_EQ(run().items.changed, 0);
}

TEST_F(WatchedProduct, StoresButDoesNotTellWhatMattersTooLittle) {
  world.job.changes.min_significance = Significance::high;
  offer("49.99", "InStock");
  ASSERT_TRUE(world.load());
  run();
  world.site.answer("/", testing::html("<title>Kettle</title><h1>Kettle</h1>"
                                       "<script type='application/ld+json'>"
                                       R"({"@type":"Product","name":"New kettle","sku":"K-2",)"
                                       R"("image":"/kettle.jpg","offers":{"price":"49.99",)"
                                       R"("priceCurrency":"EUR","availability":"InStock"}})"
                                       "</script><button>Add to cart</button>"));
  EXPECT_EQ(run().items.changed, 1);
  EXPECT_THAT(changes(), SizeIs(2)) << "name and sku";
  EXPECT_THAT(told, IsEmpty());
}

TEST_F(WatchedProduct, ThatIsNoLongerOnThePageIsAFinding) {
  offer("49.99", "InStock");
  ASSERT_TRUE(world.load());
  run();
  show("<h1>About us</h1><p>We have sold tea since 1900, and we still like it.</p>");
  const heddle::Run ended = run();
  EXPECT_EQ(ended.suspicious_pages, 1);
  EXPECT_EQ(ended.items.gone, 0);
  EXPECT_THAT(changes(), IsEmpty());
}

class WatchedFile : public WatchedPage {
 protected:
  WatchedFile() {
    world.job.watch = WatchKind::file;
    world.job.selector.clear();
    world.job.fields = pages::file_fields();
    world.job.key = {"url"};
    world.job.notification.enabled = false;
  }

  void put(const std::string& bytes, const std::string& type) {
    world.site.answer("/", testing::SiteResponse{.body = bytes}.with_header("Content-Type", type));
  }
};

TEST_F(WatchedFile, IsAnItemWithItsHashSizeAndType) {
  put(std::string("%PDF-1.7\0\x01\xFF", 11), "application/pdf");
  ASSERT_TRUE(world.load());
  const heddle::Run ended = run();
  EXPECT_EQ(error, "");
  EXPECT_EQ(ended.items.fresh, 1);
  EXPECT_EQ(ended.suspicious_pages, 0);
  const Item item = world.stored_records().at(0).item;
  EXPECT_EQ(*item.find("size"), "11");
  EXPECT_EQ(*item.find("type"), "application/pdf");
  EXPECT_EQ(item.find("hash")->size(), 32U);
}

TEST_F(WatchedFile, ChangesWithItsBytesOnly) {
  put("one", "text/plain; charset=utf-8");
  ASSERT_TRUE(world.load());
  run();
  put("one", "text/html");
  EXPECT_EQ(run().items.changed, 0);
  put("three", "text/html");
  EXPECT_EQ(run().items.changed, 1);
  EXPECT_THAT(changes(),
              ElementsAre(HasSubstr("item.changed hash "), "medium item.changed size 3 -> 5",
                          "medium item.changed type text/plain -> text/html"));
  ASSERT_THAT(told, SizeIs(1));
}

TEST_F(WatchedFile, IsHashedBeforeItsTextIsDecoded) {
  put("caf\xE9", "text/plain; charset=iso-8859-1");
  ASSERT_TRUE(world.load());
  run();
  EXPECT_EQ(*world.stored_records().at(0).item.find("size"), "4");
}

}  // namespace
}  // namespace heddle::pipeline
