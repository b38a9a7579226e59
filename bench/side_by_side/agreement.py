"""Did the contenders do the same work? Compares the sets of (text, href) that they stored."""

import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit, urlunsplit

TOLERANCE = 0.02  # of links seen and of items stored
EXAMPLES = 3

DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Difference:
    """Items that both have but for one known reason, or that only one of them has."""

    reason: str
    left: int
    right: int
    examples: tuple

    def as_json(self):
        return {"reason": self.reason, "left": self.left, "right": self.right,
                "examples": [list(e) for e in self.examples]}


@dataclass(frozen=True)
class Agreement:
    left: str
    right: str
    common: int
    links_off: float  # relative difference
    items_off: float
    differences: tuple

    @property
    def is_close(self):
        return self.links_off <= TOLERANCE and self.items_off <= TOLERANCE

    def as_json(self):
        return {
            "left": self.left, "right": self.right, "common": self.common, "is_close": self.is_close,
            "tolerance": TOLERANCE, "links_off": self.links_off, "items_off": self.items_off,
            "differences": [d.as_json() for d in self.differences],
        }


def relative_difference(a, b):
    return 0.0 if a == b else abs(a - b) / max(a, b)


def same_text(text):
    """Without anything on which parsers differ in white space, and with one spelling of accents."""
    return "".join(unicodedata.normalize("NFC", text).split())


def same_href(href):
    """One spelling per address: case of scheme and host, default port, empty path, percent signs."""
    try:
        parts = urlsplit(href.strip())
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return plain(href)
    if host == "":
        return plain(href)
    if port is not None and port != DEFAULT_PORTS.get(parts.scheme):
        host = f"{host}:{port}"
    path = "/".join(without_dots(parts.path.split("/"))) or "/"
    return urlunsplit((parts.scheme, host, *map(plain, (path, parts.query, parts.fragment))))


def plain(text):
    """Percent signs and white space are where URL libraries differ most: neither counts here."""
    return "".join(unquote(text).split())


def without_dots(segments):
    kept = []
    for segment in segments:
        if segment == "..":
            if len(kept) > 1:  # the first is the part before the leading "/"
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    return kept


# Tried in this order, each on the items that the previous ones could not pair.
REASONS = (
    ("white space in the text", lambda item: (same_text(item[0]), item[1])),
    ("spelling of the address", lambda item: (item[0], same_href(item[1]))),
    ("both of these", lambda item: (same_text(item[0]), same_href(item[1]))),
    ("other text, same address", lambda item: same_href(item[1])),
)


def compare(left, right):
    """`left` and `right` are Outcomes with rounds."""
    only_left, only_right = left.items - right.items, right.items - left.items
    differences = []
    for reason, key in REASONS:
        # Searched among all items of the other side, which may have both spellings.
        explained_left = those_like(key, only_left, right.items)
        explained_right = those_like(key, only_right, left.items)
        if explained_left or explained_right:
            differences.append(difference(reason, explained_left, explained_right))
        only_left, only_right = only_left - explained_left, only_right - explained_right
    if only_left or only_right:
        differences.append(difference("found by one only", only_left, only_right))
    return Agreement(
        left.name, right.name, len(left.items & right.items),
        relative_difference(left.median("links"), right.median("links")),
        relative_difference(left.median("items"), right.median("items")),
        tuple(differences),
    )


def those_like(key, items, others):
    known = {key(other) for other in others}
    return {item for item in items if key(item) in known}


def difference(reason, left, right):
    examples = sorted(left)[:EXAMPLES] + sorted(right)[:EXAMPLES]
    return Difference(reason, len(left), len(right), tuple(examples))
