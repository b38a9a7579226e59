#include "config/read/values/text_budget.hpp"

namespace heddle::config {

namespace {

constexpr std::size_t kSettingOverhead = 512;  // the setting, its place in the map, small texts
constexpr std::size_t kTextOverhead = 48;

}  // namespace

// The value itself is held by the setting and once more by the job.
std::size_t memory_of(const Setting& setting) {
  return kSettingOverhead + setting.label.size() + setting.written.size() +
         3 * setting.effective.size();
}

std::size_t memory_of(const Settings& settings) {
  std::size_t sum = 0;
  for (const auto& [path, setting] : settings) sum += path.size() + memory_of(setting);
  return sum;
}

std::size_t memory_of(const std::vector<Secret>& secrets) {
  std::size_t sum = 0;
  for (const Secret& secret : secrets)
    sum += 2 * kTextOverhead + secret.shown.size() + secret.value.size();
  return sum;
}

std::size_t memory_of(const Job& job) {
  std::size_t sum = memory_of(job.secrets);
  for (const std::string& url : job.urls) sum += kTextOverhead + url.size();
  for (const auto& [name, value] : job.program.file_env)
    sum += 2 * kTextOverhead + name.size() + value.size();
  return sum;
}

}  // namespace heddle::config
