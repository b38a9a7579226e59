// Items with a key: new, changed, gone and back, through the whole pipeline.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/pipeline_for_test.hpp"

namespace heddle::pipeline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Goods {
  std::string name;
  std::string price;
};

class FollowedItemsOfPages : public ::testing::Test {
 protected:
  FollowedItemsOfPages() {
    world.job.key = {"link"};
    world.job.fields = {{"name", "b", "", FieldType::text, ""},
                        {"price", "i", "", FieldType::money, ""},
                        {"link", "a", "href", FieldType::text, ""}};
    world.job.notification.enabled = false;
  }

  static std::string page_of(const std::vector<Goods>& goods, const std::string& rest = "") {
    std::string page = "<ul>";
    for (const Goods& one : goods)
      page += "<li><b>" + one.name + "</b><i>" + one.price + "</i><a href='/" + one.name +
              "'>x</a></li>";
    return page + "</ul>" + rest;
  }

  void show(const std::vector<Goods>& goods, const std::string& path = "/") {
    world.site.answer(path, testing::html(page_of(goods)));
  }

  // Items that differ in all but their link.
  void show_sizes(const std::vector<Goods>& goods) {
    std::string page = "<ul>";
    for (const Goods& one : goods)
      page += "<li><b>" + one.name + "</b><i>" + one.price + "</i><a href='/x'>x</a></li>";
    world.site.answer("/", testing::html(page + "</ul>"));
  }

  // A run of these pages; returns the counts of the ended run.
  heddle::Run run(const std::vector<std::string>& paths = {"/"},
                  RunState state = RunState::completed, RunTrigger trigger = RunTrigger::manual) {
    heddle::Run begun;
    begun.id = RunId{"run-" + std::to_string(++world.runs)};
    begun.job = world.job.id;
    begun.trigger = trigger;
    begun.started_at = world.clock.now();
    std::vector<std::string> urls;
    for (const std::string& path : paths) urls.push_back(world.site.url(path));
    const RunId id = begun.id;
    EXPECT_TRUE(world.drive(world.store->begin_run(begun, urls)));
    auto batch = world.drive(world.store->lease_tasks(id, urls.size(), world.clock.now()));
    EXPECT_TRUE(batch);
    told.clear();
    found = {};
    for (const Lease& lease : batch->leases) {
      CycleSpec spec;
      spec.lease = lease;
      world.artefacts = {};
      spec.artefacts = &world.artefacts;
      const auto end = world.drive(run_cycle(*world.services, *world.session, spec));
      if (failure_text(end).empty())
        for (const Delivery& delivery : world.artefacts.deliveries)
          told.push_back(delivery.payload);
      else
        fail_page(lease, std::get<PageFailure>(end.outcome).error);
    }
    auto ended = world.drive(world.store->end_run(id, state, {}, world.clock.now()));
    EXPECT_TRUE(ended);
    for (const std::string& url : urls) {
      auto memory = world.drive(world.store->recall_page(world.job.id, url));
      if (memory && *memory && found.kind == ErrorKind::none) found = (*memory)->finding;
    }
    return *ended;
  }

  void fail_page(const Lease& lease, const RunError& error) {
    TaskDeath death;
    death.lease = lease;
    death.job = world.job.id;
    death.error = error;
    death.at = world.clock.now();
    EXPECT_TRUE(world.drive(world.store->dead_letter(std::move(death))));
  }

  // "name changed price: 10 EUR -> 8 EUR", oldest first.
  std::vector<std::string> changes() {
    auto reader = store::SqliteReader::open(world.project.data_dir / "heddle.db");
    EXPECT_TRUE(reader);
    std::vector<std::string> lines;
    EXPECT_TRUE((*reader)->for_each_change(world.job.id, std::nullopt, [&](const Change& change) {
      std::string line = *change.item.find("name") + " ";
      line += to_text(change.kind).substr(5);
      if (!change.field.empty())
        line += " " + change.field + ": " + change.before + " -> " + change.after;
      lines.insert(lines.begin(), line);
      return true;
    }));
    return lines;
  }

  std::map<std::string, std::string> prices() {
    std::map<std::string, std::string> prices;
    for (const Record& record : world.stored_records())
      prices[*record.item.find("name")] = *record.item.find("price");
    return prices;
  }

  // Whether the next reading of the page would end early.
  bool is_unchanged(const std::string& path) {
    auto memory = world.drive(world.store->recall_page(world.job.id, world.site.url(path)));
    EXPECT_TRUE(memory && *memory);
    return memory && *memory && (*memory)->body_hash != Hash128{};
  }

  std::map<std::string, std::string> states() {
    std::map<std::string, std::string> states;
    for (const Record& record : world.stored_records())
      states[*record.item.find("name")] = record.state;
    return states;
  }

  PipelineForTest world;
  std::vector<std::string> told;  // payloads of the last run
  RunError found;                 // what is wrong with the pages of the last run
};

TEST_F(FollowedItemsOfPages, ChangeOncePerDifferenceAlsoBackAndForth) {
  show({{"Tea", "10 EUR"}, {"Milk", "2 EUR"}});
  ASSERT_TRUE(world.load());
  EXPECT_EQ(run().items.fresh, 2);
  for (const char* price : {"8 EUR", "10 EUR", "8 EUR"}) {
    show({{"Tea", price}, {"Milk", "2 EUR"}});
    const heddle::Run ended = run();
    EXPECT_EQ(ended.items.changed, 1);
    EXPECT_EQ(ended.items.fresh, 0);
    EXPECT_EQ(run().items.changed, 0);
  }
  EXPECT_THAT(changes(), ElementsAre("Tea changed price: 10 EUR -> 8 EUR",
                                     "Tea changed price: 8 EUR -> 10 EUR",
                                     "Tea changed price: 10 EUR -> 8 EUR"));
  EXPECT_THAT(world.stored_names(), ElementsAre("Milk", "Tea"));
  for (const Record& record : world.stored_records())
    if (*record.item.find("name") == "Tea") {
      EXPECT_EQ(*record.item.find("price"), "8 EUR");
      EXPECT_THAT(record.item.values_json, HasSubstr(R"("amount":"8")"));
    }
}

TEST_F(FollowedItemsOfPages, TellTheirChangesInTheWebhook) {
  show({{"Tea", "10 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  show({{"Tea", "8 EUR"}});
  run();
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr(R"("event":"item.changed")"));
  EXPECT_THAT(told[0], HasSubstr(R"("field":"price","before":"10 EUR","after":"8 EUR")"));
  EXPECT_THAT(told[0], HasSubstr(R"("summary":"Shop: 1 change")"));
  EXPECT_THAT(told[0], HasSubstr(R"("items":[])"));
}

TEST_F(FollowedItemsOfPages, TellTheirChangesOnTheDesktop) {
  world.job.notification.enabled = true;
  world.job.webhook.enabled = false;
  show({{"Tea", "10 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  show({{"Tea", "8 EUR"}});
  run();
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("Shop: 1 change"));
  EXPECT_THAT(told[0], HasSubstr("price 10 EUR -> 8 EUR"));
}

TEST_F(FollowedItemsOfPages, ShowTheirChangesToBeforeNotify) {
  show({{"Tea", "10 EUR"}});
  ASSERT_TRUE(world.load(R"(function before_notify(items, ctx)
    for _, change in ipairs(ctx.changes) do
      local names = {}
      for name in pairs(change) do names[#names + 1] = name end
      table.sort(names)
      print(table.concat(names, ","))
      print(#items .. " " .. change.field .. " " .. change.before .. " " .. change.after .. " " ..
            change.significance)
    end
    return items
  end)"));
  run();
  show({{"Tea", "8 EUR"}});
  run();
  EXPECT_THAT(world.log.text(), HasSubstr("0 price 10 EUR 8 EUR high"));
  EXPECT_THAT(world.log.text(), HasSubstr("after,before,field,key,significance"));
}

TEST_F(FollowedItemsOfPages, AreGoneAfterTwoWholeReadingsAndComeBack) {
  show({{"Tea", "10 EUR"}, {"Milk", "2 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  show({{"Tea", "10 EUR"}});
  EXPECT_EQ(run().items.gone, 0);
  EXPECT_EQ(states()["Milk"], "left");
  EXPECT_EQ(run().items.gone, 1) << "an unchanged page was read whole, too";
  EXPECT_EQ(states()["Milk"], "gone");
  EXPECT_EQ(run().items.gone, 0) << "an item is gone once";

  show({{"Tea", "10 EUR"}, {"Milk", "3 EUR"}});
  EXPECT_EQ(run().items.changed, 1);
  EXPECT_EQ(states()["Milk"], "present");
  EXPECT_THAT(told[0], HasSubstr(R"("field":"state","before":"gone","after":"back")"));
  EXPECT_THAT(changes(),
              ElementsAre("Milk gone", "Milk back", "Milk changed price: 2 EUR -> 3 EUR"));
}

TEST_F(FollowedItemsOfPages, AreNotGoneWhenTheyReturnInTime) {
  show({{"Tea", "1 EUR"}, {"Milk", "2 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  for (int i = 0; i < 3; ++i) {
    show({{"Tea", "1 EUR"}});
    EXPECT_EQ(run().items.gone, 0);
    show({{"Tea", "1 EUR"}, {"Milk", "2 EUR"}});
    EXPECT_EQ(run().items.gone, 0);
  }
  EXPECT_THAT(changes(), IsEmpty());
}

TEST_F(FollowedItemsOfPages, AreNotGoneByRunsThatAreNoWholeReading) {
  show({{"Tea", "1 EUR"}, {"Milk", "2 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  show({{"Tea", "1 EUR"}});
  for (const RunState state :
       {RunState::failed, RunState::limited, RunState::cancelled, RunState::stopped})
    EXPECT_EQ(run({"/"}, state).items.gone, 0);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(run({"/"}, RunState::completed, RunTrigger::dead_letter).items.gone, 0);
  EXPECT_EQ(run().items.gone, 0);
  EXPECT_EQ(run().items.gone, 1);
}

TEST_F(FollowedItemsOfPages, AreNotGoneByPagesThatFailOrLookWrong) {
  show({{"Tea", "1 EUR"}, {"Milk", "2 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  world.site.answer("/", testing::html("<p>maintenance</p>"));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(run().items.gone, 0) << "no selector matches";
  world.site.answer("/", {.status = 500});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(run().items.gone, 0);
  show({{"Tea", "1 EUR"}, {"Milk", "2 EUR"}});
  EXPECT_EQ(run().items.gone, 0);
  EXPECT_THAT(changes(), IsEmpty());
}

TEST_F(FollowedItemsOfPages, AreGoneOnlyWhenEveryPageThatListedThemLacksThem) {
  show({{"Tea", "1 EUR"}, {"Milk", "2 EUR"}}, "/a");
  show({{"Milk", "2 EUR"}, {"Rice", "3 EUR"}}, "/b");
  ASSERT_TRUE(world.load());
  run({"/a", "/b"});
  show({{"Tea", "1 EUR"}}, "/a");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run({"/a", "/b"}).items.gone, 0);
  EXPECT_EQ(states()["Milk"], "present");
  show({{"Rice", "3 EUR"}}, "/b");
  EXPECT_EQ(run({"/a", "/b"}).items.gone, 0);
  // One dead page does not keep the items of others, but its own.
  world.site.answer("/b", {.status = 404});
  show({}, "/a");
  world.site.answer("/a", testing::html(page_of({{"Salt", "1 EUR"}})));
  for (int i = 0; i < 3; ++i) run({"/a", "/b"});
  EXPECT_EQ(states()["Tea"], "gone");
  EXPECT_NE(states()["Milk"], "gone");
  EXPECT_NE(states()["Rice"], "gone");
}

TEST_F(FollowedItemsOfPages, AreNotChangedByPagesThatShowThemDifferently) {
  show({{"Tea", "1 EUR"}}, "/a");
  ASSERT_TRUE(world.load());
  run({"/a"});
  for (int i = 0; i < 4; ++i) {
    // Both pages differ each time, so that both are compared.
    world.site.answer("/a", testing::html(page_of({{"Tea", "1 EUR"}}, std::to_string(i))));
    world.site.answer("/b", testing::html(page_of({{"Tea", "2 EUR"}}, std::to_string(i))));
    EXPECT_EQ(run(i % 2 == 0 ? std::vector<std::string>{"/a", "/b"}
                             : std::vector<std::string>{"/b", "/a"})
                  .items.changed,
              0);
  }
  EXPECT_THAT(changes(), IsEmpty());
  // When the page that followed the item is no longer read, the other one takes its place.
  for (int i = 0; i < 3; ++i) {
    world.site.answer("/b", testing::html(page_of({{"Tea", "2 EUR"}}, "x" + std::to_string(i))));
    run({"/b"});
  }
  EXPECT_THAT(changes(), ElementsAre("Tea changed price: 1 EUR -> 2 EUR"));
}

TEST_F(FollowedItemsOfPages, AreNotChangedByEditedFields) {
  show({{"Tea", "10 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  world.job.fields[0].regex = "T.";
  ASSERT_TRUE(world.load_job());
  world.site.answer("/", testing::html(page_of({{"Tea", "10 EUR"}}, "more")));
  const heddle::Run ended = run();
  EXPECT_EQ(ended.items.changed, 0);
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_THAT(world.stored_names(), ElementsAre("Te")) << "stored as the rules read it now";
}

TEST_F(FollowedItemsOfPages, AreNotChangedByAnEditedScriptThatMakesThem) {
  show({{"Tea", "10 EUR"}});
  ASSERT_TRUE(world.load("function after_extract(items) return items end"));
  run();
  ASSERT_TRUE(world.change_script(R"(function after_extract(items)
    for _, item in ipairs(items) do item.fields.name = "Green " .. item.fields.name end
    return items
  end)"));
  EXPECT_EQ(run().items.changed, 0);
  EXPECT_THAT(world.stored_names(), ElementsAre("Green Tea"));
}

TEST_F(FollowedItemsOfPages, StoreWhatIsNoChangeWithoutAWord) {
  show({{"Tea", "1299 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  show({{"Tea", "1.299,00 EUR"}});
  EXPECT_EQ(run().items.changed, 0);
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_EQ(*world.stored_records()[0].item.find("price"), "1.299,00 EUR");
}

TEST_F(FollowedItemsOfPages, AreAllStoredWhenTheyShareAKey) {
  const std::vector<Goods> sizes{{"S", "10 EUR"}, {"M", "12 EUR"}, {"L", "14 EUR"}};
  show_sizes(sizes);
  ASSERT_TRUE(world.load());
  const heddle::Run first = run();
  EXPECT_EQ(first.items.seen, 3);
  EXPECT_EQ(first.items.fresh, 3);
  EXPECT_THAT(world.stored_names(), ElementsAre("L", "M", "S"));
  EXPECT_EQ(found.message, "3 items share the key link = \"" + world.site.url("/x") +
                               "\": give `key` another field to tell them apart");

  show_sizes({sizes[2], sizes[0], sizes[1]});
  const heddle::Run reordered = run();
  EXPECT_EQ(reordered.items.fresh, 0);
  EXPECT_EQ(reordered.items.changed, 0);
  EXPECT_THAT(told, IsEmpty());
  EXPECT_THAT(changes(), IsEmpty());
}

TEST_F(FollowedItemsOfPages, StayTheSameWhenOthersWithTheirKeyComeAndGo) {
  const Goods small{"S", "10 EUR"};
  const Goods medium{"M", "12 EUR"};
  show_sizes({small});
  ASSERT_TRUE(world.load());
  run();
  EXPECT_EQ(found.kind, ErrorKind::none);
  show_sizes({medium, small});
  heddle::Run ended = run();
  EXPECT_EQ(ended.items.fresh, 1);
  EXPECT_EQ(ended.items.changed, 0);
  show_sizes({medium});
  EXPECT_EQ(run().items.gone, 0);
  ended = run();
  EXPECT_EQ(ended.items.gone, 1);
  EXPECT_EQ(ended.items.fresh, 0);
  EXPECT_EQ(states()["S"], "gone");
  EXPECT_EQ(states()["M"], "present");
  EXPECT_THAT(changes(), ElementsAre("S gone"));
}

TEST_F(FollowedItemsOfPages, AreGoneAlsoWhenOthersShareAKey) {
  show_sizes({{"S", "10 EUR"}, {"M", "12 EUR"}, {"L", "14 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  show_sizes({{"S", "10 EUR"}, {"L", "14 EUR"}});
  run();
  EXPECT_EQ(run().items.gone, 1);
  EXPECT_EQ(states()["M"], "gone");
}

TEST_F(FollowedItemsOfPages, AreStoredOnceWhenAPageRepeatsThem) {
  world.job.hash_fields = {"price"};
  show_sizes({{"Tea", "10 EUR"}, {"Tea", "10 EUR"}, {"Tea, our favourite", "10 EUR"}});
  ASSERT_TRUE(world.load());
  EXPECT_EQ(run().items.fresh, 1);
  EXPECT_EQ(found.kind, ErrorKind::none);
  show_sizes({{"Tea, our favourite", "9 EUR"}, {"Tea", "9 EUR"}});
  run();
  EXPECT_THAT(changes(), ElementsAre(HasSubstr("changed price: 10 EUR -> 9 EUR")));
}

TEST_F(FollowedItemsOfPages, TakeTheValuesOfAnotherPageWhenTheirsNoLongerListsThem) {
  show({{"Tea", "20 EUR"}, {"Salt", "1 EUR"}}, "/a");
  show({{"Tea", "21 EUR"}, {"Rice", "30 EUR"}}, "/b");
  ASSERT_TRUE(world.load());
  run({"/a", "/b"});
  show({{"Salt", "1 EUR"}}, "/a");
  run({"/a", "/b"});
  run({"/a", "/b"});
  EXPECT_EQ(prices()["Tea"], "21 EUR") << "though that page has not changed";
  EXPECT_THAT(changes(), IsEmpty());
  EXPECT_TRUE(is_unchanged("/b")) << "what was taken over needs no other reading";

  show({{"Tea", "21 EUR"}, {"Rice", "31 EUR"}}, "/b");
  run({"/a", "/b"});
  EXPECT_THAT(changes(), ElementsAre("Rice changed price: 30 EUR -> 31 EUR"));
  show({{"Tea", "22 EUR"}, {"Rice", "31 EUR"}}, "/b");
  run({"/a", "/b"});
  EXPECT_THAT(changes(), SizeIs(2)) << "the page follows them from then on";
}

TEST_F(FollowedItemsOfPages, AreComparedWhenTheyReturnToTheirPage) {
  show({{"Tea", "20 EUR"}, {"Salt", "1 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  show({{"Salt", "1 EUR"}});
  run();
  show({{"Tea", "22 EUR"}, {"Salt", "1 EUR"}});
  run();
  EXPECT_THAT(changes(), ElementsAre("Tea changed price: 20 EUR -> 22 EUR"));
}

TEST_F(FollowedItemsOfPages, AreNeitherNewNorGoneByAnEditedKey) {
  world.job.first_run = FirstRun::baseline;
  show({{"Tea", "10 EUR"}, {"Milk", "2 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  world.job.key = {"name"};
  ASSERT_TRUE(world.load_job());
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(run().items.gone, 0);
    EXPECT_THAT(told, IsEmpty());
  }
  EXPECT_THAT(changes(), IsEmpty());
  std::vector<std::string> kept;
  for (const Record& record : world.stored_records()) kept.push_back(record.state);
  EXPECT_THAT(kept, ::testing::UnorderedElementsAre("present", "present", "left", "left"));
}

TEST_F(FollowedItemsOfPages, OfABaselineAreReportedWhenTheyChange) {
  world.job.first_run = FirstRun::baseline;
  show({{"Tea", "10 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  EXPECT_THAT(told, IsEmpty());
  show({{"Tea", "8 EUR"}, {"Milk", "1 EUR"}});
  run();
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr(R"("event":"item.new")"));
  EXPECT_THAT(told[0], HasSubstr(R"("summary":"Shop: 1 new item, 1 change")"));
}

TEST_F(FollowedItemsOfPages, OfABaselineStayQuietWhenOtherKeywordsAreWanted) {
  world.job.first_run = FirstRun::baseline;
  show({{"Tea", "10 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  world.job.keywords = {"tea", "milk"};
  ASSERT_TRUE(world.load_job());
  show({{"Tea", "10 EUR"}, {"Milk", "1 EUR"}});
  run();
  EXPECT_THAT(told, SizeIs(1)) << "keywords are no selector, field or key: the item is news";
}

TEST_F(FollowedItemsOfPages, AreUnchangedByACommitThatIsRepeated) {
  show({{"Tea", "10 EUR"}});
  ASSERT_TRUE(world.load());
  run();
  PageResult page;
  page.lease = world.lease(world.site.url("/"));
  page.job = world.job.id;
  page.fetched_at = world.clock.now();
  const Item tea{{{"name", "Tea"}, {"price", "8 EUR"}, {"link", world.site.url("/Tea")}}, {}, ""};
  page.keys = {world.session->plan.key_of(tea)};
  page.updates = {{page.keys[0], tea, false, {{"Tea", "price", "10 EUR", "8 EUR"}}}};
  page.gone_after = 2;
  for (int i = 0; i < 3; ++i) {
    auto receipt = world.drive(world.store->commit(page));
    ASSERT_TRUE(receipt) << receipt.error().message;
    EXPECT_EQ(receipt->changed_items, 1);
    EXPECT_EQ(receipt->repeated, i > 0);
  }
  EXPECT_THAT(changes(), SizeIs(1));
}

}  // namespace
}  // namespace heddle::pipeline
