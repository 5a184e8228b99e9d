#!/usr/bin/env bash
# ruamel.yaml 0.19.1: numbers that nobody changed have other digits after a file is loaded and written.
#
# Programs use ruamel.yaml to change one entry of a file, such as the front matter of a note, and to leave the rest as it is. It
# keeps the notation of a number: where its point is, and how many digits it has. It takes the digits themselves from the
# floating-point number, and so writes digits that were not in the file. A number with more digits than a floating-point number
# has becomes another one in the file. Nothing is said.
#
#   in the file                  written again
#   19.990000000000000000        19.989999999999998437
#   12345678901234567.89         12345678901234568.00
#   123456789.123456789          123456789.123456791
#   1.0e-400                     0.0e+000
#
# A decimal attribute of Core Data has up to 38 digits. A text in quotation marks stays as it is, and so do numbers with up to 15
# digits.
#
# Seen on 2026-11-30.
#
# Installs the package in a temporary folder, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check ruamel.yaml==0.19.1

"$place/python/bin/python" -W error - <<'END'
import io
from importlib.metadata import version

from ruamel.yaml import YAML

print("ruamel.yaml", version("ruamel.yaml"))


def seen(number, expected):
    """Changes another entry of a file, as a program does that adds a tag."""
    yaml = YAML()
    entries = yaml.load(f"title: Note # kept\nprice: {number}\n")
    entries["title"] = "Other"
    output = io.StringIO()
    yaml.dump(entries, output)
    print(f"{number:24} -> {output.getvalue()!r}")
    assert output.getvalue() == f"title: Other # kept\nprice: {expected}\n", "ruamel.yaml writes it in another way now"


seen("19.990000000000000000", "19.989999999999998437")
seen("12345678901234567.89", "12345678901234568.00")
seen("123456789.123456789", "123456789.123456791")
seen("1.0e-400", "0.0e+000")
seen("1234567890.12345", "1234567890.12345")
seen("19.990", "19.990")
seen("'12345678901234567.89'", "'12345678901234567.89'")
END
echo "As described: the digits of untouched numbers are others."
