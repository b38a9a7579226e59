"""One bench session from pages to report: what `bench/run` does."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

from . import machine
from .agreement import compare
from .children import adopt_orphans
from .contenders import Crawlee, CrawleeTutorial, Heddle, HeddleLua, Scrapy, ScrapyTutorial
from .contenders.contender import BadReport, Work
from .crossing import measure_crossing
from .pages import choose_page_set
from .parsing import compare_parsers
from .report import Report, ratios_to_peers
from .respawning import measure_respawns
from .rounds import Plan, run_rounds
from .scaling import LONGER, ScalingPlan, measure_scaling
from .storing import measure_store
from .tables import Style
from .taking_over import measure_taking_over
from .web_server import INSTALL as NGINX_INSTALL
from .web_server import WebServer, find_nginx

CRAWLERS = ("heddle", "heddle-lua", "scrapy", "crawlee", "scrapy-tutorial", "crawlee-tutorial")
PARTS = (*CRAWLERS, "workers", "parse", "store", "ipc", "respawn")


@dataclass(frozen=True)
class Settings:
    root: Path  # of the source tree
    build: Path
    pages: Path = None
    rounds: int = 3
    repeats: int = 10
    concurrency: int = 16
    timeout: float = 900.0
    parse_seconds: float = 3.0
    kills: int = 30
    parts: tuple = PARTS

    def as_json(self):
        return {"rounds": self.rounds, "repeats": self.repeats, "concurrency": self.concurrency,
                "parts": list(self.parts)}


@dataclass
class Session:
    settings: Settings
    scratch: Path
    contenders: list = None  # None: the usual ones
    output: object = None
    document: dict = field(default_factory=dict)
    is_good: bool = True

    def __post_init__(self):
        self.output = self.output or sys.stdout
        self.report = Report(self.output, Style(self.output))

    def run(self):
        """True when every contender that could run did, and all agree."""
        facts, settings = machine.describe(), self.settings
        usual = settings.root.parent / "shared" / "data" / "pages"
        page_set = choose_page_set(settings.pages, usual, self.scratch)
        self.document.update(machine=facts, pages=page_set.summary(), settings=settings.as_json())
        self.report.setting(facts, page_set.summary(), settings.as_json())
        if any(name in settings.parts for name in CRAWLERS):
            self.crawl(page_set)
        if "workers" in settings.parts:
            self.scale(page_set)
        if "parse" in settings.parts:
            progress("parsing: lxml and html_bench")
            self.document["parse"] = compare_parsers(page_set, settings.build, settings.parse_seconds)
            self.report.parsing(self.document["parse"])
        if "store" in settings.parts:
            progress("storing: store_bench")
            self.document["store"] = measure_store(settings.build)
            self.report.storing(self.document["store"])
        if "ipc" in settings.parts:
            progress("crossing processes: ipc_bench")
            self.document["ipc"] = measure_crossing(settings.build)
            self.report.crossing(self.document["ipc"])
        if "respawn" in settings.parts:
            progress(f"respawning: {settings.kills} kills each")
            self.document["respawn"] = measure_respawns(settings.build, self.scratch, settings.kills)
            self.report.respawning(self.document["respawn"])
            self.document["taking_over"] = measure_taking_over(settings.build, self.scratch, settings.kills)
            self.report.taking_over(self.document["taking_over"])
        return self.is_good

    def usual_contenders(self):
        peers = self.settings.root / "bench" / "peers"
        tuned, taught = [Scrapy(peers), Crawlee(peers)], [ScrapyTutorial(peers), CrawleeTutorial(peers)]
        program = self.settings.build / "heddle"
        return [Heddle(program), HeddleLua(program), *tuned, *taught]

    def choose_contenders(self):
        """Those that can run; the others are named in report and document."""
        able, skipped = [], []
        for contender in self.contenders or self.usual_contenders():
            if contender.name not in self.settings.parts:
                continue
            why = contender.missing()
            if why is None:
                able.append(contender)
            else:
                skipped.append({"name": contender.name, "reason": why})
                self.report.skipped(contender.name, why)
        self.document["skipped"] = skipped
        return able

    def crawl(self, page_set):
        contenders = self.choose_contenders()
        if find_nginx() is None:
            self.report.skipped("reference work", f"nginx is not installed: {NGINX_INSTALL}")
            self.document["skipped"].append({"name": "reference work", "reason": "nginx"})
            return
        if not contenders:
            return
        adopt_orphans()
        settings = self.settings
        with WebServer(page_set, self.scratch) as server:
            work = Work(page_set.urls(server.base_url, settings.repeats), settings.concurrency)
            plan = Plan(work, settings.rounds, self.scratch, settings.timeout, (server.pid,))
            outcomes = run_rounds(contenders, plan, progress)
        self.conclude(contenders, outcomes)

    def scale(self, page_set):
        program = Heddle(self.settings.build / "heddle")
        why = program.missing() or (None if find_nginx() else f"nginx is not installed: {NGINX_INSTALL}")
        if why:
            self.report.skipped("workers", why)
            return
        settings = self.settings
        with WebServer(page_set, self.scratch) as server:
            plan = ScalingPlan(program.program, page_set, server.base_url, settings.repeats * LONGER,
                               settings.concurrency, settings.rounds, self.scratch, settings.timeout)
            result = measure_scaling(plan, progress)
        self.is_good = self.is_good and "missing" not in result
        self.document["workers"] = result
        self.report.scaling(result)

    def conclude(self, contenders, outcomes):
        whole = [o for o in outcomes if not o.problem]
        agreements = [compare(whole[0], other) for other in whole[1:]]
        ratios = ratios_to_peers(outcomes)
        self.is_good = len(whole) == len(outcomes) and all(a.is_close for a in agreements)
        self.document["contenders"] = [o.as_json() for o in outcomes]
        self.document["agreement"] = [a.as_json() for a in agreements]
        self.document["ratios"] = ratios
        self.report.crawl(outcomes)
        self.report.ratios(ratios)
        self.report.agreement(agreements)
        for contender, outcome in zip(contenders, outcomes):
            if hasattr(contender, "stage_costs") and not outcome.problem:
                self.stages(contender, outcome)

    def stages(self, contender, outcome):
        pages = outcome.rounds[-1].tally.pages
        try:
            costs = contender.stage_costs(outcome.last_folder)
        except BadReport as failure:
            costs, rows = [], str(failure)
        else:
            total = sum(cost.microseconds for cost in costs)
            rows = [cost.as_json(pages, total) for cost in costs] or "the run's trace is empty"
        self.document["stages"] = rows if costs else []
        self.report.stages(rows, pages)

    def write_json(self, file):
        Path(file).write_text(json.dumps(self.document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def progress(text):
    print(text, file=sys.stderr, flush=True)
