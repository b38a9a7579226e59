#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "html/parse.hpp"
#include "pages/infer/infer.hpp"
#include "pages/values/money.hpp"
#include "tests/accuracy/labelled_pages.hpp"

namespace heddle::accuracy {

namespace {

constexpr std::size_t kRowsRead = 60;

boost::json::object listing_labels() {
  std::ostringstream text;
  text << std::ifstream(std::filesystem::path(HEDDLE_ACCURACY_LABELS) / "listings.json").rdbuf();
  return boost::json::parse(text.str()).as_object();
}

// Lower case, one space between words.
std::string normal(std::string_view text) {
  const std::string folded = fold_case(text);
  std::string out;
  std::size_t at = 0;
  while ((at = folded.find_first_not_of(" \t\r\n", at)) != std::string::npos) {
    const std::size_t end = std::min(folded.find_first_of(" \t\r\n", at), folded.size());
    if (!out.empty()) out += ' ';
    out.append(folded, at, end - at);
    at = end;
  }
  return out;
}

std::string text_of(const boost::json::object& item, std::string_view key) {
  const auto* value = item.if_contains(key);
  return value == nullptr ? "" : std::string(value->as_string());
}

// The text of a page is its publisher's: labels have the hashes of texts.
bool has_hash(std::string_view text, std::string_view hash) {
  return fmt::format("{:016x}", hash64(text)) == hash;
}

// A labelled text: the length and hash of its normal form.
struct TextLabel {
  std::size_t length = 0;
  std::string hash;

  explicit TextLabel(const boost::json::value& label)
      : length(label.as_array().at(0).to_number<std::size_t>()),
        hash(label.as_array().at(1).as_string()) {}

  [[nodiscard]] bool is_in(std::string_view text) const {
    const std::string within = normal(text);
    for (std::size_t at = 0; at + length <= within.size(); ++at)
      if (has_hash(std::string_view(within).substr(at, length), hash)) return true;
    return false;
  }
};

using Row = std::vector<std::string>;

std::string value_of(const pages::InferredList& list, const Row& row, std::string_view name) {
  for (std::size_t i = 0; i < list.fields.size(); ++i)
    if (list.fields[i].name == name) return row[i];
  return {};
}

bool holds(const Row& row, const TextLabel& title) {
  return std::any_of(row.begin(), row.end(),
                     [&](const std::string& value) { return title.is_in(value); });
}

// Title, link and price as far as they are labelled.
bool has_fields(const pages::InferredList& list, const Row& row, const boost::json::object& item) {
  if (!TextLabel(item.at("title")).is_in(value_of(list, row, "title"))) return false;
  const std::string link = text_of(item, "link");
  if (!link.empty() && !has_hash(value_of(list, row, "link"), link)) return false;
  const std::string price = text_of(item, "price");
  const auto read = pages::read_money(value_of(list, row, "price"));
  return price.empty() || (read.amount && std::stod(*read.amount) == std::stod(price));
}

struct ListingResult {
  bool is_block_right = false;
  bool are_fields_right = false;
};

// Two of three labelled items must be in rows of their own, and have their fields.
ListingResult judge(const std::vector<pages::InferredList>& lists,
                    const boost::json::array& items) {
  std::size_t found = 0;
  std::size_t complete = 0;
  std::vector<const Row*> rows;
  for (const auto& each : items) {
    const auto& item = each.as_object();
    const TextLabel title(item.at("title"));
    if (lists.empty()) break;
    const auto row = std::find_if(lists.front().rows.begin(), lists.front().rows.end(),
                                  [&](const Row& candidate) { return holds(candidate, title); });
    if (row == lists.front().rows.end()) continue;
    if (std::find(rows.begin(), rows.end(), &*row) != rows.end()) continue;
    rows.push_back(&*row);
    ++found;
    complete += has_fields(lists.front(), *row, item) ? 1 : 0;
  }
  return {found * 3 >= items.size() * 2, complete * 3 >= items.size() * 2};
}

}  // namespace

void measure_listings() {
  const auto labels = listing_labels();
  html::Parser parser;
  Figure block;
  Figure fields;
  const auto measure = [&](const boost::json::object& of_set, const LabelledPage& page) {
    const auto* items = of_set.if_contains(page.name);
    const auto document = parser.parse(page.body);
    if (items == nullptr || !document) return;
    const auto lists = pages::infer_lists(pages::PageOutline(*document), page.url,
                                          {.max_lists = 1, .max_rows = kRowsRead});
    const ListingResult result = judge(lists, items->as_array());
    block.add(page, result.is_block_right ? 1 : 0);
    fields.add(page, result.are_fields_right ? 1 : 0);
    if (result.are_fields_right || !is_verbose()) return;
    std::printf("  %s%s %s: %s (%s)\n", page.name.c_str(), page.is_held_back ? " held" : "",
                result.is_block_right ? "fields" : "block",
                lists.empty() ? "no list" : lists.front().selector.c_str(),
                page.url.text().c_str());
  };
  for (const auto& [set, of_set] : labels)
    each_page(std::string(set),
              [&](const LabelledPage& page) { measure(of_set.as_object(), page); });
  std::printf("%-44s %7.0f\n", "list: labelled pages", block.total[0] + block.total[1]);
  print_row("list: right block", block.all(), block.of(0), block.of(1), ">= 0.90");
  print_row("list: title, link and price", fields.all(), fields.of(0), fields.of(1), ">= 0.85");
}

}  // namespace heddle::accuracy
