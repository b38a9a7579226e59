#!/usr/bin/env python3
"""Replaces the heddle program in tests: implements its command line with generated links.

Every page has three links: two of its own and one that all pages share.
"""

import json
import sys
from pathlib import Path

STAGES = ("before_fetch", "fetch", "extract", "dedup", "store")


def urls_of(project):
    return (project / "jobs" / "links" / "urls.txt").read_text(encoding="utf-8").split()


def links_of(url):
    return [("first", url + "/a"), ("second\u2028half", url + "/b"), ("home", "http://127.0.0.1/")]


def run(project):
    urls = urls_of(project)
    seen = [link for url in urls for link in links_of(url)]
    return {
        "job": "links", "run_id": "run-1", "state": "completed",
        "pages": {"total": len(urls), "done": len(urls), "failed": 0, "skipped": 0},
        "items": {"seen": len(seen), "new": len(set(seen)), "changed": 0},
        "errors": [], "duration_ms": 12,
    }


def records(project):
    for text, link in {link for url in urls_of(project) for link in links_of(url)}:
        print(json.dumps({"id": 1, "fields": {"text": text, "link": link}}, ensure_ascii=False))


def trace(project):
    durations = dict(zip(STAGES, (0.0, 1.5, 2.0, 0.25, 0.25)))
    stages = [{"name": n, "status": "success", "duration_ms": durations[n]} for n in STAGES]
    return {"run_id": "run-1", "pages": [{"url": url, "stages": stages} for url in urls_of(project)]}


def main(arguments):
    if arguments == ["--version"]:
        print("heddle 9.9.9")
        return 0
    flag, project, command, *rest = arguments
    project = Path(project)
    if flag != "--project" or not (project / "heddle.toml").exists():
        return 2
    if [command, *rest] == ["run", "links", "--json"]:
        print(json.dumps(run(project)))
    elif [command, *rest] == ["records", "links", "--format", "jsonl"]:
        records(project)
    elif [command, *rest] == ["run-trace", "run-1", "--json"]:
        print(json.dumps(trace(project)))
    else:
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
