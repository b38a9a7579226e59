// Properties of inferred lists on real pages, which lie outside the repository.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "html/links.hpp"
#include "html/parse.hpp"
#include "html/selector.hpp"
#include "html/text.hpp"
#include "pages/infer/infer.hpp"

namespace heddle::pages {
namespace {

constexpr std::string_view kAddress = "https://site.example/a/page";

std::vector<std::filesystem::path> real_pages() {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = std::filesystem::path(HEDDLE_SHARED_DATA) / "pages";
  if (std::filesystem::exists(folder))
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// What extraction reads for a field, written once more.
std::string extracted(const html::Document& document, const InferredField& field,
                      html::NodeId block, const Url& base) {
  html::NodeId node = block;
  if (!field.selector.empty()) {
    html::SelectBudget budget({});
    const auto found = html::select_first_inclusive(
        document, *html::Selector::compile(field.selector), block, budget);
    if (!found || !*found) return {};
    node = **found;
  }
  if (!field.attribute.empty()) {
    const auto value = document.attribute(node, field.attribute).value_or("");
    const auto begin = value.find_first_not_of(" \t\r\n\f");
    const auto end = value.find_last_not_of(" \t\r\n\f");
    if (html::is_url_attribute(field.attribute) && document.attribute(node, field.attribute))
      return absolute_link(base, value);
    return begin == std::string_view::npos ? "" : std::string(value.substr(begin, end - begin + 1));
  }
  if (field.is_money)
    if (auto text = html::text_without_struck(document, node); !text.empty()) return text;
  return html::readable_text(document, node);
}

std::vector<std::vector<std::string>> extracted_rows(const html::Document& document,
                                                     const InferredList& list, std::size_t most) {
  std::vector<html::NodeId> blocks;
  EXPECT_TRUE(html::select(document, *html::Selector::compile(list.selector),
                           html::Document::root(), blocks));
  EXPECT_EQ(blocks.size(), list.blocks) << list.selector;
  const Url base = html::document_base(document, *Url::parse(std::string(kAddress)));
  std::vector<std::vector<std::string>> rows;
  for (const html::NodeId block : blocks) {
    if (rows.size() == most) break;
    std::vector<std::string> row;
    for (const InferredField& field : list.fields)
      row.push_back(extracted(document, field, block, base));
    const bool is_blank =
        std::all_of(row.begin(), row.end(), [](const std::string& value) { return value.empty(); });
    if (!is_blank) rows.push_back(std::move(row));
  }
  return rows;
}

TEST(InferOnRealPages, ReturnsSelectorsThatGiveItsRows) {
  const auto pages = real_pages();
  if (pages.empty()) GTEST_SKIP() << "no real pages at " << HEDDLE_SHARED_DATA;
  constexpr std::size_t kRows = 50;
  std::size_t lists = 0;
  for (const auto& page : pages) {
    const auto document = html::parse(read_file(page));
    if (!document) continue;
    for (const InferredList& list : infer_lists(
             PageOutline(*document), *Url::parse(std::string(kAddress)), {.max_rows = kRows})) {
      ++lists;
      EXPECT_EQ(extracted_rows(*document, list, kRows), list.rows)
          << page.filename() << ": " << list.selector;
      EXPECT_GE(list.confidence, 0);
      EXPECT_LE(list.confidence, 1);
      EXPECT_FALSE(list.fields.empty());
    }
  }
  EXPECT_GT(lists, pages.size() / 2);
}

TEST(InferOnRealPages, FindsTheSameListsAgain) {
  const auto pages = real_pages();
  if (pages.empty()) GTEST_SKIP() << "no real pages at " << HEDDLE_SHARED_DATA;
  for (const auto& page : pages) {
    const std::string body = read_file(page);
    const auto first = html::parse(body);
    const auto second = html::parse(body);
    if (!first || !second) continue;
    const Url url = *Url::parse(std::string(kAddress));
    const auto a = infer_lists(PageOutline(*first), url);
    const auto b = infer_lists(PageOutline(*second), url);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      EXPECT_EQ(a[i].selector, b[i].selector);
      EXPECT_EQ(a[i].rows, b[i].rows);
    }
  }
}

// The items of a list are found again when every class and id of the page has another name.
TEST(InferOnRealPages, RepairsListsWhoseNamesHaveChanged) {
  const auto pages = real_pages();
  if (pages.empty()) GTEST_SKIP() << "no real pages at " << HEDDLE_SHARED_DATA;
  const Url url = *Url::parse(std::string(kAddress));
  std::size_t lists = 0;
  std::size_t repaired = 0;
  for (const auto& page : pages) {
    std::string body = read_file(page);
    const auto document = html::parse(body);
    if (!document) continue;
    const auto before = infer_lists(PageOutline(*document), url, {.max_rows = 30});
    if (before.empty() || before.front().fields.front().name != "title") continue;
    std::vector<Item> known;
    for (const auto& row : before.front().rows) {
      Item item;
      for (std::size_t i = 0; i < row.size(); ++i)
        item.fields.emplace_back(before.front().fields[i].name, row[i]);
      known.push_back(std::move(item));
    }
    for (std::size_t at = 0; (at = body.find("class=\"", at)) != std::string::npos; at += 9)
      body.insert(at + 7, "x-");
    const auto changed = html::parse(body);
    if (!changed) continue;
    ++lists;
    const auto after = repair_list(PageOutline(*changed), url, known, {.max_rows = 30});
    if (after && std::find(after->rows.begin(), after->rows.end(), before.front().rows.front()) !=
                     after->rows.end())
      ++repaired;
  }
  EXPECT_GT(lists, 30U);
  EXPECT_GE(repaired * 10, lists * 8) << repaired << " of " << lists;
}

}  // namespace
}  // namespace heddle::pages
