#include "store/sqlite/core/batching_wal.hpp"

#include <cstdint>
#include <new>
#include <vector>

namespace heddle::store {

namespace {

// SQLite's own VFS accepts fewer than 128 KB per write: larger pages do not exist.
constexpr std::size_t kMaxBatchBytes = 127u << 10;

}  // namespace

// SQLite allocates this with the real file after it.
struct BatchingWal::File {
  sqlite3_file base;
  std::vector<char>* batch;
  sqlite3_int64 start;  // file offset of the batch

  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  [[nodiscard]] sqlite3_int64 end() const {
    return start + static_cast<sqlite3_int64>(batch->size());
  }

  // Clears the batch even on failure: SQLite then writes its transaction again.
  int flush() {
    if (batch->empty()) return SQLITE_OK;
    const int code =
        real()->pMethods->xWrite(real(), batch->data(), static_cast<int>(batch->size()), start);
    batch->clear();
    return code;
  }

  int append(const char* bytes, int size, sqlite3_int64 offset) {
    const auto count = static_cast<std::size_t>(size);
    if (offset != end() || batch->size() + count > kMaxBatchBytes) {
      if (const int code = flush(); code != SQLITE_OK) return code;
      start = offset;
    }
    try {
      batch->insert(batch->end(), bytes, bytes + count);
    } catch (const std::bad_alloc&) {
      return SQLITE_IOERR_NOMEM;
    }
    return SQLITE_OK;
  }
};

// The C functions that SQLite calls for a WAL.
struct BatchingWal::Methods {
  using Io = sqlite3_io_methods;

  static File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }

  // Flushes the batch first.
  template <auto Method, class... Arguments>
  static int in_order(sqlite3_file* file, Arguments... arguments) {
    File& self = of(file);
    if (const int code = self.flush(); code != SQLITE_OK) return code;
    return (self.real()->pMethods->*Method)(self.real(), arguments...);
  }

  template <auto Method, class... Arguments>
  static int pass_on(sqlite3_file* file, Arguments... arguments) {
    sqlite3_file* real = of(file).real();
    return (real->pMethods->*Method)(real, arguments...);
  }

  // Where a torn write can damage neighbouring bytes, SQLite pads the sector after the last sync of
  // a transaction, and no later call would flush that.
  static bool can_tear_writes(sqlite3_file* real) {
    return (real->pMethods->xDeviceCharacteristics(real) & SQLITE_IOCAP_POWERSAFE_OVERWRITE) == 0;
  }

  static int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    if (can_tear_writes(of(file).real())) return in_order<&Io::xWrite>(file, bytes, size, offset);
    return of(file).append(static_cast<const char*>(bytes), size, offset);
  }

  static int close(sqlite3_file* file) {
    File& self = of(file);
    const int written = self.flush();
    delete self.batch;
    const int closed = self.real()->pMethods->xClose(self.real());
    return written != SQLITE_OK ? written : closed;
  }

  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
    sqlite3_vfs* real = static_cast<BatchingWal*>(vfs->pAppData)->real_;
    if ((flags & SQLITE_OPEN_WAL) == 0) return real->xOpen(real, name, file, flags, out);
    File& self = of(file);
    self.base.pMethods = nullptr;
    if (const int code = real->xOpen(real, name, self.real(), flags, out); code != SQLITE_OK)
      return code;
    self.batch = new (std::nothrow) std::vector<char>;
    if (self.batch == nullptr) {
      self.real()->pMethods->xClose(self.real());
      return SQLITE_NOMEM;
    }
    self.start = 0;
    self.base.pMethods = &kMethods;
    return SQLITE_OK;
  }

  static int remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
    sqlite3_vfs* real = static_cast<BatchingWal*>(vfs->pAppData)->real_;
    return real->xDelete(real, name, sync_folder);
  }
  static int access(sqlite3_vfs* vfs, const char* name, int flags, int* result) {
    sqlite3_vfs* real = static_cast<BatchingWal*>(vfs->pAppData)->real_;
    return real->xAccess(real, name, flags, result);
  }
  static int full_path(sqlite3_vfs* vfs, const char* name, int size, char* out) {
    sqlite3_vfs* real = static_cast<BatchingWal*>(vfs->pAppData)->real_;
    return real->xFullPathname(real, name, size, out);
  }

  static const Io kMethods;
};

const sqlite3_io_methods BatchingWal::Methods::kMethods{
    .iVersion = 1,  // later versions are for database files
    .xClose = close,
    .xRead = in_order<&Io::xRead>,
    .xWrite = write,
    .xTruncate = in_order<&Io::xTruncate>,
    .xSync = in_order<&Io::xSync>,
    .xFileSize = in_order<&Io::xFileSize>,
    .xLock = pass_on<&Io::xLock>,
    .xUnlock = pass_on<&Io::xUnlock>,
    .xCheckReservedLock = pass_on<&Io::xCheckReservedLock>,
    .xFileControl = in_order<&Io::xFileControl>,
    .xSectorSize = pass_on<&Io::xSectorSize>,
    .xDeviceCharacteristics = pass_on<&Io::xDeviceCharacteristics>,
    .xShmMap = nullptr,
    .xShmLock = nullptr,
    .xShmBarrier = nullptr,
    .xShmUnmap = nullptr,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

Result<std::unique_ptr<BatchingWal>> BatchingWal::over(const std::string& vfs) {
  sqlite3_vfs* real = sqlite3_vfs_find(vfs.empty() ? nullptr : vfs.c_str());
  if (real == nullptr) return Error{ErrorCode::not_found, "SQLite knows no disk named " + vfs};
  return std::unique_ptr<BatchingWal>(new BatchingWal(real));
}

BatchingWal::BatchingWal(sqlite3_vfs* real)
    : name_("gathered-" + std::to_string(reinterpret_cast<std::uintptr_t>(this))), real_(real) {
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

BatchingWal::~BatchingWal() {
  sqlite3_vfs_unregister(&vfs_);
}

}  // namespace heddle::store
