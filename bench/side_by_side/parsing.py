"""Compares lxml with Heddle's html module on the same pages: CPU time, one thread each."""

import json
import subprocess
from pathlib import Path

from .find_python import find_python
from .google_benchmark import (
    BenchFailed, choose_first, exactly, is_built, list_benches, run_benches,
)

LXML_INSTALL = "apt-get install python3-lxml"
PAGES_VARIABLE = "HEDDLE_PAGES"  # the folder of pages for html_bench

# The first pattern that matches any bench is used: whole pages before anything smaller.
PARSE_NAMES = (r"parse.*real_?pages", r"parse.*page", r"page.*parse", r"parse")


def compare_parsers(page_set, build, seconds):
    """{"lxml": …, "heddle": …, "ratio": …}; a side that cannot run is {"missing": why}."""
    result = {"pages": len(page_set.names), "bytes": page_set.total_bytes, "ratio": None}
    result["lxml"] = measure_lxml(page_set, seconds)
    result["heddle"] = measure_heddle(page_set, build, seconds)
    speeds = [result[side].get("bytes_per_second") for side in ("heddle", "lxml")]
    if all(speeds):
        result["ratio"] = speeds[0] / speeds[1]
    return result


def measure_lxml(page_set, seconds):
    python, _ = find_python("import lxml.html")
    if python is None:
        return {"missing": f"no Python here can import lxml: {LXML_INSTALL}"}
    probe = Path(__file__).with_name("lxml_probe.py")
    run = subprocess.run(
        [python, str(probe), str(page_set.folder), str(seconds)], capture_output=True, text=True, check=False
    )
    if run.returncode != 0:
        return {"missing": f"lxml failed: {run.stderr.strip()[-300:]}"}
    return json.loads(run.stdout)


def measure_heddle(page_set, build, seconds):
    program = Path(build) / "src" / "html" / "html_bench"
    if not is_built(program):
        return {"missing": f"{program} is not built: cmake --build {build} --target html_bench"}
    environment = {PAGES_VARIABLE: str(page_set.folder.resolve())}
    try:
        names = choose_first(list_benches(program, environment), PARSE_NAMES)
        if not names:
            return {"missing": "html_bench has no bench that parses"}
        rows = run_benches(program, exactly(names[:1]), environment, seconds)
    except BenchFailed as failure:
        return {"missing": str(failure)}
    if not rows or not rows[0].bytes_per_second:
        return {"missing": f"html_bench {names[0]} reports no bytes per second"}
    return rows[0].as_json()

