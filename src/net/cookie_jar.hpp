// Stores the cookies of one job: in memory between its runs, and in a Netscape cookie file if it
// has one. Used by the Client on the loop's thread; must outlive the fetches that use it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace heddle::net {

class CookieJar {
 public:
  CookieJar();
  ~CookieJar();
  CookieJar(CookieJar&&) noexcept;
  CookieJar& operator=(CookieJar&&) noexcept;

  // Adds the file's cookies to the jar; a missing file counts as empty.
  Status load(const std::filesystem::path& file);
  // Replaces the file as a whole; session cookies are written too (with expiry 0).
  Status save(const std::filesystem::path& file) const;

  // One line of the Netscape format per cookie.
  [[nodiscard]] std::vector<std::string> lines() const;
  void clear();

  // Reports how many cookies a response set. A site that sets them without end loses the ones
  // beyond a thousand.
  void count_set(std::size_t cookies);

  [[nodiscard]] void* native_handle() const;  // the CURLSH that the Client attaches

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heddle::net
