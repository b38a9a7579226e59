#include "app/worker/sealed_text.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::app {

namespace {

Error failure_of(const char* what) {
  return {ErrorCode::unavailable,
          std::string(what) + ": " + std::generic_category().message(errno)};
}

}  // namespace

Result<FileDescriptor> make_sealed_text(std::string_view text) {
  FileDescriptor file(memfd_create("heddle-text", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file) return failure_of("memfd_create");
  while (!text.empty()) {
    const ssize_t written = write(file.get(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failure_of("write");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    return failure_of("F_ADD_SEALS");
  return file;
}

Status replace_sealed_text(const FileDescriptor& sealed, std::string_view text) {
  const auto next = make_sealed_text(text);
  if (!next) return next.error();
  if (dup3(next->get(), sealed.get(), O_CLOEXEC) < 0) return failure_of("dup3");
  return Done{};
}

// Uses pread() because all processes with the descriptor share one file position.
Result<std::string> read_sealed_text(const FileDescriptor& sealed) {
  struct stat facts {};
  if (fstat(sealed.get(), &facts) != 0) return failure_of("fstat");
  if (!S_ISREG(facts.st_mode)) return Error{ErrorCode::corrupt, "not a text that was handed over"};
  std::string text(static_cast<std::size_t>(facts.st_size), '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count =
        pread(sealed.get(), text.data() + size, text.size() - size, static_cast<off_t>(size));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failure_of("pread");
    if (count == 0) return Error{ErrorCode::corrupt, "the text ends early"};
    size += static_cast<std::size_t>(count);
  }
  return text;
}

}  // namespace heddle::app
