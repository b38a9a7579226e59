// Alone in its file: the installed library uses schedules but links no hash library.
#include "base/hash.hpp"
#include "schedule/schedule.hpp"

namespace heddle::schedule {

std::uint64_t seed_of(const JobId& job) {
  return hash64(job.text);
}

}  // namespace heddle::schedule
