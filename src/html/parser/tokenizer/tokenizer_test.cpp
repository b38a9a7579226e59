#include "html/parser/tokenizer/tokenizer.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "html/parser/tokenizer/character_reference.hpp"
#include "html/parser/tokenizer/input_stream.hpp"

namespace heddle::html::parser {
namespace {

using namespace std::string_view_literals;

// Formats tokens: text unchanged, <name a=b>, </name>, <!--comment-->, <!name|public|system>.
class TokenPrinter {
 public:
  explicit TokenPrinter(std::string_view page)
      : input_(prepare_input(page, copy_)),
        budget_({}, input_.size()),
        tokenizer_(input_, names_, memory_, budget_) {}

  Tokenizer& tokenizer() { return tokenizer_; }

  std::string print_next() {
    tokenizer_.next(token_);
    switch (token_.kind) {
      case TokenKind::text:
        return std::string(token_.text);
      case TokenKind::nulls:
        return "{" + std::to_string(token_.text.size()) + " NUL}";
      case TokenKind::start_tag:
        return start_tag();
      case TokenKind::end_tag:
        return "</" + name(token_.name) + ">";
      case TokenKind::comment:
        return "<!--" + std::string(token_.text) + "-->";
      case TokenKind::doctype:
        return doctype();
      case TokenKind::end_of_file:
        return "";
    }
    return "";
  }

  std::string print_all() {
    std::string out;
    while (true) {
      out += print_next();
      if (token_.kind == TokenKind::end_of_file) return out;
    }
  }

 private:
  std::string name(NameId id) { return id == kNoName ? "?" : std::string(names_.name(id)); }

  std::string start_tag() {
    std::string out = "<" + name(token_.name);
    for (std::uint32_t i = 0; i < token_.attributes.count; ++i) {
      const RawAttribute& attribute = memory_.attributes[token_.attributes.begin + i];
      out += " " + name(attribute.name) + "=" + std::string(attribute.text());
    }
    return out + (token_.is_self_closing ? "/>" : ">");
  }

  std::string doctype() {
    std::string out = "<!" + name(token_.name);
    out += "|" + (token_.has_public_id ? std::string(token_.public_id) : "-");
    out += "|" + (token_.has_system_id ? std::string(token_.system_id) : "-");
    return out + (token_.forces_quirks ? "|quirks>" : ">");
  }

  std::string copy_;
  std::string_view input_;
  DocumentBuilder names_{{}};
  TokenMemory memory_;
  ParseBudget budget_;
  Tokenizer tokenizer_;
  Token token_;
};

std::string tokens(std::string_view page) {
  return TokenPrinter(page).print_all();
}

// The tokens after a tag whose text is read in the given mode.
std::string tokens_inside(NameId tag, TextMode mode, std::string_view page) {
  TokenPrinter printer(page);
  printer.tokenizer().read_text_of(tag, mode);
  return printer.print_all();
}

TEST(Tokenizer, ReadsTagsAndAttributesInEveryNotation) {
  EXPECT_EQ(tokens("<A Href=\"x y\" b='c' d=e f>t</A >"), "<a href=x y b=c d=e f=>t</a>");
  EXPECT_EQ(tokens("<br/><br / ><x/y=1/>"), "<br/><br><x y=1/>");
  EXPECT_EQ(tokens("<p a = 1 b= '2'c=3>"), "<p a=1 b=2 c=3>");
  EXPECT_EQ(tokens("<p =x a=>"), "<p =x= a=>");
  EXPECT_EQ(tokens("<p a=1/>"), "<p a=1/>");
  EXPECT_EQ(tokens("<x-\xC3\x89T\xC3\x89>"), "<x-\xC3\x89t\xC3\x89>");
}

TEST(Tokenizer, KeepsTheFirstOfEqualAttributes) {
  EXPECT_EQ(tokens("<p id=1 ID=2 x=3 id=4><p id=5>"), "<p id=1 x=3><p id=5>");
}

TEST(Tokenizer, DropsAnUnterminatedTag) {
  for (const auto* page : {"a<p", "a<p ", "a<p b", "a<p b=", "a<p b='", "a<p b=c", "a<p /", "a</p"})
    EXPECT_EQ(tokens(page), "a") << page;
}

TEST(Tokenizer, ReadsALiteralLessThanSignAsText) {
  EXPECT_EQ(tokens("1 < 2 <3 <"), "1 < 2 <3 <");
  EXPECT_EQ(tokens("a</"), "a</");
  EXPECT_EQ(tokens("a</>b"), "ab");
}

TEST(Tokenizer, DecodesReferences) {
  EXPECT_EQ(tokens("&amp;&lt&AMP;&notin;&notit;&nosuch;&;&"),
            "&<&\xE2\x88\x89\xC2\xACit;&nosuch;&;&");
  EXPECT_EQ(tokens("&#65;&#x41;&#X41&#128;&#0;&#xD800;&#x110000;&#99999999999;&#;&#x;"),
            "AAA\xE2\x82\xAC\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD&#;&#x;");
  EXPECT_EQ(tokens("&CounterClockwiseContourIntegral;"), "\xE2\x88\xB3");
}

TEST(Tokenizer, DoesNotDecodeParametersOfLinks) {
  EXPECT_EQ(tokens("<a href='?a=1&copy=2&lt;&reg&amp;x&lang'>"),
            "<a href=?a=1&copy=2<\xC2\xAE&x&lang>");
  EXPECT_EQ(tokens("<a href=?a&copyx&copy>"), "<a href=?a&copyx\xC2\xA9>");
}

TEST(Tokenizer, ReplacesNulsExceptInText) {
  EXPECT_EQ(tokens("<a\0b c\0d='e\0f' g=h\0i>\0\0x<!--\0-->"sv),
            "<a\xEF\xBF\xBD"
            "b c\xEF\xBF\xBD"
            "d=e\xEF\xBF\xBD"
            "f g=h\xEF\xBF\xBDi>{2 NUL}x<!--\xEF\xBF\xBD-->");
}

TEST(Tokenizer, EndsComments) {
  EXPECT_EQ(tokens("<!--a-->b"), "<!--a-->b");
  EXPECT_EQ(tokens("<!-->b<!--->c<!---->d"), "<!---->b<!---->c<!---->d");
  EXPECT_EQ(tokens("<!--a--!>b"), "<!--a-->b");
  EXPECT_EQ(tokens("<!--a--->b"), "<!--a--->b");
  EXPECT_EQ(tokens("<!--a<!-->b"), "<!--a<!-->b");
  for (const auto* end : {"", "-", "--", "--!"})
    EXPECT_EQ(tokens("<!--a" + std::string(end)), "<!--a-->") << end;
}

TEST(Tokenizer, TurnsMalformedMarkupIntoComments) {
  EXPECT_EQ(tokens("<?xml ?>a<!x>b</ x>c<!-x>d<!"),
            "<!--?xml ?-->a<!--x-->b<!-- x-->c<!---x-->d<!---->");
}

TEST(Tokenizer, ReadsDoctypes) {
  EXPECT_EQ(tokens("<!DOCTYPE html>"), "<!html|-|->");
  EXPECT_EQ(tokens("<!doctypeHTML>"), "<!html|-|->");
  EXPECT_EQ(tokens("<!DOCTYPE html PUBLIC \"p\" 's'>"), "<!html|p|s>");
  EXPECT_EQ(tokens("<!DOCTYPE html system 's'>"), "<!html|-|s>");
  EXPECT_EQ(tokens("<!DOCTYPE html SYSTEM 's' x>"), "<!html|-|s>");
}

TEST(Tokenizer, ReportsMalformedDoctypes) {
  EXPECT_EQ(tokens("<!DOCTYPE>"), "<!?|-|-|quirks>");
  EXPECT_EQ(tokens("<!DOCTYPE html x>"), "<!html|-|-|quirks>");
  EXPECT_EQ(tokens("<!DOCTYPE html PUBLIC>"), "<!html|-|-|quirks>");
  EXPECT_EQ(tokens("<!DOCTYPE html PUBLIC 'p>"), "<!html|p|-|quirks>");
  EXPECT_EQ(tokens("<!DOCTYPE html PUBLIC 'p' x>"), "<!html|p|-|quirks>");
  EXPECT_EQ(tokens("<!DOCTYPE html"), "<!html|-|-|quirks>");
}

TEST(Tokenizer, ReadsTextUpToItsEndTag) {
  EXPECT_EQ(tokens_inside(known("title"), TextMode::rcdata, "a<b>&amp;</titles></TITLE>c<b>"),
            "a<b>&</titles></title>c<b>");
  EXPECT_EQ(tokens_inside(known("style"), TextMode::raw_text, "a<b>&amp;\0</style x>c"sv),
            "a<b>&amp;\xEF\xBF\xBD</style>c");
  EXPECT_EQ(tokens_inside(known("plaintext"), TextMode::plaintext, "a</plaintext>&amp;"),
            "a</plaintext>&amp;");
}

TEST(Tokenizer, FindsTheEndOfAScript) {
  const auto script = [](std::string_view page) {
    return tokens_inside(known("script"), TextMode::script, page);
  };
  EXPECT_EQ(script("if (a < b)</script><i>"), "if (a < b)</script><i>");
  EXPECT_EQ(script("<!-- <script> </script> --></script><A>"),
            "<!-- <script> </script> --></script><a>");
  EXPECT_EQ(script("<!-- -/script> </script><A>"), "<!-- -/script> </script><a>");
  EXPECT_EQ(script("<!-- </script><A>"), "<!-- </script><a>");
  EXPECT_EQ(script("<!--><script></script><A>"), "<!--><script></script><a>");
  EXPECT_EQ(script("<!-- <script> --> </script><A>"), "<!-- <script> --> </script><a>");
  EXPECT_EQ(script("<!-- <script> </script> </script><A>"), "<!-- <script> </script> </script><a>");
  EXPECT_EQ(script("<!-- <script> </script><A>"), "<!-- <script> </script><A>");
}

TEST(Tokenizer, ReadsCdataOnlyWhereItIsAllowed) {
  EXPECT_EQ(tokens("<![CDATA[x]]>"), "<!--[CDATA[x]]-->");
  TokenPrinter printer("<![CDATA[a<b>&amp;\0]]]>c<![CDATA[]]><![CDATA[d"sv);
  printer.tokenizer().allow_cdata(true);
  EXPECT_EQ(printer.print_all(), "a<b>&amp;{1 NUL}]cd");
}

TEST(PrepareInput, ReturnsCleanPagesWithoutCopying) {
  std::string copy;
  const std::string_view page =
      "a long enough page with \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80 in it";
  EXPECT_EQ(prepare_input(page, copy).data(), page.data());
}

TEST(PrepareInput, NormalisesLineEndsAndDropsTheByteOrderMark) {
  std::string copy;
  EXPECT_EQ(prepare_input("\xEF\xBB\xBF"
                          "a\r\nb\rc\r\r\n\r",
                          copy),
            "a\nb\nc\n\n\n");
}

TEST(PrepareInput, ReplacesInvalidUtf8) {
  const std::string bad = "\xEF\xBF\xBD";
  const std::pair<std::string, std::string> cases[] = {
      {"\xFF", bad},
      {"\xC3(", bad + "("},
      {"\xE2\x82(", bad + "("},
      {"\xF0\x9F\x98", bad},
      {"\xC0\x80", bad + bad},
      {"\xED\xA0\x80", bad + bad + bad},
      {"\xF4\x90\x80\x80", bad + bad + bad + bad},
      {"0123456789abcdef\x80", "0123456789abcdef" + bad},
  };
  std::string copy;
  for (const auto& [page, expected] : cases) EXPECT_EQ(prepare_input(page, copy), expected);
  // The first and the last character of each length and lead byte range, and one bad byte.
  for (const std::string_view good :
       {"\u0080", "\u07FF", "\u0800", "\uD7FF", "\uE000", "\uFFFF", "\U00010000", "\U0010FFFF"})
    EXPECT_EQ(prepare_input(std::string(good) + "\xFF", copy), std::string(good) + bad);
}

}  // namespace
}  // namespace heddle::html::parser
