// A small scripted web site on 127.0.0.1 for tests: answers, misbehaves and remembers as told.
// Runs on a thread of its own; every method is thread-safe. Handlers run on the site's thread.
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

enum class SiteManner {
  complete,      // the whole answer with its Content-Length
  chunked,       // body in `pieces` chunks
  endless,       // headers, then the body again and again until the client leaves
  stalled,       // headers and body of a larger Content-Length, then silence
  truncated,     // headers and body of a larger Content-Length, then the end
  no_answer,     // closes the connection without a word
  reset,         // resets the connection (RST)
  silent,        // never answers
  until_closed,  // no length: the body ends with the connection
};

struct SiteResponse {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers{};
  std::string body{};
  SiteManner manner = SiteManner::complete;
  int pieces = 3;  // for SiteManner::chunked

  SiteResponse with_header(std::string name, std::string value) &&;
};

SiteResponse html(std::string body);
SiteResponse redirect(std::string location, int status = 302);
SiteResponse gzipped(std::string_view body);  // with Content-Encoding: gzip
SiteResponse too_many_requests(std::string retry_after);
SiteResponse misbehaving(SiteManner manner, std::string body = "");

// A gzip stream that decodes to `size` zero bytes, made without holding them in memory.
std::string gzip_bomb(std::size_t size);

class TestSite {
 public:
  using Handler = std::function<SiteResponse(const SiteRequest&)>;

  TestSite();
  ~TestSite();
  TestSite(const TestSite&) = delete;
  TestSite& operator=(const TestSite&) = delete;

  // Sets the answer for a path (without query), instead of a former one; other paths are 404.
  void answer(std::string path, SiteResponse response);
  void handle(std::string path, Handler handler);
  void handle_rest(Handler handler);

  // Requests for this path wait until release(): delays under the test's control.
  void hold(std::string path);
  void release(std::string path);

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] std::string url(std::string_view target = "/") const;

  [[nodiscard]] std::size_t count(std::string_view path) const;  // requests for this path so far
  [[nodiscard]] std::vector<SiteRequest> requests(std::string_view path) const;
  [[nodiscard]] std::size_t connections() const;       // accepted so far
  [[nodiscard]] std::size_t open_connections() const;  // still open

  // Waits until a path was asked for so often; false after ten seconds.
  [[nodiscard]] bool wait_for_requests(std::string_view path, std::size_t at_least) const;
  [[nodiscard]] bool wait_for_no_connections() const;
  // Memory of seen requests is dropped and no more is kept: for benches.
  void stop_remembering();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::testing
