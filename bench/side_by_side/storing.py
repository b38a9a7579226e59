"""Items per second of Heddle's store room, from its own bench."""

from pathlib import Path

from .google_benchmark import BenchFailed, is_built, run_benches


def measure_store(build):
    """{"rows": […]} with every bench that counts items, or {"missing": why}."""
    program = Path(build) / "src" / "store" / "store_bench"
    if not is_built(program):
        return {"missing": f"{program} is not built: ./x build"}
    try:
        rows = [row for row in run_benches(program, ".") if row.items_per_second]
    except BenchFailed as failure:
        return {"missing": str(failure)}
    if not rows:
        return {"missing": "store_bench reports no items per second"}
    return {"rows": [row.as_json() for row in rows]}
