// Adjusts which process the kernel kills first when memory runs out.
#pragma once

namespace heddle::app {

// Makes the kernel kill this process before its parent: the daemon replaces a worker, but killing
// the daemon ends all of them. Ignores failures.
void raise_oom_score();

}  // namespace heddle::app
