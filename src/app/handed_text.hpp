// A text that a coordinator hands to its workers when it starts them: not as an argument, which
// everybody on the machine could read. Nobody can change it.
#pragma once

#include <string>
#include <string_view>

#include "base/file_descriptor.hpp"
#include "base/result.hpp"

namespace heddle::app {

Result<FileDescriptor> make_handed_text(std::string_view text);

// Another text behind the same descriptor, for processes that are started from now on; those that
// are there keep what they have. Unchanged when it fails.
Status replace_handed_text(const FileDescriptor& handed, std::string_view text);

// As often as it is wanted, by every process that has the descriptor.
Result<std::string> read_handed_text(const FileDescriptor& handed);

}  // namespace heddle::app
