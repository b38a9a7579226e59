// The descriptors handed to a child, checked and put into the order start_child() wants. Plain
// value.
#pragma once

#include <vector>

#include "base/result.hpp"
#include "process/spawn.hpp"
#include "process/start_child.hpp"

namespace heddle::process {

class DescriptorList {
 public:
  // `bad_input` when a number is negative or handed twice.
  static Result<DescriptorList> make(const std::vector<HandedDescriptor>& handed);

  DescriptorPlan plan();  // points into this object

 private:
  std::vector<DescriptorMove> moves_;
  std::vector<int> sources_;
  std::vector<int> targets_;
};

}  // namespace heddle::process
