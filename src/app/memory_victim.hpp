// Who ends first when the machine runs out of memory.
#pragma once

namespace heddle::app {

// The kernel is to choose this process before the one that started it: a worker is replaced and its
// job judged, the daemon would take everybody with it. Where that cannot be said nothing changes.
void end_before_the_daemon_when_memory_is_short();

}  // namespace heddle::app
