"""Runs a Google Benchmark program and reads its JSON."""

import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

RUN_SECONDS = 900


class BenchFailed(Exception):
    pass


@dataclass(frozen=True)
class BenchRow:
    name: str
    nanoseconds: float  # CPU time of one iteration
    bytes_per_second: float  # 0: the bench does not say
    rates: dict  # what else it counts per second: {"items/s": 90000.0}

    def as_json(self):
        return {"name": self.name, "nanoseconds": self.nanoseconds,
                "bytes_per_second": self.bytes_per_second, "rates": self.rates}


NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def is_built(program):
    return Path(program).is_file() and os.access(program, os.X_OK)


def run_program(program, *arguments, env=None):
    command = [str(program), *arguments]
    environment = {**os.environ, **(env or {})}
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=RUN_SECONDS,
                             env=environment, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BenchFailed(f"{Path(program).name}: {error}") from error
    if run.returncode != 0:
        raise BenchFailed(f"{Path(program).name} ended with {run.returncode}: {run.stderr.strip()[-300:]}")
    return run.stdout


def list_benches(program, env=None):
    return [n for n in run_program(program, "--benchmark_list_tests=true", env=env).split("\n") if n]


def run_benches(program, names_pattern, env=None, min_seconds=None):
    arguments = ["--benchmark_format=json", f"--benchmark_filter={names_pattern}"]
    if min_seconds is not None:
        arguments.append(f"--benchmark_min_time={min_seconds}")
    return parse_rows(run_program(program, *arguments, env=env))


def parse_rows(text):
    """Medians when the bench was repeated, single measurements otherwise; a failed one is left out."""
    try:
        # Some benches print a line of their own before the document.
        rows = json.loads(text[text.index("{"):])["benchmarks"]
    except (ValueError, KeyError) as error:
        raise BenchFailed(f"no benchmark JSON: {error}") from error
    rows = [row for row in rows if not row.get("error_occurred")]
    medians = [row for row in rows if row.get("aggregate_name") == "median"]
    chosen = medians or [row for row in rows if row.get("run_type", "iteration") == "iteration"]
    return [
        BenchRow(
            row.get("run_name", row["name"]),
            row["cpu_time"] * NANOSECONDS[row["time_unit"]],
            row.get("bytes_per_second", 0.0),
            rates_of(row),
        )
        for row in chosen
    ]


def rates_of(row):
    """Google Benchmark's own item rate, and the bench's counters that are named like a rate."""
    rates = {"items/s": row["items_per_second"]} if "items_per_second" in row else {}
    return {**rates, **{name: value for name, value in row.items() if name.endswith("/s")}}


def choose_first(names, patterns):
    """All names that fit the first pattern that any name fits."""
    for pattern in patterns:
        fitting = [name for name in names if re.search(pattern, name, re.IGNORECASE)]
        if fitting:
            return fitting
    return []


def exactly(names):
    """A filter for these benches and no others."""
    return "^(" + "|".join(re.escape(name) for name in names) + ")$"
