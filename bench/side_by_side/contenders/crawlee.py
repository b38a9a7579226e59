"""Crawlee's CheerioCrawler on Node; its packages are installed beside the script."""

import json
import shutil
import subprocess
from pathlib import Path

from .contender import BadReport, Contender, read_tally

INSTALL = "apt-get install nodejs npm && npm ci --prefix bench/peers/crawlee"


class Crawlee(Contender):
    name = "crawlee"
    program = "links.mjs"

    def __init__(self, peers):
        self.folder = Path(peers) / "crawlee"
        self.node = shutil.which("node") or shutil.which("nodejs")

    def missing(self):
        if self.node is None:
            return f"no node on the PATH: {INSTALL}"
        if not self._manifest().exists():
            return f"its packages are not installed: {INSTALL}"
        return None

    def _manifest(self):
        return self.folder / "node_modules" / "@crawlee" / "cheerio" / "package.json"

    def version(self):
        crawlee = json.loads(self._manifest().read_text(encoding="utf-8"))["version"]
        node = subprocess.run([self.node, "--version"], capture_output=True, text=True, check=False)
        return f"Crawlee {crawlee}, Node {node.stdout.strip().lstrip('v')}"

    def prepare(self, work, folder):
        work.write_urls(folder / "urls.txt")
        script = self.folder / self.program
        return [self.node, str(script), "urls.txt", "links.jsonl", "report.json", str(work.concurrency)]

    def tally(self, folder):
        return read_tally(folder / "report.json")

    def items(self, folder):
        try:
            with open(folder / "links.jsonl", encoding="utf-8") as lines:
                return {tuple(json.loads(line)) for line in lines}
        except (OSError, ValueError) as error:
            raise BadReport(f"links.jsonl: {error}") from error


class CrawleeTutorial(Crawlee):
    """The same work as Crawlee's guides would do it: what most programs look like."""

    name = "crawlee-tutorial"
    program = "links_tutorial.mjs"
