// The reference work the way Crawlee's guides teach it: a request queue, cheerio, a dataset.
//
// usage: node links_tutorial.mjs URLS_FILE ITEMS_FILE REPORT [CONCURRENCY]
//
// links.mjs does the same work tuned for speed. ITEMS_FILE is written after the crawl, from the dataset.
import { readFileSync, writeFileSync } from 'node:fs';

import { CheerioCrawler, Dataset, LogLevel, log } from '@crawlee/cheerio';

const [urlsFile, itemsFile, report, concurrency = '16'] = process.argv.slice(2);
const tally = { pages: 0, failed: 0, links: 0, items: 0 };
const seen = new Set();

function absolute(href, base) {
  try {
    return new URL(href, base).href;
  } catch {
    return href; // "http://[broken": kept as the page has it
  }
}

function linksOf($, pageUrl) {
  const base = absolute($('base[href]').first().attr('href') ?? '', pageUrl);
  return $('a[href]')
    .map((_, anchor) => ({
      text: $(anchor).text().replace(/\s+/g, ' ').trim(),
      href: absolute($(anchor).attr('href'), base),
    }))
    .get();
}

log.setLevel(LogLevel.ERROR);
const crawler = new CheerioCrawler({
  maxConcurrency: Number(concurrency),
  async requestHandler({ $, request }) {
    const onPage = new Set();
    const fresh = [];
    for (const link of linksOf($, request.loadedUrl)) {
      const key = JSON.stringify([link.text, link.href]);
      onPage.add(key);
      if (seen.has(key)) continue;
      seen.add(key);
      fresh.push(link);
    }
    tally.pages += 1;
    tally.links += onPage.size;
    if (fresh.length > 0) await Dataset.pushData(fresh);
  },
  failedRequestHandler({ request }, error) {
    tally.failed += 1;
    console.error(`${request.url}: ${error.message}`);
  },
});
await crawler.run(readFileSync(urlsFile, 'utf8').split('\n').filter(Boolean));

const { items } = await Dataset.getData();
writeFileSync(itemsFile, items.map(({ text, href }) => `${JSON.stringify([text, href])}\n`).join(''));
tally.items = items.length;
writeFileSync(report, JSON.stringify(tally));
process.exitCode = tally.failed === 0 ? 0 : 1;
