#!/usr/bin/env bash
# pybtex 0.26.1: a bibliography that is read and written again has other titles and addresses, and more of them each time.
#
# The values of a .bib file are TeX. The reader of pybtex keeps them as they are written, with their backslashes, and its writer
# encodes signs that mean something in TeX, as if the values were plain text. So signs that were encoded are encoded once more.
#
#   read                       written again
#   R \& D                     R \\& D                     a line break, and the sign that parts the columns of a table
#   Vol.~3                     Vol.\textasciitilde 3       a tilde that is printed, instead of a blank
#   $x_i$                      $x\_i$                      the letter is no index any more
#   https://example.org/a_b    https://example.org/a\_b    another address for programs that do not read TeX
#
# Backslashes before letters, accents and braces come back as they were. The next reading and writing of the first makes R \\\& D.
# Programs that merge, sort or clean bibliographies read a file and write it. bibtexparser 1.4.3 writes all four as they were.
#
# Seen on 2026-11-30.
#
# Installs the packages in a temporary folder, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check \
  pybtex==0.26.1 latexcodec==3.0.1 bibtexparser==1.4.3 pyparsing==3.3.2

"$place/python/bin/python" - <<'END'
from importlib.metadata import version

import bibtexparser
from pybtex.database import parse_string

print("pybtex", version("pybtex"), "and bibtexparser", version("bibtexparser"))


def written(value):
    database = parse_string("@misc{key, title = {%s}}" % value, "bibtex")
    assert database.entries["key"].fields["title"] == value, "pybtex reads it in another way now"
    return parse_string(database.to_string("bibtex"), "bibtex").entries["key"].fields["title"]


def seen(value, expected):
    other = bibtexparser.loads(bibtexparser.dumps(bibtexparser.loads("@misc{key, title = {%s}}" % value))).entries[0]["title"]
    print(f"{value:26} {written(value):28} bibtexparser: {other}")
    assert written(value) == expected, "pybtex writes it in another way now"
    assert other == value, "bibtexparser writes it in another way now"


seen(r"R \& D", r"R \\& D")
seen("Vol.~3", r"Vol.\textasciitilde 3")
seen("$x_i$", r"$x\_i$")
seen("https://example.org/a_b", r"https://example.org/a\_b")
seen(r"\'{E}tudes of {\LaTeX}", r"\'{E}tudes of {\LaTeX}")
twice = written(written(r"R \& D"))
print("twice:", twice)
assert twice == r"R \\\& D", "pybtex writes it a second time in another way now"
END
echo "As described: four values that nobody changed are others."
