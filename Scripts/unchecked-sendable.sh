#!/usr/bin/env bash
# Lists every `@unchecked Sendable` with the reason that its `Safety:` line gives.
#
#   Scripts/unchecked-sendable.sh           prints the list
#   Scripts/unchecked-sendable.sh --write   puts it into ARCHITECTURE.md
#   Scripts/unchecked-sendable.sh --check   fails where a reason is missing or the list is old
set -euo pipefail
cd "$(dirname "$0")/.."

begin='<!-- unchecked-sendable: begin -->'
end='<!-- unchecked-sendable: end -->'

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

# The document with the list of now between the marks.
document() {
  awk -v begin="$begin" -v end="$end" -v list="$1" '
    $0 == begin { print; while ((getline line < list) > 0) print line; skip = 1 }
    $0 == end { skip = 0 }
    !skip { print }' ARCHITECTURE.md
}

now=$(mktemp)
trap 'rm -f "$now" "$now.md"' EXIT
list > "$now"

case "${1:-}" in
  --write)
    document "$now" > "$now.md"
    cat "$now.md" > ARCHITECTURE.md
    ;;
  --check)
    if grep 'NO REASON GIVEN' "$now"; then
      echo 'Each @unchecked Sendable needs a line "/// Safety: …" above it that says why it is safe.'
      exit 1
    fi
    document "$now" > "$now.md"
    if ! diff -u ARCHITECTURE.md "$now.md"; then
      echo 'The list in ARCHITECTURE.md is old; run Scripts/unchecked-sendable.sh --write'
      exit 1
    fi
    ;;
  *) cat "$now" ;;
esac
