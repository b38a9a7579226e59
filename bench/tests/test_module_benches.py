import stat
import tempfile
import unittest
from pathlib import Path

from side_by_side.pages import open_page_set
from side_by_side.parsing import compare_parsers, measure_heddle
from side_by_side.storing import measure_store

# Prints the output of a Google Benchmark program; parses only with the pages and the full name given.
FAKE_BENCH = """\
#!/bin/sh
case "$*" in
  *list_tests*) printf 'select_links\\nparse_pages\\nstore_items/9\\n'; exit 0 ;;
  *'filter=^(parse_pages)$'*) [ -f "$HEDDLE_PAGES/a.html" ] || exit 3 ;;
  *'filter=^(store_items/9)$'*) ;;
  *) exit 4 ;;
esac
cat <<'END'
{"benchmarks": [{"name": "parse_pages", "run_type": "iteration", "cpu_time": 1, "time_unit": "ms",
                 "bytes_per_second": 170e6, "items_per_second": 90000}]}
END
"""


class ModuleBenchesTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.build = Path(scratch.name)
        pages = self.build / "pages"
        pages.mkdir()
        (pages / "a.html").write_text("<p>x")
        self.pages = open_page_set(pages, "")

    def put_program(self, module, text=FAKE_BENCH):
        program = self.build / "src" / module / f"{module}_bench"
        program.parent.mkdir(parents=True)
        program.write_text(text)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def test_parse_the_same_pages_as_the_peer(self):
        self.put_program("html")
        self.assertEqual(measure_heddle(self.pages, self.build, 0.1)["bytes_per_second"], 170e6)

    def test_give_a_ratio_only_when_both_sides_ran(self):
        result = compare_parsers(self.pages, self.build, 0.01)
        self.assertIn("html_bench is not built", result["heddle"]["missing"])
        self.assertIsNone(result["ratio"])

    def test_report_how_they_failed(self):
        self.put_program("html", "#!/bin/sh\necho broken >&2\nexit 9\n")
        self.assertEqual(measure_heddle(self.pages, self.build, 0.1)["missing"], "html_bench ended with 9: broken")

    def test_count_stored_items(self):
        self.put_program("store")
        self.assertEqual(measure_store(self.build)["rows"][0]["rates"], {"items/s": 90000})

    def test_name_the_build_command_when_absent(self):
        self.assertIn("--target store_bench", measure_store(self.build)["missing"])


if __name__ == "__main__":
    unittest.main()
