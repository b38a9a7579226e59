// First byte: which value, or 255 for a hello; the rest: its bytes. What is not refused is a value
// with one spelling.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <tuple>

#include "ipc/values/all_values.hpp"
#include "ipc/version.hpp"

namespace {

using heddle::ipc::testing::AllValues;

constexpr std::uint8_t kHello = 255;

void require(bool condition) {
  if (!condition) std::abort();
}

template <class T>
void check(std::string_view bytes) {
  const auto value = heddle::ipc::unpacked<T>(bytes);
  require(!value || heddle::ipc::packed(*value) == bytes);
}

void check_hello(std::string_view bytes) {
  const auto hello = heddle::ipc::unpacked_hello(bytes);
  if (hello && hello->version == heddle::ipc::kProtocolVersion)
    require(heddle::ipc::packed_hello(*hello) == bytes);
}

template <std::size_t... I>
void check_value(std::size_t chosen, std::string_view bytes, std::index_sequence<I...> /*all*/) {
  ((chosen == I ? check<std::tuple_element_t<I, AllValues>>(bytes) : void()), ...);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kCount = std::tuple_size_v<AllValues>;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == kHello)
    check_hello(bytes);
  else
    check_value(data[0] % kCount, bytes, std::make_index_sequence<kCount>());
  return 0;
}
