"""The cost of sending a page between two processes, from the bench of Heddle's ipc module."""

from pathlib import Path

from .google_benchmark import BenchFailed, is_built, run_benches


def measure_crossing(build):
    """{"rows": [{"name", "nanoseconds", …}]}, or {"missing": why}."""
    program = Path(build) / "src" / "ipc" / "ipc_bench"
    if not is_built(program):
        return {"missing": f"{program} is not built: cmake --build {build} --target ipc_bench"}
    try:
        return {"rows": [row.as_json() for row in run_benches(program, ".")]}
    except BenchFailed as failure:
        return {"missing": str(failure)}
