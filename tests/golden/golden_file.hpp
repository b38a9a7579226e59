// Texts that users and programs rely on, kept under tests/golden/expected and compared line by
// line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::testing {

// Fails the test, with a diff, unless expected/NAME holds exactly `actual`. With the environment
// variable HEDDLE_UPDATE_GOLDEN=1 the file is written again, and the test fails all the same: an
// accepted change must be read.
void expect_golden(const std::filesystem::path& name, const std::string& actual);

// The expected files below this folder, relative to it and sorted.
std::vector<std::string> golden_names(const std::filesystem::path& folder);

// The lines that differ, "-" expected and "+" actual, with three equal ones around them and "@@"
// before each stretch. Empty when all are equal.
std::string line_diff(std::string_view expected, std::string_view actual);

}  // namespace heddle::testing
