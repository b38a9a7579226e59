// Runs one HTTP exchange (one hop) on one libcurl handle: sets it up, collects the response within
// the limits, and lets the guard check every address before a socket exists. Internal to the
// module.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/web/address_guard.hpp"
#include "model/web/fetch.hpp"
#include "model/web/url.hpp"
#include "net/curl_loop.hpp"
#include "net/proxy_url.hpp"

namespace heddle::net {

// The request of one hop. Everything pointed to outlives the transfer.
struct Hop {
  const Url* url = nullptr;
  std::string_view method;
  std::string_view body;
  const Headers* headers = nullptr;  // checked and merged, without Cookie
  std::string cookie;                // the caller's own Cookie header
  CURLSH* cookie_jar = nullptr;
  const ProxyUrl* proxy = nullptr;           // nullptr: direct
  const AddressGuard* guard = nullptr;       // checks the address of the host, or of the proxy
  std::vector<IpAddress> fixed_addresses{};  // used instead of asking DNS when not empty
  std::size_t max_body_bytes = 0;
  std::size_t max_header_bytes = 0;
};

// Options that never change between hops, set once per handle.
struct HandleSettings {
  std::string user_agent;
  std::string ca_file;
  std::chrono::milliseconds connect_timeout{};
};
CurlEasy make_handle(const HandleSettings& settings);

enum class Overflow { none, body, headers };

class Transfer final : public TransferListener {
 public:
  Transfer(CurlEasy& handle, const Hop& hop, boost::asio::steady_timer& alarm);
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() override;  // resets the handle for the next one

  [[nodiscard]] bool is_finished() const { return outcome_.has_value(); }
  [[nodiscard]] CURLcode outcome() const { return *outcome_; }
  [[nodiscard]] const Hop& hop() const { return hop_; }
  [[nodiscard]] const std::optional<std::string>& refusal() const { return refusal_; }
  [[nodiscard]] Overflow overflow() const { return overflow_; }
  [[nodiscard]] const char* detail() const { return detail_; }  // libcurl's message
  [[nodiscard]] long system_error() const;
  [[nodiscard]] bool is_connected() const;
  [[nodiscard]] std::size_t body_size() const { return response_.body.size(); }
  [[nodiscard]] bool is_head_done() const { return is_head_done_ && status_ >= 200; }
  // What the response says about its length and what arrived do not fit; nullopt: they do.
  [[nodiscard]] std::optional<std::string> length_problem() const;
  [[nodiscard]] FetchResponse take_response();

  void on_finished(CURLcode outcome) override;

 private:
  static curl_socket_t on_open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static std::size_t on_header(char* data, std::size_t one, std::size_t size, void* self);
  static std::size_t on_body(char* data, std::size_t one, std::size_t size, void* self);

  void set_method();
  void set_headers();
  void set_proxy();
  [[nodiscard]] long proxy_type() const;
  void set_names();
  void take_header_line(std::string_view line);
  void note_certificate();
  bool take_body(std::string_view piece);
  void reserve_body();

  CURL* handle_;
  const Hop& hop_;
  boost::asio::steady_timer& alarm_;
  CurlList headers_;
  CurlList names_;
  FetchResponse response_;
  int status_ = 0;             // of the block of headers being read
  bool is_head_done_ = false;  // later lines are trailers
  std::size_t header_bytes_ = 0;
  Overflow overflow_ = Overflow::none;
  std::optional<std::string> refusal_;
  std::optional<CURLcode> outcome_;
  char detail_[CURL_ERROR_SIZE] = {};
};

}  // namespace heddle::net
