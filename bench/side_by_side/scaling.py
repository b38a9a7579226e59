"""The reference work with one, two and four worker processes of Heddle's daemon.

A job's pages stay with one worker, so the pages are shared out to several jobs of the same size, each with all repeats
of its own pages: together they find as many links as the one job of the reference work.
"""

import json
import shutil
import signal
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from .children import descendants, die_with_parent, read_facts
from .contenders.heddle import JOB_CONFIG

JOBS = 4
WORKERS = (1, 2, 4)
LONGER = 4  # times as many repeats: a short run would mostly measure its start and end
READY_SECONDS = 20.0
PROJECT = """\
reload = "manual"

[daemon]
processes = {workers}

[network]
allow = ["127.0.0.1"]

[limits]
per_host = {concurrency}
pages_per_run = {pages}
"""


class DaemonFailed(Exception):
    pass


@dataclass(frozen=True)
class ScalingPlan:
    program: Path
    page_set: object
    base_url: str
    repeats: int
    concurrency: int
    rounds: int
    scratch: Path
    timeout: float


def measure_scaling(plan, progress):
    """{"rows": [{"workers", "pages_per_second", "pages_per_cpu_second", "times_one_worker"}]} or {"missing": why}."""
    found = {workers: [] for workers in WORKERS}
    try:
        for number in range(plan.rounds):
            for workers in WORKERS:
                found[workers].append(run_once(plan, workers))
                speed = found[workers][-1]["pages_per_second"]
                progress(f"round {number + 1}/{plan.rounds}  {workers} worker(s): {speed:.1f} pages/s")
    except (DaemonFailed, OSError, ValueError, KeyError, subprocess.SubprocessError) as failure:
        return {"missing": str(failure)}
    return {"jobs": JOBS, "rows": [summary(workers, found) for workers in WORKERS]}


def summary(workers, found):
    def median(figure):
        return statistics.median(one[figure] for one in found[workers])

    # Rounds are compared with their own one-worker run, because the speed of the machine drifts.
    ratios = [one["pages_per_second"] / base["pages_per_second"] for one, base in zip(found[workers], found[1])]
    return {
        "workers": workers,
        "pages_per_second": median("pages_per_second"),
        "pages_per_cpu_second": median("pages_per_cpu_second"),
        "times_one_worker": statistics.median(ratios),
    }


def run_once(plan, workers):
    folder = plan.scratch / "scaling"
    shutil.rmtree(folder, ignore_errors=True)
    write_project(plan, workers, folder)
    with open(plan.scratch / "scaling.log", "wb") as log:
        daemon = subprocess.Popen([plan.program, "--project", folder, "up"], stdin=subprocess.DEVNULL, stdout=log,
                                  stderr=log, preexec_fn=die_with_parent(signal.SIGKILL))
    try:
        wait_until_ready(plan, folder, workers)
        return measure_jobs(plan, folder, daemon.pid)
    finally:
        daemon.terminate()
        daemon.wait(timeout=plan.timeout)


def write_project(plan, workers, folder):
    each = max(1, plan.concurrency // JOBS)
    for number, urls in enumerate(shared_out(plan)):
        job = folder / "jobs" / f"links{number}"
        job.mkdir(parents=True)
        (job / "urls.txt").write_text("".join(url + "\n" for url in urls), encoding="utf-8")
        text = JOB_CONFIG.format(job=job.name, concurrency=each)
        (job / "config.toml").write_text(text, encoding="utf-8")
    pages = plan.repeats * len(plan.page_set.names) + 1
    text = PROJECT.format(workers=workers, concurrency=plan.concurrency, pages=pages)
    (folder / "heddle.toml").write_text(text, encoding="utf-8")


def shared_out(plan):
    urls = plan.page_set.urls(plan.base_url, plan.repeats)
    owners = owners_of_pages(plan.page_set)  # one repeat after the other, each in the order of the names
    return [[url for index, url in enumerate(urls) if owners[index % len(owners)] == job] for job in range(JOBS)]


def owners_of_pages(page_set):
    """Assigns pages to jobs with about as many bytes each: a larger job would keep its worker busy alone."""
    sizes = [(page_set.folder / name).stat().st_size for name in page_set.names]
    owners, loads = [0] * len(sizes), [0] * JOBS
    for index in sorted(range(len(sizes)), key=lambda each: -sizes[each]):
        job = loads.index(min(loads))
        owners[index] = job
        loads[job] += sizes[index]
    return owners


def wait_until_ready(plan, folder, workers):
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        command = [plan.program, "--project", folder, "workers", "--json"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=READY_SECONDS, check=False)
        if run.returncode == 0 and len(list_of_workers(run.stdout)) == workers:
            return
        time.sleep(0.02)
    raise DaemonFailed(f"heddle up --processes {workers} was not ready after {READY_SECONDS:.0f} s")


def list_of_workers(text):
    return [row for row in json.loads(text) if row["state"] == "ready"]


def measure_jobs(plan, folder, daemon):
    cpu, start = cpu_seconds(daemon), time.monotonic()
    jobs = [
        subprocess.Popen([plan.program, "--project", folder, "run", f"links{number}", "--json"],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for number in range(JOBS)
    ]
    reports = [json.loads(job.communicate(timeout=plan.timeout)[0]) for job in jobs]
    wall, cpu = time.monotonic() - start, cpu_seconds(daemon) - cpu
    done, wanted = sum(r["pages"]["done"] for r in reports), plan.repeats * len(plan.page_set.names)
    if done != wanted:
        raise DaemonFailed(f"did {done} of {wanted} pages")
    return {"pages_per_second": done / wall, "pages_per_cpu_second": done / max(cpu, 1e-9)}


def cpu_seconds(daemon):
    own = read_facts(daemon)
    if own is None:
        raise DaemonFailed("the daemon died")
    return own.cpu_seconds + sum(facts.cpu_seconds for facts in descendants(daemon))
