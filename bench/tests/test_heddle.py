import io
import os
import stat
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

from side_by_side.contenders.contender import BadReport, Work
from side_by_side.contenders.heddle import Heddle
from side_by_side.session import Session, Settings
from side_by_side.web_server import find_nginx

FAKE = Path(__file__).with_name("fake_heddle.py")
URLS = ["http://127.0.0.1:1/one.html?r=1", "http://127.0.0.1:1/two.html?r=1"]


def put_fake_into(build):
    """A program named heddle that starts the fake with this very Python."""
    program = build / "heddle"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -B "{FAKE}" "$@"\n', encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


class HeddleTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def test_writes_a_project_that_does_the_reference_work(self):
        command = Heddle("heddle").prepare(Work(URLS, 16), self.folder)

        project = self.folder / "project"
        settings = tomllib.loads((project / "heddle.toml").read_text())
        job = tomllib.loads((project / "jobs/links/config.toml").read_text())
        self.assertEqual(settings["network"]["allow"], ["127.0.0.1"])
        self.assertEqual(settings["limits"]["per_host"], 16)
        self.assertGreaterEqual(settings["limits"]["pages_per_run"], len(URLS))
        self.assertEqual(job["selector"], "a[href]")
        self.assertEqual(job["fields"], ["text:", "link:@href"])
        self.assertEqual((job["workers"], job["stagger"]), (16, "0s"))
        self.assertFalse(job["notification"]["enabled"])
        self.assertEqual((project / "jobs/links" / job["urls_file"]).read_text().split(), URLS)
        self.assertEqual(command, ["heddle", "--project", str(project), "run", "links", "--json"])

    def test_names_the_build_command_when_the_program_is_absent(self):
        self.assertIn("./x build", Heddle(self.folder / "heddle").missing())

    def test_can_run_when_the_program_exists(self):
        heddle = Heddle(put_fake_into(self.folder))
        self.assertIsNone(heddle.missing())
        self.assertEqual(heddle.version(), "heddle 9.9.9")

    def test_counts_skipped_pages_as_failed(self):
        (self.folder / "stdout").write_text(
            '{"pages":{"total":9,"done":6,"failed":2,"skipped":1},"items":{"seen":8,"new":7,"changed":0}}'
        )
        tally = Heddle("heddle").tally(self.folder)
        self.assertEqual((tally.pages, tally.failed, tally.links, tally.items), (6, 3, 8, 7))

    def test_rejects_output_that_is_no_json(self):
        (self.folder / "stdout").write_text("Segmentation fault")
        with self.assertRaises(BadReport):
            Heddle("heddle").tally(self.folder)

    def test_rejects_a_report_without_the_counts(self):
        (self.folder / "stdout").write_text('{"run_id": "x"}')
        with self.assertRaises(BadReport):
            Heddle("heddle").tally(self.folder)

    def test_reports_which_reading_command_failed(self):
        heddle = Heddle(put_fake_into(self.folder))
        with self.assertRaisesRegex(BadReport, "records ended with 2"):
            heddle.items(self.folder)  # there is no project

    def test_prefers_the_sums_that_the_run_itself_gives(self):
        (self.folder / "stdout").write_text('{"pages": {"done": 4}, "stage_us": {"fetch": 8, "parse": 2}}')
        costs = Heddle("heddle").stage_costs(self.folder)
        self.assertEqual([(c.name, c.per_page(4)) for c in costs], [("fetch", 2.0), ("parse", 0.5)])

    @unittest.skipIf(find_nginx() is None, "nginx is not installed")
    def test_takes_part_in_a_whole_session(self):
        put_fake_into(self.folder)
        pages = self.folder / "pages"
        pages.mkdir()
        for name in ("one.html", "two.html"):
            (pages / name).write_text("<a href=x>x</a>")
        settings = Settings(root=self.folder, build=self.folder, pages=pages, rounds=2, repeats=3,
                            parts=("heddle",))
        session = Session(settings, self.folder / "scratch", output=io.StringIO())

        self.assertTrue(session.run(), session.output.getvalue())

        median = session.document["contenders"][0]["median"]
        self.assertEqual((median["pages"], median["links"], median["items"]), (6, 18, 13))
        stages = {row["stage"]: row for row in session.document["stages"]}
        self.assertAlmostEqual(stages["extract"]["total_ms"], 12.0)
        self.assertAlmostEqual(stages["extract"]["share"], 0.5)
        self.assertNotIn("before_fetch", stages)
        self.assertIn("extract", session.output.getvalue())
        self.assertEqual([entry for entry in os.listdir(self.folder / "scratch") if "heddle" in entry],
                         ["heddle-2"])


if __name__ == "__main__":
    unittest.main()
