#include "hub/file_watcher.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <sys/inotify.h>
#include <unistd.h>

namespace heddle::hub {

namespace asio = boost::asio;
namespace fs = std::filesystem;

namespace {

constexpr std::uint32_t kEvents = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM |
                                  IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR |
                                  IN_EXCL_UNLINK;
constexpr std::size_t kBuffer = 16384;
// A burst of any length is reported after so many quiet periods.
constexpr int kMaxPostponements = 20;

bool is_hidden(const fs::path& folder) {
  return folder.filename().string().starts_with(".");
}

}  // namespace

struct FileWatcher::Parts {
  Parts(const asio::any_io_executor& loop, int descriptor, fs::path folder, Options choices)
      : events(loop, descriptor),
        quiet(loop),
        root(std::move(folder)),
        options(std::move(choices)) {}
  ~Parts() {
    is_closed = true;
    walker.join();
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  // Existing watches are kept. Slow in a large tree; stops early when closed.
  Status watch_all() {
    if (auto watched = watch(root); !watched) return watched;
    std::error_code failed;
    auto entry = fs::recursive_directory_iterator(
        root, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && entry != fs::recursive_directory_iterator() && !is_closed;
         entry.increment(failed)) {
      std::error_code unknown;
      if (!entry->is_directory(unknown) || entry->is_symlink(unknown)) continue;
      if (is_excluded(entry->path())) {
        entry.disable_recursion_pending();
        continue;
      }
      if (auto watched = watch(entry->path()); !watched) return watched;
    }
    return Done{};
  }

  struct Events {
    bool has_any = false;
    bool has_folder = false;  // some may be new
  };

  // The reader of the files finds out what changed; only new folders matter here.
  Events take_events() {
    std::array<char, kBuffer> buffer{};
    Events news;
    while (true) {
      const auto size = read(events.native_handle(), buffer.data(), buffer.size());
      if (size <= 0) break;
      news.has_any = true;
      for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
        inotify_event event{};
        std::memcpy(&event, buffer.data() + at, sizeof event);
        news.has_folder = news.has_folder || (event.mask & (IN_ISDIR | IN_Q_OVERFLOW)) != 0;
        at += sizeof event + event.len;
      }
    }
    return news;
  }

  // On a thread, so that the loop does not wait for the disk.
  Async<void> watch_new_folders() {
    const auto walk = [](Parts& self) -> Async<void> {
      (void)self.watch_all();
      co_return;
    };
    auto done = asio::co_spawn(walker, walk(*this), asio::use_awaitable);
    co_await std::move(done);
  }

  Status watch(const fs::path& folder) {
    if (inotify_add_watch(events.native_handle(), folder.c_str(), kEvents) >= 0) return Done{};
    if (errno == ENOENT || errno == ENOTDIR) return Done{};  // removed meanwhile
    return Error{ErrorCode::unavailable, "cannot watch folder " + folder.string() + ": " +
                                             std::generic_category().message(errno)};
  }

  [[nodiscard]] bool is_excluded(const fs::path& folder) const {
    return is_hidden(folder) || std::find(options.excluded.begin(), options.excluded.end(),
                                          folder) != options.excluded.end();
  }

  asio::posix::stream_descriptor events;
  asio::steady_timer quiet;
  fs::path root;
  Options options;
  std::atomic<bool> is_closed = false;
  asio::thread_pool walker{1};
};

FileWatcher::FileWatcher(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
FileWatcher::~FileWatcher() = default;

Result<std::unique_ptr<FileWatcher>> FileWatcher::open(asio::any_io_executor loop, fs::path root,
                                                       Options options) {
  const int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor < 0)
    return Error{ErrorCode::unavailable,
                 "cannot watch the project's files: " + std::generic_category().message(errno)};
  auto parts = std::make_unique<Parts>(loop, descriptor, std::move(root), std::move(options));
  if (auto watched = parts->watch_all(); !watched) return std::move(watched).error();
  return std::unique_ptr<FileWatcher>(new FileWatcher(std::move(parts)));
}

Async<bool> FileWatcher::changed() {
  co_await parts_->events.async_wait(asio::posix::stream_descriptor::wait_read,
                                     asio::as_tuple(asio::use_awaitable));
  for (int i = 0; i < kMaxPostponements && !parts_->is_closed; ++i) {
    const Parts::Events news = parts_->take_events();
    if (!news.has_any && i > 0) break;
    // Before the files are read, so that no change in between is missed.
    if (news.has_folder) co_await parts_->watch_new_folders();
    parts_->quiet.expires_after(parts_->options.quiet);
    co_await parts_->quiet.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  co_return !parts_->is_closed;
}

void FileWatcher::close() {
  parts_->is_closed = true;
  parts_->quiet.cancel();
  parts_->events.cancel();
}

}  // namespace heddle::hub
