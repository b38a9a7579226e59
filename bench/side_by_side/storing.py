"""How many new items per second Heddle's store module commits, from its own bench."""

from pathlib import Path

from .google_benchmark import (
    BenchFailed, choose_first, exactly, is_built, list_benches, run_benches,
)

STORE_NAMES = (r"store.*item", r"item", r".")


def measure_store(build):
    """{"rows": [{"name", "rates": {"items/s": …}, …}]}, or {"missing": why}."""
    program = Path(build) / "src" / "store" / "store_bench"
    if not is_built(program):
        return {"missing": f"{program} is not built: cmake --build {build} --target store_bench"}
    try:
        names = choose_first(list_benches(program), STORE_NAMES)
        rows = [row for row in run_benches(program, exactly(names)) if row.rates]
    except BenchFailed as failure:
        return {"missing": str(failure)}
    if not rows:
        return {"missing": "store_bench reports no items per second"}
    return {"rows": [row.as_json() for row in rows]}
