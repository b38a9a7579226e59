// The small encodings of the database: traces, key prefixes, JSON texts, compressed bodies.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "store/sqlite/tables/json_text.hpp"
#include "store/sqlite/tables/pages/body_rows.hpp"
#include "store/sqlite/tables/pages/key_prefixes.hpp"
#include "store/sqlite/tables/pages/trace_blob.hpp"

namespace heddle::store {

namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string random_bytes(std::mt19937_64& random, std::size_t max) {
  std::string bytes(random() % (max + 1), '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

MATCHER_P(IsStage, expected, "") {
  return arg.status == expected.status && arg.duration == expected.duration &&
         arg.note == expected.note;
}

TEST(TraceBlob, DecodesWhatWasEncoded) {
  CycleTrace trace;
  trace[Stage::before_fetch] = {StageStatus::skipped, std::chrono::microseconds(0), "no hook"};
  trace[Stage::on_finally] = {StageStatus::error, std::chrono::hours(3), std::string("a\0b", 3)};
  const CycleTrace read = decode_trace(encode_trace(trace));
  for (std::size_t i = 0; i < kStageCount; ++i)
    EXPECT_THAT(read.stages[i], IsStage(trace.stages[i]));
}

TEST(TraceBlob, IsEmptyWhenEveryStageWasInactive) {
  EXPECT_EQ(encode_trace({}), "");
}

TEST(TraceBlob, CutsLongNotesBetweenCharacters) {
  CycleTrace trace;
  trace[Stage::fetch] = {StageStatus::error, {}, "x"};
  for (int i = 0; i < 2000; ++i) trace[Stage::fetch].note += "\xC3\xA9";
  const std::string note = decode_trace(encode_trace(trace))[Stage::fetch].note;
  EXPECT_EQ(note.size(), kMaxTraceNote - 1);
  EXPECT_EQ(note.back(), '\xA9');
}

TEST(TraceBlob, SurvivesDamage) {
  CycleTrace trace;
  for (StageTrace& stage : trace.stages)
    stage = {StageStatus::success, std::chrono::seconds(1), "note"};
  const std::string good = encode_trace(trace);
  std::mt19937_64 random(1);
  for (std::size_t cut = 0; cut < good.size(); ++cut) (void)decode_trace(good.substr(0, cut));
  for (int i = 0; i < 20'000; ++i) {
    std::string bad = good;
    bad[random() % bad.size()] = static_cast<char>(random());
    (void)decode_trace(bad);
    (void)decode_trace("\x01" + random_bytes(random, 40));
  }
}

TEST(KeyPrefixes, AreSortedAndEachOnce) {
  const std::vector<Hash128> keys{{3, 1}, {1, 1}, {3, 2}, {2, 9}};
  EXPECT_THAT(prefixes_of(keys), ElementsAre(1u, 2u, 3u));
  EXPECT_EQ(decode_prefixes(encode_prefixes({1, 2, UINT64_MAX})), (KeyPrefixes{1, 2, UINT64_MAX}));
  EXPECT_THAT(decode_prefixes(""), IsEmpty());
}

TEST(KeyPrefixes, SurviveDamage) {
  EXPECT_THAT(decode_prefixes(std::string(19, 'x')), SizeIs(2));
  EXPECT_THAT(decode_prefixes(encode_prefixes({9, 3})), ElementsAre(3u, 9u));
}

TEST(KeyPrefixes, DifferByThoseOfTheLeftAlone) {
  EXPECT_THAT(difference_of({1, 2, 3}, {2, 4}), ElementsAre(1u, 3u));
  EXPECT_THAT(difference_of({}, {2}), IsEmpty());
}

TEST(JsonText, KeepsFieldOrderAndAnyText) {
  const std::vector<Field> fields{{"z", "\"\\\n\t\x01"}, {"a", "\xE2\x82\xAC"}, {"", ""}};
  std::string text;
  append_json_object(text, fields);
  EXPECT_EQ(fields_from_json(text), fields);
}

TEST(JsonText, RepairsTextThatIsNotUtf8) {
  std::string text;
  append_json_object(text, {{"a\xFF", "\xC3(\xED\xA0\x80"}});
  const auto fields = fields_from_json(text);
  ASSERT_THAT(fields, SizeIs(1));
  EXPECT_EQ(fields[0].first, "a\xEF\xBF\xBD");
  EXPECT_EQ(fields[0].second.substr(0, 4), "\xEF\xBF\xBD(");
}

TEST(JsonText, KeepsErrors) {
  const std::vector<RunError> errors{{ErrorKind::dns, "no \"such\" host", "http://a"}, {}};
  const auto read = errors_from_json(errors_to_json(errors));
  ASSERT_THAT(read, SizeIs(2));
  EXPECT_EQ(read[0].kind, ErrorKind::dns);
  EXPECT_EQ(read[0].message, "no \"such\" host");
  EXPECT_EQ(read[0].url, "http://a");
}

class InvalidJson : public ::testing::TestWithParam<const char*> {};

TEST_P(InvalidJson, ReadsAsEmpty) {
  EXPECT_THAT(fields_from_json(GetParam()), Each(Field("a", "")));
  EXPECT_THAT(texts_from_json(GetParam()), Each(""));
  for (const RunError& error : errors_from_json(GetParam())) EXPECT_EQ(error.kind, ErrorKind::none);
}

INSTANTIATE_TEST_SUITE_P(Text, InvalidJson,
                         ::testing::Values("", "{", "[1,{}]", "null", "{\"a\":1}", "\xFF",
                                           "[[[[[[[[", "[null,{\"kind\":{}}]"));

std::string compressed(const std::string& body) {
  std::string out(ZSTD_compressBound(body.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), body.data(), body.size(), 1));
  return out;
}

TEST(DecompressBody, ReturnsTheBody) {
  const std::string body(100'000, 'x');
  auto read = decompress_body(compressed(body), 100'000);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, body);
  EXPECT_EQ(*decompress_body(compressed(""), 0), "");
}

TEST(DecompressBody, RefusesDamagedBytesAndWrongSizes) {
  const std::string good = compressed(std::string(100'000, 'x'));
  EXPECT_EQ(decompress_body(good, 99'999).error().code, ErrorCode::corrupt);
  EXPECT_EQ(decompress_body(good, -1).error().code, ErrorCode::corrupt);
  EXPECT_EQ(decompress_body(good, INT64_MAX).error().code, ErrorCode::corrupt);
  EXPECT_EQ(decompress_body("", 10).error().code, ErrorCode::corrupt);
  EXPECT_EQ(decompress_body("no zstd at all", 10).error().code, ErrorCode::corrupt);
  EXPECT_EQ(decompress_body(good.substr(0, good.size() / 2), 100'000).error().code,
            ErrorCode::corrupt);
}

}  // namespace

}  // namespace heddle::store
