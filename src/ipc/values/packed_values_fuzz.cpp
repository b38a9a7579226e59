// First byte: which type, or 255 for a handshake; the rest: its bytes. Accepted bytes must be the
// only encoding of their value.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <tuple>

#include "control/all_message_values.hpp"
#include "ipc/handshake.hpp"

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

void check_handshake(std::string_view bytes) {
  const auto handshake = heddle::ipc::unpacked_handshake(bytes);
  if (handshake && handshake->version == heddle::ipc::kProtocolVersion)
    require(heddle::ipc::packed_handshake(*handshake) == bytes);
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
    check_handshake(bytes);
  else
    check_value(data[0] % kCount, bytes, std::make_index_sequence<kCount>());
  return 0;
}
