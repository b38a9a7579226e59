"""Linux process trees from /proc, and the two prctl calls that keep a tree together."""

import ctypes
import os
from dataclasses import dataclass
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")

_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent(signal_number):
    """For preexec_fn: the child gets the signal when the bench itself is killed."""
    parent = os.getpid()

    def prepare():
        _libc.prctl(PR_SET_PDEATHSIG, int(signal_number), 0, 0, 0)
        if os.getppid() != parent:  # it died before the call above
            os._exit(125)

    return prepare


def adopt_orphans():
    """Orphaned descendants become our children, so that all of them are measured."""
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@dataclass(frozen=True)
class ProcessFacts:
    pid: int
    parent: int
    started: int  # identifies one process together with the pid
    cpu_seconds: float  # user + system, its own threads only
    rss_bytes: int
    is_zombie: bool


def read_facts(pid):
    """None when there is no such process (any more)."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return parse_stat(text)


def parse_stat(text):
    # The name in parentheses may hold spaces and parentheses: count from the last ")".
    pid = int(text[: text.index(" ")])
    fields = text[text.rindex(")") + 2 :].split()
    state, parent = fields[0], int(fields[1])
    ticks = int(fields[11]) + int(fields[12])
    return ProcessFacts(
        pid, parent, int(fields[19]), ticks / TICKS_PER_SECOND,
        int(fields[21]) * PAGE_SIZE, state in "ZX",
    )


def descendants(root, without=()):
    """Facts of all living descendants of `root`, leaving out the subtrees that start in `without`."""
    by_parent = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            facts = read_facts(int(entry))
            if facts is not None:
                by_parent.setdefault(facts.parent, []).append(facts)
    found, waiting = [], [root]
    while waiting:
        for facts in by_parent.get(waiting.pop(), ()):
            if facts.pid not in without:
                found.append(facts)
                waiting.append(facts.pid)
    return found


def pss_bytes(pid):
    """Proportional set size: shared pages are divided among their users. None when not readable."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return None
