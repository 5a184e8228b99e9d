#!/usr/bin/env bash
# GDAL 3.12.4: dates of a Core Data store become NULL, other dates, or lose their fractions, and nothing is said.
#
# Core Data declares columns of dates as TIMESTAMP, and keeps the seconds since 2001 in them; SQLite keeps whole seconds as an
# integer. GDAL takes the type of such a column from the first row. Its documentation says of dates only that they are handled.
#
#   in the first row    type of the column   in a row                             in the result
#   a fraction          date and time        700000000.5    8 March 2023          NULL
#                                            86400          2 January 2001        NULL
#                                            2460012.5      29 January 2001       9 March 2023: the number is read as a Julian day
#   whole seconds       32-bit integer       700000000.5    8 March 2023          700000000
#
# QGIS and ogr2ogr read SQLite files with GDAL, and GeoPandas does so through pyogrio. A program that converts a store with one of
# them has no dates, and gets no error. `SELECT CAST(ZCREATED AS REAL) AS SECONDS FROM ZNOTE` keeps the seconds.
#
# Seen on 2026-11-30 with pyogrio 0.13.0, whose package contains GDAL 3.12.4; with Python's warnings as errors, none is raised.
#
# Installs the package in a temporary folder, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check pyogrio==0.13.0

"$place/python/bin/python" -W error - "$place" <<'END'
import sqlite3
import sys
from pathlib import Path

import pyogrio
from pyogrio.raw import read

print("pyogrio", pyogrio.__version__, "with GDAL", pyogrio.__gdal_version_string__)


def dates(name, *seconds, sql=None):
    """Reads a table with these dates, and shows what arrives."""
    path = Path(sys.argv[1], name)
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZCREATED TIMESTAMP)")
    database.executemany("INSERT INTO ZNOTE (ZCREATED) VALUES (?)", [(value,) for value in seconds])
    database.commit()
    database.close()
    columns = read(path, sql=sql) if sql else read(path, layer="ZNOTE")
    kind, values = str(columns[3][0].dtype), [str(value) for value in columns[3][0]]
    print(*seconds, "->", kind, *values)
    return kind, values


SECONDS = [700_000_000.5, 86_400, 2_460_012.5]
assert dates("fraction.sqlite", *SECONDS) == ("datetime64[ms]", ["NaT", "NaT", "2023-03-09T00:00:00.000"])
assert dates("whole.sqlite", 86_400, 700_000_000.5) == ("int32", ["86400", "700000000"])
cast = "SELECT CAST(ZCREATED AS REAL) AS SECONDS FROM ZNOTE"
assert dates("cast.sqlite", *SECONDS, sql=cast) == ("float64", [str(float(value)) for value in SECONDS])
END
echo "As described: dates became NULL or other ones, or lost their fractions."
