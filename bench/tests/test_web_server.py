import os
import tempfile
import unittest
import urllib.request
from pathlib import Path

from side_by_side.children import read_facts
from side_by_side.pages import open_page_set
from side_by_side.web_server import WebServer, WebServerFailed, configuration, find_nginx


class WebServerTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.pages = self.scratch / 'odd "name" {1};'
        self.pages.mkdir()
        (self.pages / "a b.html").write_text("<p>é", encoding="utf-8")

    @unittest.skipIf(find_nginx() is None, "nginx is not installed")
    def test_serves_the_pages_and_stops_afterwards(self):
        with WebServer(open_page_set(self.pages, ""), self.scratch) as server:
            pid = server.pid
            with urllib.request.urlopen(f"{server.base_url}/a%20b.html?r=1", timeout=10) as answer:
                self.assertEqual(answer.read().decode(), "<p>é")
                self.assertEqual(answer.headers["Content-Type"], "text/html; charset=utf-8")
                self.assertNotIn("Content-Encoding", answer.headers)
        self.assertIsNone(read_facts(pid))

    @unittest.skipIf(find_nginx() is None, "nginx is not installed")
    def test_stops_after_an_exception_as_well(self):
        with self.assertRaises(KeyboardInterrupt):
            with WebServer(open_page_set(self.pages, ""), self.scratch) as server:
                pid = server.pid
                raise KeyboardInterrupt
        self.assertIsNone(read_facts(pid))

    def test_claims_no_charset_that_the_pages_do_not_have(self):
        (self.pages / "b.html").write_bytes(b"\xe9")
        self.assertNotIn("charset", configuration(open_page_set(self.pages, ""), self.scratch, 1))

    def test_keeps_the_permissions_of_the_caller(self):
        text = configuration(open_page_set(self.pages, ""), self.scratch, 1)
        self.assertEqual("user root;" in text, os.geteuid() == 0)

    def test_rejects_a_path_that_nginx_would_misread(self):
        folder = self.scratch / "a$b"
        folder.mkdir()
        (folder / "x.html").write_text("x")
        with self.assertRaises(WebServerFailed):
            configuration(open_page_set(folder, ""), self.scratch, 1)


if __name__ == "__main__":
    unittest.main()
