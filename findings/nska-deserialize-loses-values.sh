#!/usr/bin/env bash
# nska-deserialize 1.5.1: dates and dictionary entries of a keyed archive are lost, and nothing is said.
#
# Core Data keeps transformable attributes as archives of NSKeyedArchiver, and SwiftData and many programs keep such archives in
# files. `nska_deserialize` is the library with which Python programs usually read them.
#
#   in the archive                            in the result
#   Date.distantPast (-63114076800 seconds)   an empty text, in the place of the date
#   the text "$null"                          an empty text
#   a dictionary with the keys 1 and "1"      one entry: numbers become texts, and the later one wins
#
# Date.distantPast and distantFuture are common in Apple's programs as "never". Only the first is lost: in Python's datetime it is
# 30 December of the year 0, which is before the first day that it has.
#
# Seen on 2026-11-30:
#   [datetime.datetime(4001, 1, 1, 0, 0), '']   ['']   {'1': 'two'}
#
# Installs the package in a temporary folder, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check nska-deserialize==1.5.1 biplist==1.0.3

"$place/python/bin/python" - <<'END'
import datetime
import plistlib
from plistlib import UID

import nska_deserialize


def named(*classes):
    return {"$classname": classes[0], "$classes": [*classes, "NSObject"]}


def read(*objects):
    """Reads an archive whose objects follow `$null`, the root first."""
    archive = {
        "$version": 100000,
        "$archiver": "NSKeyedArchiver",
        "$top": {"root": UID(1)},
        "$objects": ["$null", *objects],
    }
    return nska_deserialize.deserialize_plist_from_string(plistlib.dumps(archive, fmt=plistlib.FMT_BINARY))


dates = read(
    {"$class": UID(2), "NS.objects": [UID(3), UID(4)]},
    named("NSArray"),
    {"$class": UID(5), "NS.time": 63113904000.0},
    {"$class": UID(5), "NS.time": -63114076800.0},
    named("NSDate"),
)
texts = read({"$class": UID(2), "NS.objects": [UID(3)]}, named("NSArray"), "$null")
dictionary = read(
    {"$class": UID(2), "NS.keys": [UID(3), UID(4)], "NS.objects": [UID(5), UID(6)]},
    named("NSDictionary"),
    1,
    "1",
    "one",
    "two",
)
print(dates, texts, dictionary, sep="   ")
assert dates == [datetime.datetime(4001, 1, 1), ""], "distantPast is not an empty text now"
assert texts == [""], "the text $null stays now"
assert dictionary == {"1": "two"}, "both entries stay now"
END
echo "As described: the earliest date and one of two entries are gone."
