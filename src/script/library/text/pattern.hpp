// Compiles a Lua pattern into items for the matcher. Lua reports an error in a pattern only when
// matching reaches it, so an error becomes an item too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "script/library/text/byte_set.hpp"

namespace heddle::script {

enum class PatternOp : std::uint8_t {
  bytes,           // one byte of a set, as often as `repeat` says
  open,            // a capture begins
  close,           // a capture ends
  position,        // a position capture
  end_of_text,     // "$" at the end
  balanced,        // %bxy
  frontier,        // %f[set]
  back_reference,  // %1
  malformed,
  finish,
};

enum class Repeat : std::uint8_t { once, optional, greedy, greedy_once_or_more, lazy };

struct PatternItem {
  PatternOp op = PatternOp::finish;
  Repeat repeat = Repeat::once;
  std::uint8_t first = 0;   // balanced: the opening byte; captures: which one; bytes: see is_byte
  std::uint8_t second = 0;  // balanced: the closing byte
  bool is_byte = false;     // bytes: exactly the byte `first`
  const ByteSet* set = nullptr;   // bytes, frontier
  const ByteSet* next = nullptr;  // the bytes that can follow this item; nullptr: any
  const char* error = nullptr;    // malformed
};

constexpr std::size_t kMaxCaptures = 32;

struct Pattern {
  const PatternItem* items = nullptr;
  std::uint32_t captures = 0;
  bool is_anchored = false;
  const ByteSet* first = nullptr;  // the bytes that a match can begin with; nullptr: any
};

// Whether "^" at the start is an anchor, or a literal character as in gmatch.
enum class Anchor { allowed, literal };

// The most memory that compile_pattern needs, aligned for pointers; the Pattern points into it.
std::size_t pattern_bytes(std::string_view text);
// The same for any pattern of this size: a set takes at least three bytes.
constexpr std::size_t max_pattern_bytes(std::size_t size) {
  return (size + 1) * sizeof(PatternItem) + (size / 3 + 1) * sizeof(ByteSet);
}
Pattern compile_pattern(std::string_view text, Anchor anchor, void* memory);

}  // namespace heddle::script
