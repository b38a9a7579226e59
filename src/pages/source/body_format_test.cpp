#include "pages/source/body_format.hpp"

#include <gtest/gtest.h>

namespace heddle::pages {
namespace {

std::string name_of(std::string_view type, std::string_view body) {
  return detect_body(type, body).name;
}

TEST(BodyFormat, IsHtmlWithoutAnythingElse) {
  for (const char* type : {"", "text/html; charset=utf-8", "text/plain", "application/xhtml+xml"}) {
    EXPECT_EQ(detect_body(type, "<!DOCTYPE html><html><p>x").format, BodyFormat::html) << type;
    EXPECT_EQ(detect_body(type, "").format, BodyFormat::html) << type;
  }
  EXPECT_EQ(detect_body("text/xml", "<?xml version='1.0'?><html><p>x").format, BodyFormat::html);
  EXPECT_EQ(detect_body("text/html", "<?xml version='1.0'?><div>x").format, BodyFormat::html);
}

TEST(BodyFormat, KnowsFeedsByTheirFirstElement) {
  const char* rss = "\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<!-- by x -->\n<rss version=\"2.0\">";
  for (const char* type : {"application/rss+xml", "text/xml", "text/html", ""})
    EXPECT_EQ(name_of(type, rss), "an RSS feed") << type;
  EXPECT_EQ(name_of("", "<rdf:RDF xmlns='x'>"), "an RSS feed");
  EXPECT_EQ(name_of("", "<feed xmlns='http://www.w3.org/2005/Atom'>"), "an Atom feed");
  EXPECT_EQ(detect_body("", "<feed>").format, BodyFormat::feed);
  EXPECT_EQ(detect_body("", "<feedback>").format, BodyFormat::html);
}

TEST(BodyFormat, KnowsXmlByItsTypeOrDeclaration) {
  EXPECT_EQ(name_of("application/xml", "<urlset>"), "XML");
  EXPECT_EQ(name_of("", "<?xml version='1.0'?>\n<!DOCTYPE x>\n<urlset>"), "XML");
  EXPECT_EQ(detect_body("", "<urlset>").format, BodyFormat::html);
}

TEST(BodyFormat, KnowsJsonByItsType) {
  EXPECT_EQ(name_of("application/json", "{}"), "JSON");
  EXPECT_EQ(name_of("application/ld+json", "{}"), "JSON");
}

TEST(BodyFormat, KnowsBinaryBodies) {
  EXPECT_EQ(name_of("application/pdf", ""), "a PDF");
  EXPECT_EQ(name_of("text/html", "%PDF-1.7"), "a PDF");
  EXPECT_EQ(name_of("image/png", ""), "an image");
  EXPECT_EQ(name_of("application/octet-stream", std::string_view("\0\1", 2)), "a binary file");
  EXPECT_EQ(detect_body("application/octet-stream", "<p>x").format, BodyFormat::html)
      << "the type says nothing";
  EXPECT_EQ(detect_body("image/svg+xml", "<svg>").format, BodyFormat::html);
  EXPECT_EQ(name_of("", std::string_view("a\0b", 3)), "a binary file");
  EXPECT_EQ(name_of("application/vnd.openxmlformats-officedocument", "PK"), "an office document");
}

}  // namespace
}  // namespace heddle::pages
