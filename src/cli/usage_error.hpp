// Explains a command line that the parser has rejected.
#pragma once

#include <string>

#include <CLI/App.hpp>

namespace heddle::cli {

// "there is no option '--limt' of 'heddle runs'; did you mean '--limit'?"
std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace heddle::cli
