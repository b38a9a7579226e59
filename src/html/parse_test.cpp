#include "html/parse.hpp"

#include <gtest/gtest.h>

namespace heddle::html {
namespace {

Document parsed(std::string_view html) {
  auto document = parse(html);
  EXPECT_TRUE(document) << (document ? "" : document.error().message);
  return std::move(*document);
}

TEST(Parse, BuildsTheTreeABrowserWould) {
  const Document page = parsed("<title>T</title><p class='a b'>one<p>two");
  const NodeId body = page.body();
  ASSERT_NE(body, kNoNode);
  const NodeId first = page.first_child(body);
  EXPECT_EQ(page.tag_name(first), "p");
  EXPECT_EQ(page.class_names(first), "a b");
  EXPECT_EQ(page.text(first), "one");
  EXPECT_EQ(page.text(page.next(first)), "two");
  EXPECT_EQ(page.text(body), "onetwo");
}

}  // namespace
}  // namespace heddle::html
