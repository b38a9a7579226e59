"""What each stage of Heddle's cycles cost, summed over one run."""

from dataclasses import dataclass

# A duration's key names its unit; here is how many microseconds one of it has.
UNITS = {"duration_us": 1, "us": 1, "duration_ms": 1000, "ms": 1000, "duration_ns": 0.001}


@dataclass(frozen=True)
class StageCost:
    name: str
    cycles: int  # in which the stage did something
    microseconds: float  # sum over all cycles

    def per_page(self, pages):
        return self.microseconds / pages if pages else 0.0

    def as_json(self, pages, total):
        return {
            "stage": self.name,
            "cycles": self.cycles,
            "total_ms": self.microseconds / 1000,
            "share": self.microseconds / total if total else 0.0,
            "us_per_page": self.per_page(pages),
        }


def costs_from_sums(microseconds, cycles):
    """`microseconds`: {stage: sum over all cycles}, in the order of the cycle."""
    return [StageCost(name, cycles, total) for name, total in microseconds.items() if total > 0]


def costs_from_trace(trace):
    """Costs in order of first appearance, which is the order of the cycle; stages without time left out."""
    sums = {}
    for name, microseconds in stage_times(trace):
        cycles, total = sums.get(name, (0, 0.0))
        sums[name] = (cycles + (microseconds > 0), total + microseconds)
    return [StageCost(name, cycles, total) for name, (cycles, total) in sums.items() if total > 0]


def stage_times(node):
    """Every (stage, microseconds) below `node`: cycles may be nested in any document around them."""
    if isinstance(node, list):
        for child in node:
            yield from stage_times(child)
    elif isinstance(node, dict):
        for key, child in node.items():
            if key == "stages":
                yield from entries(child)
            else:
                yield from stage_times(child)


def entries(stages):
    """Of one cycle: a list of {"stage": name, …} or an object {name: {…}}."""
    if isinstance(stages, dict):
        named = stages.items()
    else:
        named = [(entry.get("stage", entry.get("name")), entry) for entry in stages]
    for name, entry in named:
        yield name, microseconds_of(entry)


def microseconds_of(entry):
    for key, factor in UNITS.items():
        if isinstance(entry.get(key), (int, float)):
            return entry[key] * factor
    return 0.0
