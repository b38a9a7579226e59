"""Scrapy, run by whichever Python here can import it."""

import sqlite3
from pathlib import Path

from ..find_python import find_python
from .contender import BadReport, Contender, read_tally

INSTALL = "apt-get install python3-scrapy"
VERSION_CODE = (
    "import platform, scrapy; print(f'Scrapy {scrapy.__version__}, Python {platform.python_version()}')"
)


class Scrapy(Contender):
    name = "scrapy"

    program = "links_spider.py"

    def __init__(self, peers):
        self.script = Path(peers) / "scrapy" / self.program
        self.python, self._version = find_python(VERSION_CODE)

    def missing(self):
        return None if self.python else f"no Python here can import scrapy: {INSTALL}"

    def version(self):
        return self._version

    def prepare(self, work, folder):
        work.write_urls(folder / "urls.txt")
        return [self.python, str(self.script), "urls.txt", "links.db", "report.json", str(work.concurrency)]

    def tally(self, folder):
        return read_tally(folder / "report.json")

    def items(self, folder):
        database = sqlite3.connect(f"file:{folder / 'links.db'}?mode=ro", uri=True)
        try:
            return set(database.execute("SELECT text, href FROM links"))
        except sqlite3.Error as error:
            raise BadReport(f"links.db: {error}") from error
        finally:
            database.close()


class ScrapyTutorial(Scrapy):
    """The same work as Scrapy's tutorial would do it: what most programs look like."""

    name = "scrapy-tutorial"
    program = "links_tutorial.py"
