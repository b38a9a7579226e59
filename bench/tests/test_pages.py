import hashlib
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

from side_by_side import generate
from side_by_side.pages import NoPages, choose_page_set, open_page_set


class Anchors(HTMLParser):
    def __init__(self):
        super().__init__()
        self.count = 0

    def handle_starttag(self, tag, attrs):
        self.count += tag == "a"


class GeneratedPagesTest(unittest.TestCase):
    def test_are_the_same_everywhere(self):
        digest = hashlib.sha256(generate.page(7).encode()).hexdigest()
        self.assertEqual(digest, "d3ec192d5c447e8af9c3c5a83c5782b9c9a685d73df72b4141ee1a2038ace6e1")

    def test_differ_from_each_other(self):
        self.assertNotEqual(generate.page(1), generate.page(2))

    def test_have_the_sizes_of_real_pages(self):
        sizes = [generate.target_size(number) for number in range(1, 131)]
        self.assertGreaterEqual(min(sizes), generate.SMALLEST)
        self.assertLessEqual(max(sizes), generate.LARGEST)
        self.assertTrue(150_000 < sum(sizes) / len(sizes) < 250_000)
        self.assertGreater(max(sizes) / min(sizes), 50)

    def test_come_close_to_their_size(self):
        for number in (1, 2, 3):
            size = len(generate.page(number).encode())
            self.assertLess(abs(size - generate.target_size(number)), 15_000)

    def test_hold_links(self):
        anchors = Anchors()
        anchors.feed(generate.page(7))
        self.assertGreater(anchors.count, 20)


class PageSetTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def test_takes_html_files_in_order_and_nothing_else(self):
        for name in ("b.html", "a.html", "notes.txt"):
            (self.folder / name).write_text("x")
        (self.folder / "c.html").mkdir()
        self.assertEqual(open_page_set(self.folder, "").names, ("a.html", "b.html"))

    def test_makes_every_url_unique(self):
        (self.folder / "a b.html").write_text("x")
        urls = open_page_set(self.folder, "").urls("http://h", 2)
        self.assertEqual(urls, ["http://h/a%20b.html?r=1", "http://h/a%20b.html?r=2"])

    def test_detects_pages_that_are_not_utf8(self):
        (self.folder / "a.html").write_bytes("é".encode("latin-1"))
        self.assertFalse(open_page_set(self.folder, "").all_utf8)

    def test_rejects_a_folder_without_pages(self):
        with self.assertRaises(NoPages):
            open_page_set(self.folder, "")
        with self.assertRaises(NoPages):
            choose_page_set(self.folder / "absent", self.folder, self.folder)

    def test_prefers_the_requested_folder_then_the_default_one(self):
        for name in ("asked", "usual"):
            (self.folder / name).mkdir()
            (self.folder / name / "x.html").write_text("x")
        asked, usual = self.folder / "asked", self.folder / "usual"
        self.assertEqual(choose_page_set(asked, usual, self.folder).folder, asked)
        self.assertEqual(choose_page_set(None, usual, self.folder).folder, usual)

    def test_generates_pages_when_there_are_none(self):
        pages = choose_page_set(None, self.folder / "absent", self.folder)
        self.assertEqual((len(pages.names), pages.origin), (130, "generated"))


if __name__ == "__main__":
    unittest.main()
