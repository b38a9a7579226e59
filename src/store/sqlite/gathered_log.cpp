#include "store/sqlite/gathered_log.hpp"

#include <cstdint>
#include <new>
#include <vector>

namespace heddle::store {

namespace {

// SQLite's own disk takes fewer than 128 KB at a time: larger pages do not exist.
constexpr std::size_t kMostGathered = 127u << 10;

}  // namespace

// SQLite allocates this with the real file behind it.
struct GatheredLog::File {
  sqlite3_file base;
  std::vector<char>* gathered;
  sqlite3_int64 start;  // where in the file the gathered bytes belong

  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  [[nodiscard]] sqlite3_int64 end() const {
    return start + static_cast<sqlite3_int64>(gathered->size());
  }

  // Whatever comes of it nothing is left: after a failure SQLite writes its transaction anew.
  int write_gathered() {
    if (gathered->empty()) return SQLITE_OK;
    const int code = real()->pMethods->xWrite(real(), gathered->data(),
                                              static_cast<int>(gathered->size()), start);
    gathered->clear();
    return code;
  }

  int gather(const char* bytes, int size, sqlite3_int64 offset) {
    const auto count = static_cast<std::size_t>(size);
    if (offset != end() || gathered->size() + count > kMostGathered) {
      if (const int code = write_gathered(); code != SQLITE_OK) return code;
      start = offset;
    }
    try {
      gathered->insert(gathered->end(), bytes, bytes + count);
    } catch (const std::bad_alloc&) {
      return SQLITE_IOERR_NOMEM;
    }
    return SQLITE_OK;
  }
};

// The C functions that SQLite calls for a log.
struct GatheredLog::Methods {
  using Io = sqlite3_io_methods;

  static File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }

  // What was gathered comes first.
  template <auto Method, class... Arguments>
  static int in_order(sqlite3_file* file, Arguments... arguments) {
    File& self = of(file);
    if (const int code = self.write_gathered(); code != SQLITE_OK) return code;
    return (self.real()->pMethods->*Method)(self.real(), arguments...);
  }

  template <auto Method, class... Arguments>
  static int pass_on(sqlite3_file* file, Arguments... arguments) {
    sqlite3_file* real = of(file).real();
    return (real->pMethods->*Method)(real, arguments...);
  }

  // Where a torn write could hurt its neighbours SQLite fills up the sector after the last sync of
  // a transaction, and nothing would follow to bring that out.
  static bool is_torn_apart(sqlite3_file* real) {
    return (real->pMethods->xDeviceCharacteristics(real) & SQLITE_IOCAP_POWERSAFE_OVERWRITE) == 0;
  }

  static int write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    if (is_torn_apart(of(file).real())) return in_order<&Io::xWrite>(file, bytes, size, offset);
    return of(file).gather(static_cast<const char*>(bytes), size, offset);
  }

  static int close(sqlite3_file* file) {
    File& self = of(file);
    const int written = self.write_gathered();
    delete self.gathered;
    const int closed = self.real()->pMethods->xClose(self.real());
    return written != SQLITE_OK ? written : closed;
  }

  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
    sqlite3_vfs* real = static_cast<GatheredLog*>(vfs->pAppData)->real_;
    if ((flags & SQLITE_OPEN_WAL) == 0) return real->xOpen(real, name, file, flags, out);
    File& self = of(file);
    self.base.pMethods = nullptr;
    if (const int code = real->xOpen(real, name, self.real(), flags, out); code != SQLITE_OK)
      return code;
    self.gathered = new (std::nothrow) std::vector<char>;
    if (self.gathered == nullptr) {
      self.real()->pMethods->xClose(self.real());
      return SQLITE_NOMEM;
    }
    self.start = 0;
    self.base.pMethods = &kMethods;
    return SQLITE_OK;
  }

  static int remove(sqlite3_vfs* vfs, const char* name, int sync_folder) {
    sqlite3_vfs* real = static_cast<GatheredLog*>(vfs->pAppData)->real_;
    return real->xDelete(real, name, sync_folder);
  }
  static int access(sqlite3_vfs* vfs, const char* name, int flags, int* result) {
    sqlite3_vfs* real = static_cast<GatheredLog*>(vfs->pAppData)->real_;
    return real->xAccess(real, name, flags, result);
  }
  static int full_path(sqlite3_vfs* vfs, const char* name, int size, char* out) {
    sqlite3_vfs* real = static_cast<GatheredLog*>(vfs->pAppData)->real_;
    return real->xFullPathname(real, name, size, out);
  }

  static const Io kMethods;
};

const sqlite3_io_methods GatheredLog::Methods::kMethods{
    .iVersion = 1,  // the rest is for database files
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

Result<std::unique_ptr<GatheredLog>> GatheredLog::over(const std::string& vfs) {
  sqlite3_vfs* real = sqlite3_vfs_find(vfs.empty() ? nullptr : vfs.c_str());
  if (real == nullptr) return Error{ErrorCode::not_found, "SQLite knows no disk named " + vfs};
  return std::unique_ptr<GatheredLog>(new GatheredLog(real));
}

GatheredLog::GatheredLog(sqlite3_vfs* real)
    : name_("gathered-" + std::to_string(reinterpret_cast<std::uintptr_t>(this))), real_(real) {
  vfs_ = *real_;  // time, randomness and the rest are the real one's
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

GatheredLog::~GatheredLog() {
  sqlite3_vfs_unregister(&vfs_);
}

}  // namespace heddle::store
