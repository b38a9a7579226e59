// Interfaces for programs: Lua names, the C++ library, the database schema, webhook messages, the
// environment of commands and hooks, files.
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/golden/database.hpp"
#include "tests/golden/interface_fixture.hpp"
#include "tests/program/running_daemon.hpp"
#include "tests/support/processes.hpp"

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;

// Names with their types, in order; of lists the first element.
constexpr std::string_view kWalk = R"lua(
local function names(value, path, out)
  if type(value) ~= "table" then return end
  local keys = {}
  for key in pairs(value) do
    if type(key) == "string" then keys[#keys + 1] = key end
  end
  table.sort(keys)
  if #keys == 0 and value[1] ~= nil then keys = { 1 } end
  for _, key in ipairs(keys) do
    local below = value[key]
    local full = path .. (path == "" and "" or ".") .. key
    out[#out + 1] = full .. ": " .. type(below)
    -- Stages are in the list as well as in the map.
    if key ~= "_G" and key ~= "map" then names(below, full, out) end
  end
end
function names_of(value, path)
  local out = { path .. ": " .. type(value) }
  names(value, path, out)
  return table.concat(out, "\n")
end
)lua";

constexpr std::string_view kHooks = R"lua(
local function note(value, path) fs_append("names.txt", names_of(value, path) .. "\n") end
local globals = {}
for key, value in pairs(_G) do
  if key ~= "names_of" then globals[key] = value end
end
note(globals, "_G")
local document = html.parse("<p>x</p>")
local node = document:select("p")[1]
for _, name in ipairs({ "select", "select_one", "text", "attr", "html", "tag" }) do
  note(select(2, pcall(function() return document[name] end)), "document:" .. name)
  note(select(2, pcall(function() return node[name] end)), "node:" .. name)
end

function before_fetch(request, ctx) note(request, "before_fetch.request") return request end
function after_fetch(result, ctx) note(result, "after_fetch.result") return result end
function after_extract(items, ctx) note(items, "after_extract.items") return items end
function filter_item(item, ctx) note(item, "filter_item.item") return item end
function before_store(items, ctx) note(items, "before_store.items") return items end
function before_webhook(payload, ctx) note(payload, "before_webhook.payload") return payload end
function on_success(ctx) note(ctx, "on_success.ctx") end
)lua";

constexpr std::string_view kTestOfNames = R"lua(
function test_names()
  local all = { names_of(heddle, "heddle"), names_of(spyweb, "spyweb"),
    names_of(heddle.run_cycle({ body = "<li>x</li>" }), "run_cycle") }
  print(table.concat(all, "\n"))
end
)lua";

TEST_F(Interface, KeepsTheNamesThatScriptsSee) {
  site_.answer("/page", html("<li>one</li>"));
  site_.answer("/hook", {.status = 204});
  project_.write("shared/names.lua", kWalk);
  const std::string page =
      "url = \"" + site_.url("/page") + "\"\nselector = \"li\"\nscript = \"shared/names.lua\"\n";
  project_.write_job("names", page + "[webhook]\nurl = \"" + site_.url("/hook") + "\"\n");
  project_.write("jobs/names/hooks.lua", kHooks);
  project_.write_job("tested", page);
  project_.write("jobs/tested/tests.lua", kTestOfNames);
  const ProgramResult run = project_.heddle({"run", "names"});
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_EQ(run.err, "");
  const ProgramResult tested = project_.heddle({"test", "tested"});
  ASSERT_EQ(tested.exit_code, 0) << tested.out << tested.err;
  expect_golden("lua_names.txt",
                "# Scripts of a job, their globals and what their hooks are given\n" +
                    read_file(project_.path() / "jobs/names/names.txt") +
                    "\n# Their tests besides\n" + normaliser_.text(tested.err));
}

std::string output_of(const std::string& command) {
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string text;
  std::array<char, 65536> buffer{};
  while (const std::size_t size = fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), size);
  if (pclose(pipe) != 0) throw std::runtime_error(command + " failed");
  return text;
}

// What nm says, without addresses, without inline functions, which compilers emit as they like, and
// without members of the inner classes that no header defines.
std::set<std::string> exported_names() {
  std::set<std::string> names;
  std::istringstream lines(output_of("nm -D --defined-only -C " HEDDLE_LIBRARY));
  std::string address;
  std::string type;
  std::string name;
  while (lines >> address >> type && std::getline(lines >> std::ws, name)) {
    const bool is_ours = name.starts_with("heddle::") || name.starts_with("vtable for heddle::") ||
                         name.starts_with("typeinfo for heddle::");
    const bool is_inner = name.find("::Impl::") != std::string::npos ||
                          name.find("::State::") != std::string::npos || name.ends_with("::Impl") ||
                          name.ends_with("::State");
    if (is_ours && type != "W" && !is_inner) names.insert(name);
  }
  return names;
}

std::string soname() {
  std::istringstream lines(output_of("readelf -d " HEDDLE_LIBRARY));
  for (std::string line; std::getline(lines, line);)
    if (line.find("(SONAME)") != std::string::npos) return line.substr(line.find('['));
  return "none";
}

TEST_F(Interface, KeepsTheExportedSymbolsOfTheLibrary) {
  std::string text = "SONAME " + soname() + "\n\n";
  for (const std::string& name : exported_names()) text += name + "\n";
  expect_golden("library/symbols.txt", text);
}

// Without comments and empty lines: neither is part of the interface.
std::string declarations_of(const fs::path& header) {
  std::string text;
  std::istringstream lines(read_file(header));
  for (std::string line; std::getline(lines, line);) {
    line.erase(std::min(line.find("//"), line.size()));
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty()) text += line + "\n";
  }
  return text;
}

TEST_F(Interface, KeepsTheHeadersOfTheLibrary) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / "include/heddle")) {
    names.push_back(entry.path().filename().string() + ".txt");
    expect_golden("library/headers/" + names.back(), declarations_of(entry.path()));
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(golden_names("library/headers"), names) << "a header is gone";
}

std::string schema_of(const fs::path& database) {
  std::string text;
  for (const char* pragma : {"user_version", "application_id", "page_size", "encoding"})
    text += fmt::format("{} = {}\n", pragma,
                        query_column(database, fmt::format("PRAGMA {}", pragma)).at(0));
  for (const auto& row : query_rows(database,
                                    "SELECT sql FROM sqlite_master WHERE sql NOTNULL AND name NOT"
                                    " LIKE 'sqlite_%' ORDER BY tbl_name, type DESC, name"))
    text += row[0] + ";\n";
  return text;
}

TEST_F(Interface, KeepsTheDatabaseSchema) {
  site_.answer("/page", html("<li>one</li>"));
  project_.write_job("shop", "url = \"" + site_.url("/page") + "\"\nselector = \"li\"\n");
  project_.write("jobs/shop/hooks.lua",
                 "function before_fetch(request) store_set('a', 'b') return request end\n");
  ASSERT_EQ(project_.heddle({"run", "shop"}).exit_code, 0);
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(project_.path() / "data")) {
    if (entry.path().extension() != ".db") continue;
    names.push_back(entry.path().filename().string() + ".sql");
    expect_golden("schema/" + names.back(), schema_of(entry.path()));
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(golden_names("schema"), names) << "a database is gone";
}

// Header names as sent; what is not the same for every message is left out.
std::string message_text(const SiteRequest& request, Normaliser& normaliser) {
  static const std::set<std::string> varying{"webhook-timestamp", "webhook-signature",
                                             "Content-Length", "Accept-Encoding"};
  std::string text = fmt::format("{} {}\n", request.method, request.target);
  for (const auto& [name, value] : request.headers)
    text +=
        fmt::format("{}: {}\n", name,
                    varying.contains(name) ? value.substr(0, value.find(',') + 1) + "<" + name + ">"
                                           : normaliser.text(value));
  return text + normaliser.json(request.body);
}

TEST_F(Interface, KeepsTheWebhookMessages) {
  const auto status = std::make_shared<std::atomic<int>>(200);
  site_.handle("/page", [status](const SiteRequest&) {
    SiteResponse page = html("<li>Kettle, 12 €</li>");
    page.status = *status;
    return page;
  });
  site_.answer("/hook", {.status = 204});
  project_.write_job("shop", "url = \"" + site_.url("/page") +
                                 "\"\nselector = \"li\"\nkeywords = [\"kettle\"]\nalert_after = 1\n"
                                 "[webhook]\nurl = \"" +
                                 site_.url("/hook") +
                                 "\"\nheaders = {X-Own = \"yes\"}\n"
                                 "secret = \"whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz\"\n");
  for (const int next : {200, 500, 200}) {
    *status = next;
    project_.heddle({"run", "shop"});
  }
  std::string text;
  for (const SiteRequest& request : site_.requests("/hook"))
    text += (text.empty() ? "" : "\n") + message_text(request, normaliser_);
  expect_golden("webhook_messages.txt", text);
}

// The variables that heddle sets, and the names of those that programs inherit.
std::string environment_text(const fs::path& file, Normaliser& normaliser) {
  static const std::set<std::string> inherited{"PATH", "HOME", "LANG", "TZ", "PASSED", "OWN"};
  std::set<std::string> lines;
  std::istringstream in(read_file(file));
  for (std::string line; std::getline(in, line);) {
    const std::string name = line.substr(0, line.find('='));
    if (name.starts_with("HEDDLE_"))
      lines.insert("  " + normaliser.text(line) + "\n");
    else if (inherited.contains(name))
      lines.insert("  " + name + "\n");
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

TEST_F(Interface, KeepsTheEnvironmentOfPrograms) {
  setenv("PASSED", "yes", 1);
  setenv("HEDDLE_SECRET", "no", 1);
  std::string job =
      "kind = \"command\"\n"
      "command = \"env > process; while ! [ -e post_start ]; do sleep 0.02; done; exit 3\"\n"
      "env_pass = [\"PASSED\"]\nenv = {OWN = \"1\"}\n";
  for (const char* phase : {"pre_start", "post_start", "post_stop"})
    job += fmt::format("[[hooks.{0}]]\nname = \"of {0}\"\ncommand = \"env > new; mv new {0}\"\n",
                       phase);
  project_.write_job("work", job);
  const ProgramResult run = project_.heddle({"run", "work"});
  EXPECT_EQ(run.exit_code, 1) << run.out << run.err;
  std::string text;
  for (const char* name : {"process", "pre_start", "post_start", "post_stop"}) {
    const fs::path file = project_.path() / "jobs/work" / name;
    ASSERT_TRUE(fs::exists(file)) << run.out << run.err;
    text += fmt::format("{}\n{}", name, environment_text(file, normaliser_));
  }
  expect_golden("program_environment.txt", text);
}

std::string files_below(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().lexically_relative(folder).generic_string();
    // SQLite's own, which come and go.
    if (!name.ends_with("-wal") && !name.ends_with("-shm")) names.insert(name);
  }
  std::string text;
  for (const std::string& name : names) text += "  " + name + "\n";
  return text;
}

TEST_F(Interface, KeepsTheNamesOfFiles) {
  site_.answer("/page", html("<li>one</li>"));
  project_.write_job("shop", "url = \"" + site_.url("/page") + "\"\nselector = \"li\"\n");
  project_.write(
      "jobs/shop/hooks.lua",
      "function before_fetch(request) log('x') store_set('a', 'b') return request end\n");
  project_.write_job("work", "kind = \"command\"\ncommand = \"echo x\"\n");
  for (const char* command : {"debug", "run"}) project_.heddle({command, "shop"});
  project_.heddle({"run", "work"});
  project_.heddle({"backup", (project_.path() / "copy").string()});
  std::string text = "data\n" + files_below(project_.path() / "data");
  text += "a backup\n" + files_below(project_.path() / "copy");
  {
    RunningDaemon daemon(project_, 1);
    text += "data while a daemon is up\n" + files_below(project_.path() / "data");
    text += fs::exists(project_.path() / ".heddle-daemon")
                ? "beside heddle.toml\n  .heddle-daemon\n"
                : "";
    daemon.signal(SIGTERM);
    daemon.wait();
  }
  expect_golden("files.txt", text);
}

}  // namespace
}  // namespace heddle::testing
