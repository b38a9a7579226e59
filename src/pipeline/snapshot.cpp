#include "pipeline/snapshot.hpp"

#include <zstd.h>

namespace heddle::pipeline {

namespace {

// Level 1: three times as fast as 3 on real pages for a tenth more space.
constexpr int kCompressionLevel = 1;

}  // namespace

Hash128 content_hash(const JobId& job, std::string_view body) {
  return hash128(body, hash64(job.text));
}

Result<std::string> compress(std::string_view body) {
  std::string out(ZSTD_compressBound(body.size()), '\0');
  const std::size_t size =
      ZSTD_compress(out.data(), out.size(), body.data(), body.size(), kCompressionLevel);
  if (ZSTD_isError(size) != 0)
    return Error{ErrorCode::bug, std::string("zstd: ") + ZSTD_getErrorName(size)};
  out.resize(size);
  out.shrink_to_fit();
  return out;
}

}  // namespace heddle::pipeline
