// The words that the program's source holds, wherever they stand in it.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace heddle::testing {

// Of C++ text: "like this", raw ones too; those in comments and those that go on in a further
// literal as the pieces they are. Escapes stay as written.
std::set<std::string> string_literals(std::string_view source);

// Of all files below src/ that go into the program: not of tests, benches and fuzz targets.
const std::set<std::string>& source_literals();

}  // namespace heddle::testing
