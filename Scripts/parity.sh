#!/usr/bin/env bash
# Writes Documentation/Parity.md and SwiftDataParity.md from Apple's lists of symbols, our notes, and the modules
# as they were built last. With --check: says whether the pages are up to date.
set -euo pipefail
cd "$(dirname "$0")/.."

graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
built=$(swift build --show-bin-path)

maps=()
for map in "$built"/*.build/module.modulemap Sources/*/module.modulemap Sources/*/include/module.modulemap; do
  if [ -f "$map" ]; then maps+=(-Xcc "-fmodule-map-file=$map"); fi
done
target=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -1)
for module in CoreData CoreDataPredicates SwiftData; do
  swift symbolgraph-extract -module-name "$module" -I "$built/Modules" "${maps[@]}" \
    -Xcc -ISources/CoreDataCRuntime/include -target "$target" -output-dir "$graphs" \
    -minimum-access-level public -skip-synthesized-members
done

shared_build=(--scratch-path .build --disable-build-manifest-caching)
swift build --package-path Scripts/Parity "${shared_build[@]}" --quiet
"$built/Parity" "$@" "$graphs" Documentation
