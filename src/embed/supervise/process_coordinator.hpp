// The one coordinator of this process, for the functions that name none. Thread-safe.
#pragma once

#include <memory>

#include "embed/supervise/coordinator_impl.hpp"

namespace heddle::embed {

using CoordinatorImpl = CoordinatorAccess::Impl;

// False: there is one already.
bool announce_coordinator(const std::shared_ptr<CoordinatorImpl>& impl);
void withdraw_coordinator(const CoordinatorImpl* impl);

// nullptr: this process has none, even if the one it was forked from has.
std::shared_ptr<CoordinatorImpl> find_coordinator();

}  // namespace heddle::embed
