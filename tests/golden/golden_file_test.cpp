// The net itself: what it lets through and what it does not.
#include "tests/golden/golden_file.hpp"

#include <cstdlib>

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "tests/golden/json_layout.hpp"
#include "tests/golden/normaliser.hpp"
#include "tests/golden/source_literals.hpp"

namespace heddle::testing {
namespace {

TEST(LineDiff, IsEmptyForEqualTexts) {
  EXPECT_EQ(line_diff("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(line_diff("", ""), "");
}

TEST(LineDiff, ShowsWhatDiffersWithThreeLinesAroundIt) {
  EXPECT_EQ(line_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n"),
            "@@ line 2 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
  EXPECT_EQ(line_diff("a\n", "a\nb\n"), "@@ line 1 @@\n a\n+b\n");
  EXPECT_EQ(line_diff("a\n", "a"), "the last line break differs\n");
}

TEST(GoldenFile, FailsForATextThatIsNotKept) {
  unsetenv("HEDDLE_UPDATE_GOLDEN");
  EXPECT_NONFATAL_FAILURE(expect_golden("no_such_file.txt", "text\n"), "+text");
  EXPECT_NONFATAL_FAILURE(expect_golden("exit_codes.txt", "text\n"), "HEDDLE_UPDATE_GOLDEN=1");
}

TEST(JsonLayout, KeepsOrderDoublesAndTheTextOfNumbers) {
  EXPECT_EQ(lay_out(read_json(R"({"b":1.000,"a":[{},[],"x\"y"],"b":null})")),
            "{ \"b\": 1.000, \"a\": [{}, [], \"x\\\"y\"], \"b\": null }\n");
}

TEST(JsonLayout, RefusesWhatIsNoJson) {
  EXPECT_THROW(read_json("{\"a\":1,}"), std::exception);
  EXPECT_THROW(read_json("{} {}"), std::exception);
}

TEST(Normaliser, ReplacesWhatDiffersAndKeepsTypes) {
  Normaliser normaliser;
  normaliser.replace("/tmp/x", "project");
  EXPECT_EQ(normaliser.json(R"({"pid":12,"duration_ms":1.234,"cpu_ms":5,"rss_bytes":7,
                                "revision":"0123456789abcdef","day":"2026-11-15",
                                "at":"2026-11-15T21:23:07.412Z","file":"/tmp/x/y"})"),
            "{\n  \"pid\": <pid>,\n  \"duration_ms\": <time.3>,\n  \"cpu_ms\": <time>,\n"
            "  \"rss_bytes\": <bytes>,\n  \"revision\": \"<revision>\",\n  \"day\": \"<day>\",\n"
            "  \"at\": \"<time>\",\n  \"file\": \"<project>/y\"\n}\n");
}

TEST(Normaliser, LeavesOtherTypesNamesAndValues) {
  Normaliser normaliser;
  EXPECT_EQ(normaliser.json(R"({"pid":null,"duration_ms":"12","pids":12,"bytes":3,"day":4})"),
            "{ \"pid\": null, \"duration_ms\": \"12\", \"pids\": 12, \"bytes\": 3, \"day\": 4 }\n");
}

TEST(Normaliser, NumbersIdsByTheirFirstCome) {
  Normaliser normaliser;
  EXPECT_EQ(normaliser.text("run 01kbe0c3sjq9w1x4tn5m7r8v2d"), "run <id 1>");
  EXPECT_EQ(normaliser.text("01m7nzqk3782qm6ty129wv4wvq, 01kbe0c3sjq9w1x4tn5m7r8v2d"),
            "<id 2>, <id 1>");
  EXPECT_EQ(normaliser.text("pid 12: kill 12; 12 pages"), "pid <pid>: kill <pid>; 12 pages");
}

TEST(Normaliser, ShowsCarriageReturns) {
  Normaliser normaliser;
  EXPECT_EQ(normaliser.text("a,b\r\n"), "a,b<CR>\n");
}

TEST(Normaliser, PutsWhatProgramsWroteAfterTheRestOfALog) {
  Normaliser normaliser;
  EXPECT_EQ(
      normaliser.json(R"([{"text":"a stdout: x"},{"text":"b"},{"text":"c stderr: y"}])"),
      "[{ \"text\": \"b\" }, { \"text\": \"a stdout: x\" }, { \"text\": \"c stderr: y\" }]\n");
}

TEST(StringLiterals, AreFoundOutsideOfComments) {
  EXPECT_EQ(
      string_literals("f(\"a\"); // \"b\"\n/* \"c\" */ g(R\"x(d\"e)x\", '\"', \"h\\\"i\", 1'0);"),
      (std::set<std::string>{"a", "d\"e", "h\\\"i"}));
}

}  // namespace
}  // namespace heddle::testing
