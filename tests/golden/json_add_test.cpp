// JSON of `heddle add` and `heddle repair`.
#include <string>

#include "tests/golden/interface_fixture.hpp"

namespace heddle::testing {
namespace {

TEST_F(Interface, KeepsTheJsonOfAdd) {
  write_settings();
  std::string page =
      "<title>Tea</title><link rel=alternate type=application/rss+xml href=/feed><main>";
  for (int i = 10; i < 16; ++i)
    page += "<div class=product-card><h3><a href=/p/" + std::to_string(i) + ">Green tea number " +
            std::to_string(i) + "</a></h3><span class=price>" + std::to_string(i) +
            ".50 EUR</span></div>";
  site_.answer("/tea", html(page + "</main>"));
  site_.answer("/one", html("<title>One</title><h1>One text</h1><p>Nothing repeats here."));
  record("add", {"add", site_.url("/tea"), "--dry-run"});
  record("add", {"add", site_.url("/tea"), "--yes"});
  record("add", {"add", site_.url("/one"), "--dry-run"}, "a page without lists");
  record("add", {"add", site_.url("/missing"), "--yes"}, "a page that is not there");
  record("add", {"add", site_.url("/tea")}, "nobody to ask");
  expect_documents("json/add");
}

TEST_F(Interface, KeepsTheJsonOfRepair) {
  write_settings();
  const auto shop = [](const std::string& block, const std::string& name) {
    std::string page = "<title>Tea</title><main>";
    for (int i = 10; i < 16; ++i)
      page += "<div class=" + block + "><h3 class=" + name + ">Green tea number " +
              std::to_string(i) + "</h3><p>A tea from the hills.</p></div>";
    return html(page + "</main>");
  };
  project_.write_job("tea", "url = \"" + site_.url("/tea") +
                                "\"\nselector = \".product\"\nfields = [\"name:.name\"]\n");
  site_.answer("/tea", shop("product", "name"));
  project_.heddle({"run", "tea"});
  record("repair", {"repair", "tea", "--yes"}, "nothing is broken");
  site_.answer("/tea", shop("tile", "headline"));
  record("repair", {"repair", "tea", "--dry-run"}, "the page has changed");
  record("repair", {"repair", "tea", "--yes"});
  site_.answer("/tea", html("<h1>All new</h1><p>Nothing is left of what was here."));
  record("repair", {"repair", "tea", "--yes"}, "the items are gone");
  expect_documents("json/repair");
}

}  // namespace
}  // namespace heddle::testing
