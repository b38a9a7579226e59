#include "net/transfer.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include "base/text.hpp"
#include "net/certificate.hpp"

namespace heddle::net {

namespace {

constexpr long kReceiveBuffer = 65'536;
constexpr std::size_t kMaxReserve = 1'048'576;  // limits the trust in Content-Length

std::optional<IpAddress> address_of(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in small{};
    std::memcpy(&small, &address, sizeof small);
    return IpAddress::v4(ntohl(small.sin_addr.s_addr));
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 large{};
    std::memcpy(&large, &address, sizeof large);
    IpAddress::Bytes bytes{};
    std::memcpy(bytes.data(), &large.sin6_addr, bytes.size());
    return IpAddress::v6(bytes);
  }
  return std::nullopt;
}

// For messages: a hostile value may be long.
std::string_view shortened(std::string_view value) {
  return value.substr(0, 40);
}

bool is_plain_get(std::string_view method, std::string_view body) {
  return method == "GET" && body.empty();
}

}  // namespace

CurlEasy make_handle(const HandleSettings& settings) {
  CurlEasy handle(curl_easy_init());
  CURL* easy = handle.get();
  if (easy == nullptr) return handle;
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // Without it, aborting a transfer waits for its name server and blocks the whole loop.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);  // our parser has resolved the dots
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");     // nor the environment's exceptions
  curl_easy_setopt(easy, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");  // all that libcurl can decode
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, kReceiveBuffer);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, settings.user_agent.c_str());
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS,
                   static_cast<long>(settings.connect_timeout.count()));
  if (!settings.ca_file.empty()) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, settings.ca_file.c_str());
    curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, settings.ca_file.c_str());
  }
  return handle;
}

Transfer::Transfer(CurlEasy& handle, const Hop& hop, boost::asio::steady_timer& alarm)
    : handle_(handle.get()), hop_(hop), alarm_(alarm) {
  curl_easy_setopt(handle_, CURLOPT_PRIVATE, static_cast<TransferListener*>(this));
  curl_easy_setopt(handle_, CURLOPT_ERRORBUFFER, detail_);
  curl_easy_setopt(handle_, CURLOPT_OPENSOCKETFUNCTION, &Transfer::on_open_socket);
  curl_easy_setopt(handle_, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(handle_, CURLOPT_HEADERFUNCTION, &Transfer::on_header);
  curl_easy_setopt(handle_, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(handle_, CURLOPT_WRITEFUNCTION, &Transfer::on_body);
  curl_easy_setopt(handle_, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(handle_, CURLOPT_URL, hop_.url->without_fragment().c_str());
  if (hop_.cookie_jar != nullptr) {
    curl_easy_setopt(handle_, CURLOPT_SHARE, hop_.cookie_jar);
    curl_easy_setopt(handle_, CURLOPT_COOKIEFILE, "");  // reads nothing, but starts the engine
  }
  curl_easy_setopt(handle_, CURLOPT_COOKIE, hop_.cookie.empty() ? nullptr : hop_.cookie.c_str());
  set_method();
  set_headers();
  set_proxy();
  set_names();
}

Transfer::~Transfer() {
  curl_easy_setopt(handle_, CURLOPT_PRIVATE, nullptr);
  curl_easy_setopt(handle_, CURLOPT_ERRORBUFFER, nullptr);
  curl_easy_setopt(handle_, CURLOPT_POSTFIELDS, nullptr);
  curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, nullptr);
  curl_easy_setopt(handle_, CURLOPT_RESOLVE, nullptr);
  if (hop_.cookie_jar == nullptr) return;
  // In this order: the handle must not create its own jar for the next job.
  curl_easy_setopt(handle_, CURLOPT_COOKIEFILE, nullptr);
  curl_easy_setopt(handle_, CURLOPT_SHARE, nullptr);
}

void Transfer::set_method() {
  curl_easy_setopt(handle_, CURLOPT_HTTPGET, 1L);  // also takes back NOBODY and POST
  curl_easy_setopt(handle_, CURLOPT_CUSTOMREQUEST, nullptr);
  if (is_plain_get(hop_.method, hop_.body)) return;
  if (hop_.method == "HEAD") {
    curl_easy_setopt(handle_, CURLOPT_NOBODY, 1L);
    return;
  }
  if (!hop_.body.empty() || hop_.method == "POST" || hop_.method == "PUT") {
    curl_easy_setopt(handle_, CURLOPT_POST, 1L);
    curl_easy_setopt(handle_, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(hop_.body.size()));
    curl_easy_setopt(handle_, CURLOPT_POSTFIELDS, hop_.body.data());
  }
  curl_easy_setopt(handle_, CURLOPT_CUSTOMREQUEST, std::string(hop_.method).c_str());
}

void Transfer::set_headers() {
  for (const auto& [name, value] : *hop_.headers) {
    // For libcurl "name:" removes the header; "name;" sends it empty.
    const std::string line =
        value.empty() ? fmt::format("{};", name) : fmt::format("{}: {}", name, value);
    append(headers_, line.c_str());
  }
  if (!is_plain_get(hop_.method, hop_.body)) {
    append(headers_, "Expect:");  // a round trip more, and some servers do not know it
    if (find_header(*hop_.headers, "content-type") == nullptr) append(headers_, "Content-Type:");
  }
  curl_easy_setopt(handle_, CURLOPT_HTTPHEADER, headers_.get());
}

long Transfer::proxy_type() const {
  switch (hop_.proxy->kind) {
    case ProxyKind::https:
      return CURLPROXY_HTTPS;
    case ProxyKind::socks5:
      // The proxy gets the addresses that the guard has checked; it resolves only a name that is
      // allowed by name and unknown here.
      return hop_.fixed_addresses.empty() ? CURLPROXY_SOCKS5_HOSTNAME : CURLPROXY_SOCKS5;
    case ProxyKind::http:
      break;
  }
  return CURLPROXY_HTTP;
}

void Transfer::set_proxy() {
  const ProxyUrl* proxy = hop_.proxy;
  const bool has_login = proxy != nullptr && !proxy->user.empty();
  curl_easy_setopt(handle_, CURLOPT_PROXYUSERNAME, has_login ? proxy->user.c_str() : nullptr);
  curl_easy_setopt(handle_, CURLOPT_PROXYPASSWORD, has_login ? proxy->password.c_str() : nullptr);
  if (proxy == nullptr) {
    curl_easy_setopt(handle_, CURLOPT_PROXY, "");  // "" also disables the environment's proxies
    return;
  }
  curl_easy_setopt(handle_, CURLOPT_PROXY, fmt::format("{}:{}", proxy->host, proxy->port).c_str());
  curl_easy_setopt(handle_, CURLOPT_PROXYTYPE, proxy_type());
  response_.proxy = proxy->redacted();
}

void Transfer::set_names() {
  if (!hop_.fixed_addresses.empty()) {
    // "+": the entry expires like a resolved one instead of staying in the pool.
    std::string entry = fmt::format("+{}:{}:", hop_.url->host(), hop_.url->port());
    for (const IpAddress& address : hop_.fixed_addresses) {
      if (entry.back() != ':') entry += ',';
      entry += address.is_v4() ? address.text() : fmt::format("[{}]", address.text());
    }
    append(names_, entry.c_str());
  }
  curl_easy_setopt(handle_, CURLOPT_RESOLVE, names_.get());
}

long Transfer::system_error() const {
  long number = 0;
  curl_easy_getinfo(handle_, CURLINFO_OS_ERRNO, &number);
  return number;
}

bool Transfer::is_connected() const {
  curl_off_t connected = 0;
  curl_easy_getinfo(handle_, CURLINFO_CONNECT_TIME_T, &connected);
  return connected > 0;
}

std::optional<std::string> Transfer::length_problem() const {
  const bool has_body = hop_.method != "HEAD" && status_ != 204 && status_ != 304;
  if (!has_body || find_header(response_.headers, "transfer-encoding") != nullptr)
    return std::nullopt;
  std::optional<std::string_view> announced;
  for (const auto& [name, value] : response_.headers) {
    if (name != "content-length") continue;
    if (announced && *announced != value)
      return fmt::format("two lengths (Content-Length {} and {})", shortened(*announced),
                         shortened(value));
    announced = value;
  }
  if (!announced) return std::nullopt;
  std::uint64_t length = 0;
  const char* const end = announced->data() + announced->size();
  const auto [read_until, failure] = std::from_chars(announced->data(), end, length);
  if (failure != std::errc() || read_until != end)
    return fmt::format("no valid length (Content-Length {})", shortened(*announced));
  curl_off_t arrived = 0;
  curl_easy_getinfo(handle_, CURLINFO_SIZE_DOWNLOAD_T, &arrived);
  if (static_cast<std::uint64_t>(arrived) >= length) return std::nullopt;
  return fmt::format("{} of {} bytes", arrived, length);
}

FetchResponse Transfer::take_response() {
  long status = 0;
  curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  curl_off_t transferred = 0;
  curl_easy_getinfo(handle_, CURLINFO_SIZE_DOWNLOAD_T, &transferred);
  response_.status = static_cast<int>(status);
  response_.wire_bytes = static_cast<std::size_t>(transferred);
  response_.url = hop_.url->text();
  return std::move(response_);
}

void Transfer::on_finished(CURLcode outcome) {
  outcome_ = outcome;
  alarm_.cancel();
}

curl_socket_t Transfer::on_open_socket(void* self, curlsocktype /*purpose*/,
                                       curl_sockaddr* address) {
  auto& transfer = *static_cast<Transfer*>(self);
  const Hop& hop = transfer.hop_;
  const std::string_view host = hop.proxy == nullptr ? hop.url->host() : hop.proxy->host;
  const auto target = address_of(address->addr);
  auto refusal = target ? hop.guard->refusal(host, *target) : "refused: not an internet address";
  if (refusal) {
    transfer.refusal_ = std::move(refusal);
    return CURL_SOCKET_BAD;
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::size_t Transfer::on_header(char* data, std::size_t /*one*/, std::size_t size, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  transfer.header_bytes_ += size;
  if (transfer.header_bytes_ > transfer.hop_.max_header_bytes) {
    transfer.overflow_ = Overflow::headers;
    return 0;
  }
  transfer.take_header_line(trim({data, size}));
  return size;
}

void Transfer::take_header_line(std::string_view line) {
  const bool is_final = status_ >= 200;
  if (is_head_done_ && is_final) return;
  if (line.starts_with("HTTP/") && (status_ == 0 || is_head_done_)) {
    const std::size_t space = std::min(line.find(' '), line.size() - 1);
    std::from_chars(line.data() + space + 1, line.data() + line.size(), status_);
    is_head_done_ = false;
    response_.headers.clear();
    return;
  }
  if (line.empty()) {
    is_head_done_ = true;
    if (is_final) note_certificate();
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  response_.headers.emplace_back(to_lower_ascii(trim(line.substr(0, colon))),
                                 trim(line.substr(colon + 1)));
}

std::size_t Transfer::on_body(char* data, std::size_t /*one*/, std::size_t size, void* self) {
  return static_cast<Transfer*>(self)->take_body({data, size}) ? size : 0;
}

// Asked for while the connection belongs to the transfer. libcurl's own list of certificates is
// empty on a reused connection.
void Transfer::note_certificate() {
  if (hop_.url->scheme() != "https") return;
  curl_tlssessioninfo* session = nullptr;
  if (curl_easy_getinfo(handle_, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK) return;
  const bool is_readable = session != nullptr && session->internals != nullptr &&
                           session->backend == CURLSSLBACKEND_OPENSSL;
  if (!is_readable) return;
  const X509* certificate = SSL_get0_peer_certificate(static_cast<SSL*>(session->internals));
  if (certificate != nullptr) response_.certificate_expires_at = end_of_validity(*certificate);
}

bool Transfer::take_body(std::string_view piece) {
  std::string& body = response_.body;
  if (piece.size() > hop_.max_body_bytes - body.size()) {
    overflow_ = Overflow::body;
    return false;
  }
  if (body.empty()) reserve_body();
  body.append(piece);
  return true;
}

void Transfer::reserve_body() {
  curl_off_t length = -1;
  curl_easy_getinfo(handle_, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  if (length <= 0) return;
  auto expected = static_cast<std::size_t>(length);
  if (find_header(response_.headers, "content-encoding") != nullptr) expected *= 4;
  response_.body.reserve(std::min({expected, hop_.max_body_bytes, kMaxReserve}));
}

}  // namespace heddle::net
