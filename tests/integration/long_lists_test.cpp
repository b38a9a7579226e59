// Lists of very many rows: memory does not grow with them, in any format.
#include <gtest/gtest.h>

#include "store/sqlite/stored_rows_for_test.hpp"
#include "tests/program/project_folder.hpp"

namespace heddle::testing {
namespace {

constexpr long kMoreKilobytes = 24 << 10;  // than a list of one row

class LongLists : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers need memory of their own";
#endif
    project_.write_job("shop",
                       "url = \"https://shop.test/\"\nselector = \"li\"\nfields = [\"title:\"]\n");
    std::filesystem::create_directories(project_.database().parent_path());
  }

  void store(const store::testing::StoredRows& rows) const {
    store::testing::store_rows(project_.database(), rows);
  }

  [[nodiscard]] long peak_of(std::vector<std::string> arguments) const {
    const auto result = run_heddle_into("/dev/null", project_.path(), std::move(arguments));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.peak_memory_kb;
  }

  void expect_flat(const std::vector<std::vector<std::string>>& commands) const {
    const long least = peak_of({"records", "shop", "--limit", "1"});
    for (const auto& command : commands)
      EXPECT_LE(peak_of(command), least + kMoreKilobytes) << ::testing::PrintToString(command);
  }

  ProjectFolder project_;
};

TEST_F(LongLists, OfRecordsNeedFlatMemory) {
  store({.items = 300'000});
  expect_flat({{"records", "shop"},
               {"records", "shop", "--json"},
               {"records", "shop", "--format", "jsonl"},
               {"records", "shop", "--format", "csv"}});
}

TEST_F(LongLists, OfRunsAndPagesNeedFlatMemory) {
  store({.runs = 100'000, .tasks = 200'000});
  expect_flat({{"runs", "shop", "--limit", "0"},
               {"runs", "shop", "--limit", "0", "--json"},
               {"run-trace", "last"},
               {"run-trace", "last", "--json"},
               {"show", "shop"}});
}

TEST_F(LongLists, OfDeadLettersNeedFlatMemory) {
  store({.dead_letters = 100'000});
  expect_flat({{"dead", "list", "--limit", "0"}, {"dead", "list", "--limit", "0", "--json"}});
}

}  // namespace
}  // namespace heddle::testing
