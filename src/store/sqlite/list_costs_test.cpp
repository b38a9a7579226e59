// What lists cost: rows are read through an index, in batches, and as many as are shown.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/statement_costs_for_test.hpp"
#include "store/sqlite/stored_rows_for_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store {

namespace {

using testing::StatementCost;
using testing::StatementCosts;
using testing::StoredRows;

const JobId kShop{"shop"};
const RunId kLastRun{"last"};

class ListCosts : public ::testing::Test {
 protected:
  std::unique_ptr<SqliteReader> reader_of(const StoredRows& rows) {
    const auto file = folder_.path() / ("heddle.db" + std::to_string(++files_));
    testing::store_rows(file, rows);
    auto reader = SqliteReader::open(file);
    EXPECT_TRUE(reader) << reader.error().message;
    costs_.take();
    return reader ? std::move(*reader) : nullptr;
  }

  // Steps of SQLite's virtual machine: they do not depend on the load of the machine.
  std::int64_t steps_of(const StoredRows& rows, const std::function<void(Reader&)>& list) {
    const auto reader = reader_of(rows);
    list(*reader);
    return costs_.take_steps();
  }

  StatementCosts costs_;
  heddle::testing::TemporaryFolder folder_;
  int files_ = 0;
};

// Visits so many rows.
class First {
 public:
  explicit First(std::size_t count) : left_(count) {}
  template <class Row>
  bool operator()(const Row&) {
    return --left_ > 0;
  }

 private:
  std::size_t left_;
};

const StoredRows kFew{.items = 2000, .runs = 2000, .tasks = 2000, .dead_letters = 2000, .jobs = 20};
const StoredRows kMany{
    .items = 20'000, .runs = 20'000, .tasks = 20'000, .dead_letters = 20'000, .jobs = 2000};

struct List {
  std::string name;
  std::function<void(Reader&)> read;
};

std::vector<List> lists() {
  return {{"records", [](Reader& r) { EXPECT_TRUE(r.for_each_record(kShop, {}, First(20))); }},
          {"runs", [](Reader& r) { EXPECT_TRUE(r.for_each_run(kShop, First(20))); }},
          {"newest runs", [](Reader& r) { EXPECT_EQ(r.runs(kShop, 10)->size(), 10u); }},
          {"run", [](Reader& r) { EXPECT_EQ((*r.run(kLastRun))->errors.size(), kKeptRunErrors); }},
          {"figures", [](Reader& r) { EXPECT_EQ(r.recent_runs(kShop, 100)->size(), 100u); }},
          {"trace", [](Reader& r) { EXPECT_TRUE(r.for_each_trace(kLastRun, First(20))); }},
          {"dead letters", [](Reader& r) { EXPECT_TRUE(r.for_each_dead_letter({}, First(20))); }},
          {"dead letters of a job",
           [](Reader& r) { EXPECT_TRUE(r.for_each_dead_letter(kShop, First(20))); }},
          {"log", [](Reader& r) { EXPECT_TRUE(r.job_events(kShop, 0, 50)); }},
          {"failing jobs", [](Reader& r) { EXPECT_EQ(r.failing_jobs()->size(), 1u); }},
          {"days", [](Reader& r) {
             // After all of the runs.
             const DayRange last{.first = 2, .day_of = [](WallTime) { return std::int64_t{2}; }};
             EXPECT_TRUE(r.run_days(kShop, last));
           }}};
}

TEST_F(ListCosts, DoNotGrowWithTheStoredRows) {
  for (const List& list : lists()) {
    const auto few = steps_of(kFew, list.read);
    EXPECT_GT(few, 0) << list.name;
    // A deeper tree costs no more steps, and a batch is a batch.
    EXPECT_LE(steps_of(kMany, list.read), few + few / 10 + 100) << list.name;
  }
}

TEST_F(ListCosts, SortNothing) {
  const auto reader = reader_of(kFew);
  for (const List& list : lists()) list.read(*reader);
  ASSERT_TRUE(reader->job_statuses());
  ASSERT_TRUE(reader->jobs());
  for (const StatementCost& cost : costs_.take()) EXPECT_EQ(cost.sorts, 0) << cost.sql;
}

TEST_F(ListCosts, AreLinearWhenAllItemsWereFoundAtOneTime) {
  std::size_t visited = 0;
  const auto read_all = [&visited](Reader& reader) {
    visited = 0;
    EXPECT_TRUE(reader.for_each_record(kShop, {}, [&visited](const Record&) {
      ++visited;
      return true;
    }));
  };
  const auto few = steps_of({.items = 2000, .items_per_time = 1'000'000}, read_all);
  EXPECT_EQ(visited, 2000u);
  const auto many = steps_of({.items = 20'000, .items_per_time = 1'000'000}, read_all);
  EXPECT_EQ(visited, 20'000u);
  EXPECT_LE(many, few * 11);
}

TEST_F(ListCosts, OfAStatusDoNotIncludeThePagesOfARun) {
  const auto backlog = [](Reader& reader) { EXPECT_EQ(reader.backlog()->pages, 1); };
  const auto few = steps_of({.tasks = 100}, backlog);
  EXPECT_LE(steps_of({.tasks = 20'000}, backlog), few + 100);
}

TEST_F(ListCosts, VisitEveryRowOnceInOrder) {
  const auto reader = reader_of({.items = 1700, .runs = 1700, .tasks = 1700, .dead_letters = 1700});
  std::vector<std::int64_t> items;
  ASSERT_TRUE(reader->for_each_record(kShop, {}, [&items](const Record& record) {
    items.push_back(record.id);
    return true;
  }));
  std::vector<std::int64_t> letters;
  ASSERT_TRUE(reader->for_each_dead_letter({}, [&letters](const DeadLetter& letter) {
    letters.push_back(letter.id);
    return true;
  }));
  std::vector<std::int64_t> newest_first(1700);
  for (std::int64_t i = 0; i < 1700; ++i) newest_first[static_cast<std::size_t>(i)] = 1700 - i;
  EXPECT_EQ(items, newest_first);
  EXPECT_EQ(letters, newest_first);

  std::vector<std::string> runs;
  ASSERT_TRUE(reader->for_each_run(kShop, [&runs](const heddle::Run& run) {
    runs.push_back(run.id.text);
    return true;
  }));
  ASSERT_EQ(runs.size(), 1701u);
  EXPECT_EQ(runs.front(), "last");
  EXPECT_EQ(runs[1], "run1700");
  EXPECT_EQ(runs.back(), "run1");
  std::int64_t task = 0;
  ASSERT_TRUE(reader->for_each_trace(kLastRun, [&task](const TaskTrace& trace) {
    EXPECT_EQ(trace.task.number, ++task);
    return true;
  }));
  EXPECT_EQ(task, 1700);
}

}  // namespace

}  // namespace heddle::store
