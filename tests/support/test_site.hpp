// TestSite is a scripted HTTP server on 127.0.0.1 that records requests and can misbehave.
// Has its own thread; every method is thread-safe. Handlers run on that thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::testing {

struct SiteRequest {
  std::string method;
  std::string target;  // as sent: path and query
  std::string path;
  std::string query;
  std::vector<std::pair<std::string, std::string>> headers;  // names as sent
  std::string body;

  // The last value of a header, compared without case; empty when absent.
  [[nodiscard]] std::string header(std::string_view name) const;
};

enum class SiteBehaviour {
  complete,      // the whole response with its Content-Length
  chunked,       // body in `pieces` chunks
  endless,       // headers, then the body repeated until the client disconnects
  stalled,       // headers and body of a larger Content-Length, then nothing
  truncated,     // headers and body of a larger Content-Length, then closes
  no_answer,     // closes the connection without a response
  reset,         // resets the connection (RST)
  silent,        // never responds
  until_closed,  // no length: the body ends with the connection
};

struct SiteResponse {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  SiteBehaviour behaviour = SiteBehaviour::complete;
  int pieces = 3;  // for SiteManner::chunked

  SiteResponse with_header(std::string name, std::string value) &&;
};

SiteResponse html(std::string body);
SiteResponse redirect(std::string location, int status = 302);
SiteResponse gzipped(std::string_view body);  // with Content-Encoding: gzip
SiteResponse too_many_requests(std::string retry_after);
SiteResponse misbehaving(SiteBehaviour behaviour, std::string body = "");

// A gzip stream that decodes to `size` zero bytes, made without holding them in memory.
std::string gzip_bomb(std::size_t size);

class TestSite {
 public:
  using Handler = std::function<SiteResponse(const SiteRequest&)>;

  TestSite();
  ~TestSite();
  TestSite(const TestSite&) = delete;
  TestSite& operator=(const TestSite&) = delete;

  // Sets or replaces the response for a path (without query); other paths are 404.
  void answer(std::string path, SiteResponse response);
  void handle(std::string path, Handler handler);
  void handle_rest(Handler handler);

  // Requests for this path wait until release().
  void hold(std::string path);
  void release(std::string path);

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string url(std::string_view target = "/") const;

  [[nodiscard]] std::size_t count(std::string_view path) const;  // requests for this path so far
  [[nodiscard]] std::vector<SiteRequest> requests(std::string_view path) const;
  [[nodiscard]] std::size_t connections() const;       // accepted so far
  [[nodiscard]] std::size_t open_connections() const;  // still open

  // Waits for that many requests of a path; false after ten seconds.
  [[nodiscard]] bool wait_for_requests(std::string_view path, std::size_t at_least) const;
  [[nodiscard]] bool wait_for_no_connections() const;
  // Drops the recorded requests and records no more: for benches.
  void stop_remembering();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::testing
