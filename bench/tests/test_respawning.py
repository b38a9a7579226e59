import os
import tempfile
import time
import unittest
from pathlib import Path

from side_by_side.crossing import measure_crossing
from side_by_side.respawning import Heddle, figures, measure_respawns


class ShellLoop:
    """A minimal supervisor."""

    name = "loop"

    def __init__(self, pause=0.0):
        self.pause = pause

    def missing(self):
        return None

    def command(self, _folder, child):
        return ["sh", "-c", f"while :; do {child[0]}; sleep {self.pause}; done"]


class Quitter(ShellLoop):
    name = "quitter"

    def command(self, _folder, child):
        return ["sh", "-c", f"{child[0]}; exit 3"]


class RespawningTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)

    def test_measures_from_the_kill_to_the_next_process(self):
        begin = time.monotonic()
        result = measure_respawns(self.scratch, self.scratch, 2, [ShellLoop(0.2)])
        row = result["rows"][0]
        self.assertEqual((row["name"], row["kills"], result["skipped"]), ("loop", 2, []))
        self.assertGreaterEqual(row["median_ms"], 200)
        self.assertLess(row["worst_ms"], 1000 * (time.monotonic() - begin))

    def test_leaves_no_process_behind(self):
        measure_respawns(self.scratch, self.scratch, 1, [ShellLoop()])
        # A killed process is listed until the kernel has ended it; one that was not killed sleeps on.
        deadline = time.monotonic() + 30
        while (marks := self.running()) and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(marks, [])

    def running(self):
        return [entry for entry in os.listdir("/proc") if entry.isdigit()
                and str(self.scratch).encode() in read_command_line(entry)]

    def test_names_the_supervisor_that_gave_up(self):
        result = measure_respawns(self.scratch, self.scratch, 1, [Quitter()])
        self.assertEqual(result["skipped"], [{"name": "quitter", "reason": "quitter ended with 3"}])

    def test_names_the_supervisor_that_is_not_installed(self):
        result = measure_respawns(self.scratch, self.scratch, 1, [Heddle(self.scratch)])
        self.assertIn("respawn_host is not built", result["skipped"][0]["reason"])
        self.assertIn("--target ipc_bench", measure_crossing(self.scratch)["missing"])

    def test_gives_figures_in_milliseconds(self):
        row = figures("x", [0.003, 0.001, 0.002])
        self.assertEqual((row["median_ms"], row["worst_ms"]), (2.0, 3.0))


def read_command_line(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


if __name__ == "__main__":
    unittest.main()
