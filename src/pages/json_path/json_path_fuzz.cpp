// The first line of the input is a query, the rest a JSON text: neither breaks the engine, results
// are values of the document, and each value is found again by its normalized path.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "pages/json_path/json_path.hpp"

namespace heddle::pages {
namespace {

constexpr std::string_view kDocument = R"({"a": [1, 2.5, "x", {"b": null, "c": [true, "ä\n"]}],
  "b": {"a": {"a": []}, "d": "2026", "d": -0}, "": {"'": 1}})";

void check_results(const JsonDocument& document, const std::vector<JsonId>& found) {
  for (const JsonId id : found) {
    if (id >= document.size()) std::abort();
    const auto path = JsonPath::compile(normalized_path(document, id));
    if (!path) continue;  // deeper or longer than a query may be
    const auto again = evaluate(*path, document);
    if (again && *again != std::vector<JsonId>{id}) std::abort();
  }
}

void check_round_trip(const JsonDocument& document) {
  std::string text;
  append_json(document, JsonDocument::root(), text);
  const auto again = JsonDocument::parse(text);
  if (!again) std::abort();
  std::string printed;
  append_json(*again, JsonDocument::root(), printed);
  if (printed != text) std::abort();
}

void try_query(std::string_view input) {
  const std::size_t line = input.find('\n');
  const auto path = JsonPath::compile(input.substr(0, line));
  if (!path && !path.error().message.starts_with("JSONPath: position ")) std::abort();
  const std::string_view given =
      line == std::string_view::npos ? kDocument : input.substr(line + 1);
  auto document = JsonDocument::parse(std::string(given));
  (void)JsonDocument::parse_lines(std::string(given));
  if (document)
    check_round_trip(*document);
  else
    document = JsonDocument::parse(std::string(kDocument));
  if (!path) return;
  const auto found = evaluate(*path, *document, {.max_results = 200, .steps_left = 200'000});
  if (found) check_results(*document, *found);
}

}  // namespace
}  // namespace heddle::pages

// NOLINTNEXTLINE(readability-identifier-naming): the name libFuzzer calls
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  heddle::pages::try_query({reinterpret_cast<const char*>(data), size});
  return 0;
}
