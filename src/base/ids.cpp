#include "base/ids.hpp"

#include <random>

namespace heddle {

namespace {

constexpr char kAlphabet[] = "0123456789abcdefghjkmnpqrstvwxyz";  // without i, l, o, u

// Per thread and seeded from the kernel: two processes never continue the same sequence.
std::mt19937_64& random_source() {
  thread_local std::mt19937_64 source = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  return source;
}

}  // namespace

std::string make_unique_id(WallTime now) {
  std::string id(26, '0');
  auto time = static_cast<std::uint64_t>(now.time_since_epoch().count());
  for (int i = 9; i >= 0; --i, time >>= 5) id[static_cast<std::size_t>(i)] = kAlphabet[time & 31];
  std::uint64_t random = random_source()();
  for (std::size_t i = 10; i < id.size(); ++i) {
    if (i == 18) random = random_source()();
    id[i] = kAlphabet[random & 31];
    random >>= 5;
  }
  return id;
}

}  // namespace heddle
