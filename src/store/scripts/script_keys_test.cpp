#include <csignal>
#include <thread>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "store/scripts/script_database_for_test.hpp"
#include "store/sqlite/core/connection.hpp"

namespace heddle::store::testing {

namespace {

using ::testing::HasSubstr;

class ScriptKeys : public ScriptDatabaseTest {
 protected:
  std::string get(const ScriptDatabase::Owner& owner, const std::string& key) {
    auto value = run_async(db_->get(owner, key));
    if (!value) return "error: " + value.error().message;
    return value->value_or("nothing");
  }
  std::string set(const ScriptDatabase::Owner& owner, const std::string& key, std::string value) {
    auto done = run_async(db_->set(owner, key, std::move(value)));
    return done ? "done" : "error: " + done.error().message;
  }
  std::string add(const std::string& key, Number initial, Number delta) {
    auto sum = run_async(db_->increment(ScriptDatabase::all_jobs, key, initial, delta));
    if (!sum) return "error: " + sum.error().message;
    const auto* integer = std::get_if<std::int64_t>(&*sum);
    return integer != nullptr ? std::to_string(*integer)
                              : "~" + std::to_string(std::get<double>(*sum));
  }
};

TEST_F(ScriptKeys, ReturnTheValueThatWasSet) {
  EXPECT_EQ(get(kShop, "a"), "nothing");
  EXPECT_EQ(set(kShop, "a", "one"), "done");
  EXPECT_EQ(get(kShop, "a"), "one");
  EXPECT_EQ(set(kShop, "a", ""), "done");
  EXPECT_EQ(get(kShop, "a"), "");
}

TEST_F(ScriptKeys, MayHoldAnyBytes) {
  const std::string bytes("\0\xff\x80 a", 5);
  EXPECT_EQ(set(kShop, bytes, bytes), "done");
  EXPECT_EQ(get(kShop, bytes), bytes);
  EXPECT_EQ(get(kShop, std::string(1, '\0')), "nothing");
}

TEST_F(ScriptKeys, BelongToTheirJobOrToAllJobs) {
  set(kShop, "a", "of shop");
  set(kOther, "a", "of other");
  set(ScriptDatabase::all_jobs, "a", "of all");
  EXPECT_EQ(get(kShop, "a"), "of shop");
  EXPECT_EQ(get(kOther, "a"), "of other");
  EXPECT_EQ(get(ScriptDatabase::all_jobs, "a"), "of all");
}

TEST_F(ScriptKeys, AreGoneAfterRemoval) {
  set(kShop, "a", "1");
  set(kOther, "a", "2");
  EXPECT_TRUE(*run_async(db_->remove(kShop, "a")));
  EXPECT_FALSE(*run_async(db_->remove(kShop, "a")));
  EXPECT_EQ(get(kShop, "a"), "nothing");
  EXPECT_EQ(get(kOther, "a"), "2");
}

TEST_F(ScriptKeys, SurviveReopening) {
  set(kShop, "a", "1");
  open();
  EXPECT_EQ(get(kShop, "a"), "1");
}

TEST_F(ScriptKeys, RefuseWhatIsTooLarge) {
  EXPECT_THAT(set(kShop, std::string(1025, 'k'), "v"), HasSubstr("at most 1024"));
  EXPECT_EQ(set(kShop, std::string(1024, 'k'), "v"), "done");
  EXPECT_THAT(get(kShop, ""), HasSubstr("must not be empty"));
  EXPECT_THAT(set(kShop, "k", std::string((10u << 20) + 1, 'v')), HasSubstr("at most 10 MB"));
  EXPECT_EQ(set(kShop, "k", std::string(10u << 20, 'v')), "done");
  EXPECT_EQ(get(kShop, "k").size(), 10u << 20);
}

TEST_F(ScriptKeys, CountInIntegersUntilARealIsAdded) {
  EXPECT_EQ(add("n", std::int64_t{10}, std::int64_t{1}), "11");
  EXPECT_EQ(add("n", std::int64_t{10}, std::int64_t{-20}), "-9");
  EXPECT_EQ(get(ScriptDatabase::all_jobs, "n"), "-9");
  EXPECT_EQ(add("n", std::int64_t{0}, 0.5), "~-8.500000");
  EXPECT_EQ(get(ScriptDatabase::all_jobs, "n"), "-8.5");
  EXPECT_EQ(add("n", std::int64_t{0}, -0.5), "~-9.000000");
  EXPECT_EQ(get(ScriptDatabase::all_jobs, "n"), "-9.0");
  EXPECT_EQ(add("n", std::int64_t{0}, std::int64_t{1}), "~-8.000000");
}

TEST_F(ScriptKeys, IncrementATextThatIsANumber) {
  set(ScriptDatabase::all_jobs, "n", " 41 ");
  EXPECT_EQ(add("n", std::int64_t{0}, std::int64_t{1}), "42");
  EXPECT_EQ(add("big", std::int64_t{1} << 53, std::int64_t{1}), "9007199254740993");
}

TEST_F(ScriptKeys, RefuseToIncrementAValueThatIsNotANumber) {
  for (const char* text : {"apple", "", "1x", "nan", "inf", "0x10", "1 2"}) {
    set(ScriptDatabase::all_jobs, "n", text);
    EXPECT_THAT(add("n", std::int64_t{0}, std::int64_t{1}), HasSubstr("not a number")) << text;
    EXPECT_EQ(get(ScriptDatabase::all_jobs, "n"), text);
  }
  EXPECT_THAT(add("max", INT64_MAX, std::int64_t{1}), HasSubstr("too large"));
  EXPECT_EQ(get(ScriptDatabase::all_jobs, "max"), "nothing");
}

Async<void> increment_often(ScriptDatabase& db, int times, int& failures) {
  const Number none = std::int64_t{0};
  const Number one = std::int64_t{1};
  for (int i = 0; i < times; ++i) {
    auto sum = co_await db.increment(ScriptDatabase::all_jobs, "n", none, one);
    if (!sum) ++failures;
  }
}

// 16 coroutines share the work; returns how many failed.
int increment_together(const std::filesystem::path& file, int times) {
  auto db = ScriptDatabase::open(file, {});
  if (!db) return times;
  int failures = 0;
  boost::asio::io_context loop;
  for (int i = 0; i < 16; ++i)
    boost::asio::co_spawn(loop, increment_often(**db, times / 16, failures), boost::asio::detached);
  loop.run();
  return failures;
}

TEST_F(ScriptKeys, AddUpExactlyAcrossProcesses) {
  constexpr int kEach = 5008;
  db_.reset();
  std::array<pid_t, 2> children{};
  for (pid_t& child : children) {
    child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(increment_together(file_, kEach) == 0 ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  open();
  EXPECT_EQ(get(ScriptDatabase::all_jobs, "n"), std::to_string(2 * kEach));
}

TEST_F(ScriptKeys, SurviveTheirProcessBeingKilled) {
  db_.reset();
  int least = 0;  // all acknowledged increments
  for (int round = 0; round < 5; ++round) {
    int ends[2] = {-1, -1};
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto db = ScriptDatabase::open(file_, {});
      if (!db) _exit(1);
      while (true) {
        auto sum = run_async(
            (*db)->increment(ScriptDatabase::all_jobs, "n", std::int64_t{0}, std::int64_t{1}));
        if (!sum || write(ends[1], "x", 1) != 1) _exit(1);
      }
    }
    close(ends[1]);
    char answer = 0;
    for (int i = 0; i < 20; ++i) ASSERT_EQ(read(ends[0], &answer, 1), 1);
    kill(child, SIGKILL);
    int acknowledged = 20;
    while (read(ends[0], &answer, 1) == 1) ++acknowledged;
    close(ends[0]);
    waitpid(child, nullptr, 0);
    least += acknowledged;
    open();
    EXPECT_GE(std::stoi(get(ScriptDatabase::all_jobs, "n")), least);
    EXPECT_EQ(query("SELECT count(*) FROM sqlite_schema"), "2");
    db_.reset();
  }
}

TEST_F(ScriptKeys, AreCreatedByConcurrentProcesses) {
  db_.reset();
  std::filesystem::remove(file_);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      auto db = ScriptDatabase::open(file_, {});
      EXPECT_TRUE(db) << db.error().message;
    });
}

TEST_F(ScriptKeys, SurviveADestroyedEventLoop) {
  boost::asio::io_context loop;
  int failures = 0;
  boost::asio::co_spawn(loop, increment_often(*db_, 1000, failures), boost::asio::detached);
  loop.run_one();
}  // the loop ends first, then the database: no answer may touch the loop

class AsUnprivilegedUser {  // drops root's privileges in its scope: root may write anywhere
 public:
  AsUnprivilegedUser() {
    if (geteuid() == 0) is_changed_ = seteuid(65534) == 0;
  }
  ~AsUnprivilegedUser() {
    if (is_changed_ && seteuid(0) != 0) std::abort();
  }
  AsUnprivilegedUser(const AsUnprivilegedUser&) = delete;
  AsUnprivilegedUser& operator=(const AsUnprivilegedUser&) = delete;

 private:
  bool is_changed_ = false;
};

TEST_F(ScriptKeys, AreRefusedClearlyInAFolderThatCannotBeWritten) {
  db_.reset();
  for (const char* name : {"scripts.db", "scripts.db-wal", "scripts.db-shm"})
    std::filesystem::remove(folder_.path() / name);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0555));
  {
    const AsUnprivilegedUser user;
    auto db = ScriptDatabase::open(file_, {});
    ASSERT_FALSE(db);
    EXPECT_EQ(db.error().code, ErrorCode::unavailable);
    EXPECT_THAT(db.error().message, HasSubstr("permission denied"));
    EXPECT_THAT(db.error().message, HasSubstr("scripts.db"));
  }
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
}

TEST_F(ScriptKeys, AreRefusedClearlyInADamagedFile) {
  db_.reset();
  folder_.write("scripts.db", std::string(20'000, 'x'));
  auto db = ScriptDatabase::open(file_, {});
  ASSERT_FALSE(db);
  EXPECT_EQ(db.error().code, ErrorCode::corrupt);
  EXPECT_THAT(db.error().message, HasSubstr("restore a backup"));
}

TEST_F(ScriptKeys, ReportDamageFoundLater) {
  set(kShop, "a", std::string(100'000, 'v'));
  db_.reset();
  {
    const auto size = std::filesystem::file_size(file_);
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);
    file << std::string(size - 4096, '\x5a');
  }
  auto db = ScriptDatabase::open(file_, {});
  if (!db) {
    EXPECT_EQ(db.error().code, ErrorCode::corrupt);
    return;
  }
  const auto value = run_async((*db)->get(kShop, "a"));
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().code, ErrorCode::corrupt);
}

TEST_F(ScriptKeys, RefuseFilesOfOtherPrograms) {
  db_.reset();
  std::filesystem::remove(file_);
  {
    auto theirs = Connection::open(file_, {});
    ASSERT_TRUE(theirs);
    ASSERT_TRUE((*theirs)->execute("CREATE TABLE theirs (x)"));
  }
  auto db = ScriptDatabase::open(file_, {});
  ASSERT_FALSE(db);
  EXPECT_THAT(db.error().message, HasSubstr("another program"));
}

}  // namespace

}  // namespace heddle::store::testing
