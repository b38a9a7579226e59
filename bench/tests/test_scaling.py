import tempfile
import unittest
from pathlib import Path

from side_by_side.pages import open_page_set
from side_by_side.scaling import JOBS, ScalingPlan, measure_scaling, owners_of_pages, shared_out, summary


class ScalingTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        folder = Path(scratch.name) / "pages"
        folder.mkdir()
        for number in range(10):
            (folder / f"{number}.html").write_text("<p>x")
        self.plan = ScalingPlan(Path(scratch.name) / "absent", open_page_set(folder, ""), "http://h", 3, 16, 1,
                                Path(scratch.name), 5.0)

    def test_gives_every_page_to_one_job_with_all_its_repeats(self):
        shares = shared_out(self.plan)
        self.assertEqual(len(shares), JOBS)
        self.assertEqual(sorted(sum(shares, [])), sorted(self.plan.page_set.urls("http://h", 3)))
        names = [{url.split("?")[0] for url in share} for share in shares]
        self.assertEqual(sum(len(one) for one in names), 10)

    def test_gives_each_job_as_much_to_read(self):
        folder = self.plan.page_set.folder
        for number, size in enumerate([900, 100, 100, 100, 500, 400, 300, 300, 300, 600]):
            (folder / f"{number}.html").write_text("x" * size)
        owners = owners_of_pages(self.plan.page_set)
        sizes = [path.stat().st_size for path in sorted(folder.iterdir())]
        loads = [sum(size for size, owner in zip(sizes, owners) if owner == job) for job in range(JOBS)]
        self.assertEqual(loads, [900] * JOBS)

    def test_compares_each_round_with_its_own_one_worker_run(self):
        found = {1: [{"pages_per_second": 10, "pages_per_cpu_second": 5}, {"pages_per_second": 40, "pages_per_cpu_second": 5}],
                 2: [{"pages_per_second": 15, "pages_per_cpu_second": 4}, {"pages_per_second": 60, "pages_per_cpu_second": 4}]}
        self.assertEqual(summary(2, found)["times_one_worker"], 1.5)

    def test_reports_why_nothing_was_measured(self):
        self.assertIn("absent", measure_scaling(self.plan, lambda _: None)["missing"])
