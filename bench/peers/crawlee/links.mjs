// The reference work as a Crawlee user would write it: every link of every page, new ones stored.
//
// usage: node links.mjs URLS_FILE ITEMS_FILE REPORT [CONCURRENCY]
//
// Kept fast on purpose: a RequestList instead of a queue, nothing persisted between runs, the number
// of parallel requests fixed so that no autoscaling has to find it, JSON lines instead of a database.
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { finished } from 'node:stream/promises';

import { CheerioCrawler, Configuration, LogLevel, RequestList, log } from '@crawlee/cheerio';

const [urlsFile, itemsFile, report, concurrency = '16'] = process.argv.slice(2);
const tally = { pages: 0, failed: 0, links: 0, items: 0 };
const seen = new Set();
const items = createWriteStream(itemsFile);

function absolute(href, base) {
  try {
    return new URL(href, base).href;
  } catch {
    return href; // "http://[broken": kept as the page has it
  }
}

function takeLinks($, pageUrl) {
  const baseHref = $('base[href]').first().attr('href');
  const base = baseHref === undefined ? pageUrl : absolute(baseHref, pageUrl);
  const onPage = new Set();
  for (const anchor of $('a[href]')) {
    const text = $(anchor).text().replace(/\s+/g, ' ').trim();
    onPage.add(JSON.stringify([text, absolute(anchor.attribs.href, base)]));
  }
  tally.links += onPage.size;
  store(onPage);
}

function store(links) {
  let fresh = '';
  for (const line of links) {
    if (!seen.has(line)) {
      seen.add(line);
      fresh += `${line}\n`;
    }
  }
  if (fresh !== '') items.write(fresh);
}

log.setLevel(LogLevel.ERROR);
const sources = readFileSync(urlsFile, 'utf8').split('\n').filter(Boolean).map((url) => ({ url }));
const crawler = new CheerioCrawler(
  {
    requestList: await RequestList.open(null, sources),
    minConcurrency: Number(concurrency),
    maxConcurrency: Number(concurrency),
    maxRequestRetries: 0,
    requestHandler: ({ $, request }) => {
      takeLinks($, request.loadedUrl);
      tally.pages += 1;
    },
    failedRequestHandler: ({ request }, error) => {
      tally.failed += 1;
      console.error(`${request.url}: ${error.message}`);
    },
  },
  new Configuration({ persistStorage: false }),
);
await crawler.run();
items.end();
await finished(items);
tally.items = seen.size;
writeFileSync(report, JSON.stringify(tally));
process.exitCode = tally.failed === 0 ? 0 : 1;
