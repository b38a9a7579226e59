"""Runs the contenders in alternating rounds and keeps the median of each figure."""

import shutil
import statistics
from dataclasses import dataclass, field
from pathlib import Path

from .contenders.contender import BadReport
from .measure import measure

TIMEOUT_EXIT = "gave up after {:.0f} s"


@dataclass
class Round:
    """One run of one contender: measured from outside, counted by itself."""

    measurement: object
    tally: object

    @property
    def pages_per_second(self):
        return self.tally.pages / self.measurement.wall_seconds

    @property
    def pages_per_cpu_second(self):
        return self.tally.pages / max(self.measurement.cpu_seconds, 1e-9)

    def as_json(self):
        return {
            **self.measurement.as_json(),
            **self.tally.as_json(),
            "pages_per_second": self.pages_per_second,
            "pages_per_cpu_second": self.pages_per_cpu_second,
        }


@dataclass
class Outcome:
    """All rounds of one contender, or why there are none."""

    name: str
    version: str = ""
    rounds: list = field(default_factory=list)
    problem: str = ""
    items: set = field(default_factory=set)  # of the last round
    last_folder: Path = None

    def median(self, figure):
        return statistics.median(r.as_json()[figure] for r in self.rounds)

    def medians(self):
        if not self.rounds:
            return {}
        return {figure: self.median(figure) for figure in self.rounds[0].as_json()}

    def spread(self, figure):
        """(highest - lowest) / median over the rounds."""
        values = [r.as_json()[figure] for r in self.rounds]
        return (max(values) - min(values)) / statistics.median(values)

    def as_json(self):
        return {
            "name": self.name,
            "version": self.version,
            "problem": self.problem or None,
            "median": self.medians(),
            "rounds": [r.as_json() for r in self.rounds],
        }


class RunFailed(Exception):
    pass


def order_of_round(contenders, number):
    """Each round starts with another contender, so that none always runs on the warmest machine."""
    shift = number % len(contenders)
    return contenders[shift:] + contenders[:shift]


@dataclass(frozen=True)
class Plan:
    work: object
    rounds: int
    scratch: Path
    timeout: float
    without: tuple = ()  # pids that belong to no contender (the web server)


def run_rounds(contenders, plan, progress):
    """Calls `progress(text)` for each step. A contender that fails once is excluded and reported."""
    outcomes = {c.name: Outcome(c.name, c.version()) for c in contenders}
    for number in range(plan.rounds):
        for contender in order_of_round(contenders, number):
            outcome = outcomes[contender.name]
            if outcome.problem:
                continue
            try:
                run_once(contender, plan, outcome, number)
                speed = outcome.rounds[-1].pages_per_second
                progress(f"round {number + 1}/{plan.rounds}  {contender.name}: {speed:.1f} pages/s")
            except (RunFailed, BadReport) as failure:
                outcome.problem = str(failure)
                progress(f"round {number + 1}/{plan.rounds}  {contender.name} FAILED: {failure}")
    return list(outcomes.values())


def run_once(contender, plan, outcome, number):
    folder = plan.scratch / f"{contender.name}-{number + 1}"
    folder.mkdir(parents=True)
    command = contender.prepare(plan.work, folder)
    measurement = measure(command, folder, timeout=plan.timeout, without=plan.without)
    if measurement.timed_out:
        raise RunFailed(TIMEOUT_EXIT.format(plan.timeout))
    if measurement.exit_code != 0:
        raise RunFailed(f"exit status {measurement.exit_code}: {last_words(folder)}")
    tally = contender.tally(folder)
    if tally.pages != len(plan.work.urls):
        raise RunFailed(f"did {tally.pages} of {len(plan.work.urls)} pages: {last_words(folder)}")
    outcome.rounds.append(Round(measurement, tally))
    if number + 1 == plan.rounds:
        outcome.items = contender.items(folder)
        outcome.last_folder = folder
    else:
        shutil.rmtree(folder)


def last_words(folder):
    text = (folder / "stderr").read_text(encoding="utf-8", errors="replace").strip()
    return text[-400:] or "it said nothing"
