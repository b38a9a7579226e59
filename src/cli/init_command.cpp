#include <fstream>

#include <fmt/format.h>

#include "cli/commands.hpp"

namespace heddle::cli {

namespace {

constexpr std::string_view kProjectFile =
    R"(# Settings of the whole project. Everything here has a default: `heddle explain KEY` tells more.

[network]
# Addresses inside your own network are refused unless you list them:
# allow = ["127.0.0.1", "192.168.1.0/24"]

[limits]
per_host = 4          # downloads from one host at the same time
# per_host_delay = "1s"

[defaults]            # any job key; applies to every job that does not set it itself
timeout = "30s"
)";

constexpr std::string_view kJobFile = R"(# One job: a page, what to take from it, and whom to tell.
name = "Example"
url = "https://example.com/"

# Each element that matches `selector` is one item; `fields` are read inside it.
# "name:css" takes the text, "name:css@attribute" an attribute; an empty css is the element itself.
selector = "body"
fields = ["title:h1", "text:p", "link:a@href"]

# Only items in which one of these words occurs:
# keywords = ["illustrative", "sale"]

# Tell a program about new items:
# [webhook]
# enabled = true
# url = "https://example.org/hook"
# secret = "${env:HOOK_SECRET}"   # "whsec_" and what `openssl rand -base64 32` prints

[notification]        # on the desktop, when there is one
enabled = true
title = "{job_name}: {item_count} new"
body = "{title}"
)";

Status write_new_file(const std::filesystem::path& file, std::string_view text) {
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  if (failed)
    return Error{ErrorCode::unavailable,
                 fmt::format("cannot make the folder {}: {}", file.parent_path().string(),
                             failed.message())};
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out)
    return Error{
        ErrorCode::unavailable,
        fmt::format("cannot write {}: is the disk full or the folder read-only?", file.string())};
  return Done{};
}

}  // namespace

ExitCode init_project(Context& context, const std::filesystem::path& dir) {
  const std::filesystem::path base = context.project_dir / dir;
  const auto project_file = (base / "heddle.toml").lexically_normal();
  const auto job_file = (base / "jobs" / "example" / "config.toml").lexically_normal();
  for (const auto& file : {project_file, job_file}) {
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored))
      return context.fail(fmt::format("{} is there already; nothing was written", file.string()));
  }
  for (const auto& [file, text] :
       {std::pair{project_file, kProjectFile}, std::pair{job_file, kJobFile}}) {
    auto written = write_new_file(file, text);
    if (!written) return context.fail(written.error().message);
    context.out.line("wrote " + file.string());
  }
  const auto place = base.lexically_normal();
  context.out.line("\nNext:");
  if (place != "." && place != "./") context.out.line(fmt::format("  cd {}", place.string()));
  context.out.line("  heddle check          # every mistake at once");
  context.out.line("  heddle debug example  # what it finds, nothing stored");
  context.out.line("  heddle run example    # fetch, extract, store, tell");
  return ExitCode::done;
}

}  // namespace heddle::cli
