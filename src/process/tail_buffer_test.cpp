#include "process/tail_buffer.hpp"

#include <gtest/gtest.h>

namespace heddle::process {
namespace {

TEST(TailBuffer, KeepsTheLastBytesOfAnyPieces) {
  std::string all;
  TailBuffer tail(10);
  for (int i = 0; i < 200; ++i) {
    const std::string piece(static_cast<std::size_t>(i % 13), static_cast<char>('a' + i % 26));
    all += piece;
    tail.append(piece);
    EXPECT_EQ(tail.text(), all.substr(all.size() - std::min<std::size_t>(all.size(), 10)));
  }
}

TEST(TailBuffer, AcceptsALimitOfZero) {
  TailBuffer tail(0);
  tail.append("abc");
  EXPECT_EQ(tail.text(), "");
}

}  // namespace
}  // namespace heddle::process
