"""CPU time used by unrelated processes during a run: above a few percent, wall times mean little."""

import os
import time
from pathlib import Path

from .children import TICKS_PER_SECOND, descendants, read_facts

IDLE_FIELDS = (3, 4)  # idle, iowait
COUNTED_FIELDS = 7  # user … softirq; guest time is already in user, steal never was ours


def busy_seconds(text):
    """CPU seconds of the whole machine since boot, from the text of /proc/stat."""
    fields = [int(field) for field in text.split("\n", 1)[0].split()[1 : 1 + COUNTED_FIELDS]]
    return sum(t for i, t in enumerate(fields) if i not in IDLE_FIELDS) / TICKS_PER_SECOND


class NoiseMeter:
    """Counts from its creation. `helpers`: processes that serve the run, like the web server."""

    def __init__(self, helpers):
        self.helpers = helpers
        self.started = time.monotonic()
        self.busy = busy_seconds(Path("/proc/stat").read_text(encoding="ascii"))
        self.ours = self._ours()

    def _ours(self):
        pids = [*self.helpers, *(f.pid for h in self.helpers for f in descendants(h))]
        facts = [f for f in map(read_facts, pids) if f is not None]
        return time.process_time() + sum(f.cpu_seconds for f in facts)

    def others_share(self, measured_cpu_seconds):
        """Of all cores' time, the part taken by neither the measured tree, its helpers nor the bench."""
        wall = time.monotonic() - self.started
        busy = busy_seconds(Path("/proc/stat").read_text(encoding="ascii")) - self.busy
        others = busy - measured_cpu_seconds - (self._ours() - self.ours)
        return max(0.0, others) / (wall * os.cpu_count())
