#!/usr/bin/env bash
# polars 2.1.0: `read_database` drops the fractions of numbers, if the first hundred rows have none.
#
# Core Data keeps dates in columns declared as TIMESTAMP and decimal attributes in columns declared as DECIMAL. Both have numeric
# affinity, so SQLite keeps a value without a fraction as an integer, in the same column as others with a fraction. polars takes
# the type of a column from the first 100 rows (`infer_schema_length`). If these are integers, the column is Int64, and each
# later 19.99 becomes 19. For a text or a blob behind a hundred integers it raises ComputeError; for a number it says nothing.
#
# Seen on 2026-11-29, with a hundred prices of 20 and one of 19.99:
#   SELECT ZPRICE FROM ZITEM                              Int64    … 20, 20, 19
#   the same with infer_schema_length=None                Float64  … 20.0, 20.0, 19.99
#   the same with the rows in the opposite order          Float64  19.99, 20.0, 20.0 …
#
# For a file of Core Data, pass infer_schema_length=None, or name the types with schema_overrides.
#
# Installs the package in a temporary folder, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check polars==2.1.0

"$place/python/bin/python" - "$place/store.sqlite" <<'END'
import sqlite3
import sys

import polars

database = sqlite3.connect(sys.argv[1])
database.execute("CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, ZPRICE DECIMAL, ZDATE TIMESTAMP)")
for key in range(1, 102):
    # Whole prices and seconds, and the last ones with a fraction.
    fraction = key == 101
    database.execute("INSERT INTO ZITEM VALUES (?, ?, ?)", (key, 19.99 if fraction else 20, 785_000_000 + key + 0.75 * fraction))
database.commit()


def last(column, order="", **options):
    found = polars.read_database(f"SELECT {column} FROM ZITEM ORDER BY Z_PK {order}", database, **options)[column]
    value = found[0] if order else found[-1]
    print(f"{column:7} {order:5} {str(options):30} {found.dtype}  {value!r}")
    return found.dtype, value


for column, exact, whole in (("ZPRICE", 19.99, 19), ("ZDATE", 785_000_101.75, 785_000_101)):
    assert last(column) == (polars.Int64, whole)
    assert last(column, infer_schema_length=None) == (polars.Float64, exact)
    assert last(column, "DESC") == (polars.Float64, exact)
print("As described.")
END
