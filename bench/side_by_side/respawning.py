"""How soon the next process runs after a `kill -9`: Heddle's supervision beside supervisord and s6.

All of them keep the same tiny program, which says its number into a pipe as soon as it runs. What is measured is the
time from the signal to that line, seen from outside.
"""

import os
import select
import shutil
import signal
import statistics
import subprocess
import time
from pathlib import Path

from .children import die_with_parent
from .google_benchmark import is_built

INSTALL = "apt-get install --no-install-recommends"
START_TIMEOUT = 20.0  # seconds for one start
KILL_INTERVAL = 0.3  # seconds between kills; some supervisors delay processes that die faster


class RespawnFailed(Exception):
    pass


class Heddle:
    """A host program of the supervise module with one slot and no spare."""

    name = "heddle"

    def __init__(self, build):
        self.program = Path(build) / "bench" / "respawn_host"

    def missing(self):
        return None if is_built(self.program) else f"{self.program} is not built"

    def command(self, _folder, child):
        return [str(self.program), *child]


class Supervisord:
    name = "supervisord"

    def missing(self):
        return None if shutil.which("supervisord") else f"{INSTALL} supervisor"

    def command(self, folder, child):
        settings = folder / "supervisord.conf"
        settings.write_text(
            f"[supervisord]\nnodaemon=true\nuser={os.getuid()}\nlogfile=/dev/null\nlogfile_maxbytes=0\n"
            f"pidfile={folder}/supervisord.pid\n[program:child]\ncommand={' '.join(child)}\n"
            "autorestart=true\nstartsecs=0\nstdout_logfile=/dev/null\nstderr_logfile=/dev/null\n")
        return ["supervisord", "-c", str(settings)]


class S6:
    name = "s6"

    def missing(self):
        return None if shutil.which("s6-supervise") else f"{INSTALL} s6"

    def command(self, folder, child):
        service = folder / "service"
        service.mkdir()
        run = service / "run"
        run.write_text(f"#!/bin/sh\nexec {' '.join(child)}\n")
        run.chmod(0o755)
        return ["s6-supervise", str(service)]


def measure_respawns(build, scratch, kills, contenders=None):
    """{"rows": [{"name", "kills", "median_ms", …}], "skipped": [{"name", "reason"}]}."""
    rows, skipped = [], []
    for contender in contenders or (Heddle(build), Supervisord(), S6()):
        why = contender.missing()
        if why is None:
            folder = Path(scratch) / f"respawn-{contender.name}"
            folder.mkdir()
            try:
                rows.append(figures(contender.name, kill_again_and_again(contender, folder, kills)))
                continue
            except (RespawnFailed, OSError) as failure:
                why = str(failure)
        skipped.append({"name": contender.name, "reason": why})
    return {"rows": rows, "skipped": skipped}


def figures(name, seconds):
    in_order = sorted(1000 * each for each in seconds)
    return {"name": name, "kills": len(in_order), "median_ms": statistics.median(in_order),
            "p90_ms": in_order[int(len(in_order) * 0.9)], "worst_ms": in_order[-1]}


def kill_again_and_again(contender, folder, kills):
    """Seconds from each SIGKILL to the first report of the next process."""
    pipe_name = folder / "pipe"
    os.mkfifo(pipe_name)
    child = folder / "child"
    child.write_text(f"#!/bin/sh\necho $$ > {pipe_name}\nexec sleep 1000000\n")
    child.chmod(0o755)
    pipe = os.open(pipe_name, os.O_RDWR | os.O_CLOEXEC)  # also for writing, so that it is never closed
    log = open(folder / "log", "wb")  # pylint: disable=consider-using-with
    supervisor = subprocess.Popen(contender.command(folder, [str(child)]), stdout=log, stderr=log,
                                  stdin=subprocess.DEVNULL, preexec_fn=die_with_parent(signal.SIGTERM))
    pid = None
    try:
        pid, _ = next_process(pipe, contender.name, supervisor)
        seconds = []
        for _ in range(kills):
            time.sleep(KILL_INTERVAL)
            begin = time.monotonic()
            os.kill(pid, signal.SIGKILL)
            pid, arrival = next_process(pipe, contender.name, supervisor)
            seconds.append(arrival - begin)
        return seconds
    finally:
        end(supervisor, pid)
        os.close(pipe)
        log.close()


def next_process(pipe, name, supervisor):
    """The pid of the process that has just started, and the time of its report."""
    limit = time.monotonic() + START_TIMEOUT
    while time.monotonic() < limit:
        readable, _, _ = select.select([pipe], [], [], 0.5)
        if readable:
            arrival = time.monotonic()
            return int(os.read(pipe, 64).split()[-1]), arrival
        if supervisor.poll() is not None:
            raise RespawnFailed(f"{name} ended with {supervisor.returncode}")
    raise RespawnFailed(f"{name} started nothing within {START_TIMEOUT:.0f} s")


def end(supervisor, pid):
    supervisor.terminate()
    try:
        supervisor.wait(5)
    except subprocess.TimeoutExpired:
        supervisor.kill()
        supervisor.wait()
    if pid is not None:
        try:
            os.kill(pid, signal.SIGKILL)  # s6 leaves its child running when it is stopped
        except ProcessLookupError:
            pass
