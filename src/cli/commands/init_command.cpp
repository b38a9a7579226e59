#include <array>
#include <fstream>

#include <fmt/format.h>

#include "base/files/private_files.hpp"
#include "base/shell_word.hpp"
#include "cli/commands.hpp"

namespace heddle::cli {

namespace {

constexpr std::string_view kProjectFile =
    R"(# Settings of the whole project. Everything here has a default: `heddle explain KEY` describes a key.

[network]
# Addresses inside your own network are refused unless you list them:
# allow = ["127.0.0.1", "192.168.1.0/24"]

[limits]
per_host = 4          # downloads from one host at the same time
# per_host_delay = "1s"

[defaults]            # any job key; applies to every job that does not set it itself
timeout = "30s"
)";

constexpr std::string_view kJobFile =
    R"(# One job: a page, what to take from it, and where to send what is new.
name = "Example"
url = "https://example.com/"

# Each element that matches `selector` is one item; `fields` are read inside it.
# "name:css" takes the text, "name:css@attribute" an attribute; an empty css is the element itself.
selector = "body"
fields = ["title:h1", "text:p", "link:a@href"]

# Only items in which one of these words occurs:
# keywords = ["illustrative", "sale"]

# Send new items to a program:
# [webhook]
# enabled = true
# url = "https://example.org/hook"
# secret = "${env:HOOK_SECRET}"   # "whsec_" and what `openssl rand -base64 32` prints

[notification]        # on the desktop, when there is one
enabled = true
title = "{job_name}: {item_count} new"
body = "{title}"
)";

constexpr std::string_view kHooksFile =
    R"(-- Functions the engine calls while it works on a page; delete this file if the job needs none.
-- `heddle debug example` shows what they do, `heddle types types.lua` helps your editor.

-- Before the page is fetched. Returning nothing would skip it.
function before_fetch(request, ctx)
  request.headers["Accept-Language"] = "en"
  return request
end

-- After the items were found: change them, add some, leave some out.
function after_extract(items, ctx)
  for _, item in ipairs(items) do
    item.fields.words = select(2, item.fields.text:gsub("%S+", ""))
  end
  log("found", #items, "on", ctx.last_fetch.response.url)
  return items
end
)";

constexpr std::string_view kTestsFile =
    R"(-- `heddle test` runs every function whose name begins with test_. Nothing is fetched: run_cycle
-- runs a whole cycle on the page it is given.

function test_counts_the_words_of_the_text()
  local cycle = heddle.run_cycle({ body = "<h1>Title</h1><p>three little words</p>" })
  heddle.assert_eq(#cycle.items, 1)
  heddle.assert_eq(cycle.items[1].fields.title, "Title")
  heddle.assert_eq(cycle.items[1].fields.words, "3")
end

function test_asks_for_english()
  local request = before_fetch({ url = "https://example.com/", headers = {} }, {})
  heddle.assert_eq(request.headers["Accept-Language"], "en")
end
)";

struct NewFile {
  std::string_view name;
  std::string_view text;
};

constexpr auto kFiles = std::to_array<NewFile>({
    {"heddle.toml", kProjectFile},
    {"jobs/example/config.toml", kJobFile},
    {"jobs/example/hooks.lua", kHooksFile},
    {"jobs/example/tests.lua", kTestsFile},
});

Status write_new_file(const std::filesystem::path& file, std::string_view text) {
  std::error_code failed;
  // Empty for a file in the current folder.
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), failed);
  if (failed)
    return Error{ErrorCode::unavailable,
                 fmt::format("cannot make the folder {}: {}", file.parent_path().string(),
                             failed.message())};
  make_private_file(file, 0644);  // without secrets; never writable for others
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

ExitCode print_version(CommandContext& context) {
  if (context.json)
    return context.print_json([](JsonWriter& json) {
      json.begin_object().field("version", HEDDLE_VERSION).end_object();
    });
  context.out.line("heddle " HEDDLE_VERSION);
  return ExitCode::done;
}

ExitCode init_project(CommandContext& context, const std::filesystem::path& dir) {
  const std::filesystem::path base = context.project_dir / dir;
  for (const NewFile& file : kFiles) {
    std::error_code ignored;
    const auto path = (base / file.name).lexically_normal();
    if (std::filesystem::exists(path, ignored))
      return context.fail(fmt::format("{} already exists; nothing was written", path.string()));
  }
  for (const NewFile& file : kFiles) {
    const auto path = (base / file.name).lexically_normal();
    auto written = write_new_file(path, file.text);
    if (!written) return context.fail(written.error().message);
    context.out.line("wrote " + path.string());
  }
  const auto location = base.lexically_normal();
  context.out.line("\nNext:");
  if (location != "." && location != "./")
    context.out.line(fmt::format("  cd {}", shell_word(location.string())));
  context.out.line("  heddle check          # all errors at once");
  context.out.line("  heddle test           # the script's tests");
  context.out.line("  heddle debug example  # shows what it finds, stores no items");
  context.out.line("  heddle run example    # fetch, extract, store, notify");
  return ExitCode::done;
}

}  // namespace heddle::cli
