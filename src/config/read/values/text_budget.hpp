// Limits for the memory that a project's files can demand: small files can name large texts many
// times. Pure.
#pragma once

#include <cstddef>

#include "config/settings.hpp"
#include "model/job/job.hpp"

namespace heddle::config {

struct TextLimits {
  std::size_t value = std::size_t{1} << 20;    // filled into one text
  std::size_t job = std::size_t{8} << 20;      // filled into all texts of a job or of heddle.toml
  std::size_t project = std::size_t{1} << 30;  // memory of all jobs, estimated
  std::size_t urls = std::size_t{1} << 20;     // count of one job
  std::size_t listed_problems = 100;           // of one list of URLs
};
inline constexpr TextLimits kTextLimits;

// Estimated bytes of memory.
std::size_t memory_of(const Setting& setting);
std::size_t memory_of(const Settings& settings);
std::size_t memory_of(const std::vector<Secret>& secrets);
// Without what the job's settings hold.
std::size_t memory_of(const Job& job);

}  // namespace heddle::config
