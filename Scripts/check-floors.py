#!/usr/bin/env python3
"""Checks that no floor of Sources/CoreData names a type, function or constant of a floor above.

    Errors < Rows < Stores < all other folders < Values, Transactions

A name counts if exactly one file declares it at the top level. Members in extensions are not seen.
Prints the largest circle of files, which may only become smaller.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parent.parent / "Sources" / "CoreData"
FLOORS = {"Errors": 0, "Rows": 1, "Stores": 2, "Values": 4, "Transactions": 4}
OTHERS = 3
# A value in a slot may be a collection of objects: an enum cannot have a case that another file adds.
EXCEPTIONS = {("Rows/Values/SlotValue.swift", "Objects/Relationships/ToMany.swift")}
GREATEST_CIRCLE = 244

# Interpolations in texts are left out with them.
COMMENTS_AND_TEXTS = re.compile(r'//[^\n]*|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"')
DECLARATION = re.compile(
    r"^(?:@[\w.]+(?:\([^\n]*?\))?\s+)*"
    r"((?:(?:public|package|open|final|internal|indirect|nonisolated|fileprivate|private)(?:\(\w+\))?\s+)*)"
    r"(?:class|struct|enum|protocol|actor|typealias|func|let|var)\s+([A-Za-z_]\w*)",
    re.M,
)
WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def floor_of(file: str) -> int:
    return FLOORS.get(file.split("/")[0], OTHERS)


def arrows(code: dict[str, str]) -> dict[str, set[str]]:
    declared = collections.defaultdict(set)
    for file, text in code.items():
        for match in DECLARATION.finditer(text):
            if "private" not in match.group(1):
                declared[match.group(2)].add(file)
    homes = {name: next(iter(files)) for name, files in declared.items() if len(files) == 1 and len(name) > 2}
    nested = set()
    for text in code.values():
        for match in re.finditer(r"^ +(?:\w+ +)*(?:struct|enum|class|typealias)\s+(\w+)", text, re.M):
            nested.add(match.group(1))
    found = {}
    for file, text in code.items():
        names = set(WORD.findall(text)) - nested
        found[file] = {homes[name] for name in names if name in homes} - {file}
    return found


def largest_circle(found: dict[str, set[str]]) -> int:
    sys.setrecursionlimit(100_000)
    number, low, stack, waiting, sizes = {}, {}, [], set(), [0]

    def visit(file: str) -> None:
        number[file] = low[file] = len(number)
        stack.append(file)
        waiting.add(file)
        for other in found[file]:
            if other not in number:
                visit(other)
                low[file] = min(low[file], low[other])
            elif other in waiting:
                low[file] = min(low[file], number[other])
        if low[file] == number[file]:
            size = 0
            while True:
                other = stack.pop()
                waiting.discard(other)
                size += 1
                if other == file:
                    break
            sizes.append(size)

    for file in found:
        if file not in number:
            visit(file)
    return max(sizes)


def main() -> int:
    code = {
        str(path.relative_to(ROOT)): COMMENTS_AND_TEXTS.sub(" ", path.read_text()) for path in sorted(ROOT.rglob("*.swift"))
    }
    found = arrows(code)
    breaches = [
        f"{file} names something of {other}"
        for file, others in found.items()
        for other in sorted(others)
        if floor_of(other) > floor_of(file) and (file, other) not in EXCEPTIONS
    ]
    unused = [pair for pair in EXCEPTIONS if pair[1] not in found.get(pair[0], ())]
    circle = largest_circle(found)
    for breach in breaches:
        print(breach)
    for pair in unused:
        print(f"{pair[0]} does not name {pair[1]} any more: remove the exception")
    if circle > GREATEST_CIRCLE:
        print(f"A circle of {circle} files, and at most {GREATEST_CIRCLE} are allowed")
    if breaches or unused or circle > GREATEST_CIRCLE:
        print("A floor of Sources/CoreData leans on one above; see Scripts/check-floors.py.")
        return 1
    print(f"largest circle: {circle} of {len(found)} files")
    return 0


sys.exit(main())
