// JSON of `heddle add`.
#include <string>

#include "tests/golden/interface_fixture.hpp"

namespace heddle::testing {
namespace {

TEST_F(Interface, KeepsTheJsonOfAdd) {
  write_settings();
  std::string page = "<title>Tea</title><link rel=alternate type=application/rss+xml href=/feed><main>";
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

}  // namespace
}  // namespace heddle::testing
