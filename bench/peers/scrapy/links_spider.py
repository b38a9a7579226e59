"""The reference work as a Scrapy user would write it: every link of every page, new ones stored.

usage: links_spider.py URLS_FILE DATABASE REPORT [CONCURRENCY]

Kept fast on purpose: one item per page instead of one per link (each item walks through every
pipeline), lxml's own iteration instead of a Selector object per link, one transaction per batch.
"""

import json
import sqlite3
import sys
from urllib.parse import urljoin

import scrapy
from scrapy.crawler import CrawlerProcess

PAGES_PER_TRANSACTION = 100


class LinksSpider(scrapy.Spider):
    name = "links"

    def __init__(self, urls_file, tally, **kwargs):
        super().__init__(**kwargs)
        self.urls_file = urls_file
        self.tally = tally

    def start_requests(self):
        with open(self.urls_file, encoding="utf-8") as lines:
            for line in lines:
                # The list has no duplicates, so the duplicate filter would only cost time.
                yield scrapy.Request(line.strip(), dont_filter=True, errback=self.page_failed)

    def parse(self, response):
        root = response.selector.root
        base = base_of(root, response.url)
        links = set()
        for anchor in root.iter("a"):
            href = anchor.get("href")
            if href is not None:
                links.add((" ".join("".join(anchor.itertext()).split()), absolute(base, href)))
        self.tally["pages"] += 1
        self.tally["links"] += len(links)
        yield {"links": links}

    def page_failed(self, failure):
        self.tally["failed"] += 1
        print(failure.getErrorMessage(), file=sys.stderr)


def base_of(root, page_url):
    # Scrapy's own get_base_url() looks only at the first 4 KB of a page.
    element = root.find(".//base[@href]")
    return page_url if element is None else absolute(page_url, element.get("href"))


def absolute(base, href):
    try:
        return urljoin(base, href.strip())
    except ValueError:  # "http://[broken": kept as the page has it
        return href


class NewLinksIntoSqlite:
    """Remembers every link of this run in memory and writes only those not seen before."""

    def open_spider(self, spider):
        self.seen = set()
        self.waiting = []
        self.waiting_pages = 0
        self.database = sqlite3.connect(spider.settings["LINKS_DATABASE"])
        self.database.execute("PRAGMA journal_mode = WAL")
        self.database.execute("PRAGMA synchronous = NORMAL")
        self.database.execute("CREATE TABLE links (text TEXT NOT NULL, href TEXT NOT NULL)")

    def process_item(self, item, spider):
        for link in item["links"]:
            if link not in self.seen:
                self.seen.add(link)
                self.waiting.append(link)
        self.waiting_pages += 1
        if self.waiting_pages >= PAGES_PER_TRANSACTION:
            self.write()
        return item

    def write(self):
        with self.database:
            self.database.executemany("INSERT INTO links VALUES (?, ?)", self.waiting)
        self.waiting.clear()
        self.waiting_pages = 0

    def close_spider(self, spider):
        self.write()
        self.database.close()
        spider.tally["items"] = len(self.seen)


def settings(database, concurrency):
    return {
        "LINKS_DATABASE": database,
        "ITEM_PIPELINES": {NewLinksIntoSqlite: 100},
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "DOWNLOAD_DELAY": 0,
        "ROBOTSTXT_OBEY": False,
        "COOKIES_ENABLED": False,
        "LOG_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "MEMUSAGE_ENABLED": False,
        "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
    }


def main(urls_file, database, report, concurrency="16"):
    tally = {"pages": 0, "failed": 0, "links": 0, "items": 0}
    process = CrawlerProcess(settings(database, int(concurrency)))
    process.crawl(LinksSpider, urls_file=urls_file, tally=tally)
    process.start()
    with open(report, "w", encoding="utf-8") as out:
        json.dump(tally, out)
    return 0 if tally["failed"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
