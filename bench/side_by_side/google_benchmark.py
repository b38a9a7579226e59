"""Runs a Google Benchmark program and reads its JSON."""

import json
import os
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
    items_per_second: float

    def as_json(self):
        return {"name": self.name, "nanoseconds": self.nanoseconds,
                "bytes_per_second": self.bytes_per_second, "items_per_second": self.items_per_second}


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
            row.get("items_per_second", 0.0),
        )
        for row in chosen
    ]
