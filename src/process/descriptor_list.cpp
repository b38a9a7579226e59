#include "process/descriptor_list.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <unistd.h>

namespace heddle::process {

namespace {

void sort_unique(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

Result<DescriptorList> DescriptorList::make(const std::vector<InheritedDescriptor>& handed) {
  DescriptorList list;
  for (const auto& [ours, number] : handed) {
    if (ours < 0 || number < 0)
      return Error{ErrorCode::bad_input, fmt::format("descriptor {} as {}", ours, number)};
    list.moves_.push_back({ours, number});
    list.sources_.push_back(ours);
    list.targets_.push_back(number);
  }
  sort_unique(list.sources_);
  sort_unique(list.targets_);
  if (list.targets_.size() != list.moves_.size())
    return Error{ErrorCode::bad_input, "one descriptor number is handed twice"};
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    list.targets_.push_back(stream);
  sort_unique(list.targets_);
  return list;
}

DescriptorPlan DescriptorList::plan() {
  return {moves_.data(),   moves_.size(),   sources_.data(),
          sources_.size(), targets_.data(), targets_.size()};
}

}  // namespace heddle::process
