// Validates the descriptors that a child inherits and sorts them as start_child() expects. Plain
// value.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "process/spawn.hpp"
#include "process/start_child.hpp"

namespace heddle::process {

class DescriptorList {
 public:
  // `bad_input` when a number is negative or given twice.
  static Result<DescriptorList> make(const std::vector<InheritedDescriptor>& handed);

  DescriptorPlan plan();  // points into this object

 private:
  std::vector<DescriptorMove> moves_;
  std::vector<int> sources_;
  std::vector<int> targets_;
};

}  // namespace heddle::process
