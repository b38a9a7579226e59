"""Finds a Python that has a wanted module: the bench's own may be another one than the system's."""

import shutil
import subprocess
import sys


def candidates():
    found = [sys.executable, shutil.which("python3"), "/usr/bin/python3"]
    return list(dict.fromkeys(path for path in found if path))


def find_python(code):
    """The first Python that runs `code` without error, and what it printed; (None, None) when none does."""
    for python in candidates():
        try:
            run = subprocess.run(
                [python, "-c", code], capture_output=True, text=True, timeout=60, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if run.returncode == 0:
            return python, run.stdout.strip()
    return None, None
