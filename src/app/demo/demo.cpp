#include "app/demo/demo.hpp"

#include <csignal>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "app/client/engine.hpp"
#include "app/client/foreground_run.hpp"
#include "app/demo/shop.hpp"
#include "app/demo/shop_server.hpp"
#include "cli/terminal.hpp"
#include "config/load_project.hpp"
#include "store/sqlite/sqlite_reader.hpp"

namespace heddle::app::demo {

namespace {

using cli::Colour;

constexpr std::string_view kProjectFile = R"([network]
allow = ["127.0.0.1"]        # the demo's shop lives on this machine

[defaults.notification]
enabled = false              # this terminal shows what is new
)";

std::string job_file(int port) {
  return fmt::format(R"(name = "Little Loom Shop"
id = "shop"
url = "http://127.0.0.1:{}/"
selector = "li.product"
fields = [
  "name:.name",
  "link:.name@href",
  {{ name = "price", selector = ".price", type = "money" }},
  "stock:.stock",
]
)",
                     port);
}

// The project's folder: `keep`, or a temporary folder that is removed with the demo.
class DemoFolder {
 public:
  static Result<DemoFolder> make(const std::filesystem::path& keep) {
    if (!keep.empty()) return DemoFolder(std::filesystem::absolute(keep), false);
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-demo-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      return Error{ErrorCode::unavailable,
                   "cannot make a temporary folder; give one with --keep DIR"};
    return DemoFolder(pattern, true);
  }
  DemoFolder(DemoFolder&& other) noexcept
      : path_(std::move(other.path_)), remove_(std::exchange(other.remove_, false)) {}
  DemoFolder& operator=(DemoFolder&&) = delete;
  ~DemoFolder() {
    std::error_code ignored;
    if (remove_) std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  [[nodiscard]] Status write(const std::filesystem::path& name, std::string_view text) const {
    std::error_code failed;
    std::filesystem::create_directories((path_ / name).parent_path(), failed);
    std::ofstream out(path_ / name, std::ios::binary);
    out << text;
    out.close();
    if (!out) return Error{ErrorCode::unavailable, "cannot write " + (path_ / name).string()};
    return Done{};
  }

 private:
  DemoFolder(std::filesystem::path path, bool remove) : path_(std::move(path)), remove_(remove) {}
  std::filesystem::path path_;
  bool remove_;
};

class SilentWatcher final : public cli::RunWatcher {
 public:
  void run_started(const Run&) override {}
  void page(const cli::PageProgress&) override {}
  void notice(const std::string&) override {}
};

// Returns true when Ctrl-C ends the pause between rounds.
bool wait_or_interrupted(std::chrono::milliseconds pause) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &set, &before);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(pause);
  const timespec wait{seconds.count(), (pause - seconds).count() * 1'000'000};
  const bool interrupted = sigtimedwait(&set, nullptr, &wait) > 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return interrupted;
}

struct Seen {
  std::string price;
  std::string stock;
};

// Distinguishes new products from changed ones by remembering the last state of each link.
class DemoView {
 public:
  explicit DemoView(cli::Terminal& terminal) : terminal_(terminal) {}

  void show_round(const cli::RunReport& report, const std::vector<Record>& fresh) {
    const Run& run = report.run;
    const std::string time = to_iso8601(run.started_at).substr(11, 8);
    const auto took = run.ended_at ? *run.ended_at - run.started_at : std::chrono::milliseconds(0);
    terminal_.line(fmt::format(
        "{}  {} items on the page, {} {}", terminal_.paint(Colour::grey, time), run.items.seen,
        terminal_.paint(Colour::bold, fmt::format("{} new", run.items.fresh)),
        terminal_.paint(Colour::grey, fmt::format("({})", cli::duration_text(took)))));
    for (auto record = fresh.rbegin(); record != fresh.rend(); ++record) show(record->item);
  }

 private:
  void show(const Item& item) {
    const auto field = [&item](std::string_view name) {
      const std::string* value = item.find(name);
      return value != nullptr ? *value : std::string();
    };
    const std::string name = field("name");
    const Seen now{field("price"), field("stock")};
    const auto before = seen_.find(field("link"));
    std::string what = terminal_.paint(Colour::green, "new on the shelf");
    if (before != seen_.end()) what = describe_change(before->second, now);
    terminal_.line(
        fmt::format("          {:<20} {:>9}  {:<9} {}", name, now.price, now.stock, what));
    seen_[field("link")] = now;
  }

  [[nodiscard]] std::string describe_change(const Seen& before, const Seen& now) const {
    if (before.price != now.price)
      return terminal_.paint(Colour::yellow, "price was " + before.price);
    if (before.stock != now.stock) return terminal_.paint(Colour::yellow, "was " + before.stock);
    return "seen before";
  }

  cli::Terminal& terminal_;
  std::map<std::string, Seen> seen_;
};

Result<std::vector<Record>> newest_records(const Project& project, const JobId& job,
                                           std::int64_t count) {
  std::vector<Record> records;
  if (count == 0) return records;
  auto reader = store::SqliteReader::open(database_file(project));
  if (!reader) return std::move(reader.error());
  auto read = (*reader)->for_each_record(job, std::nullopt, [&](const Record& record) {
    records.push_back(record);
    return static_cast<std::int64_t>(records.size()) < count;
  });
  if (!read) return std::move(read.error());
  return records;
}

void print_introduction(cli::Terminal& terminal, const DemoFolder& folder, int port) {
  terminal.line(terminal.paint(Colour::bold, "Heddle demo"));
  terminal.line(
      fmt::format("  the shop     http://127.0.0.1:{}/  (prices, stock and goods change)", port));
  terminal.line(fmt::format("  the project  {}", folder.path().string()));
  terminal.line(
      fmt::format("  try          heddle --project {} records shop", folder.path().string()));
  terminal.line("  stop         Ctrl-C\n");
}

Result<config::Loaded> set_up(const DemoFolder& folder, int port,
                              const config::Environment& environment) {
  if (auto written = folder.write("heddle.toml", kProjectFile); !written)
    return std::move(written.error());
  if (auto written = folder.write("jobs/shop/config.toml", job_file(port)); !written)
    return std::move(written.error());
  auto loaded = config::load_project(folder.path(), environment);
  if (loaded.project.find_job("shop") == nullptr)
    return Error{ErrorCode::bug, loaded.problems.empty() ? "the demo's job is missing"
                                                         : config::to_text(loaded.problems[0])};
  return loaded;
}

// Holds the lock for one round only, so that users can try other commands on the project.
Result<cli::RunReport> run_round(const Project& project, const Job& job, Log& log) {
  SilentWatcher watcher;
  return run_in_foreground(project, {job}, watcher, log);
}

}  // namespace

Status run_demo(const cli::DemoOptions& options, const config::Environment& environment, Log& log) {
  auto folder = DemoFolder::make(options.keep);
  if (!folder) return std::move(folder.error());
  auto server = ShopServer::start(options.port);
  if (!server) return std::move(server.error());
  auto loaded = set_up(*folder, (*server)->port(), environment);
  if (!loaded) return std::move(loaded.error());
  const Job& job = *loaded->project.find_job("shop");

  cli::Terminal terminal(stdout);
  print_introduction(terminal, *folder, (*server)->port());
  Shop shop(std::random_device{}());
  DemoView view(terminal);
  for (int round = 1; options.rounds == 0 || round <= options.rounds; ++round) {
    (*server)->show(shop.page());
    auto report = run_round(loaded->project, job, log);
    if (!report) return std::move(report.error());
    auto fresh = newest_records(loaded->project, job.id, report->run.items.fresh);
    if (!fresh) return std::move(fresh.error());
    view.show_round(*report, *fresh);
    std::fflush(stdout);
    if (report->run.state == RunState::cancelled || round == options.rounds) break;
    if (wait_or_interrupted(options.pause)) break;
    shop.tick();
  }
  return Done{};
}

}  // namespace heddle::app::demo
