#!/usr/bin/env bash
# pgFormatter 5.5: after a text that ends with a backslash, the other texts of a statement are formatted, and so changed.
#
# In PostgreSQL since 9.1, and in SQLite, a backslash in '…' is an ordinary character. `ESCAPE '\'` and `replace(path, '\', '/')`
# are usual statements. pgFormatter takes the quotation mark behind such a backslash for a part of the text, and all that follows
# for the opposite of what it is: it puts spaces and line breaks into texts, and writes words in them in capitals. The statement
# is still valid and gives other values; the command ends with 0. According to the manual, text between single quotes is not
# formatted.
#
#   before   replace('C:\Notes', '\', '/')                                gives C:/Notes
#   after    replace('C:\Notes', '\', ' / ')                              gives C: / Notes
#   before   WHERE path LIKE '%\_%' ESCAPE '\' AND title = 'this or that'
#   after    … AND title = ' this OR that '                               finds no row
#
# A text that is written as E'…\\' stays as it is. The option --placeholder does not protect the other texts.
#
# Seen on 2026-11-30 with pgformatter 5.5-1 of Debian 12.
#
# Unpacks pgFormatter in a temporary folder, runs the statements with SQLite, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

(
  mkdir -m 777 "$place/packages" && chmod 711 "$place"
  cd "$place/packages"
  apt-get download -qq pgformatter=5.5-1
  dpkg -x ./*.deb "$place/unpacked"
)

run() { sqlite3 "$place/Notes.sqlite" "$1"; }
run "CREATE TABLE note (path, title); INSERT INTO note VALUES ('a_b', 'this or that');"

# Runs a statement before and after it is formatted, and compares the results with those that are expected.
compare() {
  formatted=$(printf '%s\n' "$1" | perl -I "$place/unpacked/usr/share/perl5" "$place/unpacked/usr/bin/pg_format" --no-rcfile -)
  before=$(run "$1")
  after=$(run "$formatted")
  printf '%s\n%s\n  before: %s\n  after:  %s\n' "$1" "$formatted" "$before" "${after:-no row}"
  [ "$before" = "$2" ] || { echo "SQLite gives something else now"; exit 1; }
  [ "$after" = "$3" ] || { echo "pgFormatter gives another statement now"; exit 1; }
}

perl -I "$place/unpacked/usr/share/perl5" "$place/unpacked/usr/bin/pg_format" --version
compare "SELECT replace('C:\\Notes', '\\', '/');" 'C:/Notes' 'C: / Notes'
compare "SELECT path FROM note WHERE path LIKE '%\\_%' ESCAPE '\\' AND title = 'this or that';" 'a_b' ''
compare "SELECT path FROM note WHERE title = 'this or that';" 'a_b' 'a_b'
echo "As described: texts behind a backslash were changed."
