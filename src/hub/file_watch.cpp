#include "hub/file_watch.hpp"

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
// However long a burst goes on, it is looked at after so many quiet times.
constexpr int kMostPostponements = 20;

bool is_hidden(const fs::path& folder) {
  return folder.filename().string().starts_with(".");
}

}  // namespace

struct FileWatch::Parts {
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

  // Watches that exist already stay as they are. Takes its time in a large tree, and stops early
  // when it is closed.
  Status watch_all() {
    if (auto watched = watch(root); !watched) return watched;
    std::error_code failed;
    auto entry = fs::recursive_directory_iterator(
        root, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && entry != fs::recursive_directory_iterator() && !is_closed;
         entry.increment(failed)) {
      std::error_code unknown;
      if (!entry->is_directory(unknown) || entry->is_symlink(unknown)) continue;
      if (is_left_out(entry->path())) {
        entry.disable_recursion_pending();
        continue;
      }
      if (auto watched = watch(entry->path()); !watched) return watched;
    }
    return Done{};
  }

  struct News {
    bool has_any = false;
    bool has_folder = false;  // some may be new
  };

  // What exactly changed is found by reading the files; only new folders matter here.
  News take_events() {
    std::array<char, kBuffer> buffer{};
    News news;
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

  // On a thread: the loop does not wait for the disk.
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
    if (errno == ENOENT || errno == ENOTDIR) return Done{};  // gone again
    return Error{ErrorCode::unavailable,
                 "watch " + folder.string() + ": " + std::generic_category().message(errno)};
  }

  [[nodiscard]] bool is_left_out(const fs::path& folder) const {
    return is_hidden(folder) || std::find(options.left_out.begin(), options.left_out.end(),
                                          folder) != options.left_out.end();
  }

  asio::posix::stream_descriptor events;
  asio::steady_timer quiet;
  fs::path root;
  Options options;
  std::atomic<bool> is_closed = false;
  asio::thread_pool walker{1};
};

FileWatch::FileWatch(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
FileWatch::~FileWatch() = default;

Result<std::unique_ptr<FileWatch>> FileWatch::open(asio::any_io_executor loop, fs::path root,
                                                   Options options) {
  const int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor < 0)
    return Error{ErrorCode::unavailable, "watch files: " + std::generic_category().message(errno)};
  auto parts = std::make_unique<Parts>(loop, descriptor, std::move(root), std::move(options));
  if (auto watched = parts->watch_all(); !watched) return std::move(watched).error();
  return std::unique_ptr<FileWatch>(new FileWatch(std::move(parts)));
}

Async<bool> FileWatch::changed() {
  co_await parts_->events.async_wait(asio::posix::stream_descriptor::wait_read,
                                     asio::as_tuple(asio::use_awaitable));
  for (int i = 0; i < kMostPostponements && !parts_->is_closed; ++i) {
    const Parts::News news = parts_->take_events();
    if (!news.has_any && i > 0) break;
    // Before anybody reads the files, so that nothing is missed in between.
    if (news.has_folder) co_await parts_->watch_new_folders();
    parts_->quiet.expires_after(parts_->options.quiet);
    co_await parts_->quiet.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  co_return !parts_->is_closed;
}

void FileWatch::close() {
  parts_->is_closed = true;
  parts_->quiet.cancel();
  parts_->events.cancel();
}

}  // namespace heddle::hub
