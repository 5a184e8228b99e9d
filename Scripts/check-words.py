#!/usr/bin/env python3
"""Counts words and turns in the comments of Swift sources that readers had to read twice.

Each has a limit for all comments together, which may only become smaller. With --list, prints the places.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent
FOLDERS = ["Sources", "Tests", "Apps/Sources", "Apps/Tests", "Benchmarks/Sources"]
FIRST = "begins with What, Who, Whoever or Whose"
# The pattern, and how many places may have it.
HABITS = {
    FIRST: (re.compile(r"^(What|Who|Whoever|Whose)\b"), 1),
    "whoever": (re.compile(r"\b[Ww]hoever\b"), 0),
    "stands": (re.compile(r"\bstands?\b"), 1),
    "anew": (re.compile(r"\banew\b"), 6),
    "tells of": (re.compile(r"\b(tells?|told) of\b"), 7),
    "he, his, him": (re.compile(r"\b([Hh]e|his|him)\b"), 0),
    "nil where": (re.compile(r"\b(nil|none|nothing|empty|false|true)`? where\b"), 1),
    "is no, is none": (re.compile(r"\b(is|are|was|has) (no|none|nobody)\b"), 225),
}


def comments(text: str):
    before = False
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line.startswith("//"):
            yield number, line.lstrip("/").strip(), not before
        before = line.startswith("//")


def main() -> int:
    lists = "--list" in sys.argv
    counts = dict.fromkeys(HABITS, 0)
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.swift")):
            if path.is_symlink():
                continue
            for number, words, isFirst in comments(path.read_text()):
                for name, (pattern, _) in HABITS.items():
                    if name == FIRST and not isFirst:
                        continue
                    found = len(pattern.findall(words))
                    counts[name] += found
                    if found and lists:
                        print(f"{path.relative_to(ROOT)}:{number}: {name}: {words}")
    failed = False
    for name, (_, limit) in HABITS.items():
        if counts[name] > limit:
            print(f"{name}: {counts[name]} comments, and at most {limit} are allowed")
            failed = True
        elif counts[name] < limit:
            print(f"{name}: {counts[name]} comments; lower the limit from {limit}")
    if failed:
        print("Write it as anybody would; Scripts/check-words.py --list shows the places.")
    return 1 if failed else 0


sys.exit(main())
