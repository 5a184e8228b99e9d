#!/usr/bin/env bash
# pgloader 3.6.9: a date of a Core Data store is taken for a year, or its row is lost, and the command ends with 0.
#
# Core Data declares columns of dates as TIMESTAMP, and keeps the seconds since 2001 in them. SQLite keeps whole seconds as an
# integer. pgloader makes such a column a timestamp of PostgreSQL, and reads the integer as a year.
#
#   in the file                      in PostgreSQL
#   86400       2 January 2001       1 January of the year 86400
#   700000000   8 March 2023         an error, since there is no such year; no row of the table arrives, not one
#   700000000.5                      an error; this row alone does not arrive
#
# After the errors the command still ends with 0, and only its report counts them. Databases are often moved from SQLite to
# PostgreSQL with it. `CAST column ZNOTE.ZCREATED to "double precision"` in a command file keeps the seconds.
#
# Seen on 2026-11-30 with pgloader 3.6.9-1 of Debian 12 (which calls itself 3.6.7) and PostgreSQL 15.
#
# Unpacks pgloader in a temporary folder, starts a server there from the PostgreSQL that is installed, and fails if the behaviour is
# another one.
set -euo pipefail
place=$(mktemp -d)
server=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
as_server() { if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "$1"; else sh -c "$1"; fi; }
trap 'as_server "$server/pg_ctl -D $place/data -m immediate stop" > /dev/null 2>&1 || true; rm -rf "$place"' EXIT

chmod 711 "$place"
(
  cd "$place"
  mkdir packages server && chmod 777 packages
  cd packages
  apt-get download -qq pgloader=3.6.9-1 libsybdb5
  for package in *.deb; do dpkg -x "$package" "$place/unpacked"; done
)
LD_LIBRARY_PATH=$(dirname "$(find "$place/unpacked" -name 'libsybdb.so*' | head -1)")
export LD_LIBRARY_PATH

[ "$(id -u)" != 0 ] || chown postgres "$place/server"
mv "$place/server" "$place/data"
port=$((20000 + RANDOM % 20000))
as_server "$server/initdb -D $place/data -A trust -U postgres" > /dev/null
as_server "$server/pg_ctl -w -D $place/data -l $place/data/log start -o '-p $port -k $place/data -c listen_addresses=127.0.0.1'" > /dev/null

# Loads a table with one note of the year 2001 and one that was created at a time, and shows what arrives.
load() {
  rm -f "$place/Notes.sqlite"
  sqlite3 "$place/Notes.sqlite" "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZCREATED TIMESTAMP);
    INSERT INTO ZNOTE VALUES (1, 86400.0), (2, $1);"
  "$place/unpacked/usr/bin/pgloader" "sqlite://$place/Notes.sqlite" "postgresql://postgres@127.0.0.1:$port/postgres" \
    > "$place/report" 2>&1 || { echo "pgloader ends with $? now" >&2; exit 1; }
  psql -h 127.0.0.1 -p "$port" -U postgres -At -c "SELECT z_pk, zcreated FROM znote ORDER BY 1" postgres
}

echo "86400 and 86400:"
years=$(load 86400)
echo "$years"
[ "$years" = "$(printf '1|86400-01-01 00:00:00\n2|86400-01-01 00:00:00')" ]
rows=$(load 700000000)
echo "86400 and 700000000: ${rows:-no row}"
[ -z "$rows" ]
rows=$(load 700000000.5)
echo "86400 and 700000000.5: $rows"
[ "$rows" = "1|86400-01-01 00:00:00" ]
echo "As described: seconds became years, and rows were lost without a failure."
