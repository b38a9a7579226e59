// Simulates a faulty disk below SQLite for tests: it fails at a chosen operation, or loses power
// there together with all unsynced writes. Registers itself with SQLite while it exists.
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
    power_cut,     // no write succeeds after it; see lose_unsynced()
    error_once,    // one write or sync fails
    error_always,  // all later ones fail
    full,          // no space after it
  };

  FaultyDisk();
  ~FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;

  [[nodiscard]] const std::string& vfs() const { return name_; }

  // Counts writes, truncations, deletions and syncs from now on, starting with 1.
  void break_at(Fault fault, std::int64_t operation);
  [[nodiscard]] bool has_broken() const;
  // Delays every later sync.
  void slow_down(std::chrono::microseconds sync_time);

  // Since construction.
  [[nodiscard]] std::int64_t writes() const;
  [[nodiscard]] std::int64_t syncs() const;
  void repair();

  // Leaves what a power cut leaves: everything synced, and of each later write all, nothing or its
  // first part. All files must be closed.
  void lose_unsynced(std::mt19937_64& random);

 private:
  struct File;  // SQLite's handle of an open file
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
