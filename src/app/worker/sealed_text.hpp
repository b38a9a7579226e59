// A sealed memory file passes a text from the coordinator to its workers. Arguments would be
// visible to all users of the machine. Its content cannot be changed.
#pragma once

#include <string>
#include <string_view>

#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle::app {

Result<FileDescriptor> make_sealed_text(std::string_view text);

// Puts another text behind the same descriptor for processes started from now on; running processes
// keep the old text. On failure nothing has changed.
Status replace_sealed_text(const FileDescriptor& sealed, std::string_view text);

// Every process with the descriptor may read it any number of times.
Result<std::string> read_sealed_text(const FileDescriptor& sealed);

}  // namespace heddle::app
