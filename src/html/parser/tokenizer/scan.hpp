// Finds the next of a set of bytes, sixteen at a time with SSE2.
#pragma once

#include <bit>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace heddle::html::parser {

#ifdef __SSE2__
template <char First, char... Others>
inline __m128i equals_any(__m128i block) {
  const __m128i hits = _mm_cmpeq_epi8(block, _mm_set1_epi8(First));
  if constexpr (sizeof...(Others) == 0)
    return hits;
  else
    return _mm_or_si128(hits, equals_any<Others...>(block));
}
#endif

// The first of the given bytes in [at, end), or end.
template <char... Bytes>
inline const char* find_any(const char* at, const char* end) {
#ifdef __SSE2__
  for (; end - at >= 16; at += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(equals_any<Bytes...>(block)));
    if (mask != 0) return at + std::countr_zero(mask);
  }
#endif
  while (at != end && ((*at != Bytes) && ...)) ++at;
  return at;
}

// The first byte that is not ASCII, or is a carriage return.
inline const char* skip_plain_ascii(const char* at, const char* end) {
#ifdef __SSE2__
  for (; end - at >= 16; at += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i bad = _mm_or_si128(block, equals_any<'\r'>(block));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(bad));
    if (mask != 0) return at + std::countr_zero(mask);
  }
#endif
  while (at != end && static_cast<unsigned char>(*at) < 0x80 && *at != '\r') ++at;
  return at;
}

}  // namespace heddle::html::parser
