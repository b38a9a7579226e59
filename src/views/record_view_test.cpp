#include "views/record_view.hpp"

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "store/empty_reader.hpp"

namespace heddle::views {
namespace {

namespace json = boost::json;

Record kettle() {
  Record record;
  record.id = 7;
  record.job = JobId{"shop"};
  record.url = "http://x/";
  record.item.fields = {{"name", "Kettle"}, {"price", "€ 3"}};
  record.item.values_json = R"({"price":{"amount":"3","currency":"EUR"}})";
  record.item.matches = {"kettle", "tea"};
  record.first_seen = *parse_iso8601("2026-11-15T12:00:00Z");
  record.last_seen = *parse_iso8601("2026-11-16T12:00:00Z");
  record.state = "present";
  return record;
}

Record lamp() {
  Record record = kettle();
  record.id = 8;
  record.item = {{{"name", "Lamp, red"}, {"colour", "red"}}, {}, {}};
  return record;
}

// All of what a writer prints for these records.
std::string written(RecordWriter writer, const std::vector<Record>& records) {
  std::string text = writer.header();
  for (const Record& record : records) text += writer.record(record);
  return text + writer.footer();
}

class TwoRecords : public store::EmptyReader {
 public:
  Status for_each_record(const JobId&, std::optional<WallTime>, const VisitRecord& visit) override {
    if (visit(kettle())) visit(lamp());
    return Done{};
  }
};

TEST(RecordView, MatchesTheContract) {
  JsonWriter writer;
  write_record(writer, kettle());

  const json::value parsed = json::parse(writer.text());
  EXPECT_EQ(parsed.at("id"), 7);
  EXPECT_EQ(parsed.at("job_id"), "shop");
  EXPECT_EQ(parsed.at("fields"), json::parse(R"({"name":"Kettle","price":"€ 3"})"));
  EXPECT_EQ(parsed.at("values").at("price").at("currency"), "EUR");
  EXPECT_EQ(parsed.at("matches"), json::parse(R"(["kettle","tea"])"));
  EXPECT_EQ(parsed.at("first_seen"), "2026-11-15T12:00:00.000Z");
  EXPECT_EQ(parsed.at("last_seen"), "2026-11-16T12:00:00.000Z");
  EXPECT_EQ(parsed.at("state"), "present");
}

TEST(RecordView, HasAnEmptyObjectForMissingTypedValues) {
  JsonWriter writer;
  write_record(writer, lamp());
  EXPECT_EQ(json::parse(writer.text()).at("values"), json::object());
}

TEST(RecordWriter, WritesOneJsonDocument) {
  EXPECT_EQ(written({RecordFormat::json, {}}, {}), "[]\n");
  const json::value parsed = json::parse(written({RecordFormat::json, {}}, {kettle(), lamp()}));
  ASSERT_EQ(parsed.as_array().size(), 2u);
  EXPECT_EQ(parsed.at(1).at("id"), 8);
}

TEST(RecordWriter, WritesOneLinePerRecordAsJsonl) {
  JsonWriter first;
  write_record(first, kettle());
  JsonWriter second;
  write_record(second, lamp());
  EXPECT_EQ(written({RecordFormat::jsonl, {}}, {kettle(), lamp()}),
            first.text() + "\n" + second.text() + "\n");
}

TEST(RecordWriter, WritesAColumnPerFieldAsCsv) {
  EXPECT_EQ(written({RecordFormat::csv, {"name", "price"}}, {kettle(), lamp()}),
            "id,first_seen,last_seen,state,url,name,price,matches\r\n"
            "7,2026-11-15T12:00:00.000Z,2026-11-16T12:00:00.000Z,present,http://x/,Kettle,€ 3,"
            "kettle; tea\r\n"
            "8,2026-11-15T12:00:00.000Z,2026-11-16T12:00:00.000Z,present,http://x/,"
            "\"Lamp, red\",,\r\n");
}

TEST(RecordView, ListsConfiguredFieldsBeforeTheOthers) {
  TwoRecords reader;
  const auto names = read_field_names({reader, JobId{"shop"}}, {"price", "stars"});
  ASSERT_TRUE(names);
  EXPECT_EQ(*names, (std::vector<std::string>{"price", "stars", "name", "colour"}));
}

TEST(RecordView, ReadsNoMoreItemsThanTheQueryAsksFor) {
  TwoRecords reader;
  const auto names = read_field_names({.reader = reader, .job = JobId{"shop"}, .limit = 1}, {});
  ASSERT_TRUE(names);
  EXPECT_EQ(*names, (std::vector<std::string>{"name", "price"}));
}

TEST(RecordView, KnowsTheNamesOfItsFormats) {
  EXPECT_EQ(record_format_from("json"), RecordFormat::json);
  EXPECT_EQ(record_format_from("jsonl"), RecordFormat::jsonl);
  EXPECT_EQ(record_format_from("csv"), RecordFormat::csv);
  EXPECT_EQ(record_format_from("table"), std::nullopt);
}

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
