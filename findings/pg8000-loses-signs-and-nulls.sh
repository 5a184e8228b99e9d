#!/usr/bin/env bash
# pg8000 1.31.6: negative intervals arrive as other intervals, and a NULL in a row value is left out.
#
# PostgreSQL writes an interval of minus one and a half hours as -01:30:00. pg8000 applies the sign to the hours alone; if these
# are zero, it is lost. A row value, such as row(1, NULL, 2), arrives as a tuple without the places of its NULLs, so that the
# later values move forward. Nothing is said in either case.
#
#   in PostgreSQL                        in Python
#   interval '-01:30:00'                 minus half an hour
#   interval '-00:30:00'                 half an hour
#   the time at 10:00 minus 10:30        half an hour
#   row(1, NULL, 2)                      ('1', '2')
#   row(NULL, NULL)                      ()
#
# The documentation of pg8000 maps an interval to datetime.timedelta, and only says that one may be too big for it. psycopg 3 and
# asyncpg give the right values. In SQL, extract(epoch FROM …) gives seconds with the sign, and to_jsonb(…) gives a row with its
# NULLs.
#
# Seen on 2026-11-30 with PostgreSQL 15.
#
# Installs the package in a temporary folder, starts a server there from the PostgreSQL that is installed, and fails if the
# behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
server=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as_server() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$1"; else sh -c "$1"; fi; }
trap 'as_server "$server/pg_ctl -D $place/data -m immediate stop" > /dev/null 2>&1 || true; rm -rf "$place"' EXIT

python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check pg8000==1.31.6

chmod 711 "$place"
mkdir "$place/data"
[ "$(id -u)" != 0 ] || chown postgres "$place/data"
port=$((20000 + RANDOM % 20000))
as_server "$server/initdb -D $place/data -A trust -U postgres" > /dev/null
as_server "$server/pg_ctl -w -D $place/data -l $place/data/log start -o '-p $port -k $place/data -c listen_addresses=127.0.0.1'" > /dev/null

"$place/python/bin/python" - "$port" <<'END'
import sys
from datetime import timedelta
from importlib.metadata import version

import pg8000.native

connection = pg8000.native.Connection("postgres", host="127.0.0.1", port=int(sys.argv[1]))
print("pg8000", version("pg8000"), "with PostgreSQL", connection.run("SHOW server_version")[0][0])


def seen(expression, expected):
    [[text, value]] = connection.run(f"SELECT ({expression})::text, {expression}")
    print(f"{expression:52} {text:12} {value!r}")
    assert value == expected, f"{expression} is something else now"


HALF = timedelta(minutes=30)
seen("interval '-01:30:00'", -HALF)
seen("interval '-00:30:00'", HALF)
seen("timestamp '2026-01-01 10:00' - '2026-01-01 10:30'", HALF)
seen("row(1, NULL, 2)", ("1", "2"))
seen("row(NULL, NULL)", ())
seen("extract(epoch FROM interval '-01:30:00')::int", -5400)
seen("to_jsonb(row(1, NULL, 2))", {"f1": 1, "f2": None, "f3": 2})
END
echo "As described: signs and NULLs were lost."
