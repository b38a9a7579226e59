"""Runs one command and measures its whole process tree from outside."""

import os
import select
import signal
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from .children import descendants, die_with_parent, pss_bytes
from .noise import NoiseMeter

SAMPLE_SECONDS = 0.05
SAMPLES_PER_PSS = 5  # expensive: the kernel walks every page table entry
ORPHAN_SECONDS = 2.0


@dataclass
class Measurement:
    exit_code: int = 0  # negative: ended by that signal
    timed_out: bool = False
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0  # user + system, all processes of the tree
    peak_rss_bytes: int = 0  # highest sum over the tree; pages shared by processes count for each
    peak_pss_bytes: int = 0  # highest sum over the tree; shared pages are divided; 0: not readable
    most_processes: int = 0
    left_behind: int = 0  # processes that outlived the command
    others_share: float = 0.0  # of all cores' time, used by unrelated programs

    def as_json(self):
        return asdict(self)


class TreeSampler:
    """Collects peaks of a process tree. CPU time is kept per process, so that exited ones count as well."""

    def __init__(self, without):
        self.without = set(without)
        self.peak_rss = 0
        self.peak_pss = 0
        self.most_processes = 0
        self._cpu = {}
        self._samples = 0

    def living(self):
        return [f for f in descendants(os.getpid(), self.without) if not f.is_zombie]

    def sample(self):
        tree = self.living()
        for facts in tree:
            self._cpu[(facts.pid, facts.started)] = facts.cpu_seconds
        self.most_processes = max(self.most_processes, len(tree))
        self.peak_rss = max(self.peak_rss, sum(facts.rss_bytes for facts in tree))
        if self._samples % SAMPLES_PER_PSS == 0:
            self.peak_pss = max(self.peak_pss, sum(pss_bytes(facts.pid) or 0 for facts in tree))
        self._samples += 1

    @property
    def cpu_seconds(self):
        return sum(self._cpu.values())


def measure(command, folder, *, timeout=900.0, without=(), env=None):
    """Output goes to `folder`/stdout and stderr. `without`: pids that are ours but not the command's.

    The caller has called adopt_orphans(), so that every process of the tree stays below us.
    """
    folder = Path(folder)
    result, sampler, noise = Measurement(), TreeSampler(without), NoiseMeter(without)
    with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
        started = time.monotonic()
        process = subprocess.Popen(
            command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
            preexec_fn=die_with_parent(signal.SIGKILL), start_new_session=True,
        )
    try:
        result.timed_out = not watch(process.pid, sampler, started + timeout)
        if result.timed_out:
            kill_all(sampler)
        _, status, usage = os.wait4(process.pid, 0)
        result.wall_seconds = time.monotonic() - started
        process.returncode = result.exit_code = os.waitstatus_to_exitcode(status)
    except BaseException:
        kill_all(sampler)
        process.wait()
        raise
    result.left_behind, orphans_cpu = end_orphans(sampler)
    # rusage is exact for every reaped process; the samples also include processes never waited for.
    result.cpu_seconds = max(usage.ru_utime + usage.ru_stime + orphans_cpu, sampler.cpu_seconds)
    result.peak_rss_bytes = max(sampler.peak_rss, usage.ru_maxrss * 1024)
    result.peak_pss_bytes = sampler.peak_pss
    result.most_processes = max(sampler.most_processes, 1)
    result.others_share = noise.others_share(result.cpu_seconds)
    return result


def watch(pid, sampler, deadline):
    """Samples until the process ends: true. False when the deadline comes first."""
    handle = os.pidfd_open(pid)
    try:
        while time.monotonic() < deadline:
            ended, _, _ = select.select([handle], [], [], SAMPLE_SECONDS)
            if ended:
                return True
            sampler.sample()
        return False
    finally:
        os.close(handle)


def kill_all(sampler):
    for facts in sampler.living():
        try:
            os.kill(facts.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def end_orphans(sampler):
    """Processes left by the command: their number and CPU seconds."""
    deadline = time.monotonic() + ORPHAN_SECONDS
    cpu = reap(sampler)
    while sampler.living() and time.monotonic() < deadline:
        time.sleep(0.02)
        cpu += reap(sampler)
    left = len(sampler.living())
    kill_deadline = time.monotonic() + ORPHAN_SECONDS
    while sampler.living() and time.monotonic() < kill_deadline:
        kill_all(sampler)
        time.sleep(0.02)
        cpu += reap(sampler)
    return left, cpu + reap(sampler)


def reap(sampler):
    """Reaps dead adopted children only: other children belong to the code that started them."""
    cpu = 0.0
    for facts in descendants(os.getpid(), sampler.without):
        if facts.is_zombie and facts.parent == os.getpid():
            _, _, usage = os.wait4(facts.pid, 0)
            cpu += usage.ru_utime + usage.ru_stime
    return cpu
