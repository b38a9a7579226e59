#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "control/all_message_values.hpp"
#include "ipc/values/random_value.hpp"
#include "ipc/values/same_value.hpp"

namespace heddle::ipc {
namespace {

using testing::Random;
using testing::random_value;

// Operations on one packed type. Function pointers, so that each is compiled once per type.
struct ValueKind {
  std::string name;              // as the compiler spells it
  std::string (*make)(Random&);  // bytes of a random value
  bool (*round_trips)(Random&);  // a random value survives packing and unpacking
  std::optional<std::string> (*pack_again)(std::string_view);  // nullopt: rejected
  std::size_t min_bytes;
};

template <class T>
ValueKind kind_of() {
  return {
      __PRETTY_FUNCTION__,
      [](Random& random) { return packed(random_value<T>(random)); },
      [](Random& random) {
        const auto value = random_value<T>(random);
        const auto back = unpacked<T>(packed(value));
        return back && testing::same(*back, value);
      },
      [](std::string_view bytes) -> std::optional<std::string> {
        const auto value = unpacked<T>(bytes);
        if (!value) return std::nullopt;
        return packed(*value);
      },
      kMinBytes<T>,
  };
}

template <class... Values>
std::vector<ValueKind> kinds_of(std::type_identity<std::tuple<Values...>> /*list*/) {
  return {kind_of<Values>()...};
}

struct ThreeFields {
  std::string text;
  std::vector<int> numbers{1};
  std::optional<Hash128> hash{};
};
static_assert(field_count<ThreeFields>() == 3);
static_assert(field_count<Run>() == std::tuple_size_v<FieldsOf<Run>>);
struct FieldAfterArray {
  std::array<int, 16> numbers{};
  bool flag = false;
};
static_assert(field_count<FieldAfterArray>() == 2, "an array is one field");
static_assert(field_count<Done>() == 0);
static_assert(!Struct<std::array<int, 3>> && !Struct<std::string> && !Struct<std::vector<int>>);
static_assert(Struct<std::pair<int, bool>>);
static_assert(enum_count<Stage>() == kStageCount);

TEST(Fields, ReferToTheStructInTheOrderOfItsDeclaration) {
  ThreeFields value{"a", {2, 3}, Hash128{4, 5}};
  const auto& [text, numbers, hash] = fields_of(value);
  EXPECT_EQ(&text, &value.text);
  EXPECT_EQ(&numbers, &value.numbers);
  EXPECT_EQ(&hash, &value.hash);
}

void with_every_kind(void (*check)(const ValueKind& kind, Random& random)) {
  for (const ValueKind& kind : kinds_of(std::type_identity<testing::AllValues>())) {
    SCOPED_TRACE(kind.name);
    Random random(1);
    check(kind, random);
  }
}

TEST(PackedValue, RoundTrips) {
  with_every_kind([](const ValueKind& kind, Random& random) {
    for (int round = 0; round < 300; ++round) ASSERT_TRUE(kind.round_trips(random));
  });
}

TEST(PackedValue, HasOneEncoding) {
  with_every_kind([](const ValueKind& kind, Random& random) {
    for (int round = 0; round < 100; ++round) {
      const std::string bytes = kind.make(random);
      ASSERT_EQ(kind.pack_again(bytes), bytes);
      ASSERT_GE(bytes.size(), kind.min_bytes);
    }
  });
}

TEST(PackedValue, IsRejectedWhenTruncated) {
  with_every_kind([](const ValueKind& kind, Random& random) {
    for (int round = 0; round < 20; ++round) {
      const std::string bytes = kind.make(random);
      for (std::size_t length = 0; length < bytes.size(); ++length) {
        const std::string start =
            bytes.substr(0, length);  // on its own: the sanitizer sees its end
        ASSERT_FALSE(kind.pack_again(start)) << length << " of " << bytes.size();
      }
    }
  });
}

TEST(PackedValue, IsRejectedWithTrailingBytes) {
  with_every_kind([](const ValueKind& kind, Random& random) {
    for (int round = 0; round < 20; ++round)
      ASSERT_FALSE(kind.pack_again(kind.make(random) + '\0'));
  });
}

TEST(PackedValue, IsRejectedOrAnotherValueWithFlippedBits) {
  with_every_kind([](const ValueKind& kind, Random& random) {
    for (int round = 0; round < 2000; ++round) {
      std::string bytes = kind.make(random);
      for (std::size_t flips = bytes.empty() ? 0 : 1 + random() % 3; flips > 0; --flips)
        bytes[random() % bytes.size()] ^= static_cast<char>(1U << (random() % 8));
      ASSERT_EQ(kind.pack_again(bytes).value_or(bytes), bytes);
    }
  });
}

TEST(PackedValue, IsRejectedOrAnotherValueWithRandomBytes) {
  with_every_kind([](const ValueKind& kind, Random& random) {
    for (int round = 0; round < 2000; ++round) {
      std::string bytes(random() % 100, '\0');
      for (char& byte : bytes)
        byte = static_cast<char>(random() % 4 == 0 ? random() : random() % 3);
      ASSERT_EQ(kind.pack_again(bytes).value_or(bytes), bytes);
    }
  });
}

std::string list_claiming(std::uint64_t count, std::size_t bytes_that_follow) {
  Packer packer;
  packer.number(count);
  return packer.take() + std::string(bytes_that_follow, '\0');
}

TEST(PackedList, CannotClaimMoreElementsThanFollow) {
  Unpacker unpacker("\x7F\0\0");
  std::vector<Hash128> hashes;
  unpack(unpacker, hashes);
  EXPECT_FALSE(unpacker.is_ok());
  EXPECT_EQ(hashes.capacity(), 0U);
}

TEST(PackedList, CannotUseManyTimesTheMemoryOfItsBytes) {
  constexpr std::size_t kEmptyItems = 4'000'000;
  const std::string bytes = list_claiming(kEmptyItems, kEmptyItems * kMinBytes<Item>);
  Unpacker unpacker(bytes);
  std::vector<Item> items;
  unpack(unpacker, items);
  EXPECT_FALSE(unpacker.is_ok());
  EXPECT_EQ(items.capacity(), 0U);
  constexpr std::size_t kFewerItems = 400'000;
  EXPECT_TRUE(unpacked<std::vector<Item>>(list_claiming(kFewerItems, 3 * kFewerItems)));
}

TEST(PackedMap, MustHaveItsKeysInOrder) {
  using Map = std::map<std::string, bool>;
  std::vector<std::pair<std::string, bool>> entries{{"a", true}, {"b", false}};
  EXPECT_TRUE(unpacked<Map>(packed(entries)));
  std::swap(entries[0], entries[1]);
  EXPECT_FALSE(unpacked<Map>(packed(entries)));
  entries[1] = entries[0];
  EXPECT_FALSE(unpacked<Map>(packed(entries)));
}

TEST(PackedEnum, IsRejectedBeyondItsLastValue) {
  EXPECT_TRUE(unpacked<RunState>(packed(RunState::limited)));
  EXPECT_FALSE(unpacked<RunState>(packed(static_cast<RunState>(9))));
  EXPECT_FALSE(unpacked<RunState>(packed(static_cast<RunState>(-1))));
}

TEST(PackedNumber, IsRejectedWhenItDoesNotFit) {
  EXPECT_TRUE(unpacked<std::uint16_t>(packed(65'535U)));
  EXPECT_FALSE(unpacked<std::uint16_t>(packed(65'536U)));
  EXPECT_TRUE(unpacked<int>(packed(std::int64_t{-2'147'483'648})));
  EXPECT_FALSE(unpacked<int>(packed(std::int64_t{-2'147'483'649})));
}

TEST(PackedResult, CarriesTheError) {
  const Result<Task> failed = Error{ErrorCode::conflict, "too late"};
  const auto back = unpacked<Result<Task>>(packed(failed));
  ASSERT_TRUE(back && !*back);
  EXPECT_EQ(back->error().code, ErrorCode::conflict);
  EXPECT_EQ(back->error().message, "too late");
  EXPECT_EQ(unpacked<Result<Task>>("gibberish").error().code, ErrorCode::corrupt);
  const auto task = unpacked<Result<Task>>(packed(Result<Task>(Task{{}, 7, "u"})));
  EXPECT_EQ((*task)->url, "u");
}

static_assert(enum_count<ErrorCode>() == std::size_t(ErrorCode::corrupt) + 1);
static_assert(enum_count<RunState>() == std::size_t(RunState::limited) + 1);
static_assert(kMinBytes<Field> == 2);
static_assert(kMinBytes<KeyedItem> == 16 + 3);

}  // namespace
}  // namespace heddle::ipc
