"""How fast lxml parses the pages of a folder, from memory. Run by a Python that has lxml.

usage: lxml_probe.py FOLDER SECONDS; prints one JSON object
"""

import json
import sys
import time
from pathlib import Path

import lxml.etree
import lxml.html


def main(folder, seconds):
    bodies = [p.read_bytes() for p in sorted(Path(folder).iterdir()) if p.suffix == ".html"]
    for body in bodies:  # warm up
        lxml.html.document_fromstring(body)
    size, passes, started = sum(map(len, bodies)), 0, time.process_time()
    while passes == 0 or time.process_time() - started < float(seconds):
        for body in bodies:
            lxml.html.document_fromstring(body)
        passes += 1
    took = time.process_time() - started
    version = ".".join(map(str, lxml.etree.LXML_VERSION[:3]))
    libxml = ".".join(map(str, lxml.etree.LIBXML_VERSION))
    print(json.dumps({
        "version": f"lxml {version}, libxml2 {libxml}",
        "pages": len(bodies),
        "bytes": size,
        "passes": passes,
        "bytes_per_second": size * passes / took,
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
