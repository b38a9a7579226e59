#include "tests/support/test_site.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fmt/format.h>
#include <zlib.h>

#include "base/async.hpp"
#include "base/text.hpp"

namespace heddle::testing {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr auto kPatience = std::chrono::seconds(60);
constexpr auto kQuietly = asio::as_tuple(asio::use_awaitable);

SiteRequest parse_head(std::string_view head) {
  SiteRequest request;
  bool is_first = true;
  for (std::string_view line : split(head, '\n')) {
    line = trim(line);
    if (line.empty()) continue;
    if (is_first) {
      const auto words = split(line, ' ');
      request.method = words[0];
      request.target = words.size() > 1 ? words[1] : "";
      is_first = false;
      continue;
    }
    const std::size_t colon = std::min(line.find(':'), line.size() - 1);
    request.headers.emplace_back(line.substr(0, colon), trim(line.substr(colon + 1)));
  }
  const std::size_t mark = request.target.find('?');
  request.path = request.target.substr(0, mark);
  if (mark != std::string::npos) request.query = request.target.substr(mark + 1);
  return request;
}

bool has_no_length(SiteBehaviour behaviour) {
  return behaviour == SiteBehaviour::until_closed || behaviour == SiteBehaviour::endless;
}

std::string head_of(const SiteResponse& response) {
  std::string head = fmt::format("HTTP/1.1 {} Scripted\r\n", response.status);
  for (const auto& [name, value] : response.headers) head += fmt::format("{}: {}\r\n", name, value);
  const bool is_cut = response.behaviour == SiteBehaviour::stalled ||
                      response.behaviour == SiteBehaviour::truncated;
  const bool has_no_body = response.status == 304 || response.status == 204;
  if (response.behaviour == SiteBehaviour::chunked)
    head += "Transfer-Encoding: chunked\r\n";
  else if (has_no_length(response.behaviour))
    head += "Connection: close\r\n";
  else if (!has_no_body)
    head += fmt::format("Content-Length: {}\r\n", response.body.size() + (is_cut ? 1000 : 0));
  return head + "\r\n";
}

std::string in_chunks(const std::string& body, int pieces) {
  const std::size_t size = std::max<std::size_t>(1, body.size() / static_cast<std::size_t>(pieces));
  std::string out;
  for (std::size_t start = 0; start < body.size(); start += size) {
    const std::string_view piece = std::string_view(body).substr(start, size);
    out += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
  }
  return out + "0\r\n\r\n";
}

using Deflate = std::unique_ptr<z_stream, decltype([](z_stream* stream) {
                                  deflateEnd(stream);
                                  delete stream;
                                })>;

Deflate start_gzip() {
  Deflate stream(new z_stream{});
  if (deflateInit2(stream.get(), Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw std::runtime_error("zlib refused to start");
  return stream;
}

void feed(z_stream& stream, std::string_view bytes, int flush, std::string& out) {
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  char buffer[16 * 1024];
  do {
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    deflate(&stream, flush);
    out.append(buffer, sizeof buffer - stream.avail_out);
  } while (stream.avail_out == 0);
}

}  // namespace

std::string SiteRequest::header(std::string_view name) const {
  for (auto header = headers.rbegin(); header != headers.rend(); ++header)
    if (equals_ignoring_case(header->first, name)) return header->second;
  return {};
}

SiteResponse SiteResponse::with_header(std::string name, std::string value) && {
  headers.emplace_back(std::move(name), std::move(value));
  return std::move(*this);
}

SiteResponse html(std::string body) {
  return {.headers = {{"Content-Type", "text/html; charset=utf-8"}}, .body = std::move(body)};
}

SiteResponse redirect(std::string location, int status) {
  return {.status = status, .headers = {{"Location", std::move(location)}}};
}

SiteResponse gzipped(std::string_view body) {
  std::string packed;
  feed(*start_gzip(), body, Z_FINISH, packed);
  return {.headers = {{"Content-Encoding", "gzip"}}, .body = std::move(packed)};
}

SiteResponse too_many_requests(std::string retry_after) {
  return {.status = 429, .headers = {{"Retry-After", std::move(retry_after)}}, .body = "slow down"};
}

SiteResponse misbehaving(SiteBehaviour behaviour, std::string body) {
  return {.body = std::move(body), .behaviour = behaviour};
}

std::string gzip_bomb(std::size_t size) {
  const Deflate stream = start_gzip();
  const std::string zeros(1 << 20, '\0');
  std::string packed;
  for (; size > zeros.size(); size -= zeros.size()) feed(*stream, zeros, Z_NO_FLUSH, packed);
  feed(*stream, std::string_view(zeros).substr(0, size), Z_FINISH, packed);
  return packed;
}

struct TestSite::Impl {
  Impl() : acceptor(loop, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    port = acceptor.local_endpoint().port();
    asio::co_spawn(loop, accept(), asio::detached);
    thread = std::thread([this] { loop.run(); });
  }

  ~Impl() {
    loop.stop();
    thread.join();
  }

  Async<void> accept() {
    while (true) {
      auto [failure, socket] = co_await acceptor.async_accept(kQuietly);
      if (failure) co_return;
      socket.set_option(tcp::no_delay(true));
      change_connections(+1);
      asio::co_spawn(loop, serve(std::move(socket)), asio::detached);
    }
  }

  Async<void> serve(tcp::socket socket) {
    std::string buffer;
    while (true) {
      auto request = co_await read_request(socket, buffer);
      if (!request) break;
      co_await wait_while_held(request->path);
      const auto response = answer_to(*request);
      if (!co_await send(socket, *request, *response)) break;
    }
    change_connections(-1);
  }

  Async<std::optional<SiteRequest>> read_request(tcp::socket& socket, std::string& buffer) {
    auto [failure, head_size] =
        co_await asio::async_read_until(socket, asio::dynamic_buffer(buffer), "\r\n\r\n", kQuietly);
    if (failure) co_return std::nullopt;
    SiteRequest request = parse_head(std::string_view(buffer).substr(0, head_size));
    buffer.erase(0, head_size);
    const std::string length = request.header("Content-Length");
    const std::size_t body_size = length.empty() ? 0 : std::stoul(length);
    if (buffer.size() < body_size) {
      auto [cut, count] =
          co_await asio::async_read(socket, asio::dynamic_buffer(buffer),
                                    asio::transfer_exactly(body_size - buffer.size()), kQuietly);
      if (cut) co_return std::nullopt;
    }
    request.body = buffer.substr(0, body_size);
    buffer.erase(0, body_size);
    remember(request);
    co_return request;
  }

  // Polls: simple, and a delay of a few milliseconds does not matter here.
  Async<void> wait_while_held(std::string path) {
    asio::steady_timer timer(loop);
    while (is_held(path)) {
      timer.expires_after(std::chrono::milliseconds(2));
      co_await timer.async_wait(kQuietly);
    }
  }

  // Returns whether the connection stays open.
  Async<bool> send(tcp::socket& socket, const SiteRequest& request, const SiteResponse& response) {
    using enum SiteBehaviour;
    if (response.behaviour == reset) socket.set_option(asio::socket_base::linger(true, 0));
    if (response.behaviour == reset || response.behaviour == no_answer) co_return false;
    if (response.behaviour == silent) {
      co_await wait_for_end(socket);
      co_return false;
    }
    const std::string head = head_of(response);
    const bool is_head = request.method == "HEAD";
    const std::string chunks =
        response.behaviour == chunked ? in_chunks(response.body, response.pieces) : "";
    const std::string& body = response.behaviour == chunked ? chunks : response.body;
    const std::vector<asio::const_buffer> buffers{
        asio::buffer(head), is_head ? asio::const_buffer() : asio::buffer(body)};
    auto [failure, written] = co_await asio::async_write(socket, buffers, kQuietly);
    if (failure) co_return false;
    if (response.behaviour == endless) co_await send_forever(socket, body);
    if (response.behaviour == stalled) co_await wait_for_end(socket);
    co_return response.behaviour == complete || response.behaviour == chunked;
  }

  static Async<void> send_forever(tcp::socket& socket, const std::string& body) {
    while (true) {
      auto [failure, written] = co_await asio::async_write(socket, asio::buffer(body), kQuietly);
      if (failure) co_return;
    }
  }

  static Async<void> wait_for_end(tcp::socket& socket) {
    char byte = 0;
    co_await asio::async_read(socket, asio::buffer(&byte, 1), kQuietly);
  }

  std::shared_ptr<const SiteResponse> answer_to(const SiteRequest& request) {
    Handler handler;
    {
      const std::lock_guard lock(mutex);
      if (const auto fixed = answers.find(request.path); fixed != answers.end())
        return fixed->second;
      const auto found = handlers.find(request.path);
      handler = found != handlers.end() ? found->second : rest;
    }
    if (!handler) return std::make_shared<SiteResponse>(SiteResponse{.status = 404});
    return std::make_shared<SiteResponse>(handler(request));
  }

  void remember(const SiteRequest& request) {
    const std::lock_guard lock(mutex);
    ++counts[request.path];
    if (is_remembering) seen.push_back(request);
    changed.notify_all();
  }

  void change_connections(int by) {
    const std::lock_guard lock(mutex);
    open += by;
    if (by > 0) ++accepted;
    changed.notify_all();
  }

  bool is_held(const std::string& path) {
    const std::lock_guard lock(mutex);
    return held.contains(path);
  }

  std::size_t count(std::string_view path) const {  // with the mutex held
    const auto found = counts.find(path);
    return found == counts.end() ? 0 : found->second;
  }

  mutable std::mutex mutex;
  mutable std::condition_variable changed;
  std::map<std::string, std::shared_ptr<const SiteResponse>, std::less<>> answers;
  std::map<std::string, Handler, std::less<>> handlers;
  Handler rest;
  std::set<std::string> held;
  std::vector<SiteRequest> seen;
  std::map<std::string, std::size_t, std::less<>> counts;
  bool is_remembering = true;
  std::size_t accepted = 0;
  int open = 0;

  asio::io_context loop;
  tcp::acceptor acceptor;
  std::uint16_t port = 0;
  std::thread thread;
};

TestSite::TestSite() : impl_(std::make_unique<Impl>()) {}
TestSite::~TestSite() = default;

void TestSite::answer(std::string path, SiteResponse response) {
  const std::lock_guard lock(impl_->mutex);
  impl_->handlers.erase(path);
  impl_->answers[std::move(path)] = std::make_shared<SiteResponse>(std::move(response));
}

void TestSite::handle(std::string path, Handler handler) {
  const std::lock_guard lock(impl_->mutex);
  impl_->answers.erase(path);
  impl_->handlers[std::move(path)] = std::move(handler);
}

void TestSite::handle_rest(Handler handler) {
  const std::lock_guard lock(impl_->mutex);
  impl_->rest = std::move(handler);
}

void TestSite::hold(std::string path) {
  const std::lock_guard lock(impl_->mutex);
  impl_->held.insert(std::move(path));
}

void TestSite::release(std::string path) {
  const std::lock_guard lock(impl_->mutex);
  impl_->held.erase(path);
}

std::uint16_t TestSite::port() const {
  return impl_->port;
}

std::string TestSite::url(std::string_view target) const {
  return fmt::format("http://127.0.0.1:{}{}", impl_->port, target);
}

std::size_t TestSite::count(std::string_view path) const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->count(path);
}

std::vector<SiteRequest> TestSite::requests(std::string_view path) const {
  const std::lock_guard lock(impl_->mutex);
  std::vector<SiteRequest> matching;
  std::copy_if(impl_->seen.begin(), impl_->seen.end(), std::back_inserter(matching),
               [&](const SiteRequest& request) { return request.path == path; });
  return matching;
}

std::size_t TestSite::connections() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->accepted;
}

std::size_t TestSite::open_connections() const {
  const std::lock_guard lock(impl_->mutex);
  return static_cast<std::size_t>(impl_->open);
}

bool TestSite::wait_for_requests(std::string_view path, std::size_t at_least) const {
  std::unique_lock lock(impl_->mutex);
  return impl_->changed.wait_for(lock, kPatience, [&] { return impl_->count(path) >= at_least; });
}

bool TestSite::wait_for_no_connections() const {
  std::unique_lock lock(impl_->mutex);
  return impl_->changed.wait_for(lock, kPatience, [&] { return impl_->open == 0; });
}

void TestSite::stop_remembering() {
  const std::lock_guard lock(impl_->mutex);
  impl_->is_remembering = false;
  impl_->seen.clear();
}

}  // namespace heddle::testing
