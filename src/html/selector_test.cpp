#include "html/selector.hpp"

#include <gtest/gtest.h>

#include "html/parse.hpp"

namespace heddle::html {
namespace {

// The ids of a selector's matches, in the order found: "a b c".
std::string found(std::string_view html, std::string_view css, std::string_view scope_css = {}) {
  const auto document = parse(html);
  const auto selector = Selector::compile(css);
  if (!selector) return selector.error().message;
  NodeId scope = Document::root();
  if (!scope_css.empty()) {
    const auto first = select_first(*document, *Selector::compile(scope_css), Document::root());
    scope = first->value();
  }
  std::vector<NodeId> nodes;
  const auto status = select(*document, *selector, scope, nodes);
  if (!status) return status.error().message;
  std::string ids;
  for (const NodeId node : nodes) {
    if (!ids.empty()) ids += ' ';
    ids += document->id(node).empty() ? document->tag_name(node) : document->id(node);
  }
  return ids;
}

std::string error_of(std::string_view css) {
  const auto selector = Selector::compile(css);
  return selector ? "no error" : selector.error().message;
}

constexpr std::string_view kShop = R"(
  <main id=m class="Shop list">
    <h2 id=h lang=en-GB>Things</h2>
    <p id=p1 class="intro note">first</p>
    <p id=p2>second <b id=b>bold</b></p>
    <ul id=u data-kind="grid view">
      <li id=l1 class=item><a id=a1 href="/one" rel=nofollow>One</a></li>
      <li id=l2 class="item sale"><a id=a2 href="/two.PDF">Two</a><img id=i src=x></li>
      <li id=l3 class=item><span id=s>no link</span></li>
    </ul>
    <div id=e><!-- nothing --></div>
  </main>)";

TEST(Selector, EndsWhenItHasMoreMatchesThanWanted) {
  const auto document = *parse("<p>1<p>2<p>3<p>4<p>5");
  const auto selector = *Selector::compile("p");
  for (const std::size_t most : {0U, 2U, 4U, 5U, 9U}) {
    SelectBudget budget({});
    std::vector<NodeId> found;
    ASSERT_TRUE(select_at_most(document, selector, Document::root(), most, found, budget));
    EXPECT_EQ(found.size(), std::min<std::size_t>(most + 1, 5)) << most;
  }
}

TEST(Selector, FindsTypesClassesAndIds) {
  EXPECT_EQ(found(kShop, "p"), "p1 p2");
  EXPECT_EQ(found(kShop, "LI"), "l1 l2 l3");
  EXPECT_EQ(found(kShop, ".item"), "l1 l2 l3");
  EXPECT_EQ(found(kShop, ".item.sale"), "l2");
  EXPECT_EQ(found(kShop, "li.sale#l2"), "l2");
  EXPECT_EQ(found(kShop, "#u"), "u");
  EXPECT_EQ(found(kShop, "main *"), "h p1 p2 b u l1 a1 l2 a2 i l3 s e");
}

TEST(Selector, ComparesClassesAndIdsWithCase) {
  EXPECT_EQ(found(kShop, ".shop"), "");
  EXPECT_EQ(found(kShop, ".Shop"), "m");
  EXPECT_EQ(found(kShop, "#M"), "");
}

TEST(Selector, ComparesClassNamesAsWholeWords) {
  EXPECT_EQ(found("<p id=a class='xitem'><p id=b class='item-x'><p id=c class='x\titem'>", ".item"),
            "c");
}

TEST(Selector, ComparesAttributesWithEveryOperator) {
  EXPECT_EQ(found(kShop, "[href]"), "a1 a2");
  EXPECT_EQ(found(kShop, "a[HREF='/one']"), "a1");
  EXPECT_EQ(found(kShop, "[data-kind~=view]"), "u");
  EXPECT_EQ(found(kShop, "[data-kind~='grid view']"), "");
  EXPECT_EQ(found(kShop, "[lang|=en]"), "h");
  EXPECT_EQ(found(kShop, "[href^='/t']"), "a2");
  EXPECT_EQ(found(kShop, "[href$='.PDF']"), "a2");
  EXPECT_EQ(found(kShop, "[href*='on']"), "a1");
  EXPECT_EQ(found(kShop, "[href*='']"), "");
}

TEST(Selector, IgnoresCaseOfValuesWhenAsked) {
  EXPECT_EQ(found(kShop, "[href$='.pdf']"), "");
  EXPECT_EQ(found(kShop, "[href$='.pdf' i]"), "a2");
  EXPECT_EQ(found(kShop, "[href*=wO i]"), "a2");
}

TEST(Selector, ComparesEnumeratedHtmlAttributesWithoutCase) {
  EXPECT_EQ(found(kShop, "[rel=NoFollow]"), "a1");
  EXPECT_EQ(found(kShop, "[rel=NoFollow s]"), "");
}

TEST(Selector, FollowsCombinators) {
  EXPECT_EQ(found(kShop, "main > p"), "p1 p2");
  EXPECT_EQ(found(kShop, "main>a"), "");
  EXPECT_EQ(found(kShop, "ul a"), "a1 a2");
  EXPECT_EQ(found(kShop, "h2 + p"), "p1");
  EXPECT_EQ(found(kShop, "h2 ~ p"), "p1 p2");
  EXPECT_EQ(found(kShop, "p ~ ul > li + li a"), "a2");
}

TEST(Selector, ReturnsUnionsInDocumentOrderWithoutDuplicates) {
  EXPECT_EQ(found(kShop, ".sale, li, h2, .item"), "h l1 l2 l3");
}

TEST(Selector, SupportsNotIsAndWhere) {
  EXPECT_EQ(found(kShop, "li:not(.sale)"), "l1 l3");
  EXPECT_EQ(found(kShop, "li:not(.sale, :has(a))"), "l3");
  EXPECT_EQ(found(kShop, "a:not(.sale > a)"), "a1");
  EXPECT_EQ(found(kShop, ":is(h2, ul > li) > :where(a, span)"), "a1 a2 s");
}

TEST(Selector, SupportsHas) {
  EXPECT_EQ(found(kShop, "li:has(a)"), "l1 l2");
  EXPECT_EQ(found(kShop, "li:has(> img)"), "l2");
  EXPECT_EQ(found(kShop, "li:has(+ li img)"), "l1");
  EXPECT_EQ(found(kShop, "p:has(~ ul .sale)"), "p1 p2");
  EXPECT_EQ(found(kShop, "h2:has(+ p + p b)"), "h");
  EXPECT_EQ(found(kShop, "li:not(:has(a, span))"), "");
  EXPECT_EQ(found(kShop, "main:has(li:has(img):not(:has(span)))"), "m");
}

TEST(Selector, SearchesHasOnlyBelowItsElement) {
  EXPECT_EQ(found("<div id=o><div id=i><b id=b></b></div></div>", "div:has(div b)"), "o");
}

TEST(Selector, CountsChildren) {
  EXPECT_EQ(found(kShop, "li:first-child"), "l1");
  EXPECT_EQ(found(kShop, "li:last-child"), "l3");
  EXPECT_EQ(found(kShop, "li:nth-child(2)"), "l2");
  EXPECT_EQ(found(kShop, "li:nth-child(odd)"), "l1 l3");
  EXPECT_EQ(found(kShop, "li:nth-child( 2n + 2 )"), "l2");
  EXPECT_EQ(found(kShop, "li:nth-child(-n+2)"), "l1 l2");
  EXPECT_EQ(found(kShop, "li:nth-last-child(1)"), "l3");
  EXPECT_EQ(found(kShop, "p:nth-of-type(2)"), "p2");
  EXPECT_EQ(found(kShop, "main > :nth-last-of-type(2)"), "p1");
  EXPECT_EQ(found(kShop, "a:only-of-type"), "a1 a2");
  EXPECT_EQ(found(kShop, "a:only-child"), "a1");
  EXPECT_EQ(found(kShop, ":nth-child(2 of .item)"), "l2");
  EXPECT_EQ(found(kShop, ":nth-last-child(2 of li:has(a))"), "l1");
  EXPECT_EQ(found(kShop, "li:nth-child(n+999999999999)"), "");
}

TEST(Selector, SupportsEmptyRootAndScope) {
  EXPECT_EQ(found(kShop, "div:empty"), "e");
  EXPECT_EQ(found(kShop, ":root > body > main"), "m");
  EXPECT_EQ(found(kShop, ":scope > li", "ul"), "l1 l2 l3");
  EXPECT_EQ(found(kShop, ":scope > body"), "body");
}

TEST(Selector, FindsWhatFollowsTheScopeAfterALeadingCombinator) {
  constexpr const char* kRows =
      "<table><tr id=r1 class=a><td id=c1>1</td></tr><tr id=r2><td id=c2 class=score>2</td></tr>"
      "<tr id=r3><td id=c3 class=score>3</td></tr></table><p id=p class=score>4</p>";
  EXPECT_EQ(found(kRows, "+ tr .score", ".a"), "c2");
  EXPECT_EQ(found(kRows, "~ tr .score", ".a"), "c2 c3");
  EXPECT_EQ(found(kRows, ":scope + tr", ".a"), "r2");
  EXPECT_EQ(found(kRows, ":scope ~ tr, td", ".a"), "c1 r2 r3");
  EXPECT_EQ(found(kRows, "> td", ".a"), "c1");
  EXPECT_EQ(found(kRows, "+ tr", "#r3"), "");
  EXPECT_EQ(found(kRows, "> body > p"), "p");
}

TEST(Selector, TakesTheScopeItselfWhenAsked) {
  const auto page = parse("<div id=a><div id=b><p id=c>x</p></div></div>");
  ASSERT_TRUE(page);
  const auto first = [&](std::string_view css, NodeId scope) {
    SelectBudget budget({});
    return *select_first_inclusive(*page, *Selector::compile(css), scope, budget);
  };
  const NodeId outer = page->first_child(page->body());
  const NodeId inner = page->first_child(outer);
  EXPECT_EQ(first("div", outer), outer);
  EXPECT_EQ(first("p", outer), page->first_child(inner));
  EXPECT_EQ(first("body", outer), std::nullopt);
  EXPECT_EQ(first("div + div", outer), std::nullopt);
}

TEST(Selector, KnowsTheStatesOfFormsAndLinks) {
  constexpr const char* kForm =
      "<form><a id=a href=/x>x</a><a id=n>x</a>"
      "<fieldset id=f disabled><legend><input id=l></legend><input id=i1></fieldset>"
      "<input id=i2 type=checkbox checked><input id=i3 type=radio checked disabled>"
      "<input id=i4 checked>"
      "<select id=s1><option id=o1 disabled>x<option id=o2>y<option id=o3>z</select>"
      "<select id=s2><option id=o4>x<option id=o5 selected>y</select>"
      "<select id=s3 multiple><optgroup id=g disabled><option id=o6>x</optgroup></select>"
      "<button id=b>x</button></form>";
  EXPECT_EQ(found(kForm, ":link"), "a");
  EXPECT_EQ(found(kForm, "a:any-link"), "a");
  EXPECT_EQ(found(kForm, "a:not(:link)"), "n");
  EXPECT_EQ(found(kForm, ":checked"), "i2 i3 o2 o5");
  EXPECT_EQ(found(kForm, ":disabled"), "f i1 i3 o1 g o6");
  EXPECT_EQ(found(kForm, ":enabled"), "l i2 i4 s1 o2 o3 s2 o4 o5 s3 b");
}

TEST(Selector, KnowsTheLanguageOfAnElement) {
  constexpr const char* kPage =
      "<div id=d lang=de-AT><p id=p1>x</p><p id=p2 lang=en>y<b id=b>z</b></p><p id=p3 lang=''>w</p>"
      "</div><p id=p4>v</p>";
  EXPECT_EQ(found(kPage, ":lang(de)"), "d p1");
  EXPECT_EQ(found(kPage, ":lang('DE-at')"), "d p1");
  EXPECT_EQ(found(kPage, ":lang(en)"), "p2 b");
  EXPECT_EQ(found(kPage, "p:lang(d)"), "");
  EXPECT_EQ(found(kPage, "p:lang('*')"), "p1 p2");
}

TEST(Selector, FindsOnlyDescendantsOfTheScopeButMatchesAboveIt) {
  EXPECT_EQ(found(kShop, "li", "ul"), "l1 l2 l3");
  EXPECT_EQ(found(kShop, "ul", "ul"), "");
  EXPECT_EQ(found(kShop, "main li.item a", "#l2"), "a2");
}

TEST(Selector, FindsText) {
  EXPECT_EQ(found(kShop, "p:contains('bold')"), "p2");
  EXPECT_EQ(found(kShop, "p:contains-own(\"bold\")"), "");
  EXPECT_EQ(found(kShop, "b:contains-own(bold)"), "b");
  EXPECT_EQ(found(kShop, "p:contains('BOLD')"), "");
}

TEST(Selector, ReadsEscapes) {
  EXPECT_EQ(found("<p id=x class='a:b 1c'>", ".a\\:b"), "x");
  EXPECT_EQ(found("<p id=x class='a:b 1c'>", ".\\31 c"), "x");
  EXPECT_EQ(found("<p id=x class='ü'>", ".\\fc"), "x");
  EXPECT_EQ(found("<p id=x class='ü'>", ".ü"), "x");
  EXPECT_EQ(found("<p id=x title='a\"b'>", "[title=\"a\\\"b\"]"), "x");
}

TEST(Selector, SkipsComments) {
  EXPECT_EQ(found(kShop, "/* all */ ul/**/ > /* their */ li"), "l1 l2 l3");
}

TEST(Selector, MatchesNamesOfSvgAsTheyAreWritten) {
  const std::string_view page = "<svg><linearGradient id=g></linearGradient></svg><p id=p>";
  EXPECT_EQ(found(page, "linearGradient"), "g");
  EXPECT_EQ(found(page, "lineargradient"), "");
  EXPECT_EQ(found(page, "P"), "p");
}

TEST(Selector, MatchesCustomElements) {
  EXPECT_EQ(found("<my-card id=c><X-Y id=y data-z=1></my-card>", "my-card > x-y[data-z]"), "y");
}

TEST(Selector, ReportsThePositionOfAnError) {
  EXPECT_EQ(error_of("div > a:hover"),
            "selector: position 8: `:hover` is not supported; known are :not :is :where :has "
            ":nth-child :nth-last-child :nth-of-type :nth-last-of-type :first-child :last-child "
            ":only-child :first-of-type :last-of-type :only-of-type :empty :root :scope :contains "
            ":contains-own :lang :link :any-link :checked :disabled :enabled");
  EXPECT_EQ(error_of("p:frist-child"),
            "selector: position 2: `:frist-child` is not supported; did you mean `:first-child`?");
  EXPECT_EQ(error_of(""), "selector: position 1: expected a selector here");
  EXPECT_EQ(error_of("a,"), "selector: position 3: expected a selector here");
  EXPECT_EQ(error_of("p:is(> a)"),
            "selector: position 6: a selector cannot start with `>` here; write `:scope >`");
  EXPECT_EQ(error_of("a >"), "selector: position 4: expected a selector here");
  EXPECT_EQ(error_of("a[href"), "selector: position 7: expected `]` or one of = ~= |= ^= $= *=");
  EXPECT_EQ(error_of("a[x=1]"),
            "selector: position 5: expected a value; put it in quotes unless "
            "it is a plain word");
  EXPECT_EQ(error_of(".1a"),
            "selector: position 1: a class name cannot start with a digit; write `\\31 `");
  EXPECT_EQ(error_of("a:not(b"), "selector: position 8: expected `)` to end `:not(`");
  EXPECT_EQ(error_of("li:nth-child(x)"),
            "selector: position 14: expected a number, `odd`, `even` or something like `2n+1`");
  EXPECT_EQ(error_of("a)"), "selector: position 2: unexpected `)`");
}

TEST(Selector, RejectsPseudoElementsWithAHint) {
  EXPECT_EQ(error_of("a::attr(href)"),
            "selector: position 2: `::attr`: pseudo-elements are not supported; a field's `@name` "
            "reads an attribute, and text is read without it");
}

TEST(Selector, RejectsExcessiveNestingAndLength) {
  std::string nested;
  for (int i = 0; i < 100; ++i) nested += ":not(";
  EXPECT_NE(error_of(nested).find("nested more than 16 deep"), std::string::npos);
  EXPECT_NE(error_of(std::string(5000, 'a')).find("longer than 4096 bytes"), std::string::npos);
}

TEST(Selector, FailsWhenPageAndSelectorTakeTooManySteps) {
  std::string page;
  for (int i = 0; i < 500; ++i) page += "<div>";
  const auto document = parse(page);
  const auto selector = Selector::compile("div:has(div:has(div:has(b)))");
  std::vector<NodeId> nodes;
  const auto status = select(*document, *selector, Document::root(), nodes, {.max_steps = 10'000});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::bad_input);
  EXPECT_NE(status.error().message.find("needs more than 10000 steps"), std::string::npos);
}

// Tried in every combination, these would take about 300^10 steps.
TEST(Selector, DoesNotBacktrackThroughAncestors) {
  std::string page;
  for (int i = 0; i < 300; ++i) page += "<div class=x>";
  const auto document = parse(page);
  const auto selector = Selector::compile("b .x .x .x .x .x .x .x .x .x .x");
  std::vector<NodeId> nodes;
  EXPECT_TRUE(select(*document, *selector, Document::root(), nodes, {.max_steps = 1'000'000}));
  EXPECT_TRUE(nodes.empty());
}

TEST(Selector, SearchesSiblingsOnce) {
  std::string page;
  for (int i = 0; i < 20'000; ++i) page += "<p class=x></p>";
  const auto document = parse(page);
  for (const char* css : {"b ~ p ~ p ~ p", "p:nth-child(2n)", "p:nth-last-of-type(3)",
                          "p:nth-child(3 of .x)", "p:last-child"}) {
    std::vector<NodeId> nodes;
    EXPECT_TRUE(
        select(*document, *Selector::compile(css), Document::root(), nodes, {.max_steps = 500'000}))
        << css;
  }
}

Status select_within(const Document& document, const char* css, std::size_t max_steps) {
  std::vector<NodeId> nodes;
  return select(document, *Selector::compile(css), Document::root(), nodes,
                {.max_steps = max_steps});
}

// Each <b> has a parent of its own, so the long attribute is searched again for each.
TEST(Selector, CountsTheBytesOfLongAttributes) {
  std::string page = "<p title='" + std::string(100'000, 'p') + "' class='";
  for (int i = 0; i < 20'000; ++i) page += "c" + std::to_string(i) + " ";
  page += "'>";
  for (int i = 0; i < 1000; ++i) page += "<i><b>x</b></i>";
  const auto document = parse(page);
  for (const char* css : {"[title*=pq] b", "[title*=PQ i] b", "[title~=pq] b", ".zz b"})
    EXPECT_FALSE(select_within(*document, css, 500'000)) << css;
  for (const char* css : {"[title=pq] b", "[title^=pq] b", "[title$=pq] b", "[title] q", "p b"})
    EXPECT_TRUE(select_within(*document, css, 500'000)) << css;
}

TEST(Selector, CountsTheAttributesOfAnElement) {
  std::string page = "<p";
  for (int i = 0; i < 20'000; ++i) page += " a" + std::to_string(i);
  page += ">";
  for (int i = 0; i < 1000; ++i) page += "<i><b a19999 id=x class=x>x</b></i>";
  const auto document = parse(page);
  EXPECT_FALSE(select_within(*document, "p[a19999=x] b", 500'000));
}

TEST(Selector, CountsTheNodesThatItSkips) {
  std::string page = "<div><p>";
  for (int i = 0; i < 1000; ++i) page += "<!--c-->";
  page += "<q>";
  for (int i = 0; i < 1000; ++i) page += "<i><b>x</b></i>";
  page += "</q></p></div>";
  const auto document = parse(page);
  EXPECT_FALSE(select_within(*document, "a + q b", 500'000));
  EXPECT_FALSE(select_within(*document, "p:empty b", 500'000));
  EXPECT_FALSE(select_within(*document, "video", 100));
}

TEST(Selector, ChecksTheAncestorsOfSiblingsOnce) {
  std::string page = "<p class='" + std::string(1'000'000, 'p') + "'>";
  for (int i = 0; i < 20'000; ++i) page += "<b>x</b>";
  const auto document = parse(page);
  EXPECT_TRUE(select_within(*document, "[class*=product] b", 200'000));
  EXPECT_TRUE(select_within(*document, ".product b", 200'000));
}

TEST(Selector, SharesABudgetAmongManySelects) {
  const auto document = parse(kShop);
  const auto selector = Selector::compile("li");
  SelectBudget budget({.max_steps = 1000});
  int selects = 0;
  while (selects < 2000 && select_first(*document, *selector, Document::root(), budget)) ++selects;
  EXPECT_GT(selects, 10);
  EXPECT_LT(selects, 2000);
}

TEST(Selector, TestsWhetherOneElementMatches) {
  const auto document = parse(kShop);
  const auto item = select_first(*document, *Selector::compile(".sale"), Document::root());
  ASSERT_TRUE(item && item->has_value());
  EXPECT_TRUE(*matches(*document, *Selector::compile("ul > li"), **item));
  EXPECT_FALSE(*matches(*document, *Selector::compile("ol > li"), **item));
  EXPECT_FALSE(*matches(*document, *Selector::compile("*"), Document::root()));
}

TEST(Selector, FindsNoFirstElementWhenNothingMatches) {
  const auto document = parse(kShop);
  const auto first = select_first(*document, *Selector::compile("video"), Document::root());
  ASSERT_TRUE(first);
  EXPECT_EQ(*first, std::nullopt);
}

}  // namespace
}  // namespace heddle::html
