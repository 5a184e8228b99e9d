#!/usr/bin/env bash
# pycrdt 0.14.13: the largest 64-bit integer is another number in every replica but the first, and after a document is loaded.
#
# pycrdt keeps documents that several people change. According to its documentation, all replicas have the same state in the end.
# A map or an array takes integers of 64 bits. In the document where it is set, 2^63 - 1 stays itself. Each document that gets the
# update has the floating-point number 2^63. The smaller neighbours stay. Nothing is said.
#
#   set                      in the document      in another one
#   9223372036854775807      9223372036854775807  9.223372036854776e+18
#   9223372036854775806      9223372036854775806  9223372036854775806
#   9007199254740993         9007199254740993     9007199254740993
#
# 2^63 - 1 is Int.max in Swift, and programs use it as "last" or "without a limit". The number that arrives does not fit into an
# Int any more. A smaller number, or a text, arrives as it was set.
#
# Seen on 2026-11-30.
#
# Installs the package in a temporary folder, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check pycrdt==0.14.13

"$place/python/bin/python" -W error - <<'END'
from importlib.metadata import version

from pycrdt import Array, Doc, Map

print("pycrdt", version("pycrdt"))


def replica(*updates):
    document = Doc()
    document["map"], document["array"] = Map(), Array()
    for update in updates:
        document.apply_update(update)
    return document


def seen(number, arrives):
    first = replica()
    first["map"]["order"] = number
    first["array"].append(number)
    second = replica(first.get_update())
    third = replica(second.get_update())
    documents = [[document["map"]["order"], document["array"][0]] for document in (first, second, third)]
    print(number, "->", *documents)
    assert documents[0] == [number, number], "the first document has another number now"
    assert documents[1] == documents[2] == [arrives, arrives], "the other documents have another number now"


LARGEST = 2**63 - 1
seen(LARGEST, 2.0**63)
assert 2.0**63 != LARGEST
seen(LARGEST - 1, LARGEST - 1)
seen(2**53 + 1, 2**53 + 1)
END
echo "As described: the replicas do not have the same number."
