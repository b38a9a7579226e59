"""The reference work the way Scrapy's tutorial teaches it: CSS selectors, one item per link, item pipelines.

usage: links_tutorial.py URLS_FILE DATABASE REPORT [CONCURRENCY]

One pipeline drops duplicates, the next writes to SQLite. links_spider.py does the same work tuned for speed.
"""

import json
import sqlite3
import sys
from urllib.parse import urljoin

import scrapy
from itemadapter import ItemAdapter
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import DropItem


class LinksSpider(scrapy.Spider):
    name = "links"

    def __init__(self, urls_file, tally, **kwargs):
        super().__init__(**kwargs)
        with open(urls_file, encoding="utf-8") as lines:
            self.start_urls = [line.strip() for line in lines]
        self.tally = tally

    def parse(self, response):
        self.tally["pages"] += 1
        base = base_of(response)
        on_page = set()
        for link in response.css("a[href]"):
            text = " ".join("".join(link.css("*::text").getall()).split())
            href = absolute(base, link.attrib["href"])
            on_page.add((text, href))
            yield {"text": text, "href": href}
        self.tally["links"] += len(on_page)


def base_of(response):
    base = response.css("base[href]")
    return urljoin(response.url, base.attrib["href"]) if base else response.url


def absolute(base, href):
    try:
        return urljoin(base, href.strip())
    except ValueError:  # "http://[broken": kept as the page has it
        return href


class DuplicatesPipeline:
    def __init__(self):
        self.seen = set()

    def process_item(self, item, spider):
        adapter = ItemAdapter(item)
        link = (adapter["text"], adapter["href"])
        if link in self.seen:
            raise DropItem("seen before")
        self.seen.add(link)
        return item


class SqlitePipeline:
    def open_spider(self, spider):
        self.database = sqlite3.connect(spider.settings["LINKS_DATABASE"])
        self.database.execute("CREATE TABLE links (text TEXT NOT NULL, href TEXT NOT NULL)")
        self.stored = 0

    def process_item(self, item, spider):
        adapter = ItemAdapter(item)
        self.database.execute("INSERT INTO links VALUES (?, ?)", (adapter["text"], adapter["href"]))
        self.stored += 1
        return item

    def close_spider(self, spider):
        self.database.commit()
        self.database.close()
        spider.tally["items"] = self.stored


def main(urls_file, database, report, concurrency="16"):
    tally = {"pages": 0, "failed": 0, "links": 0, "items": 0}
    process = CrawlerProcess({
        "LINKS_DATABASE": database,
        "ITEM_PIPELINES": {DuplicatesPipeline: 100, SqlitePipeline: 200},
        "CONCURRENT_REQUESTS": int(concurrency),
        "CONCURRENT_REQUESTS_PER_DOMAIN": int(concurrency),
        "LOG_LEVEL": "ERROR",
        "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
    })
    process.crawl(LinksSpider, urls_file=urls_file, tally=tally)
    process.start()
    with open(report, "w", encoding="utf-8") as out:
        json.dump(tally, out)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
