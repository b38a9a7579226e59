#include "store/sqlite/core/faulty_disk.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "store/sqlite/core/connection.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::store::testing {

namespace {

std::string read_file(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

}  // namespace

// SQLite allocates this with the real file after it.
struct FaultyDisk::File {
  sqlite3_file base;
  FaultyDisk* disk;
  std::string* path;
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

// The C functions that SQLite calls. Only those that change something do more than forward.
struct FaultyDisk::Methods {
  static File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
  static FaultyDisk& of(sqlite3_vfs* vfs) { return *static_cast<FaultyDisk*>(vfs->pAppData); }

  template <auto Method, class... Arguments>
  static auto pass_on(sqlite3_file* file, Arguments... arguments) {
    auto* real = of(file).real();
    return (real->pMethods->*Method)(real, arguments...);
  }

  static int close(sqlite3_file* file) {
    const int code = pass_on<&sqlite3_io_methods::xClose>(file);
    delete of(file).path;
    return code;
  }

  static int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    File& self = of(file);
    const std::lock_guard lock(self.disk->mutex_);
    ++self.disk->writes_;
    const Write write{offset,
                      std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size)),
                      false};
    const bool was_alive = !self.disk->has_broken_;
    const int code = self.disk->begin_operation(SQLITE_IOERR_WRITE);
    // The write during which the power fails may have reached the disk in part.
    if (code == SQLITE_OK || (was_alive && self.disk->fault_ == Fault::power_cut))
      self.disk->platter_of(*self.path).pending.push_back(write);
    return code != SQLITE_OK ? code
                             : self.real()->pMethods->xWrite(self.real(), bytes, size, offset);
  }

  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    File& self = of(file);
    const std::lock_guard lock(self.disk->mutex_);
    const int code = self.disk->begin_operation(SQLITE_IOERR_TRUNCATE);
    if (code != SQLITE_OK) return code;
    self.disk->platter_of(*self.path).pending.push_back({size, {}, true});
    return self.real()->pMethods->xTruncate(self.real(), size);
  }

  // The real disk is not synced: that would only cost time.
  static int sync(sqlite3_file* file, int) {
    File& self = of(file);
    std::this_thread::sleep_for(self.disk->sync_time());
    const std::lock_guard lock(self.disk->mutex_);
    ++self.disk->syncs_;
    const int code = self.disk->begin_operation(SQLITE_IOERR_FSYNC);
    if (code != SQLITE_OK) return code;
    Platter& platter = self.disk->platter_of(*self.path);
    for (const Write& write : platter.pending) apply(platter.synced, write);
    platter.pending.clear();
    return SQLITE_OK;
  }

  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
    FaultyDisk& disk = of(vfs);
    File& self = of(file);
    self.base.pMethods = nullptr;
    const int code = disk.real_->xOpen(disk.real_, name, self.real(), flags, out);
    if (code != SQLITE_OK) return code;
    self.disk = &disk;
    self.path = new std::string(name != nullptr ? name : "");
    self.base.pMethods = methods();
    const std::lock_guard lock(disk.mutex_);
    disk.platter_of(*self.path);
    return SQLITE_OK;
  }

  static int remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
    FaultyDisk& disk = of(vfs);
    const std::lock_guard lock(disk.mutex_);
    const int code = disk.begin_operation(SQLITE_IOERR_DELETE);
    if (code != SQLITE_OK) return code;
    disk.platters_.erase(name);
    return disk.real_->xDelete(disk.real_, name, sync_folder);
  }

  static int access(sqlite3_vfs* vfs, const char* name, int flags, int* result) {
    return of(vfs).real_->xAccess(of(vfs).real_, name, flags, result);
  }
  static int full_path(sqlite3_vfs* vfs, const char* name, int size, char* out) {
    return of(vfs).real_->xFullPathname(of(vfs).real_, name, size, out);
  }

  static const sqlite3_io_methods* methods() {
    using Io = sqlite3_io_methods;
    static const Io all{
        .iVersion = 2,
        .xClose = close,
        .xRead = pass_on<&Io::xRead>,
        .xWrite = write,
        .xTruncate = truncate,
        .xSync = sync,
        .xFileSize = pass_on<&Io::xFileSize>,
        .xLock = pass_on<&Io::xLock>,
        .xUnlock = pass_on<&Io::xUnlock>,
        .xCheckReservedLock = pass_on<&Io::xCheckReservedLock>,
        .xFileControl = pass_on<&Io::xFileControl>,
        .xSectorSize = pass_on<&Io::xSectorSize>,
        .xDeviceCharacteristics = pass_on<&Io::xDeviceCharacteristics>,
        .xShmMap = pass_on<&Io::xShmMap>,
        .xShmLock = pass_on<&Io::xShmLock>,
        .xShmBarrier = pass_on<&Io::xShmBarrier>,
        .xShmUnmap = pass_on<&Io::xShmUnmap>,
        .xFetch = nullptr,
        .xUnfetch = nullptr,
    };
    return &all;
  }
};

FaultyDisk::FaultyDisk()
    : name_("faulty-" + std::to_string(reinterpret_cast<std::uintptr_t>(this))),
      real_(sqlite3_vfs_find(nullptr)) {
  vfs_ = *real_;  // time, randomness and the rest stay those of the real VFS
  vfs_.iVersion = 1;
  vfs_.szOsFile = static_cast<int>(sizeof(File)) + real_->szOsFile;
  vfs_.pNext = nullptr;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.xOpen = Methods::open;
  vfs_.xDelete = Methods::remove;
  vfs_.xAccess = Methods::access;
  vfs_.xFullPathname = Methods::full_path;
  sqlite3_vfs_register(&vfs_, 0);
}

FaultyDisk::~FaultyDisk() {
  sqlite3_vfs_unregister(&vfs_);
}

void FaultyDisk::break_at(Fault fault, std::int64_t operation) {
  const std::lock_guard lock(mutex_);
  fault_ = fault;
  countdown_ = operation;
  has_broken_ = false;
}

bool FaultyDisk::has_broken() const {
  const std::lock_guard lock(mutex_);
  return has_broken_;
}

std::int64_t FaultyDisk::writes() const {
  const std::lock_guard lock(mutex_);
  return writes_;
}

std::int64_t FaultyDisk::syncs() const {
  const std::lock_guard lock(mutex_);
  return syncs_;
}

void FaultyDisk::slow_down(std::chrono::microseconds sync_time) {
  const std::lock_guard lock(mutex_);
  sync_time_ = sync_time;
}

std::chrono::microseconds FaultyDisk::sync_time() const {
  const std::lock_guard lock(mutex_);
  return sync_time_;
}

void FaultyDisk::repair() {
  break_at(Fault::power_cut, -1);
}

int FaultyDisk::begin_operation(int error) {
  const bool is_the_one = countdown_ > 0 && --countdown_ == 0;
  if (is_the_one) has_broken_ = true;
  const bool lasts = has_broken_ && fault_ != Fault::error_once;
  if (!is_the_one && !lasts) return SQLITE_OK;
  return fault_ == Fault::full && error == SQLITE_IOERR_WRITE ? SQLITE_FULL : error;
}

FaultyDisk::Platter& FaultyDisk::platter_of(const std::string& path) {
  const auto found = platters_.find(path);
  if (found != platters_.end()) return found->second;
  return platters_.emplace(path, Platter{read_file(path), {}}).first->second;
}

void FaultyDisk::apply(std::string& content, const Write& write) {
  const auto offset = static_cast<std::size_t>(write.offset);
  if (write.is_truncation) return content.resize(offset);
  if (content.size() < offset + write.bytes.size()) content.resize(offset + write.bytes.size());
  std::memcpy(content.data() + offset, write.bytes.data(), write.bytes.size());
}

void FaultyDisk::lose_unsynced(std::mt19937_64& random) {
  const std::lock_guard lock(mutex_);
  for (auto& [path, platter] : platters_) {
    std::string content = platter.synced;
    for (Write& write : platter.pending) {
      const auto fate = random() % 3;
      if (fate == 0) continue;
      if (fate == 1 && !write.is_truncation)
        write.bytes.resize(random() % (write.bytes.size() + 1));
      apply(content, write);
    }
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  }
  platters_.clear();
}

namespace {

class FaultyDiskTest : public ::testing::Test {
 protected:
  std::unique_ptr<Connection> connect() {
    auto db = Connection::open(file_, {.vfs = disk_.vfs()});
    EXPECT_TRUE(db) << db.error().message;
    return std::move(*db);
  }

  heddle::testing::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "x.db";
  FaultyDisk disk_;
};

TEST_F(FaultyDiskTest, KeepsSyncedDataAfterAPowerCut) {
  auto db = connect();
  ASSERT_TRUE(db->execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)"));
  disk_.break_at(FaultyDisk::Fault::power_cut, 1);
  EXPECT_FALSE(db->execute("INSERT INTO t VALUES (2)"));
  EXPECT_TRUE(disk_.has_broken());
  db.reset();
  std::mt19937_64 random(1);
  disk_.lose_unsynced(random);
  disk_.repair();
  EXPECT_EQ(*connect()->query_integer("SELECT count(*) FROM t"), 1);
}

// Proves that the power cut is effective: without syncs committed data is lost.
TEST_F(FaultyDiskTest, LosesUnsyncedData) {
  int lost = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    file_ = folder_.path() / (std::to_string(seed) + ".db");
    auto db = connect();
    ASSERT_TRUE(
        db->execute("PRAGMA journal_mode=WAL; CREATE TABLE t (x);"
                    "PRAGMA wal_checkpoint; PRAGMA synchronous=OFF;"
                    "INSERT INTO t VALUES (1)"));
    disk_.break_at(FaultyDisk::Fault::power_cut, 1);
    (void)db->execute("INSERT INTO t VALUES (2)");
    db.reset();
    std::mt19937_64 random(seed);
    disk_.lose_unsynced(random);
    disk_.repair();
    if (*connect()->query_integer("SELECT count(*) FROM t") == 0) ++lost;
  }
  EXPECT_GT(lost, 5);
}

TEST_F(FaultyDiskTest, FailsOnceOrPermanently) {
  auto db = connect();
  ASSERT_TRUE(db->execute("CREATE TABLE t (x)"));
  disk_.break_at(FaultyDisk::Fault::error_once, 1);
  EXPECT_FALSE(db->execute("INSERT INTO t VALUES (1)"));
  EXPECT_TRUE(db->execute("INSERT INTO t VALUES (2)"));
  disk_.break_at(FaultyDisk::Fault::full, 1);
  auto full = db->execute("INSERT INTO t VALUES (3)");
  ASSERT_FALSE(full);
  EXPECT_NE(full.error().message.find("disk is full"), std::string::npos);
  EXPECT_FALSE(db->execute("INSERT INTO t VALUES (4)"));
  disk_.repair();
  EXPECT_EQ(*db->query_integer("SELECT count(*) FROM t"), 1);
}

}  // namespace

}  // namespace heddle::store::testing
