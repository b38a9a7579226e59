import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from side_by_side.children import adopt_orphans, descendants, parse_stat
from side_by_side.measure import measure
from side_by_side.noise import NoiseMeter, busy_seconds

BURN = "import time\nend = time.process_time() + {seconds}\nwhile time.process_time() < end: pass\n"


class MeasureTest(unittest.TestCase):
    def setUp(self):
        adopt_orphans()
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def python(self, code, **options):
        return measure([sys.executable, "-c", code], self.folder, **options)

    def test_keeps_what_the_command_prints(self):
        result = self.python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
        self.assertEqual(result.exit_code, 3)
        self.assertEqual((self.folder / "stdout").read_text(), "out\n")
        self.assertEqual((self.folder / "stderr").read_text(), "err\n")

    def test_counts_cpu_time_of_the_command(self):
        result = self.python(BURN.format(seconds=0.3))
        self.assertGreaterEqual(result.cpu_seconds, 0.3)
        self.assertGreaterEqual(result.wall_seconds, 0.3)

    def test_counts_cpu_time_of_children(self):
        child = BURN.format(seconds=0.3)
        result = self.python(f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])")
        self.assertGreaterEqual(result.cpu_seconds, 0.3)
        self.assertEqual(result.most_processes, 2)

    def test_counts_cpu_time_of_an_orphan_that_ends_by_itself(self):
        child = BURN.format(seconds=0.1)
        result = self.python(f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}])")
        self.assertGreaterEqual(result.cpu_seconds, 0.1)
        self.assertEqual(result.left_behind, 0)

    def test_counts_memory_of_the_whole_tree(self):
        child = "x = bytearray(b'x') * 60_000_000; print(flush=True); input()"
        result = self.python(
            "import subprocess, sys, time\n"
            "x = bytearray(b'x') * 60_000_000\n"
            f"c = subprocess.Popen([sys.executable, '-c', {child!r}], stdin=-1, stdout=-1)\n"
            "c.stdout.readline()\n"  # both hold their memory now
            "time.sleep(1)\n"  # several samples long
            "c.communicate(b'end')\n"
        )
        self.assertGreater(result.peak_rss_bytes, 120_000_000)
        self.assertGreater(result.peak_pss_bytes, 120_000_000)

    def test_ends_a_command_that_takes_too_long(self):
        started = time.monotonic()
        result = self.python("import time; time.sleep(600)", timeout=0.3)
        self.assertTrue(result.timed_out)
        self.assertEqual(result.exit_code, -9)
        self.assertLess(time.monotonic() - started, 60)

    def test_ends_and_reports_what_the_command_leaves_behind(self):
        sleeper = "import time; time.sleep(600)"
        result = self.python(
            "import subprocess, sys\n"
            f"print(subprocess.Popen([sys.executable, '-c', {sleeper!r}], start_new_session=True).pid)"
        )
        self.assertEqual(result.left_behind, 1)
        orphan = int((self.folder / "stdout").read_text())
        self.assertNotIn(orphan, [facts.pid for facts in descendants(os.getpid())])

    def test_leaves_unrelated_processes_alone(self):
        bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        self.addCleanup(bystander.wait)
        self.addCleanup(bystander.kill)
        result = self.python("pass", without=(bystander.pid,))
        self.assertEqual((result.left_behind, bystander.poll()), (0, None))


class NoiseTest(unittest.TestCase):
    def test_counts_neither_idle_time_nor_guests_twice(self):
        ticks = os.sysconf("SC_CLK_TCK")
        fields = [n * ticks for n in (1, 2, 4, 1000, 1000, 8, 16, 1000, 1000, 1000)]
        self.assertEqual(busy_seconds("cpu  " + " ".join(map(str, fields)) + "\ncpu0 1 1\n"), 31.0)

    def test_does_not_blame_others_for_what_was_measured(self):
        meter = NoiseMeter(())
        time.sleep(0.2)
        self.assertEqual(meter.others_share(measured_cpu_seconds=1e9), 0.0)
        self.assertGreater(meter.others_share(measured_cpu_seconds=-1e9), 1.0)


class ParseStatTest(unittest.TestCase):
    def test_reads_names_with_spaces_and_parentheses(self):
        numbers = [str(n) for n in range(4, 53)]
        facts = parse_stat("77 (a) R (b) Z 5 " + " ".join(numbers))
        self.assertEqual((facts.pid, facts.parent, facts.is_zombie), (77, 5, True))


if __name__ == "__main__":
    unittest.main()
