#include "ipc/unix_socket.hpp"

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/user_name.hpp"

namespace heddle::ipc {

namespace asio = boost::asio;

namespace {

Error failure(const std::filesystem::path& path, const char* what) {
  const ErrorCode code =
      errno == ENOENT || errno == ECONNREFUSED ? ErrorCode::not_found : ErrorCode::unavailable;
  return {code, fmt::format("cannot {} {}: {}", what, path.string(),
                            std::generic_category().message(errno))};
}

// sun_path holds 107 characters: the folder is addressed through an open descriptor instead.
class ShortAddress {
 public:
  explicit ShortAddress(const std::filesystem::path& path)
      : folder_(open(path.has_parent_path() ? path.parent_path().c_str() : ".",
                     O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    address_.sun_family = AF_UNIX;
    const std::string name =
        "/proc/self/fd/" + std::to_string(folder_.get()) + "/" + path.filename().string();
    is_usable_ = folder_ && name.size() < sizeof address_.sun_path;
    if (is_usable_) std::memcpy(address_.sun_path, name.c_str(), name.size() + 1);
    if (folder_ && !is_usable_) errno = ENAMETOOLONG;
  }

  [[nodiscard]] bool is_usable() const { return is_usable_; }
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  static constexpr socklen_t kSize = sizeof(sockaddr_un);

 private:
  FileDescriptor folder_;
  sockaddr_un address_{};
  bool is_usable_ = false;
};

std::optional<ucred> peer_of(const FileDescriptor& connection) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return std::nullopt;
  return peer;
}

bool is_trusted_peer(const FileDescriptor& connection) {
  const auto peer = peer_of(connection);
  return peer && (peer->uid == 0 || peer->uid == geteuid());
}

}  // namespace

std::string peer_user(const FileDescriptor& connection) {
  const auto peer = peer_of(connection);
  return peer ? user_name(peer->uid) : "";
}

pid_t peer_pid(const FileDescriptor& connection) {
  const auto peer = peer_of(connection);
  return peer ? peer->pid : 0;
}

Result<FileDescriptor> listen_at(const std::filesystem::path& path) {
  const ShortAddress address(path);
  if (!address.is_usable()) return failure(path, "open the folder of");
  FileDescriptor listening(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listening) return failure(path, "create a socket for");
  if (unlink(path.c_str()) != 0 && errno != ENOENT)
    return failure(path, "remove what is in the place of the socket");
  const mode_t before = umask(0177);
  const int bound = bind(listening.get(), address.get(), ShortAddress::kSize);
  umask(before);
  if (bound != 0) return failure(path, "create the socket");
  if (listen(listening.get(), 16) != 0) return failure(path, "listen on");
  return listening;
}

Result<FileDescriptor> connect_to(const std::filesystem::path& path) {
  const ShortAddress address(path);
  if (!address.is_usable()) return failure(path, "open the folder of");
  FileDescriptor connection(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!connection) return failure(path, "create a socket for");
  if (connect(connection.get(), address.get(), ShortAddress::kSize) != 0)
    return failure(path, "connect to");
  return connection;
}

struct Acceptor::State {
  State(const asio::any_io_executor& loop, FileDescriptor socket)
      : listening(loop, socket.release()) {}
  asio::posix::stream_descriptor listening;
};

Acceptor::Acceptor(const asio::any_io_executor& loop, FileDescriptor listening)
    : state_(std::make_shared<State>(loop, std::move(listening))) {}

Acceptor::~Acceptor() {
  close();
}

void Acceptor::close() {
  boost::system::error_code ignored;
  state_->listening.close(ignored);
}

Async<Result<FileDescriptor>> Acceptor::accept() {
  const auto state = state_;
  while (true) {
    const auto [failed] = co_await state->listening.async_wait(
        asio::posix::stream_descriptor::wait_read, asio::as_tuple(asio::use_awaitable));
    if (failed) co_return Error{ErrorCode::unavailable, "connections are no longer accepted"};
    FileDescriptor connection(
        accept4(state->listening.native_handle(), nullptr, nullptr, SOCK_CLOEXEC));
    if (connection && is_trusted_peer(connection)) co_return connection;
    if (connection) continue;
    // Probably out of descriptors: the client waits in the backlog.
    asio::steady_timer pause(state->listening.get_executor(), std::chrono::milliseconds(100));
    co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
  }
}

}  // namespace heddle::ipc
