"""The pages that every contender fetches: a folder of HTML files, given, found or generated."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from .generate import write_pages

GENERATED_COUNT = 130


@dataclass(frozen=True)
class PageSet:
    folder: Path
    names: tuple
    total_bytes: int
    all_utf8: bool
    origin: str  # where the pages come from, for the report

    def urls(self, base, repeats):
        """Every page once per repeat; the query string makes each URL unique."""
        return [
            f"{base}/{quote(name)}?r={repeat}"
            for repeat in range(1, repeats + 1)
            for name in self.names
        ]

    def summary(self):
        return {
            "origin": self.origin,
            "count": len(self.names),
            "bytes": self.total_bytes,
            "average_bytes": self.total_bytes // len(self.names),
            "all_utf8": self.all_utf8,
        }


class NoPages(Exception):
    pass


def open_page_set(folder, origin):
    folder = Path(folder)
    if not folder.is_dir():
        raise NoPages(f"{folder}: no such folder")
    names = tuple(
        sorted(p.name for p in folder.iterdir() if p.suffix == ".html" and p.is_file())
    )
    if not names:
        raise NoPages(f"{folder}: holds no .html file")
    total, all_utf8 = 0, True
    for name in names:  # reading them also warms the page cache for every contender
        body = (folder / name).read_bytes()
        total += len(body)
        all_utf8 = all_utf8 and is_utf8(body)
    return PageSet(folder, names, total, all_utf8, origin)


def is_utf8(body):
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def choose_page_set(asked, usual, scratch):
    """The requested folder, else the default one if it exists, else a generated set in `scratch`."""
    if asked is not None:
        return open_page_set(asked, str(asked))
    if Path(usual).is_dir():
        return open_page_set(usual, "the collected real pages")
    folder = Path(scratch) / "pages"
    write_pages(folder, GENERATED_COUNT)
    return open_page_set(folder, "generated")
