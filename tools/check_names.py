#!/usr/bin/env python3
"""Fails when names or folders stop being easy to find your way by. docs/glossary.md has the words to use.

usage: check_names.py ROOT

- A type name is used once at namespace scope in the whole program (nested types are free).
- Words that the glossary has replaced do not come back.
- A header's sentences have a subject that acts.
- A folder of src/ holds at most 45 files, one of src/hub at most 25.
"""
import collections
import pathlib
import re
import sys

TYPE = re.compile(r"^(?:class|struct|enum class|enum|union)\s+(?:\[\[\w+\]\]\s+)?(?:HEDDLE_API\s+)?(\w+)\b(?!\s*<)(.*)$")
FORWARD = re.compile(r"^[^{]*;\s*(//.*)?$")
NO_SUBJECT = re.compile(r"\b(whoever|somebody|nobody|anybody)\b", re.I)
REPLACED = re.compile(
    r"\b(RunDesk|DeskParts|RunOffices?|JobRuns|ProgramRuns|RunCourse|WorkEnd|RunEnd|WorkDone|FinishedRun|HookedEnd"
    r"|WorkResult|RunVerdict|RunPlaces|HeldPlace|JobBook|JobEntry|JobDriver|DriverParts|JobLife|JobKeeper|RunWish"
    r"|WaitingRun|StorePatience|UnwrittenStep|UnwrittenActions|Suspects|WorkerDiary|AlertBook|AlertJudge|OutputBook"
    r"|Workshop|HookCrew|TendedProgram|ProgramHouse|ProgramSurroundings|Doorbell|Doorman|Visitor|Asker|Errand"
    r"|DeliveriesInHand|LettersInHand|LetterId|GatheredLog|MendedCopy|Mender|Leftovers|rooms?\.txt|check_rooms)\b")
PROSE = {".md", ".hpp", ".cpp", ".h", ".txt", ".py", ".cmake"}
MOST_FILES = 45
MOST_FILES_IN_HUB = 25


def sources(root):
    for folder in ("src", "include"):
        yield from sorted(f for f in (root / folder).rglob("*") if f.suffix in (".hpp", ".h", ".cpp"))


def is_test(file):
    return re.search(r"(_test|_bench|_fuzz|_for_test|_testing)\.\w+$", file.name) or "test" in file.parent.name


def repeated_types(root):
    places = collections.defaultdict(list)
    for file in sources(root):
        if is_test(file):
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            found = TYPE.match(line)
            if found and not FORWARD.match(line) and "::" not in found[0].split("{")[0].split(" : ")[0]:
                places[found[1]].append(f"{file.relative_to(root)}:{number}")
    for name, where in sorted(places.items()):
        if len(where) > 1:
            yield f"type name {name} is used {len(where)} times: {', '.join(where)}"


def replaced_words(root):
    folders = ("src", "include", "tests", "bench", "docs", "examples", "cmake", "tools")
    files = [f for folder in folders for f in (root / folder).rglob("*")] + list(root.glob("*"))
    for file in sorted(f for f in files if f.is_file() and f.suffix in PROSE):
        if file.name in ("CHANGELOG.md", pathlib.Path(__file__).name):
            continue
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
            if found := REPLACED.search(line):
                yield f"{file.relative_to(root)}:{number}: '{found[0]}' was replaced: see docs/glossary.md"


def sentences_without_subject(root):
    for file in sources(root):
        if file.suffix == ".cpp":
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if found := NO_SUBJECT.search(line):
                yield f"{file.relative_to(root)}:{number}: say who instead of '{found[0]}'"


def crowded_folders(root):
    for folder in sorted(f for f in (root / "src").rglob("*") if f.is_dir()):
        most = MOST_FILES_IN_HUB if "hub" in folder.relative_to(root).parts else MOST_FILES
        count = sum(1 for f in folder.iterdir() if f.is_file())
        if count > most:
            yield f"{folder.relative_to(root)} holds {count} files, at most {most} are easy to survey"


if __name__ == "__main__":
    here = pathlib.Path(sys.argv[1])
    checks = (repeated_types, replaced_words, sentences_without_subject, crowded_folders)
    problems = [problem for check in checks for problem in check(here)]
    print("\n".join(problems) or "names ok")
    sys.exit(bool(problems))
