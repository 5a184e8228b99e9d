#!/usr/bin/env bash
# Brings what the pages of Slipbox are made with into Apps/Sources/Slipbox/Web/vendor:
# the editor (Tiptap and ProseMirror), the icons we use, two typefaces, KaTeX and Mermaid, and their licences.
#
#   Scripts/setup-web.sh     nothing happens when all of it is there and up to date
#
# Only the files named in web-requirements.txt are taken, and only if their hashes agree.

set -euo pipefail
cd "$(dirname "$0")/.."

vendor=Apps/Sources/Slipbox/Web/vendor
cache=.build/web
wanted=$(cat Scripts/web-requirements.txt Scripts/unpack-web.py | sha256sum | cut -d ' ' -f 1)

[ "$(cat "$vendor/made-from" 2> /dev/null)" != "$wanted" ] || exit 0

echo "Fetching the editor, the icons, the typefaces, KaTeX and Mermaid for Slipbox"
mkdir -p "$cache/wheels"
[ -x "$cache/python/bin/pip" ] || python3 -m venv "$cache/python"
"$cache/python/bin/pip" download --quiet --disable-pip-version-check \
  --no-deps --only-binary :all: --require-hashes \
  --requirement Scripts/web-requirements.txt --dest "$cache/wheels"
rm -rf "$vendor"
"$cache/python/bin/python" Scripts/unpack-web.py "$cache/wheels" "$vendor"
echo "$wanted" > "$vendor/made-from"
