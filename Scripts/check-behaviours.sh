#!/usr/bin/env bash
# Each behaviour of Core Data that we promise, a row of Documentation/Behaviours.md, has a test with its
# number in its name:
#
#   func `a deleted note cascades at the end of the event (28)`
#   func `undo and redo walk through the same states, over saves (90, 91)`
#
# Names the numbers that no test has, and fails if there are any.
set -euo pipefail
cd "$(dirname "$0")/.."

last=$(grep -cE '^\| [0-9]+ \|' Documentation/Behaviours.md)

# Numbers whose tests are to come; one that has a test by now must leave the list, which is checked too.
to_come=""

# The numbers in parentheses at the ends of tests' names, ranges written out.
proven() {
  grep -rhoE 'func `[^`]*\([0-9][0-9, –-]*\)`' --include='*.swift' Tests |
    sed -E 's/^.*\(([^()]*)\)`$/\1/' | tr ',' '\n' | tr -d ' ' | sed 's/–/-/' |
    while IFS=- read -r first end; do seq "$first" "${end:-$first}"; done |
    sort -nu
}

numbers=$(proven)
# "1 2 3" → lines, in the order that comm wants.
lines() { tr -s ' ' '\n' | sort; }

missing=$(comm -23 <(seq 1 $last | lines) <(echo "$numbers $to_come" | lines) | sort -n | xargs)
early=$(comm -12 <(echo "$numbers" | lines) <(echo "$to_come" | lines) | sort -n | xargs)
unknown=$(comm -23 <(echo "$numbers" | lines) <(seq 1 $last | lines) | sort -n | xargs)

say() {
  [ -z "$2" ] && return
  echo "$1: $2"
  failed=1
}

failed=0
say 'No test has the number of these behaviours' "$missing"
say 'These have tests now; take them off the list in Scripts/check-behaviours.sh' "$early"
say 'No behaviour has these numbers' "$unknown"
exit $failed
