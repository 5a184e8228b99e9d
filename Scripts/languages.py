"""Holds the tables of languages against the texts of Slipbox's pages.

    Scripts/languages.py            a text that a table lacks, or has and no page says, is a breach, and so is one that
                                    leaves out a value of its text
    Scripts/languages.py --write    brings the tables up to date: new texts come in empty, at their place, old ones go
    Scripts/languages.py --write nl makes a table for another language

A table is an object: the English text, and what the language says instead. `{0}` is a value. A text with a number has an
object with a form for each case of the language: {"one": "{0} Notiz", "other": "{0} Notizen"}. An empty text stays English.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

WEB = Path(__file__).parents[1] / "Apps/Sources/Slipbox/Web"
TABLES = WEB / "languages"
SERVER = [WEB.parent, WEB.parents[1] / "SlipboxLibrary"]
CASES = {"zero", "one", "two", "few", "many", "other"}
ESCAPES = {"n": "\n", "t": "\t"}
# A slash after one of these begins a regular expression.
BEFORE_PATTERN = re.compile(r"(?:^|[(,=:\[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|of|in))\s*$")
PATTERN = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[])*/")
COUNTED = re.compile(r"\bcounted\(")

Table = dict[str, str | dict[str, str]]


def main() -> int:
    texts = texts_of_pages()
    if sys.argv[1:2] == ["--write"]:
        for file in [*TABLES.glob("*.json"), *(TABLES / f"{code}.json" for code in sys.argv[2:])]:
            write(file, texts)
        return 0
    breaches = [breach for file in sorted(TABLES.glob("*.json")) for breach in breaches_of(file, texts)]
    offered = set(re.findall(r'\["(\w+)", ', re.search(r"LANGUAGES = .*", (WEB / "view/say.js").read_text())[0])) - {"en"}
    if offered != (there := {file.stem for file in TABLES.glob("*.json")}):
        breaches.append(f"view/say.js offers {', '.join(sorted(offered))}; there are tables for {', '.join(sorted(there))}.")
    breaches += unsaid_by_server()
    for breach in breaches:
        print(breach)
    return 1 if breaches else 0


def unsaid_by_server() -> Iterator[str]:
    """Sentences that the pages know of the server must be among its own."""
    sources = "".join(path.read_text() for folder in SERVER for path in sorted(folder.rglob("*.swift")))
    said = re.sub(r"\s+", " ", re.sub(r'\\\n\s*|"\s*\+\s*"', "", sources))
    for sentence in (text for tag, text in tagged((WEB / "server/sentences.js").read_text()) if tag == "known"):
        if not all(piece in said for piece in re.split(r"\{\d+\}", sentence)):
            yield f"server/sentences.js knows “{sentence}”, which the server does not say."


# MARK: - Tables


def breaches_of(file: Path, texts: dict[str, str]) -> Iterator[str]:
    table = read(file)
    for text in texts.keys() - table.keys():
        yield f"{file.name} has no place for “{text}” of {texts[text]}: run Scripts/languages.py --write."
    for text in table.keys() - texts.keys():
        yield f"{file.name} has “{text}”, which no page says: run Scripts/languages.py --write."
    for text in texts.keys() & table.keys():
        if isinstance(table[text], dict) != (texts[text] == "a number of things"):
            yield f"{file.name}: “{text}” is {'not ' if isinstance(table[text], dict) else ''}a text with a number."
        for said in forms(table[text]):
            if said and values(said) - values(text) or (said and isinstance(table[text], str) and values(text) - values(said)):
                yield f"{file.name}: “{said}” has other values than “{text}”."
        if isinstance(table[text], dict) and (table[text].keys() - CASES or "other" not in table[text]):
            yield f"{file.name}: “{text}” has the cases {', '.join(table[text])}; known are {', '.join(sorted(CASES))}, and other is needed."


def write(file: Path, texts: dict[str, str]) -> None:
    table = read(file) if file.exists() else {}
    empty = {text: {"one": "", "other": ""} if place == "a number of things" else "" for text, place in texts.items()}
    whole = {text: table.get(text) or empty[text] for text in texts}
    file.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n")


def read(file: Path) -> Table:
    return json.loads(file.read_text())


def forms(said: str | dict[str, str]) -> list[str]:
    return list(said.values()) if isinstance(said, dict) else [said]


def values(text: str) -> set[str]:
    return set(re.findall(r"\{\d+\}", text))


# MARK: - Texts of the pages


def texts_of_pages() -> dict[str, str]:
    """Returns each text with the file that says it first, or "a number of things"."""
    texts: dict[str, str] = {}
    for path in sorted(WEB.rglob("*.js")):
        if "vendor" in path.parts:
            continue
        source = path.read_text()
        for _, text in tagged(source):
            texts.setdefault(text, path.relative_to(WEB).as_posix())
        for many in counted_in(source):
            texts.setdefault("{0} " + many, "a number of things")
    return texts


def tagged(source: str) -> Iterator[tuple[str, str]]:
    """Yields the tag and the text of each template that is said here, or known of the server."""
    for tag, parts in templates(source):
        if tag in ("say", "known"):
            text = parts[0] + "".join(f"{{{number}}}{part}" for number, part in enumerate(parts[1:]))
            yield tag, re.sub(r"\\(.)", lambda escaped: ESCAPES.get(escaped[1], escaped[1]), text)


def counted_in(source: str) -> Iterator[str]:
    """Yields the words for many of each call `counted(number, "one", "many")`."""
    for call in COUNTED.finditer(source):
        found = re.compile(r'"((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)"\)').search(source, call.end())
        if found and "counted(" not in source[call.end():found.start()]:
            yield found[2]


def templates(source: str) -> Iterator[tuple[str, list[str]]]:
    """Yields the tag and the pieces of each template, those inside of others too."""
    yield from code(source, 0, [])[1]


def code(source: str, at: int, found: list) -> tuple[int, list]:
    """Reads code until its end, or until the brace that ends the value of a template."""
    depth = 0
    while at < len(source):
        sign = source[at]
        if sign == "}" and depth == 0:
            return at, found
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if source.startswith("//", at):
            at = (source + "\n").index("\n", at)
        elif sign in "\"'":
            at = end_of(source, at, sign)
        elif sign == "`":
            at = template(source, at, found)
        elif sign == "/" and BEFORE_PATTERN.search(source[max(0, at - 20):at]):
            at = PATTERN.match(source, at).end()
        else:
            at += 1
    return at, found


def template(source: str, at: int, found: list) -> int:
    tag = re.search(r"\w*$", source[max(0, at - 20):at])[0]
    parts, begin, at = [], at + 1, at + 1
    while source[at] != "`":
        if source.startswith("${", at):
            parts.append(source[begin:at])
            at = begin = code(source, at + 2, found)[0] + 1
        else:
            at += 2 if source[at] == "\\" else 1
    found.append((tag, [*parts, source[begin:at]]))
    return at + 1


def end_of(source: str, at: int, sign: str) -> int:
    at += 1
    while source[at] != sign:
        at += 2 if source[at] == "\\" else 1
    return at + 1


if __name__ == "__main__":
    sys.exit(main())
