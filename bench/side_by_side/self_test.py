"""Tests the bench itself from end to end with two tiny contenders; needs neither peers nor Heddle."""

import io
import sys
import tempfile
from pathlib import Path

from .contenders.contender import Contender, read_tally
from .contenders.crawlee import Crawlee
from .generate import write_pages
from .session import Session, Settings
from .web_server import INSTALL, find_nginx

SKIPPED = 77  # exit status that ctest reports as skipped
PAGES = 6
REPEATS = 2


class TinyCrawler(Contender):
    """A crawler of the standard library, in a child process like the real ones."""

    def __init__(self, name):
        self.name = name

    def missing(self):
        return None

    def version(self):
        return "standard library"

    def prepare(self, work, folder):
        work.write_urls(folder / "urls.txt")
        script = Path(__file__).with_name("tiny_crawler.py")
        return [sys.executable, str(script), "urls.txt", "links.jsonl", "report.json", str(work.concurrency)]

    def tally(self, folder):
        return read_tally(folder / "report.json")

    items = Crawlee.items  # the same file format


def self_test(root):
    if find_nginx() is None:
        print(f"self-test skipped: nginx is not installed: {INSTALL}")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as scratch:
        pages = Path(scratch) / "self-test-pages"
        write_pages(pages, PAGES)
        names = ("first", "second")
        settings = Settings(root=root, build=Path(scratch), pages=pages, rounds=2, repeats=REPEATS,
                            concurrency=4, timeout=60.0, parts=(*names, "heddle"))
        session = Session(settings, Path(scratch), [TinyCrawler(name) for name in names], io.StringIO())
        is_good = session.run()
    errors = find_errors(session) if is_good else ["the session did not succeed"]
    print(session.output.getvalue())
    for error in errors:
        print(f"self-test: {error}")
    print("self-test failed" if errors else "self-test passed")
    return 1 if errors else 0


def find_errors(session):
    """Checks what the session must have found; returns one message per error of the bench."""
    errors = []
    for contender in session.document["contenders"]:
        median = contender["median"]
        if len(contender["rounds"]) != 2:
            errors.append(f"{contender['name']} ran {len(contender['rounds'])} rounds instead of 2")
        if median["pages"] != PAGES * REPEATS:
            errors.append(f"{contender['name']} did {median['pages']} pages")
        if not (median["cpu_seconds"] > 0 and median["peak_rss_bytes"] > 1_000_000):
            errors.append(f"{contender['name']} was not measured: {median}")
        if not 0 < median["items"] <= median["links"]:
            errors.append(f"{contender['name']} counted {median['items']} of {median['links']} links")
    agreement = session.document["agreement"]
    if len(agreement) != 1 or agreement[0]["differences"]:
        errors.append(f"two equal crawlers disagree: {agreement}")
    return errors
