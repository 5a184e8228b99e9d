"""Refuses operators on bits that are mixed without parentheses.

Swift gives `|` and `^` the precedence of `+`, and `&` that of `*`: `a | b ^ c` is `(a | b) ^ c`. Other languages differ, and
readers remember those. An expression with two kinds of these operators therefore says with parentheses what it means.
"""

import re
import subprocess
import sys
from pathlib import Path

KINDS = {
    "|": "|",
    "^": "^",
    "&": "&",
    **dict.fromkeys(("<<", ">>", "&<<", "&>>"), "a shift"),
    **dict.fromkeys(("+", "-", "&+", "&-"), "a sum"),
    **dict.fromkeys(("*", "/", "%", "&*"), "a product"),
}
BITS = {"|", "^", "&", "a shift"}
WORDS = set("return let var case guard if else in for while where func switch try throw".split())

TOKEN = re.compile(
    r'(?P<text>#*"""(?:\\.|[^\\])*?"""#*|#+"[^\n]*?"#+|"(?:\\.|[^"\\\n])*"'
    r"|(?<=[(,= ])/(?![\s/*])(?:\\.|[^/\\\n])+/)"  # a regular expression
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)"
    r"|(?P<word>[\w$.]+)"
    r"|(?P<sign>[-+*/%<>=!&|^~?]+)"
    r"|(?P<other>\S)",
    re.DOTALL,
)


def main() -> int:
    files = subprocess.check_output(
        ["git", "ls-files", "-co", "--exclude-standard", "*.swift"], cwd=Path(__file__).parents[1], text=True
    ).splitlines()
    breaches = [breach for file in files for breach in mixtures(Path(file))]
    for breach in breaches:
        print(breach)
    return 1 if breaches else 0


def mixtures(file: Path):
    for line, kinds in expressions(file.read_text()):
        if len(kinds) > 1 and kinds & BITS:
            yield f"{file}:{line}: {' and '.join(sorted(kinds))} are mixed without parentheses"


def expressions(text: str):
    """The kinds of operators of each expression without those in its parentheses, with the line where it ends."""
    open_ones = [set()]
    line, place, follows_value = 1, 0, False
    for match in TOKEN.finditer(text):
        kind, token = match.lastgroup, match.group()
        gap = text[place : match.start()]
        line += gap.count("\n")
        is_infix = kind == "sign" and follows_value and is_spaced_evenly(text, match)
        ends = (
            (("\n" in gap or ";" == token) and follows_value and not is_infix)
            or token in ",:"
            or token in WORDS
            or (is_infix and token not in KINDS)
        )
        if kind != "comment":
            if ends or token in ")]}":
                yield line, open_ones[-1]
                open_ones[-1] = set()
            if is_infix and token in KINDS:
                open_ones[-1].add(KINDS[token])
            elif token in "([{":
                open_ones.append(set())
            elif token in ")]}" and len(open_ones) > 1:
                open_ones.pop()
            follows_value = kind in ("word", "text") and token not in WORDS or token in ")]}"
        line += token.count("\n")
        place = match.end()
    yield line, open_ones[-1]


def is_spaced_evenly(text: str, match: re.Match) -> bool:
    """An operator between two values has room on both sides or on none."""
    return text[match.start() - 1].isspace() == text[match.end() : match.end() + 1].isspace()


sys.exit(main())
