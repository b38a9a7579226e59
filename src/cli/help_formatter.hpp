// HelpFormatter writes the help text of a command: usage, arguments, options, commands, examples.
#pragma once

#include <cstddef>
#include <string>

#include <CLI/App.hpp>
#include <CLI/FormatterFwd.hpp>

namespace heddle::cli {

class HelpFormatter final : public CLI::FormatterBase {
 public:
  explicit HelpFormatter(std::size_t width) : width_(width) {}
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;

 private:
  std::size_t width_;
};

// "-n, --lines N", or "JOB" for an argument.
std::string option_label(const CLI::Option& option);

}  // namespace heddle::cli
