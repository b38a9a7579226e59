#include "views/csv.hpp"

#include <gtest/gtest.h>

namespace heddle::views {
namespace {

TEST(CsvRow, JoinsPlainCellsWithCommas) {
  EXPECT_EQ(csv_row({"a", "", "b c"}), "a,,b c\r\n");
}

TEST(CsvRow, QuotesCommasQuotesAndLineBreaks) {
  EXPECT_EQ(csv_row({"a,b", "say \"hi\"", "x\ny"}), "\"a,b\",\"say \"\"hi\"\"\",\"x\ny\"\r\n");
}

TEST(CsvRow, EscapesCellsThatASpreadsheetWouldRun) {
  EXPECT_EQ(csv_row({"=1+1"}), "\"'=1+1\"\r\n");
  EXPECT_EQ(csv_row({"@SUM(A1)"}), "\"'@SUM(A1)\"\r\n");
  EXPECT_EQ(csv_row({"-cmd|calc"}), "\"'-cmd|calc\"\r\n");
}

TEST(CsvRow, KeepsNegativeNumbers) {
  EXPECT_EQ(csv_row({"-12.50", "+3"}), "-12.50,+3\r\n");
}

}  // namespace
}  // namespace heddle::views
