"""Prints what was measured. Everything printed here is also in the JSON document."""

from . import machine
from .tables import decimal, megabytes, percent, table, times, whole

RATIOS = (  # figure, label, more is better
    ("pages_per_second", "pages/s", True),
    ("pages_per_cpu_second", "pages per CPU s", True),
    ("peak_rss_bytes", "peak RSS", False),
    ("peak_pss_bytes", "peak PSS", False),
)


class Report:
    def __init__(self, stream, style):
        self.stream = stream
        self.style = style

    def line(self, text=""):
        print(text, file=self.stream)

    def section(self, title):
        self.line()
        self.line(self.style.title(title))

    def table(self, header, rows):
        for line in table(self.style, header, rows):
            self.line(line)

    def skipped(self, name, why):
        self.line(self.style.bad(f"{name} skipped: {why}"))

    def setting(self, facts, pages, settings):
        self.line(self.style.title("Heddle side by side"))
        self.line(f"machine  {facts['cpu']}, {facts['cores']} cores, {facts['system']}")
        self.line(f"pages    {pages['count']} ({pages['origin']}), {megabytes(pages['bytes'])} MB, "
                  f"average {whole(pages['average_bytes'] / 1000)} KB")
        self.line(f"work     each page {settings['repeats']} times, {settings['concurrency']} at a time, "
                  f"median of {settings['rounds']} alternating round(s)")

    def crawl(self, outcomes):
        self.section("Reference work: fetch, take every link, deduplicate, store")
        rows = [crawl_row(outcome) for outcome in outcomes if outcome.rounds and not outcome.problem]
        if rows:
            header = ["", "pages/s", "wall s", "CPU s", "pages/CPU s", "RSS MB", "PSS MB", "proc", "links",
                      "items", "spread", "others"]
            self.table(header, rows)
        for outcome in outcomes:
            if outcome.problem:
                self.line(self.style.bad(f"{outcome.name} failed: {outcome.problem}"))
            self.left_behind(outcome)
        for outcome in outcomes:
            self.line(self.style.faint(f"{outcome.name}: {outcome.version}"))
        if any(one.measurement.others_share > machine.NOISY_SHARE for o in outcomes for one in o.rounds):
            self.line(self.style.bad("Other programs took much of the processor meanwhile (column others): "
                                     "wall times and pages/s are too low; pages/CPU s suffers less."))

    def left_behind(self, outcome):
        for number, one in enumerate(outcome.rounds, 1):
            if one.measurement.left_behind:
                self.line(self.style.bad(f"{outcome.name}, round {number}: "
                                         f"{one.measurement.left_behind} processes left behind"))

    def ratios(self, ratios):
        if not ratios:
            return
        self.section("Heddle against each peer (more pages and less memory are better)")
        rows = [
            [f"heddle / {peer}", *(times(row[figure]) if row[figure] else "n/a" for figure, _, _ in RATIOS)]
            for peer, row in ratios.items()
        ]
        self.table(["", *(label for _, label, _ in RATIOS)], rows)

    def agreement(self, agreements):
        if not agreements:
            return
        self.section("Did they do the same work?")
        for one in agreements:
            verdict = self.style.good("agree") if one.is_close else self.style.bad("DISAGREE")
            self.line(f"{one.left} and {one.right} {verdict}: {whole(one.common)} items equal; links differ by "
                      f"{percent(one.links_off)}, items by {percent(one.items_off)} (tolerance 2%)")
            for part in one.differences:
                self.line(f"  {part.reason}: {whole(part.left)} in {one.left}, {whole(part.right)} in {one.right}")
                for text, href in part.examples[:2]:
                    self.line(self.style.faint(f"    {shortened(text, 40)!r} -> {shortened(href, 90)}"))

    def stages(self, rows, pages):
        self.section(f"Heddle: cost per stage, last round, {whole(pages)} pages "
                     "(a stage that waits counts its waiting: shares are of time spent, not of CPU)")
        if isinstance(rows, str):
            self.skipped("stages", rows)
            return
        self.table(
            ["stage", "total ms", "share", "us/page", ""],
            [[row["stage"], decimal(row["total_ms"]), percent(row["share"]), decimal(row["us_per_page"]),
              self.style.bar(row["share"])] for row in rows],
        )

    def scaling(self, result):
        self.section("The daemon with one, two and four worker processes")
        if "missing" in result:
            self.skipped("workers", result["missing"])
            return
        self.table(
            ["workers", "pages/s", "pages/CPU s", "times one worker"],
            [[whole(row["workers"]), decimal(row["pages_per_second"]), decimal(row["pages_per_cpu_second"]),
              times(row["times_one_worker"])] for row in result["rows"]],
        )

    def parsing(self, result):
        self.section(f"Parsing {result['pages']} pages, {megabytes(result['bytes'])} MB, from memory, one thread")
        rows = []
        for side in ("heddle", "lxml"):
            if "missing" in result[side]:
                self.skipped(f"{side} parser", result[side]["missing"])
            else:
                what = result[side].get("version") or result[side]["name"]
                rows.append([side, megabytes(result[side]["bytes_per_second"]), what])
        if rows:
            self.table(["", "MB/s", "measured with"], rows)
        if result["ratio"]:
            self.line(f"heddle / lxml: {times(result['ratio'])}")

    def storing(self, result):
        self.section("Storing")
        if "missing" in result:
            self.skipped("store", result["missing"])
            return
        self.table(["bench", "rate", ""], [
            [row["name"], whole(rate), unit] for row in result["rows"] for unit, rate in row["rates"].items()
        ])

    def crossing(self, result):
        self.section("Between two processes (bytes of a frame behind the slash)")
        if "missing" in result:
            self.skipped("ipc", result["missing"])
            return
        self.table(["bench", "CPU us", "MB/s"], [
            [row["name"], decimal(row["nanoseconds"] / 1000, 2),
             megabytes(row["bytes_per_second"]) if row["bytes_per_second"] else "n/a"] for row in result["rows"]
        ])

    def respawning(self, result):
        self.section("From SIGKILL to the next process running")
        for skipped in result["skipped"]:
            self.skipped(skipped["name"], skipped["reason"])
        if result["rows"]:
            self.kills(result["rows"])

    def taking_over(self, result):
        self.section("From SIGKILL of a worker to the next page that is asked for")
        if "missing" in result:
            self.skipped("heddle up", result["missing"])
            return
        self.kills(result["rows"])

    def kills(self, rows):
        self.table(["", "kills", "median ms", "p90 ms", "worst ms"], [
            [row["name"], whole(row["kills"]), *(decimal(row[key]) for key in ("median_ms", "p90_ms", "worst_ms"))]
            for row in rows
        ])


def crawl_row(outcome):
    median = outcome.medians()
    return [
        outcome.name,
        decimal(median["pages_per_second"]),
        decimal(median["wall_seconds"], 2),
        decimal(median["cpu_seconds"], 2),
        decimal(median["pages_per_cpu_second"]),
        megabytes(median["peak_rss_bytes"]),
        megabytes(median["peak_pss_bytes"]) if median["peak_pss_bytes"] else "n/a",
        whole(median["most_processes"]),
        whole(median["links"]),
        whole(median["items"]),
        percent(outcome.spread("pages_per_second")) if len(outcome.rounds) > 1 else "n/a",
        percent(median["others_share"]),
    ]


def ratios_to_peers(outcomes):
    """{peer: {figure: heddle / peer}}; empty without Heddle. None where a figure is not known."""
    usable = {o.name: o.medians() for o in outcomes if o.rounds and not o.problem}
    heddle = usable.pop("heddle", None)
    if heddle is None:
        return {}
    return {
        peer: {figure: heddle[figure] / median[figure] if median[figure] else None for figure, _, _ in RATIOS}
        for peer, median in usable.items()
    }


def shortened(text, length):
    return text if len(text) <= length else text[: length - 1] + "…"
