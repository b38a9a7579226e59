#include "app/demo/demo.hpp"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/client/run_job.hpp"
#include "app/demo/shop_server.hpp"
#include "app/project/project_databases.hpp"
#include "app/project/scratch_folder.hpp"
#include "base/shell_word.hpp"
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

struct Product {
  std::string slug;
  std::string name;
  int cents = 0;
  bool in_stock = true;
};

constexpr std::size_t kOnSaleAtFirst = 8;

std::vector<Product> all_products() {
  return {{"copper-kettle", "Copper kettle", 4950},
          {"wool-blanket", "Wool blanket", 8900},
          {"oak-stool", "Oak stool", 12900},
          {"tea-set", "Tea set for two", 3450},
          {"linen-apron", "Linen apron", 2990},
          {"brass-lamp", "Brass lamp", 15900},
          {"cast-iron-pan", "Cast-iron pan", 6400},
          {"beeswax-candles", "Beeswax candles", 1290},
          {"walnut-board", "Walnut board", 3900},
          {"felt-slippers", "Felt slippers", 4490},
          {"stoneware-jug", "Stoneware jug", 3200},
          {"paper-lantern", "Paper lantern", 1850},
          {"weaving-loom", "Table weaving loom", 21900},
          {"heddle-bar", "Heddle bar, beech", 1690}};
}

// The demo's shop: its prices, stock and products change from round to round. Pure: the seed
// decides, so a demo is reproducible.
class Shop {
 public:
  explicit Shop(std::uint32_t seed) : random_(seed), warehouse_(all_products()) {
    const auto rest = warehouse_.begin() + kOnSaleAtFirst;
    products_.assign(warehouse_.begin(), rest);
    warehouse_.erase(warehouse_.begin(), rest);
  }

  // Advances one round: some prices change, a product sells out or comes back, is added or removed.
  void tick() {
    Product& repriced = products_[pick(products_.size())];
    const double factor = 0.75 + 0.05 * static_cast<double>(pick(9));
    repriced.cents = std::max(490, static_cast<int>(repriced.cents * factor) / 10 * 10);
    if (pick(2) == 0) {
      Product& product = products_[pick(products_.size())];
      product.in_stock = !product.in_stock;
    }
    if (pick(3) == 0 && !warehouse_.empty()) {
      products_.push_back(warehouse_.front());
      warehouse_.erase(warehouse_.begin());
    } else if (pick(5) == 0 && products_.size() > kOnSaleAtFirst) {
      warehouse_.push_back(products_.front());
      products_.erase(products_.begin());
    }
  }

  [[nodiscard]] std::string page() const {
    std::string rows;
    for (const Product& product : products_)
      rows += fmt::format(
          "    <li class=\"product\">\n"
          "      <a class=\"name\" href=\"/goods/{}\">{}</a>\n"
          "      <span class=\"price\">€ {}.{:02}</span>\n"
          "      <span class=\"stock\">{}</span>\n"
          "    </li>\n",
          product.slug, product.name, product.cents / 100, product.cents % 100,
          product.in_stock ? "in stock" : "sold out");
    return "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
           "<title>The Little Loom Shop</title></head>\n<body>\n  <h1>The Little Loom Shop</h1>\n"
           "  <ul>\n" +
           rows + "  </ul>\n</body>\n</html>\n";
  }

 private:
  std::size_t pick(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  std::mt19937 random_;
  std::vector<Product> products_;
  std::vector<Product> warehouse_;  // not on sale yet
};

Status write_file(const std::filesystem::path& file, std::string_view text) {
  std::error_code failed;
  std::filesystem::create_directories(file.parent_path(), failed);
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) return Error{ErrorCode::unavailable, "cannot write " + file.string()};
  return Done{};
}

class SilentWatcher final : public cli::RunWatcher {
 public:
  void run_started(const Run&) override {}
  void page(const PageReport&) override {}
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

void print_introduction(cli::Terminal& terminal, const std::filesystem::path& folder, int port) {
  terminal.line(terminal.paint(Colour::bold, "Heddle demo"));
  terminal.line(
      fmt::format("  the shop     http://127.0.0.1:{}/  (prices, stock and goods change)", port));
  terminal.line(fmt::format("  the project  {}", folder.string()));
  terminal.line(
      fmt::format("  try          heddle --project {} records shop", shell_word(folder.string())));
  terminal.line("  stop         Ctrl-C\n");
}

Result<config::Loaded> set_up(const std::filesystem::path& folder, int port,
                              const config::Environment& environment) {
  if (auto written = write_file(folder / "heddle.toml", kProjectFile); !written)
    return std::move(written.error());
  if (auto written = write_file(folder / "jobs/shop/config.toml", job_file(port)); !written)
    return std::move(written.error());
  auto loaded = config::load_project(folder, environment);
  if (loaded.project.find_job("shop") == nullptr)
    return Error{ErrorCode::bug, loaded.problems.empty() ? "the demo's job is missing"
                                                         : config::to_text(loaded.problems[0])};
  return loaded;
}

}  // namespace

Status run_demo(const cli::DemoOptions& options, const config::Environment& environment, Log& log) {
  const auto scratch = options.keep.empty() ? ScratchFolder::make("heddle-demo") : std::nullopt;
  if (options.keep.empty() && !scratch)
    return Error{ErrorCode::unavailable,
                 "cannot make a temporary folder; give one with --keep DIR"};
  const auto folder = scratch ? scratch->path() : std::filesystem::absolute(options.keep);
  auto server = ShopServer::start(options.port);
  if (!server) return std::move(server.error());
  auto loaded = set_up(folder, (*server)->port(), environment);
  if (!loaded) return std::move(loaded.error());
  const Job& job = *loaded->project.find_job("shop");

  cli::Terminal terminal(stdout);
  print_introduction(terminal, folder, (*server)->port());
  Shop shop(std::random_device{}());
  DemoView view(terminal);
  SilentWatcher watcher;
  for (int round = 1; options.rounds == 0 || round <= options.rounds; ++round) {
    (*server)->show(shop.page());
    // Holds the lock for one round only, so that users can try other commands on the project.
    auto report = run_in_foreground(loaded->project, {job}, watcher, log);
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
