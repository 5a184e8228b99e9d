#!/usr/bin/env bash
# bibtexparser 1.4.3: an entry in which a number is joined with other words is no entry, and is written as a comment.
#
# In BibTeX, a value is joined of parts with # between them: texts in quotation marks or braces, names of texts, and numbers, as in
# month = 10 # "~" # jan, a day and the name of a month. bibtexparser knows numbers only where they are the whole value. Where one
# is a part, the whole entry becomes a comment of the database, and nothing is said. Written again, it is in @comment{…}, so that
# citations of it are lost for every other program.
#
#   read                                        entries   comments   pybtex
#   @misc{key, month = 10 # "~" # jan}          0         1          10~January
#   @misc{key, title = 2 # "nd edition"}        0         1          2nd edition
#   @misc{key, title = "2" # "nd edition"}      1         0          2nd edition
#   @misc{key, year = 2026}                     1         0          2026
#
# Seen on 2026-11-30.
#
# Installs the packages in a temporary folder, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check \
  bibtexparser==1.4.3 pyparsing==3.3.2 pybtex==0.26.1 latexcodec==3.0.1

"$place/python/bin/python" - <<'END'
import logging
from importlib.metadata import version

import bibtexparser
from pybtex.database import parse_string

print("bibtexparser", version("bibtexparser"), "and pybtex", version("pybtex"))
said = []
logging.getLogger().addHandler(type("Said", (logging.Handler,), {"emit": lambda self, record: said.append(record)})(logging.WARNING))


def seen(entry, count, value):
    database = bibtexparser.loads(entry)
    [other] = parse_string(entry, "bibtex").entries["key"].fields.values()
    print(f"{entry:42} {len(database.entries)} entries, {len(database.comments)} comments, pybtex: {other}")
    assert (len(database.entries), len(database.comments)) == (count, 1 - count), "bibtexparser reads it in another way now"
    assert other == value, "pybtex reads it in another way now"
    return bibtexparser.dumps(database).strip()


output = seen('@misc{key, month = 10 # "~" # jan}', 0, "10~January")
seen('@misc{key, title = 2 # "nd edition"}', 0, "2nd edition")
seen('@misc{key, title = "2" # "nd edition"}', 1, "2nd edition")
seen("@misc{key, year = 2026}", 1, "2026")
print("written again:", output)
assert output == '@comment{@misc{key, month = 10 # "~" # jan}}', "bibtexparser writes it in another way now"
assert not said, "bibtexparser says something now"
END
echo "As described: two entries are comments."
