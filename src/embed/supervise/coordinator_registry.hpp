// Registers the one coordinator of this process for the process-wide functions. Thread-safe.
#pragma once

#include <memory>

#include "embed/supervise/coordinator_impl.hpp"

namespace heddle::embed {

using CoordinatorImpl = CoordinatorAccess::Impl;

// False: the process already has one.
bool register_coordinator(const std::shared_ptr<CoordinatorImpl>& impl);
void unregister_coordinator(const CoordinatorImpl* impl);

// nullptr: this process has none. A forked child does not inherit it.
std::shared_ptr<CoordinatorImpl> find_coordinator();

}  // namespace heddle::embed
