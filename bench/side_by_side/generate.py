"""Makes a deterministic set of pages with the shape of real ones, for clones without collected pages.

Only random.random() is used: Python promises that it gives the same numbers for the same seed in every
version, which it does not promise for choice(), shuffle() and friends.
"""

import math
import random
from pathlib import Path

SMALLEST = 2_000
LARGEST = 1_000_000
MEDIAN = 135_000
SPREAD = 1.2  # of the logarithm; with MEDIAN it gives an average near 200 KB

WORDS = (
    "the of and price news market report city people river market winter light music open school "
    "science table garden history winner season study window update travel engine energy member "
    "letter signal bridge coffee summer archive weather science museum company festival results "
    "naïve café Zürich año größer façade предложение новости 日本 語 ελληνικά".split()
)
SECTIONS = ("news", "sport", "culture", "science", "shop", "travel", "opinion", "local")
ENTITIES = ("&amp;", "&nbsp;", "&mdash;", "&eacute;", "&#8217;", "&quot;")


class Writer:
    """Appends HTML and knows how much there is; all chance comes from one seeded source."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.parts = []
        self.size = 0

    def add(self, text):
        self.parts.append(text)
        self.size += len(text.encode("utf-8"))

    def below(self, limit):
        return int(self.chance.random() * limit)

    def pick(self, things):
        return things[self.below(len(things))]

    def words(self, count):
        return " ".join(self.pick(WORDS) for _ in range(count))

    def href(self):
        section, number = self.pick(SECTIONS), self.below(4_000)
        kinds = (
            f"/{section}/{number}.html",
            f"../{section}/story-{number}",
            f"https://www.example.com/{section}/{number}?ref=home&amp;pos={self.below(30)}",
            f"//cdn.example.net/{section}/{number}",
            f"#section-{self.below(12)}",
            f"?page={self.below(9)}",
            "mailto:desk@example.org",
        )
        # Most links of real pages are plain paths and absolute addresses.
        return kinds[min(self.below(7), self.below(7))]

    def link(self):
        label = self.words(1 + self.below(7))
        if self.below(4) == 0:
            label = f'<img src="/i/{self.below(900)}.jpg" alt="{label}"><span>{label}</span>'
        elif self.below(5) == 0:
            label = f"\n        <b>{label}</b>\n        {self.pick(ENTITIES)} {self.words(2)}\n      "
        return f'<a class="c{self.below(40)} link" href="{self.href()}">{label}</a>'


def target_size(number):
    """Log-normal between SMALLEST and LARGEST, a function of the page's number alone."""
    chance = random.Random(number * 7919 + 17)
    first, second = 1.0 - chance.random(), chance.random()
    normal = math.sqrt(-2.0 * math.log(first)) * math.cos(2.0 * math.pi * second)
    return int(min(LARGEST, max(SMALLEST, MEDIAN * math.exp(SPREAD * normal))))


def page(number):
    out = Writer(number)
    size = target_size(number)
    add_head(out, number, size)
    out.add('<body class="page">\n')
    add_navigation(out)
    blocks = (add_article, add_article, add_card_list, add_table, add_script, add_comments)
    while out.size < size - 600:
        out.pick(blocks)(out)
    add_footer(out)
    return "".join(out.parts)


def add_head(out, number, size):
    title = out.words(6)
    out.add(f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n')
    out.add(f'<link rel="canonical" href="/page-{number:03}.html">\n')
    if size > 20_000:
        rules = "".join(
            f".c{i} {{ margin: {out.below(9)}px; color: #{out.below(4096):03x} }}\n" for i in range(60)
        )
        out.add(f"<style>\n{rules}</style>\n")
    out.add("</head>\n")


def add_navigation(out):
    out.add('<nav><ul class="menu">\n')
    for section in SECTIONS:
        out.add(f'  <li><a href="/{section}/">{section.title()}</a></li>\n')
    out.add("</ul></nav>\n")


def add_article(out):
    out.add(f'<article id="section-{out.below(12)}"><h2>{out.link()}</h2>\n')
    for _ in range(2 + out.below(6)):
        text = out.words(60 + out.below(100))
        link = out.link() if out.below(2) == 0 else f"<em>{out.words(3)}</em>"
        out.add(f'  <p class="c{out.below(40)}">{text} {link} {out.words(30)}<br>{out.pick(ENTITIES)}\n')
    out.add("</article>\n")


def add_card_list(out):
    out.add('<div class="grid"><ul>\n')
    for _ in range(4 + out.below(14)):
        cents, image = 100 + out.below(99_900), f"/i/{out.below(10**6)}.jpg"
        out.add(
            f'  <li class="card c{out.below(40)}" data-id="{out.below(10**6)}"><div><div>{out.link()}'
            f'<img src="{image}" srcset="{image}?w=320 320w, {image}?w=640 640w" loading="lazy" alt="">'
            f'<p class="teaser">{out.words(20)}</p>'
            f'<span class="price">{cents // 100}.{cents % 100:02} &euro;</span></div></div>\n'
        )
    out.add("</ul></div>\n")


def add_table(out):
    out.add("<table><tr><th>Name<th>Value<th>Source</tr>\n")
    for _ in range(3 + out.below(20)):
        out.add(f"<tr><td>{out.words(3)}<td>{out.below(10**5)}<td>{out.link()}</tr>\n")
    out.add("</table>\n")


def add_script(out):
    rows = ",".join(f'{{"id":{out.below(10**7)},"t":"{out.words(4)}"}}' for _ in range(40 + out.below(200)))
    out.add(f'<script>window.state=[{rows}];if(1<2&&"<a href=x>"){{}}</script>\n')


def add_comments(out):
    out.add(f"<!-- {out.words(20)} -->\n<section>\n")
    for _ in range(1 + out.below(8)):
        out.add(f"<div><div><div><blockquote>{out.words(25)} {out.link()}</blockquote></div></div></div>\n")
    out.add("</section>\n")


def add_footer(out):
    out.add('<footer><a href="/imprint.html">Imprint</a> <a href="#top">Top</a></footer>\n</body>\n</html>\n')


def write_pages(folder, count):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, count + 1):
        (folder / f"page-{number:03}.html").write_text(page(number), encoding="utf-8")
