#!/usr/bin/env bash
# Lists every `@unchecked Sendable` with the reason that its `Safety:` line gives.
#
#   Scripts/unchecked-sendable.sh           prints the list
#   Scripts/unchecked-sendable.sh --write   makes Documentation/UncheckedSendable.md of it
#   Scripts/unchecked-sendable.sh --check   fails where a reason is missing or the list is old
set -euo pipefail
cd "$(dirname "$0")/.."

page=Documentation/UncheckedSendable.md

list() {
  git ls-files -z --cached --others --exclude-standard -- 'Sources/*.swift' 'Apps/Sources/*.swift' |
    sort -z | xargs -0 awk '
      FNR == 1 { reason = ""; name = "" }
      # The reason goes on to the end of its paragraph.
      /^ *\/\/\// {
        line = $0; sub(/^ *\/\/\/ ?/, "", line)
        if (line ~ /^Safety:/) { sub(/^Safety: */, "", line); reason = line; open = 1 }
        else if (line == "") { open = 0 }
        else if (open) { reason = reason " " line }
        next
      }
      {
        open = 0
        if (match($0, /(class|struct|enum|actor|extension) [A-Za-z0-9_.]+/)) {
          name = substr($0, RSTART, RLENGTH); sub(/^[a-z]+ /, "", name)
        }
        if ($0 ~ /@unchecked Sendable/ && $0 !~ /^ *\/\//) {
          file = FILENAME; sub(/^Sources\//, "", file)
          print "- `" name "` in `" file "`: " (reason == "" ? "NO REASON GIVEN" : reason)
          reason = ""
        }
        # Attributes and unfinished declarations keep the comment that stands above them.
        if ($0 !~ /^ *@/ && $0 !~ /[,:]$/) { reason = "" }
      }'
}

# The page with the list of now.
document() {
  printf '%s\n' '# What is Sendable without the compiler'"'"'s word' '' \
    'Made by `Scripts/unchecked-sendable.sh --write`, of the `Safety:` line that stands above each declaration.' ''
  cat "$1"
}

now=$(mktemp)
trap 'rm -f "$now" "$now.md"' EXIT
list > "$now"

case "${1:-}" in
  --write)
    document "$now" > "$page"
    ;;
  --check)
    if grep 'NO REASON GIVEN' "$now"; then
      echo 'Each @unchecked Sendable needs a line "/// Safety: …" above it that says why it is safe.'
      exit 1
    fi
    document "$now" > "$now.md"
    if ! diff -u "$page" "$now.md"; then
      echo "The list in $page is old; run Scripts/unchecked-sendable.sh --write"
      exit 1
    fi
    ;;
  *) cat "$now" ;;
esac
