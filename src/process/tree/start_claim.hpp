// A start claim is an empty file that says whether a program was executed, also when the process
// that started it was killed before it could record the start. The shepherd holds the lock of the
// file while it starts the program, and makes the file one byte long as soon as the program has
// been executed. Neither needs space on the disk.
#pragma once

#include <chrono>
#include <filesystem>

#include "base/file_descriptor.hpp"

namespace heddle::process {

// Creates the file and its folder, and locks it for the descriptor. Empty when that fails.
FileDescriptor open_start_claim(const std::filesystem::path& file);

// Whether the program of this claim was executed; false when there is no such file. A shepherd
// whose owner died may still be about to start it: blocks until that shepherd has decided, at most
// this long.
bool read_start_claim(const std::filesystem::path& file, std::chrono::milliseconds timeout);

}  // namespace heddle::process
