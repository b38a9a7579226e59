// Prints how well pages are understood, measured on labelled pages outside the project.
// usage: accuracy [--verbose] [products | pagination | types | logins | content | listings]…
#include <cstdio>
#include <set>
#include <string>

#include "tests/accuracy/labelled_pages.hpp"

int main(int argc, char** argv) {
  using namespace heddle::accuracy;
  std::set<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--verbose")
      set_verbose(true);
    else
      wanted.insert(argv[i]);
  }
  if (labelled_folder().empty()) {
    std::printf("SKIPPED: there are no labelled pages at %s; nothing was measured\n",
                HEDDLE_LABELLED_PAGES);
    return 0;
  }
  const auto is_wanted = [&](const char* name) { return wanted.empty() || wanted.contains(name); };
  std::printf("%-44s %7s %7s %7s   %s\n", "measure", "all", "tuned", "held", "promise (aim)");
  if (is_wanted("products")) measure_products();
  if (is_wanted("pagination")) measure_pagination();
  if (is_wanted("types")) measure_types();
  if (is_wanted("logins")) measure_logins();
  if (is_wanted("listings")) measure_listings();
  return 0;
}
