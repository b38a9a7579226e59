"""The reference work with the standard library alone: what the bench tries itself with.

usage: tiny_crawler.py URLS_FILE ITEMS_FILE REPORT CONCURRENCY
"""

import json
import sys
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from urllib.parse import urljoin


class Links(HTMLParser):
    def __init__(self, base):
        super().__init__(convert_charrefs=True)
        self.base = base
        self.href = None
        self.text = []
        self.found = []

    def handle_starttag(self, tag, attrs):
        href = dict(attrs).get("href")
        if tag == "a" and href is not None:
            self.href, self.text = urljoin(self.base, href), []

    def handle_data(self, data):
        if self.href is not None:
            self.text.append(data)

    def handle_endtag(self, tag):
        if tag == "a" and self.href is not None:
            self.found.append((" ".join("".join(self.text).split()), self.href))
            self.href = None


def links_of(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        parser = Links(url)
        parser.feed(answer.read().decode("utf-8", errors="replace"))
        return set(parser.found)


def main(urls_file, items_file, report, concurrency):
    with open(urls_file, encoding="utf-8") as lines:
        urls = [line.strip() for line in lines]
    with ThreadPoolExecutor(int(concurrency)) as pool:
        found = list(pool.map(links_of, urls))
    items = {link for links in found for link in links}
    with open(items_file, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(item) + "\n" for item in sorted(items))
    tally = {"pages": len(found), "failed": 0, "links": sum(map(len, found)), "items": len(items)}
    with open(report, "w", encoding="utf-8") as out:
        json.dump(tally, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
