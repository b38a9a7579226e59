"""What the bench needs of a contender."""

import json
from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Work:
    """The reference work: fetch every URL once, take every link, store each (text, href) once."""

    urls: list
    concurrency: int

    def write_urls(self, file):
        Path(file).write_text("".join(url + "\n" for url in self.urls), encoding="utf-8")


@dataclass(frozen=True)
class Tally:
    """The counts that a contender reports."""

    pages: int
    failed: int
    links: int  # different (text, href) of each page, summed over all pages
    items: int  # different (text, href) stored

    def as_json(self):
        return asdict(self)


class BadReport(Exception):
    """The contender ended, but its report cannot be read."""


class Contender(ABC):
    name = ""

    @abstractmethod
    def missing(self):
        """None when it can run; else what is missing and the command that installs it."""

    @abstractmethod
    def version(self):
        """For the report, e.g. "Scrapy 2.8.0, Python 3.11.2"."""

    @abstractmethod
    def prepare(self, work, folder):
        """Writes what the run needs into the empty `folder`; returns the command line."""

    @abstractmethod
    def tally(self, folder):
        """Reads the Tally of a finished run; raises BadReport."""

    @abstractmethod
    def items(self, folder):
        """The stored set of (text, href), read after the measurement; raises BadReport."""


def read_tally(file):
    """The report that the peers' scripts write: {"pages", "failed", "links", "items"}."""
    try:
        report = json.loads(Path(file).read_text(encoding="utf-8"))
        return Tally(report["pages"], report["failed"], report["links"], report["items"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadReport(f"{Path(file).name}: {error}") from error
