#!/usr/bin/env bash
# sqlite-utils 4.2.1: `transform` changes numbers in columns that it was not asked to touch.
#
# Core Data keeps decimal attributes in columns declared as DECIMAL, which have numeric affinity: SQLite keeps a whole number in
# them as a 64-bit integer. `sqlite-utils transform store.sqlite ZITEM --drop ZSPARE` makes the table again, and declares such a
# column as REAL. Every whole number in it becomes a floating-point number, and one beyond 2^53 becomes another number. Nothing
# is said, and the command ends with 0. The column that was to be dropped is not the one that changes.
#
# Seen on 2026-11-29:
#   before  CREATE TABLE ZITEM (… ZAMOUNT DECIMAL, ZSPARE INTEGER)   9007199254740993   integer
#   after   CREATE TABLE "ZITEM" (… "ZAMOUNT" REAL)                  another number     real
#
# For a file of Core Data, drop or add columns with ALTER TABLE, or change the model and let a migration do it.
#
# Installs the package in a temporary folder, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check sqlite-utils==4.2.1

"$place/python/bin/python" - "$place/store.sqlite" "$place/python/bin/sqlite-utils" <<'END'
import sqlite3
import subprocess
import sys

path, tool = sys.argv[1:]
EXACT = 9_007_199_254_740_993  # 2^53 + 1


def look():
    with sqlite3.connect(path) as database:
        declared = {row[1]: row[2] for row in database.execute("PRAGMA table_info(ZITEM)")}
        value, kind = database.execute("SELECT ZAMOUNT, typeof(ZAMOUNT) FROM ZITEM").fetchone()
    print(f"{declared['ZAMOUNT']:8} {kind:8} {value!r}")
    return declared["ZAMOUNT"], kind, value


with sqlite3.connect(path) as database:
    database.execute("CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, ZAMOUNT DECIMAL, ZSPARE INTEGER)")
    database.execute("INSERT INTO ZITEM VALUES (1, ?, 0)", [EXACT])
database.close()

assert look() == ("DECIMAL", "integer", EXACT)
subprocess.run([tool, "transform", path, "ZITEM", "--drop", "ZSPARE"], check=True)
declared, kind, value = look()
assert (declared, kind) == ("REAL", "real"), "sqlite-utils keeps the declared type now"
assert int(value) != EXACT, "sqlite-utils keeps the number now"
END
echo "As described: the column became REAL, and its number another one."
