"""Heddle itself: a fresh project with one job, run in the foreground by the release program."""

import json
import os
import subprocess
from pathlib import Path

from ..stages import costs_from_sums, costs_from_trace
from .contender import BadReport, Contender, Tally

JOB = "links"
READ_SECONDS = 300  # for the commands that read the results of a run

PROJECT = """\
reload = "manual"

[network]
allow = ["127.0.0.1"]

[limits]
per_host = {concurrency}
pages_per_run = {pages}
"""

JOB_CONFIG = """\
schedule = "manual"
name = "{job}"
urls_file = "urls.txt"
selector = "a[href]"
fields = ["text:", "link:@href"]
workers = {concurrency}
stagger = "0s"
notification = {{ enabled = false }}
"""


class Heddle(Contender):
    name = "heddle"

    def __init__(self, program):
        self.program = Path(program)

    def missing(self):
        if os.access(self.program, os.X_OK) and self.program.is_file():
            return None
        return f"{self.program} is not built: ./x build"

    def version(self):
        run = subprocess.run(
            [self.program, "--version"], capture_output=True, text=True, timeout=60, check=False
        )
        return (run.stdout.strip().splitlines() or ["heddle, version unknown"])[0]

    def prepare(self, work, folder):
        job = folder / "project" / "jobs" / JOB
        job.mkdir(parents=True)
        settings = PROJECT.format(concurrency=work.concurrency, pages=len(work.urls) + 1)
        (folder / "project" / "heddle.toml").write_text(settings, encoding="utf-8")
        text = JOB_CONFIG.format(job=JOB, concurrency=work.concurrency)
        (job / "config.toml").write_text(text, encoding="utf-8")
        work.write_urls(job / "urls.txt")
        return [str(self.program), "--project", str(folder / "project"), "run", JOB, "--json"]

    def tally(self, folder):
        report = self._report(folder)
        try:
            pages, items = report["pages"], report["items"]
            return Tally(pages["done"], pages["failed"] + pages["skipped"], items["seen"], items["new"])
        except (KeyError, TypeError) as error:
            raise BadReport(f"run --json: no {error}") from error

    def _report(self, folder):
        text = (folder / "stdout").read_text(encoding="utf-8", errors="replace")
        try:
            return json.loads(text)
        except ValueError as error:
            raise BadReport(f"run --json printed no JSON: {error}") from error

    def items(self, folder):
        text = self._read(folder, "records", JOB, "--format", "jsonl")
        try:
            fields = [json.loads(line)["fields"] for line in text.split("\n") if line]
            return {(field["text"], field["link"]) for field in fields}
        except (ValueError, KeyError, TypeError) as error:
            raise BadReport(f"records: {error}") from error

    def stage_costs(self, folder):
        """What each stage of a finished run cost: the run's own sums, else the trace of its cycles."""
        report = self._report(folder)
        if report.get("stage_us"):
            return costs_from_sums(report["stage_us"], report["pages"]["done"])
        try:
            trace = json.loads(self._read(folder, "run-trace", str(report.get("run_id")), "--json"))
        except ValueError as error:
            raise BadReport(f"run-trace printed no JSON: {error}") from error
        return costs_from_trace(trace)

    def _read(self, folder, *arguments):
        command = [self.program, "--project", folder / "project", *arguments]
        try:
            run = subprocess.run(
                command, capture_output=True, text=True, timeout=READ_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BadReport(f"{arguments[0]}: {error}") from error
        if run.returncode != 0:
            raise BadReport(f"{arguments[0]} ended with {run.returncode}: {run.stderr.strip()[-300:]}")
        return run.stdout


FILTER = """\
function filter_item(item, ctx)
  if item.fields.link == "" then return nil end
  return item
end
"""


class HeddleLua(Heddle):
    """The same with a Lua hook that looks at every item."""

    name = "heddle-lua"

    def prepare(self, work, folder):
        command = super().prepare(work, folder)
        (folder / "project" / "jobs" / JOB / "hooks.lua").write_text(FILTER, encoding="utf-8")
        return command
