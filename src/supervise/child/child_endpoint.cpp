#include "supervise/child/child_endpoint.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <fcntl.h>

#include "supervise/child/child_environment.hpp"

namespace heddle::supervise {

namespace {

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): before threads start
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::uint32_t> number(const char* name) {
  const auto text = variable(name);
  std::uint32_t value = 0;
  if (!text) return std::nullopt;
  const char* end = text->data() + text->size();
  const auto read = std::from_chars(text->data(), end, value);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return value;
}

Result<FileDescriptor> take_descriptor(const char* name) {
  const auto found = number(name);
  if (!found) return Error{ErrorCode::not_found, "not started by a supervisor"};
  const int descriptor = static_cast<int>(*found);
  if (descriptor < 3 || fcntl(descriptor, F_SETFD, FD_CLOEXEC) != 0)
    return Error{ErrorCode::corrupt, std::string(name) + " names no open descriptor"};
  return FileDescriptor(descriptor);
}

}  // namespace

Result<ChildEndpoint> take_child_endpoint() {
  auto socket = take_descriptor(kChannelName);
  if (!socket) return std::move(socket.error());
  const auto page_file = take_descriptor(kPageName);
  if (!page_file) return page_file.error();
  auto page = ChildPage::open(*page_file);
  if (!page) return std::move(page.error());

  ChildEndpoint end{std::move(*socket), std::move(*page), {}};
  end.is_spare = variable(kSpareName).has_value();
  end.assignment.slot = {number(kSlotName).value_or(0), number(kOccurrenceName).value_or(0)};
  end.assignment.name = variable(kSlotTitleName).value_or("");
  end.assignment.number = static_cast<int>(number(kSlotNumberName).value_or(0));
  end.heartbeat = std::chrono::milliseconds(number(kHeartbeatName).value_or(1000));
  for (const char* name : {kChannelName, kPageName, kSpareName})
    unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
  return end;
}

}  // namespace heddle::supervise
