#include "schedule/zone/zone.hpp"

#include <ctime>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/zones_for_test.hpp"
#include "tests/support/temporary_folder.hpp"

namespace heddle::schedule {
namespace {

using namespace std::chrono_literals;
using std::chrono::local_seconds;
using std::chrono::seconds;
using std::chrono::sys_seconds;
using ::testing::HasSubstr;
using Kind = LocalTimeMapping::Kind;

sys_seconds utc(std::string_view text) {
  return std::chrono::floor<seconds>(at(text));
}

local_seconds local(std::string_view text) {
  return local_seconds(utc(std::string(text) + "Z").time_since_epoch());
}

std::string number(std::uint64_t value, int size) {
  std::string bytes;
  for (int shift = (size - 1) * 8; shift >= 0; shift -= 8)
    bytes += static_cast<char>(value >> shift & 0xFF);
  return bytes;
}

struct WrittenZone {
  char version = '2';
  int leaps = 0;
  std::vector<std::pair<std::int64_t, int>> changes{};  // when, to which kind
  std::vector<int> offsets{0};                          // of each kind, in seconds
  std::string footer = "\n\n";

  [[nodiscard]] std::string block(int time_size) const {
    std::string bytes = "TZif" + std::string(1, version) + std::string(15, '\0');
    bytes += number(0, 4) + number(0, 4) + number(static_cast<std::uint64_t>(leaps), 4);
    bytes += number(changes.size(), 4) + number(offsets.size(), 4) + number(4, 4);
    for (const auto& [when, kind] : changes)
      bytes += number(static_cast<std::uint64_t>(when), time_size);
    for (const auto& [when, kind] : changes) bytes += static_cast<char>(kind);
    for (const int offset : offsets)
      bytes += number(static_cast<std::uint64_t>(offset), 4) + std::string(2, '\0');
    return bytes + std::string("LMT\0", 4) +
           std::string(static_cast<std::size_t>(leaps * (time_size + 4)), '\0');
  }
  [[nodiscard]] std::string bytes() const {
    return version == '\0' ? block(4) : block(4) + block(8) + footer;
  }
};

std::string complaint(const std::string& bytes) {
  auto history = parse_tzif(bytes);
  return history ? "none" : history.error().message;
}

TEST(TimeZone, AgreesWithTheSystemsLibrary) {
  HEDDLE_NEEDS_ZONES();
  std::mt19937_64 random(7);
  // From 1900 to 2200: listed changes and those by the yearly rule.
  std::uniform_int_distribution<std::int64_t> times(-2'208'988'800, 7'258'118'400);
  for (const char* name :
       {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Gaza",
        "Africa/Casablanca", "Europe/Dublin", "America/Santiago", "Antarctica/Troll"}) {
    const TimeZone zone = zone_named(name);
    ASSERT_EQ(setenv("TZ", name, 1), 0);  // NOLINT(concurrency-mt-unsafe): one thread
    tzset();                              // NOLINT(concurrency-mt-unsafe)
    for (int i = 0; i < 2000; ++i) {
      const std::time_t time = times(random);
      std::tm parts{};
      localtime_r(&time, &parts);
      ASSERT_EQ(zone.offset_at(sys_seconds(seconds(time))), seconds(parts.tm_gmtoff))
          << name << " at " << time;
    }
  }
  unsetenv("TZ");  // NOLINT(concurrency-mt-unsafe)
  tzset();         // NOLINT(concurrency-mt-unsafe)
}

TEST(TimeZone, LoadsEveryZoneOfTheDatabase) {
  HEDDLE_NEEDS_ZONES();
  int loaded = 0;
  for (const char* region :
       {"Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Etc", "Indian", "Pacific"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(zone_database() / region)) {
      if (!entry.is_regular_file()) continue;
      const auto name = entry.path().lexically_relative(zone_database()).string();
      const auto zone = TimeZone::load(name, zone_database());
      EXPECT_TRUE(zone) << zone.error().message;
      ++loaded;
    }
  EXPECT_GT(loaded, 100);
}

TEST(TimeZone, ProvidesUtcWithoutADatabase) {
  const auto zone = TimeZone::load("UTC", "/nonexistent");
  ASSERT_TRUE(zone);
  EXPECT_EQ(zone->offset_at(utc("2026-07-01T00:00Z")), 0s);
}

TEST(TimeZone, MapsALocalTimeToItsInstants) {
  const TimeZone zone = zone_named(kBerlinRule);
  const auto plain = zone.to_utc(local("2026-07-01T12:00"));
  EXPECT_EQ(plain.kind, Kind::unique);
  EXPECT_EQ(plain.first, utc("2026-07-01T10:00Z"));
  const auto skipped = zone.to_utc(local("2026-03-29T02:30"));
  EXPECT_EQ(skipped.kind, Kind::skipped);
  EXPECT_EQ(skipped.first, utc("2026-03-29T01:00Z"));
  EXPECT_EQ(skipped.last, utc("2026-03-29T01:00Z"));
  const auto doubled = zone.to_utc(local("2026-10-25T02:30"));
  EXPECT_EQ(doubled.kind, Kind::doubled);
  EXPECT_EQ(doubled.first, utc("2026-10-25T00:30Z"));
  EXPECT_EQ(doubled.last, utc("2026-10-25T01:30Z"));
}

TEST(TimeZone, PutsTheEdgesOfAChangeOnTheRightSide) {
  const TimeZone zone = zone_named(kBerlinRule);
  EXPECT_EQ(zone.to_utc(local("2026-03-29T01:59:59")).kind, Kind::unique);
  EXPECT_EQ(zone.to_utc(local("2026-03-29T02:00")).kind, Kind::skipped);
  EXPECT_EQ(zone.to_utc(local("2026-03-29T03:00")).kind, Kind::unique);
  EXPECT_EQ(zone.to_utc(local("2026-10-25T01:59:59")).kind, Kind::unique);
  EXPECT_EQ(zone.to_utc(local("2026-10-25T02:00")).kind, Kind::doubled);
  EXPECT_EQ(zone.to_utc(local("2026-10-25T03:00")).kind, Kind::unique);
}

TEST(TimeZone, SkipsAWholeDayAtTheDateLine) {
  HEDDLE_NEEDS_ZONES();
  const auto noon = zone_named("Pacific/Apia").to_utc(local("2011-12-30T12:00"));
  EXPECT_EQ(noon.kind, Kind::skipped);
  EXPECT_EQ(noon.first, utc("2011-12-30T10:00Z"));
}

TEST(TimeZone, HoldsTheLastListedOffsetWhenThereIsNoRule) {
  const WrittenZone written{.changes = {{0, 1}, {1000, 0}}, .offsets = {3600, 7200}};
  auto history = parse_tzif(written.bytes());
  ASSERT_TRUE(history) << history.error().message;
  const TimeZone zone(*std::move(history));
  EXPECT_EQ(zone.offset_at(sys_seconds(-1s)), 1h);
  EXPECT_EQ(zone.offset_at(sys_seconds(0s)), 2h);
  EXPECT_EQ(zone.offset_at(sys_seconds(999s)), 2h);
  EXPECT_EQ(zone.offset_at(utc("9000-01-01T00:00Z")), 1h);
  EXPECT_EQ(zone.offset_at(sys_seconds::max()), 1h);
  EXPECT_EQ(zone.offset_at(sys_seconds::min()), 1h);
}

TEST(TimeZone, ReadsTheFirstVersionOfTheFormat) {
  const WrittenZone written{.version = '\0', .changes = {{-5, 1}}, .offsets = {0, -3600}};
  auto history = parse_tzif(written.bytes());
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_EQ(TimeZone(*history).offset_at(sys_seconds(-6s)), 0s);
  EXPECT_EQ(TimeZone(*history).offset_at(sys_seconds(-5s)), -1h);
}

TEST(TimeZone, ReadsChangesBeyondThirtyTwoBits) {
  const WrittenZone written{.changes = {{-(1LL << 59), 0}, {1LL << 34, 1}}, .offsets = {60, 120}};
  auto history = parse_tzif(written.bytes());
  // The 32-bit block holds the same numbers cut off; it is not read.
  ASSERT_TRUE(history) << history.error().message;
  EXPECT_EQ(TimeZone(*history).offset_at(sys_seconds(seconds((1LL << 34) - 1))), 60s);
  EXPECT_EQ(TimeZone(*history).offset_at(sys_seconds(seconds(1LL << 34))), 120s);
}

TEST(TimeZone, KeepsSummerAllYearWhenTheRuleSaysSo) {
  const TimeZone zone = zone_named("XXX3EDT4,0/0,J365/23");
  for (const char* time : {"2026-01-01T03:59Z", "2026-01-01T04:00Z", "2026-07-01T00:00Z",
                           "2026-12-31T23:59Z", "2028-12-31T12:00Z"})
    EXPECT_EQ(zone.offset_at(utc(time)), -4h) << time;
}

TEST(TimeZone, CountsDaysOfTheYearWithAndWithoutTheLeapDay) {
  const PosixRule rule = *parse_posix_rule("AAA0BBB,J60/0,60/0");
  EXPECT_EQ(rule.summer->start.in(std::chrono::year(2028)), local("2028-03-01T00:00"));
  EXPECT_EQ(rule.summer->end.in(std::chrono::year(2028)), local("2028-03-01T00:00"));
  EXPECT_EQ(rule.summer->start.in(std::chrono::year(2026)), local("2026-03-01T00:00"));
  EXPECT_EQ(rule.summer->end.in(std::chrono::year(2026)), local("2026-03-02T00:00"));
}

TEST(TimeZone, RefusesInvalidRules) {
  for (const char* text : {"",
                           "A",
                           "AB1",
                           "ABC",
                           "ABC1D",
                           "ABC1DEF",
                           "ABC1DEF,",
                           "ABC1DEF,M3.5.0",
                           "ABC25",
                           "ABC1:60",
                           "ABC1DEF,M13.1.0,M1.1.0",
                           "ABC1DEF,M3.6.0,M1.1.0",
                           "ABC1DEF,M3.1.7,M1.1.0",
                           "ABC1DEF,J0,J1",
                           "ABC1DEF,J366,J1",
                           "ABC1DEF,366,1",
                           "ABC1DEF,M3.1.0/168,M10.1.0",
                           "ABC1DEF,M3.1.0,M10.1.0x",
                           "<AB",
                           "<ABC1",
                           "ABC1DEF,M3.1.0,M10.1.0\n",
                           "ABC--1",
                           "ABC99999999999999999999"})
    EXPECT_FALSE(parse_posix_rule(text)) << text;
}

TEST(TimeZone, RefusesNamesOutsideTheDatabase) {
  for (const char* name : {"", "../etc/passwd", "/etc/passwd", "Europe/../UTC", ".", "a\0b", "ä"})
    EXPECT_FALSE(TimeZone::load(name, "/usr/share/zoneinfo")) << name;
}

TEST(TimeZone, SaysWhichZoneIsMissingOrDamaged) {
  const testing::TemporaryFolder folder;
  folder.write("Bad", "TZif2 and no more");
  std::filesystem::create_directory(folder.path() / "Folder");
  EXPECT_THAT(TimeZone::load("Gone", folder.path()).error().message,
              HasSubstr("time zone \"Gone\""));
  EXPECT_EQ(TimeZone::load("Gone", folder.path()).error().code, ErrorCode::not_found);
  EXPECT_EQ(TimeZone::load("Folder", folder.path()).error().code, ErrorCode::not_found);
  EXPECT_THAT(TimeZone::load("Bad", folder.path()).error().message, HasSubstr("damaged"));
}

TEST(TimeZone, RefusesDamagedFiles) {
  const WrittenZone good{.changes = {{0, 0}}, .offsets = {0}};
  EXPECT_EQ(complaint(good.bytes()), "none");
  EXPECT_THAT(complaint(WrittenZone{.changes = {{5, 0}, {5, 0}}}.bytes()), HasSubstr("order"));
  EXPECT_THAT(complaint(WrittenZone{.changes = {{5, 1}}}.bytes()), HasSubstr("unknown kind"));
  EXPECT_THAT(complaint(WrittenZone{.offsets = {100'000}}.bytes()), HasSubstr("wild offset"));
  EXPECT_THAT(complaint(WrittenZone{.offsets = {}}.bytes()), HasSubstr("kinds of time"));
  EXPECT_THAT(complaint(WrittenZone{.leaps = 1}.bytes()), HasSubstr("leap seconds"));
  EXPECT_THAT(complaint(WrittenZone{.footer = ""}.bytes()), HasSubstr("no rule"));
  EXPECT_THAT(complaint(WrittenZone{.footer = "\nCET-1"}.bytes()), HasSubstr("no end"));
  EXPECT_THAT(complaint(WrittenZone{.footer = "\nnonsense!\n"}.bytes()), HasSubstr("nonsense!"));
  EXPECT_THAT(complaint(std::string(100'000, 'x')), HasSubstr("too large"));
}

TEST(TimeZone, RefusesEveryCutOffFile) {
  const std::string whole =
      WrittenZone{.changes = {{0, 0}, {9, 1}}, .offsets = {0, 60}, .footer = "\nCET-1\n"}.bytes();
  ASSERT_EQ(complaint(whole), "none");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(complaint(whole.substr(0, length)), "none") << length;
}

TEST(ZoneCache, LoadsAZoneOnce) {
  const testing::TemporaryFolder folder;
  folder.write("Some/Where", WrittenZone{}.bytes());
  ZoneCache zones(folder.path());
  const auto first = zones.get("Some/Where");
  ASSERT_TRUE(first) << first.error().message;
  std::filesystem::remove(folder.path() / "Some/Where");
  const auto again = zones.get("Some/Where");
  ASSERT_TRUE(again);
  EXPECT_EQ(*first, *again);
  EXPECT_FALSE(zones.get("No/Where"));
}

}  // namespace
}  // namespace heddle::schedule
