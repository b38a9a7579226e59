// Parses hostile pages: each must end early and with little memory. Every page is parsed in its own
// process, so that memory and time are measured separately.
#include <functional>
#include <iostream>
#include <string>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/hash.hpp"
#include "html/parse.hpp"

namespace heddle::html {
namespace {

constexpr std::size_t kPageBytes = 10'000'000;
constexpr rlim_t kMostCpuSeconds = 30;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMeasuresMemory = false;
#else
constexpr bool kMeasuresMemory = true;
#endif

std::string repeat(std::string_view text, std::size_t bytes) {
  std::string out;
  out.reserve(bytes + text.size());
  while (out.size() < bytes) out += text;
  return out;
}

// Prefix and suffix around a counter: <x0>, <x1>, …
std::string numbered(std::string_view before, std::string_view after, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; out.size() < bytes; ++i)
    out += std::string(before) + std::to_string(i) + std::string(after);
  return out;
}

// Attribute names that all hash to the same slot of a table of up to 4,096 names.
std::string colliding_names(std::size_t count) {
  std::string out;
  for (std::uint64_t i = 0; count > 0; ++i) {
    const std::string name = "z" + std::to_string(i);
    if (hash64(name) % 4096 != 7) continue;
    out += " " + name;
    --count;
  }
  return out;
}

struct Bomb {
  const char* name;
  std::function<std::string()> page;
  bool is_refused = true;
};

struct Cost {
  bool is_refused;
  double cpu_seconds;
  long megabytes;
};

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// In a child: 0 when the page was parsed, 1 when it was rejected as too complex.
[[noreturn]] void parse_and_exit(const std::string& page) {
  const rlimit limit{kMostCpuSeconds, kMostCpuSeconds};
  setrlimit(RLIMIT_CPU, &limit);
  const auto document = parse(page);
  const bool is_too_complex = !document && document.error().message.starts_with("too_complex: ");
  _exit(document ? 0 : is_too_complex ? 1 : 2);
}

long peak_megabytes(const std::function<void()>& child, rusage& used, int& status) {
  const pid_t pid = fork();
  if (pid == 0) child();
  wait4(pid, &status, 0, &used);
  return used.ru_maxrss / 1024;
}

Cost cost_of(const std::string& page) {
  rusage used{};
  int status = 0;
  const long before = peak_megabytes([] { _exit(0); }, used, status);
  const long after = peak_megabytes([&] { parse_and_exit(page); }, used, status);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << (WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  EXPECT_LE(WEXITSTATUS(status), 1);
  return {WEXITSTATUS(status) == 1, seconds(used.ru_utime) + seconds(used.ru_stime),
          after - before};
}

class ParseBomb : public ::testing::TestWithParam<Bomb> {};

TEST_P(ParseBomb, EndsEarlyWithLittleMemory) {
  const Cost cost = cost_of(GetParam().page());
  std::cout << GetParam().name << ": " << static_cast<int>(cost.cpu_seconds * 1000) << " ms, "
            << cost.megabytes << " MB\n";
  EXPECT_EQ(cost.is_refused, GetParam().is_refused);
  EXPECT_LT(cost.cpu_seconds, 5);  // below 0.2 s in a release build; debug and ASan are slow
  EXPECT_LT(kMeasuresMemory ? cost.megabytes : 0, 200);
}

const Bomb kBombs[] = {
    {"NestedDivs", [] { return repeat("<div>", 500'000); }},
    {"Paragraphs", [] { return repeat("<p>x", kPageBytes); }},
    {"TextJoinedOverAndOver", [] { return repeat("a</x>", kPageBytes); }, false},
    {"TextJoinedBeforeATable", [] { return "<table>" + repeat("x</tr>", kPageBytes); }, false},
    {"TextJoinedBeforeRows", [] { return "<table>" + repeat("x<tr>", kPageBytes); }},
    {"SpaceJoinedInHead", [] { return "<head>" + repeat(" </x>", kPageBytes); }, false},
    {"CdataJoined", [] { return "<svg>" + repeat("<![CDATA[x]]>", kPageBytes); }, false},
    {"EndTagsUnderADeepStack",
     [] { return repeat("<span>", 900 * 6) + repeat("</x>", kPageBytes); }, false},
    {"ParagraphEndsUnderADeepStack",
     [] { return repeat("<div>", 900 * 5) + repeat("</p>", kPageBytes); }},
    {"FormattingReopenedInEveryParagraph",
     [] { return numbered("<b a", ">", 8000) + repeat("<p>", kPageBytes); }},
    {"UnclosedLinks", [] { return repeat("<a>", kPageBytes); }},
    {"MisnestedLinks", [] { return repeat("<a><div>", kPageBytes); }},
    {"MisnestedFormatting", [] { return repeat("<b><i><u><p></b></i></u>", kPageBytes); }},
    {"AdoptionUnderADeepStack",
     [] { return numbered("<i c", "><div>", 12'000) + repeat("</i>x", kPageBytes); }},
    {"ManyAttributes", [] { return "<div " + numbered("a", " ", kPageBytes) + ">"; }},
    {"ManyAttributesOfAnUnfinishedTag", [] { return "<div" + repeat(" a", kPageBytes); }},
    {"AttributesMergedIntoBody", [] { return numbered("<body a", ">", kPageBytes); }},
    {"AttributesMergedIntoHtml", [] { return numbered("<html a", ">", kPageBytes); }},
    {"UnknownTags", [] { return numbered("<x", "></div>", kPageBytes); }},
    {"UnknownEndTags", [] { return numbered("</x", ">", kPageBytes); }, false},
    {"LongUnknownTags", [] { return numbered("</" + std::string(9000, 'q'), ">", kPageBytes); },
     false},
    {"TablesInTables", [] { return repeat("<table><tr><td>", kPageBytes); }},
    {"ElementsMovedBeforeATable", [] { return "<table>" + repeat("<p></p>", kPageBytes); }},
    {"Templates", [] { return repeat("<template>", kPageBytes); }},
    {"SvgBrokenOutOf", [] { return repeat("<svg><g><p>", kPageBytes); }},
    {"Comments", [] { return repeat("<!---->", kPageBytes); }},
    {"OneHugeTagName", [] { return "<" + repeat("abcdefgh", kPageBytes) + ">"; }, false},
    {"OneHugeAttribute", [] { return "<a b='" + repeat("x&amp;", kPageBytes) + "'>"; }, false},
    {"OneHugeComment", [] { return "<!--" + repeat("abc-", kPageBytes); }, false},
    {"Ampersands", [] { return repeat("&", kPageBytes); }, false},
    {"LessThans", [] { return repeat("<", kPageBytes); }, false},
    {"Nuls", [] { return std::string(kPageBytes, '\0'); }, false},
    {"BrokenUtf8", [] { return repeat("\xff\xc3", kPageBytes); }, false},
    {"DeepFormatting", [] { return repeat("<a><b><i>", kPageBytes); }},
    {"DifferentFormatting", [] { return numbered("<b c=", ">", kPageBytes); }},
    {"FormattingWithManyAttributes",
     [] { return repeat("<b " + numbered("a", " ", 5000) + ">", kPageBytes); }},
    {"LargeValueReopenedInEveryParagraph",
     [] { return "<p><b c=" + std::string(1'000'000, 'x') + ">y" + repeat("<p>y", 300'000); },
     false},
    {"EqualAttributes", [] { return "<p" + repeat(" a=1", kPageBytes) + ">"; }},
    {"ItemsUnderADeepStack",
     [] { return "<li><ul>" + repeat("<div>", 900 * 5) + repeat("</li><p></p>", kPageBytes); }},
    {"HeadingEndsUnderADeepStack",
     [] { return repeat("<div>", 900 * 5) + repeat("</h1>", kPageBytes); }},
    {"ClosedParagraphsBehindAButton",
     [] { return "<p><button>" + repeat("<div>", 900 * 5) + repeat("</p>", kPageBytes); }},
    {"SelectsAndOptions", [] { return repeat("<select><option>", kPageBytes); }},
    {"NestedSvg", [] { return repeat("<svg>", kPageBytes); }},
    {"ForeignEndTagsUnderADeepStack",
     [] { return "<svg>" + repeat("<g>", 900 * 3) + repeat("</x>", kPageBytes); }},
    {"AttributesLookedThroughAgain",
     [] {
       return "<math><annotation-xml" + numbered(" a", "", 100'000) + ">" +
              repeat("<x></x>", kPageBytes);
     }},
    {"FormsInTables", [] { return "<table>" + repeat("<form></form>", kPageBytes); }},
    {"Frames", [] { return "<frameset>" + repeat("<frame>", kPageBytes); }},
    {"CollidingNames", [] { return repeat("<p" + colliding_names(2000) + ">", 2'000'000); }},
    {"UnclosedTitle", [] { return "<title>" + repeat("</titl&amp;", kPageBytes); }, false},
    {"UnclosedComments", [] { return repeat("<!--", kPageBytes); }, false},
    {"CarriageReturns", [] { return repeat("\r", kPageBytes); }, false},
    {"References", [] { return repeat("&notin&#x41;", kPageBytes); }, false},
    {"LongReference", [] { return "&" + repeat("a", kPageBytes); }, false},
    {"LongNumber", [] { return "&#" + repeat("1", kPageBytes); }, false},
    {"ScriptInScript", [] { return "<script>" + repeat("<!--<script>", kPageBytes); }, false},
};

INSTANTIATE_TEST_SUITE_P(Pages, ParseBomb, ::testing::ValuesIn(kBombs),
                         [](const auto& bomb) { return bomb.param.name; });

}  // namespace
}  // namespace heddle::html
