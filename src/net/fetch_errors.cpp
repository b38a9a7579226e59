#include "net/fetch_errors.hpp"

#include <cerrno>

#include <fmt/format.h>

#include "base/time.hpp"

namespace heddle::net {

namespace {

using enum FetchErrorKind;

struct CurlErrorRule {
  CURLcode code;
  FetchErrorKind kind;
  bool transient;
  std::string_view what;  // a sentence about {endpoint}
};

constexpr auto kCurlErrorRules = std::to_array<CurlErrorRule>({
    {CURLE_COULDNT_RESOLVE_HOST, dns, true,
     "the name {} could not be resolved; is it spelled right?"},
    {CURLE_COULDNT_RESOLVE_PROXY, proxy, true, "the proxy's name could not be resolved for {}"},
    {CURLE_COULDNT_CONNECT, connect, true, "could not connect to {}"},
    {CURLE_OPERATION_TIMEDOUT, timeout, true, "{} did not accept the connection in time"},
    {CURLE_PROXY, proxy, true, "the proxy did not connect to {}"},
    {CURLE_SEND_ERROR, connect, true, "the connection to {} broke while sending"},
    {CURLE_RECV_ERROR, connect, true, "{} reset the connection"},
    {CURLE_GOT_NOTHING, connect, true, "{} closed the connection without a response"},
    {CURLE_PARTIAL_FILE, connect, true, "{} closed the connection in the middle of the response"},
    {CURLE_HTTP2, connect, true, "the HTTP/2 connection to {} broke"},
    {CURLE_HTTP2_STREAM, connect, true,
     "{} reset the HTTP/2 stream before the response was complete"},
    {CURLE_OUT_OF_MEMORY, unknown, true, "out of memory while talking to {}"},
    {CURLE_SSL_CONNECT_ERROR, tls, false, "the TLS handshake with {} failed"},
    {CURLE_PEER_FAILED_VERIFICATION, tls, false,
     "the certificate of {} is not trusted (self-signed? set [network] ca_file)"},
    {CURLE_SSL_CERTPROBLEM, tls, false, "the client certificate for {} is unusable"},
    {CURLE_SSL_CIPHER, tls, false, "no common TLS cipher with {}"},
    {CURLE_SSL_CACERT_BADFILE, tls, false, "[network] ca_file could not be read (needed for {})"},
    {CURLE_SSL_ISSUER_ERROR, tls, false, "the certificate of {} has the wrong issuer"},
    {CURLE_SSL_INVALIDCERTSTATUS, tls, false, "the certificate of {} was revoked or is invalid"},
    {CURLE_BAD_CONTENT_ENCODING, unknown, false, "{} sent a body that cannot be decompressed"},
    {CURLE_WEIRD_SERVER_REPLY, unknown, false, "{} does not speak HTTP"},
    {CURLE_UNSUPPORTED_PROTOCOL, unknown, false, "{} does not speak a known HTTP version"},
});

constexpr CurlErrorRule kUnknownError{CURL_LAST, unknown, false, "the request to {} failed"};

const CurlErrorRule& rule_for(CURLcode code) {
  for (const CurlErrorRule& rule : kCurlErrorRules)
    if (rule.code == code) return rule;
  return kUnknownError;
}

std::string host_and_port(const Transfer& transfer) {
  const Url& url = *transfer.hop().url;
  return fmt::format("{}:{}", url.host(), url.port());
}

std::string proxy_of(const Transfer& transfer) {
  return transfer.hop().proxy == nullptr ? "" : transfer.hop().proxy->redacted();
}

FetchError make(const Transfer& transfer, FetchErrorKind kind, bool transient,
                std::string message) {
  return {.kind = kind,
          .message = std::move(message),
          .proxy = proxy_of(transfer),
          .transient = transient};
}

FetchError too_large(const Transfer& transfer) {
  const Hop& hop = transfer.hop();
  if (transfer.overflow() == Overflow::headers)
    return make(transfer, size, false,
                fmt::format("the headers of {} are larger than {} bytes", hop.url->text(),
                            hop.max_header_bytes));
  return make(transfer, size, false,
              fmt::format("the body of {} is larger than {} bytes; if that is expected, raise "
                          "`limits.body` (in a script: `max_body_size` of the request)",
                          hop.url->text(), hop.max_body_bytes));
}

// A connection that breaks during the TLS handshake is not a TLS failure.
bool is_broken_connection(long system_error) {
  return system_error == ECONNRESET || system_error == EPIPE || system_error == ECONNABORTED;
}

}  // namespace

FetchError refused(std::string_view url, std::string_view reason) {
  return {.kind = blocked, .message = fmt::format("{}: {}", url, reason)};
}

FetchError timed_out(const Transfer& transfer, std::chrono::milliseconds limit) {
  const std::string progress = transfer.body_size() > 0
                                   ? fmt::format(" ({} bytes had arrived)", transfer.body_size())
                               : transfer.is_connected() ? ""
                                                         : " (not even connected)";
  return make(transfer, timeout, true,
              fmt::format("{} gave no complete answer within {}{}", host_and_port(transfer),
                          to_short_text(limit), progress));
}

FetchError wrong_length(const Transfer& transfer, std::string_view problem) {
  return make(
      transfer, connect, true,
      fmt::format("{} sent {}: the page is not complete", host_and_port(transfer), problem));
}

FetchError failed(const Transfer& transfer) {
  if (transfer.overflow() != Overflow::none) return too_large(transfer);
  const CURLcode code = transfer.outcome();
  // libcurl gives up on a line of about 100 KB.
  if (code == CURLE_OUT_OF_MEMORY && !transfer.is_head_done() && transfer.is_connected())
    return make(transfer, size, false,
                fmt::format("a header line of {} is too long", transfer.hop().url->text()));
  // libcurl refuses such a header before it passes it on.
  if (code == CURLE_WEIRD_SERVER_REPLY &&
      std::string_view(transfer.detail()).find("Content-Length") != std::string_view::npos)
    return wrong_length(transfer, "no valid length (Content-Length)");
  if (transfer.refusal() && (code == CURLE_COULDNT_CONNECT || code == CURLE_COULDNT_RESOLVE_PROXY))
    return make(transfer, blocked, false,
                fmt::format("{}: {}", transfer.hop().url->text(), *transfer.refusal()));
  const CurlErrorRule& rule = rule_for(code);
  const std::string endpoint =
      rule.kind == dns ? std::string(transfer.hop().url->host()) : host_and_port(transfer);
  std::string message = fmt::format(fmt::runtime(rule.what), endpoint);
  const char* detail = *transfer.detail() != '\0' ? transfer.detail() : curl_easy_strerror(code);
  message += fmt::format(" ({})", detail);
  if (code == CURLE_SSL_CONNECT_ERROR && is_broken_connection(transfer.system_error()))
    return make(transfer, connect, true, std::move(message));
  const bool is_proxys_fault = code == CURLE_COULDNT_CONNECT && transfer.hop().proxy != nullptr;
  if (is_proxys_fault)
    return make(transfer, proxy, true,
                fmt::format("could not connect to {} through the proxy {} ({})",
                            host_and_port(transfer), proxy_of(transfer), detail));
  return make(transfer, rule.kind, rule.transient, std::move(message));
}

bool is_transient_status(int status) {
  return status == 429 || status >= 500;
}

FetchError http_error(FetchResponse response) {
  FetchError error{
      .kind = http,
      .message = fmt::format("{} answered with status {}", response.url, response.status),
      .proxy = response.proxy,
      .transient = is_transient_status(response.status)};
  error.response = std::move(response);
  return error;
}

}  // namespace heddle::net
