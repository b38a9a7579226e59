// A disk for tests, between SQLite and the real one: it fails at a chosen operation, or loses power
// there and forgets what was never synced. Registers itself with SQLite while it lives.
// Thread-safe; must outlive the files opened through it.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include <sqlite3.h>

namespace heddle::store::testing {

class FaultyDisk {
 public:
  enum class Fault {
    power_cut,     // nothing is written from there on; see lose_unsynced()
    error_once,    // one write or sync fails
    error_always,  // all from there on fail
    full,          // no room from there on
  };

  FaultyDisk();
  ~FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;

  [[nodiscard]] const std::string& vfs() const { return name_; }

  // Writes, truncations, deletions and syncs count, from 1 and from now on.
  void break_at(Fault fault, std::int64_t operation);
  [[nodiscard]] bool has_broken() const;
  // From now on each sync takes so long.
  void slow_down(std::chrono::microseconds sync_time);

  // Since the beginning.
  [[nodiscard]] std::int64_t writes() const;
  [[nodiscard]] std::int64_t syncs() const;
  void repair();

  // What the platter holds after the power is back: all that was synced, and of each later write
  // all, nothing or its first part. All files must be closed.
  void lose_unsynced(std::mt19937_64& random);

 private:
  struct File;  // what SQLite holds of an open file
  struct Methods;

  struct Write {
    std::int64_t offset = 0;
    std::string bytes;
    bool is_truncation = false;  // to `offset`
  };
  struct Platter {
    std::string synced;
    std::vector<Write> pending;
  };

  [[nodiscard]] std::chrono::microseconds sync_time() const;
  int begin_operation(int error);  // SQLITE_OK or the failure
  Platter& platter_of(const std::string& path);
  static void apply(std::string& content, const Write& write);

  std::string name_;
  sqlite3_vfs* real_;
  sqlite3_vfs vfs_{};
  mutable std::mutex mutex_;
  std::map<std::string, Platter> platters_;
  Fault fault_ = Fault::power_cut;
  std::int64_t countdown_ = -1;  // negative: never
  bool has_broken_ = false;
  std::int64_t writes_ = 0;
  std::int64_t syncs_ = 0;
  std::chrono::microseconds sync_time_{0};
};

}  // namespace heddle::store::testing
