#!/usr/bin/env python3
"""Plants one-line faults in the sources, one at a time, and tells which of them the tests do not see.

usage: plant_faults.py [--count N] [--seed S] [--only PATH-PREFIX] [--also TEST-PROGRAM]… [--site FILE:LINE:KIND]

Works on a copy of the committed tree below build/faults, with the release preset. A fault is caught when the unit tests
of its module fail, or those of a program given by --also, or when they do not end in time. A fault that does not compile
does not count. The same seed plants the same faults in the same tree.
Exit status: 0 when every fault was caught, 1 otherwise.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TREE = ROOT / "build" / "faults" / "tree"
LEFT_ALONE = re.compile(r"(_test|_bench|_fuzz|_table|/main)\.cpp$|/test_child/|/demo/|/docs/|asio_impl")
LONGEST_TEST = 240  # seconds for one test program

# (kind, what a line must match, how the line changes); a fault changes the first match only.
KINDS = [
    ("negate if", re.compile(r"^(\s*)((?:\}\s*else\s+)?if) \((.+)\) (.*[;{])$"), r"\1\2 (!(\3)) \4"),
    ("less", re.compile(r"(?<=[\w)\]]) < (?=[\w(*-])"), " <= "),
    ("greater", re.compile(r"(?<=[\w)\]]) > (?=[\w(*-])"), " >= "),
    ("at most", re.compile(r"(?<=[\w)\]]) <= (?=[\w(*-])"), " < "),
    ("at least", re.compile(r"(?<=[\w)\]]) >= (?=[\w(*-])"), " > "),
    ("equal", re.compile(r"(?<=[\w)\]\"']) == (?=[\w(*\"':-])"), " != "),
    ("not equal", re.compile(r"(?<=[\w)\]\"']) != (?=[\w(*\"':-])"), " == "),
    ("and", re.compile(r" && "), " || "),
    ("or", re.compile(r" \|\| "), " && "),
    ("true", re.compile(r"(?<=[ (])true(?=[;,)])"), "false"),
    ("false", re.compile(r"(?<=[ (])false(?=[;,)])"), "true"),
    ("plus", re.compile(r"(?<=[\w)\]]) \+ (?=[\w(])"), " - "),
    ("minus", re.compile(r"(?<=[\w)\]]) - (?=[\w(])"), " + "),
    ("drop statement", re.compile(r"^(\s+)(?!return|co_return|using|const|auto|case|break|continue|static|throw|goto)"
                                  r"([a-z][\w.\->()\[\]]*(?: = |\().*\);|[a-z][\w.\->\[\]]* [-+]?= .*;|\+\+[\w.\->]+;)$"),
     r"\1;"),
]


def run(command, **options):
    return subprocess.run(command, cwd=TREE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", **options)


def copy_tree():
    """Files that are the same already keep their time, so that they are not compiled again."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    present = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    for name in present:
        source, copy = ROOT / name, TREE / name
        content = source.read_bytes()
        if copy.exists() and copy.read_bytes() == content:
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
        copy.chmod(source.stat().st_mode)
    for path in (TREE / "src").rglob("*"):
        if path.is_file() and str(path.relative_to(TREE)) not in present:
            path.unlink()


def find_sites(prefix):
    sites = []
    for path in sorted((TREE / "src").rglob("*.cpp")):
        name = str(path.relative_to(TREE))
        if LEFT_ALONE.search(name) or not name.startswith(prefix):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = line.split("//")[0].rstrip()
            if '"' in code or not code.strip() or "static_assert" in code:
                continue
            sites += [(name, number, kind) for kind, pattern, _ in KINDS if pattern.search(code)]
    return sites


def choose(sites, count, seed):
    """Spread over the modules, and within each over files and kinds."""
    chance = random.Random(seed)
    by_module = {}
    for site in sites:
        by_module.setdefault(site[0].split("/")[1], []).append(site)
    weights = {module: len(found) ** 0.5 for module, found in by_module.items()}
    chosen = set()
    while len(chosen) < min(count, len(sites)):
        module = chance.choices(list(weights), list(weights.values()))[0]
        kind = chance.choice(sorted({site[2] for site in by_module[module]}))
        chosen.add(chance.choice([site for site in by_module[module] if site[2] == kind]))
    return sorted(chosen)


def plant(name, number, kind):
    path = TREE / name
    original = path.read_text()
    lines = original.splitlines(keepends=True)
    _, pattern, replacement = next(row for row in KINDS if row[0] == kind)
    before = lines[number - 1].rstrip("\n")
    code = before.split("//")[0].rstrip()
    lines[number - 1] = pattern.sub(replacement, code, count=1) + before[len(code):] + "\n"
    path.write_text("".join(lines))
    return original, before.strip(), lines[number - 1].strip()


def build(targets):
    return run(["cmake", "--build", "build/release", "-j", str(os.cpu_count() or 2), "--target", *targets])


def test_program(target):
    found = list((TREE / "build/release").rglob(target))
    return next(path for path in found if path.is_file() and os.access(path, os.X_OK))


def is_seen_by(target):
    program = test_program(target)
    try:
        return run([str(program), "--gtest_brief=1", "--gtest_fail_fast"], timeout=LONGEST_TEST).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def try_fault(site, also):
    name, number, kind = site
    targets = [name.split("/")[1] + "_test", *also]
    original, before, after = plant(name, number, kind)
    try:
        built = build(targets)
        if built.returncode != 0:
            return "does not compile", before, after
        seen = next((target for target in targets if is_seen_by(target)), None)
        return (f"caught by {seen}" if seen else "SURVIVED"), before, after
    finally:
        (TREE / name).write_text(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="src/")
    parser.add_argument("--also", action="append", default=[])
    parser.add_argument("--site", action="append", default=[], help="this fault only: FILE:LINE:KIND")
    options = parser.parse_args()
    copy_tree()
    os.environ.update(CCACHE_BASEDIR=str(TREE), CCACHE_NOHASHDIR="1")
    if run(["cmake", "--preset", "release"]).returncode != 0:
        sys.exit("cmake --preset release failed")
    sites = [tuple(text.split(":")) for text in options.site]
    sites = [(name, int(number), kind) for name, number, kind in sites]
    sites = sites or choose(find_sites(options.only), options.count, options.seed)
    modules = sorted({name.split("/")[1] + "_test" for name, _, _ in sites})
    print(f"{len(sites)} faults in {len(modules)} modules; building their tests first", flush=True)
    built = build([*modules, *options.also])
    if built.returncode != 0:
        sys.exit("the tree does not build without a fault:\n" + built.stdout[-3000:])
    tally = {"caught": 0, "survived": 0, "does not compile": 0}
    for site in sites:
        begun = time.monotonic()
        verdict, before, after = try_fault(site, options.also)
        key = "caught" if verdict.startswith("caught") else verdict.lower()
        tally[key] += 1
        name, number, kind = site
        print(f"{verdict:28} {name}:{number}:{kind} ({time.monotonic() - begun:.0f} s)", flush=True)
        if key == "survived":
            print(f"    - {before}\n    + {after}", flush=True)
    print(f"{tally['caught']} caught, {tally['survived']} survived, {tally['does not compile']} did not compile")
    return 1 if tally["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
