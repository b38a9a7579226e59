import io
import json
import re
import unittest
from pathlib import Path

from side_by_side.command_line import parse_arguments, settings_from
from side_by_side.contenders.contender import Tally
from side_by_side.google_benchmark import BenchFailed, choose_first, exactly, parse_rows
from side_by_side.measure import Measurement
from side_by_side.parsing import PARSE_NAMES
from side_by_side.report import Report, ratios_to_peers
from side_by_side.rounds import Outcome, Round, order_of_round
from side_by_side.stages import costs_from_sums, costs_from_trace
from side_by_side.tables import Style, table, times


def round_of(wall, pages=100, rss=10, pss=5):
    return Round(Measurement(wall_seconds=wall, cpu_seconds=wall / 2, peak_rss_bytes=rss, peak_pss_bytes=pss),
                 Tally(pages, 0, 1000, 500))


class RoundsTest(unittest.TestCase):
    def test_start_with_another_contender_each_time(self):
        orders = [order_of_round(["a", "b", "c"], number) for number in range(4)]
        self.assertEqual(orders, [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"], ["a", "b", "c"]])

    def test_count_by_their_median(self):
        outcome = Outcome("x", rounds=[round_of(4.0), round_of(1.0), round_of(2.0)])
        self.assertEqual(outcome.median("pages_per_second"), 50.0)
        self.assertEqual(outcome.median("pages_per_cpu_second"), 100.0)
        self.assertEqual(outcome.spread("pages_per_second"), 1.5)


class RatiosTest(unittest.TestCase):
    def test_divide_heddle_by_each_peer(self):
        outcomes = [Outcome("heddle", rounds=[round_of(1.0, rss=10)]), Outcome("peer", rounds=[round_of(8.0, rss=40)])]
        ratios = ratios_to_peers(outcomes)["peer"]
        self.assertEqual((ratios["pages_per_second"], ratios["peak_rss_bytes"]), (8.0, 0.25))

    def test_leave_out_contenders_that_failed(self):
        outcomes = [Outcome("heddle", rounds=[round_of(1.0)]),
                    Outcome("peer", rounds=[round_of(8.0)], problem="exit status 1")]
        self.assertEqual(ratios_to_peers(outcomes), {})

    def test_are_empty_without_heddle(self):
        self.assertEqual(ratios_to_peers([Outcome("peer", rounds=[round_of(8.0)])]), {})

    def test_are_none_for_figures_not_measured(self):
        outcomes = [Outcome("heddle", rounds=[round_of(1.0)]), Outcome("peer", rounds=[round_of(1.0, pss=0)])]
        self.assertIsNone(ratios_to_peers(outcomes)["peer"]["peak_pss_bytes"])


class StagesTest(unittest.TestCase):
    def test_are_summed_over_all_cycles_in_the_order_of_the_cycle(self):
        cycle = {"stages": [{"name": "fetch", "duration_ms": 1.5}, {"name": "extract", "duration_ms": 0.5},
                            {"name": "on_error", "duration_ms": 0}]}
        costs = costs_from_trace({"run_id": "x", "pages": [cycle, cycle]})
        self.assertEqual([(c.name, c.cycles, c.microseconds) for c in costs],
                         [("fetch", 2, 3000), ("extract", 2, 1000)])

    def test_may_be_named_by_key(self):
        costs = costs_from_trace([{"stages": {"fetch": {"duration_us": 7}}}])
        self.assertEqual(costs[0].as_json(pages=2, total=14),
                         {"stage": "fetch", "cycles": 1, "total_ms": 0.007, "share": 0.5, "us_per_page": 3.5})

    def test_may_come_summed(self):
        costs = costs_from_sums({"fetch": 9, "override_fetch": 0, "parse": 3}, cycles=4)
        self.assertEqual([(c.name, c.cycles, c.microseconds) for c in costs], [("fetch", 4, 9), ("parse", 4, 3)])

    def test_are_none_in_an_empty_trace(self):
        self.assertEqual(costs_from_trace({"pages": []}), [])


class GoogleBenchmarkTest(unittest.TestCase):
    ROW = {"name": "parse", "run_name": "parse", "run_type": "iteration", "cpu_time": 2.0, "time_unit": "ms",
           "bytes_per_second": 5e6}

    def rows(self, *rows, before=""):
        return parse_rows(before + json.dumps({"context": {}, "benchmarks": list(rows)}))

    def test_reads_time_and_rates(self):
        row = self.rows(self.ROW)[0]
        self.assertEqual((row.nanoseconds, row.bytes_per_second, row.rates), (2e6, 5e6, {}))

    def test_reads_every_counter_that_is_named_like_a_rate(self):
        row = self.rows({**self.ROW, "items_per_second": 5.0, "pages/s": 7.0, "cpu_s": 1.0})[0]
        self.assertEqual(row.rates, {"items/s": 5.0, "pages/s": 7.0})

    def test_prefers_medians_of_repeated_benches(self):
        median = {**self.ROW, "run_type": "aggregate", "aggregate_name": "median", "cpu_time": 3.0}
        self.assertEqual([r.nanoseconds for r in self.rows(self.ROW, median)], [3e6])

    def test_leaves_out_benches_that_failed(self):
        self.assertEqual(self.rows({**self.ROW, "error_occurred": True}), [])

    def test_allows_lines_before_the_document(self):
        self.assertEqual(len(self.rows(self.ROW, before="no pages found, using one\n")), 1)

    def test_rejects_output_that_is_no_json(self):
        with self.assertRaises(BenchFailed):
            parse_rows("Failed to match any benchmarks")

    def test_chooses_the_bench_that_parses_whole_pages(self):
        names = ["select_links", "parse_small_fragment", "parse_real_pages", "parse_pages_in_pieces"]
        self.assertEqual(choose_first(names, PARSE_NAMES), ["parse_real_pages"])
        self.assertEqual(choose_first(names[:2], PARSE_NAMES), ["parse_small_fragment"])
        self.assertEqual(choose_first(["select_links"], PARSE_NAMES), [])

    def test_runs_exactly_the_chosen_benches(self):
        pattern = exactly(["store/1", "a.b"])
        self.assertEqual([bool(re.search(pattern, name)) for name in ("store/1", "a.b", "store/10", "axb")],
                         [True, True, False, False])


class TableTest(unittest.TestCase):
    def test_is_plain_and_aligned_in_a_pipe(self):
        lines = table(Style(io.StringIO()), ["", "pages/s", "note"], [["heddle", "1,200.5", "a"], ["x", "9.0", "b"]])
        self.assertEqual(lines, [
            "        pages/s  note",
            "------  -------  ----",
            "heddle  1,200.5  a",
            "x           9.0  b",
        ])

    def test_has_bars_of_plain_characters_in_a_pipe(self):
        self.assertEqual(Style(io.StringIO()).bar(0.25, width=8), "##")
        self.assertEqual(Style(io.StringIO()).bar(7.0, width=3), "###")

    def test_prints_ratios_with_three_digits_or_so(self):
        self.assertEqual([times(r) for r in (0.254, 9.87, 12.34, 1234.5)], ["0.25x", "9.87x", "12.3x", "1,234x"])

    def test_names_processes_left_behind(self):
        out = io.StringIO()
        outcome = Outcome("peer", rounds=[round_of(1.0)])
        outcome.rounds[0].measurement.left_behind = 2
        Report(out, Style(out)).crawl([outcome])
        self.assertIn("peer, round 1: 2 processes left behind", out.getvalue())


class ArgumentsTest(unittest.TestCase):
    def settings(self, *arguments):
        return settings_from(parse_arguments(arguments, Path("/root")), Path("/root"))

    def test_have_the_defaults_of_a_real_measurement(self):
        settings = self.settings()
        self.assertEqual((settings.rounds, settings.repeats, settings.concurrency), (3, 10, 16))

    def test_are_short_when_quick_but_may_still_be_set(self):
        self.assertEqual((self.settings("--quick").rounds, self.settings("--quick").repeats), (1, 2))
        self.assertEqual(self.settings("--quick", "--repeats", "5").repeats, 5)

    def test_can_leave_parts_out(self):
        self.assertEqual(self.settings("--only", "heddle", "--only", "parse").parts, ("heddle", "parse"))


if __name__ == "__main__":
    unittest.main()
