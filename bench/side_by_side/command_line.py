"""The arguments of bench/run."""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

from .pages import NoPages
from .self_test import self_test
from .session import PARTS, Session, Settings
from .web_server import WebServerFailed

EXAMPLES = """\
examples:
  bench/run --quick                      one short round of everything that is installed
  bench/run --pages ~/saved-pages        the same work on your own pages
  bench/run --only heddle --only parse   leave the others out
  bench/run --json result.json           keep every figure of every round

exit status: 0 done, 1 a contender failed or they disagree, 2 wrong usage, 77 the self-test needs nginx
"""


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def parse_arguments(arguments, root):
    parser = argparse.ArgumentParser(
        prog="bench", description="Heddle side by side with its peers, on the same pages in the same session.",
        epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=Path, metavar="DIR", help="folder with .html files "
                        "(default: ../shared/data/pages, else a generated set)")
    parser.add_argument("--rounds", type=positive, help="alternating rounds; the median counts (default 3)")
    parser.add_argument("--repeats", type=positive, help="fetches of each page per round (default 10)")
    parser.add_argument("--concurrency", type=positive, default=16, help="pages at a time (default 16)")
    parser.add_argument("--timeout", type=positive, default=900, help="seconds for one run (default 900)")
    parser.add_argument("--quick", action="store_true", help="1 round, 2 repeats: a smoke test, not a figure")
    parser.add_argument("--only", action="append", choices=PARTS, metavar="PART",
                        help=f"one of {', '.join(PARTS)}; may be repeated")
    parser.add_argument("--build", type=Path, metavar="DIR", default=root / "build" / "release",
                        help="where the release build lies (default build/release)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured")
    parser.add_argument("--self-test", action="store_true",
                        help="try the bench itself; needs neither peers nor heddle")
    return parser.parse_args(arguments)


def settings_from(options, root):
    return Settings(
        root=root,
        build=options.build.resolve(),
        pages=options.pages,
        rounds=options.rounds or (1 if options.quick else 3),
        repeats=options.repeats or (2 if options.quick else 10),
        concurrency=options.concurrency,
        timeout=float(options.timeout),
        parse_seconds=0.5 if options.quick else 3.0,
        kills=5 if options.quick else 30,
        parts=tuple(options.only or PARTS),
    )


def stop(_signal, _frame):
    raise KeyboardInterrupt  # cleans up servers, contenders and temporary folders as after Ctrl-C


def main(arguments, root):
    options = parse_arguments(arguments, root)
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGHUP, stop)
    if options.self_test:
        return self_test(root)
    with tempfile.TemporaryDirectory(prefix="heddle-bench-") as scratch:
        session = Session(settings_from(options, root), Path(scratch))
        try:
            is_good = session.run()
        except (NoPages, WebServerFailed) as failure:
            print(f"bench: {failure}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            print("bench: interrupted", file=sys.stderr)
            return 130
        if options.json:
            session.write_json(options.json)
    return 0 if is_good else 1
