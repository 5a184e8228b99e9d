#!/usr/bin/env bash
# icalendar 7.3.2: an entry of a calendar that is read and written again has another text, other resources and another state.
#
# RFC 5545 writes a backslash in a text as two, and a line break as \n or \N. icalendar reads both rightly. When it writes a text,
# it takes each backslash before a capital N for a line break. RESOURCES is a list, as CATEGORIES is, and REQUEST-STATUS consists
# of parts with semicolons between them; icalendar writes each as one text, and escapes what separates the parts. Nothing is said.
#
#   read                           value                    written again
#   DESCRIPTION:C:\\Notes          C:\Notes                 DESCRIPTION:C:\notes, which is C:, a line break, and otes
#   RESOURCES:Easel,Projector      Easel,Projector          RESOURCES:Easel\,Projector, which is one resource
#   REQUEST-STATUS:2.0;Success     2.0;Success              REQUEST-STATUS:2.0\;Success, which has no description
#
# The package calls itself compatible with RFC 5545. Programs that add tasks or journals to a calendar on a server read the entry,
# change a property, and write all of them. vobject 0.9.9 keeps all three.
#
# Seen on 2026-11-30.
#
# Installs the packages in a temporary folder, and fails if the behaviour is another one.
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet --disable-pip-version-check icalendar==7.3.2 vobject==0.9.9

"$place/python/bin/python" -W error::UserWarning - <<'END'
from importlib.metadata import version

import icalendar
import vobject

print("icalendar", version("icalendar"), "and vobject", version("vobject"))


def entry(line):
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Notes//EN", "BEGIN:VTODO", "UID:1", "DTSTAMP:20261130T000000Z"]
    return "\r\n".join([*lines, line, "END:VTODO", "END:VCALENDAR", ""])


def written(text, name):
    return next(line for line in text.splitlines() if line.startswith(name))


def seen(line, value, expected, again):
    name = line.partition(":")[0]
    text = entry(line)
    [task] = icalendar.Calendar.from_ical(text).walk("VTODO")
    output = task.to_ical().decode()
    [second] = icalendar.Calendar.from_ical(entry(written(output, name))).walk("VTODO")
    other = written(vobject.readOne(text).vtodo.serialize(validate=False), name)
    print(f"{line:28} {task[name]!s:18} {written(output, name):30} {str(second[name])!r:20} vobject: {other}")
    assert str(task[name]) == value, "icalendar reads it in another way now"
    assert written(output, name) == expected, "icalendar writes it in another way now"
    assert str(second[name]) == again, "icalendar reads its own output in another way now"
    assert other == line, "vobject writes it in another way now"


seen(r"DESCRIPTION:C:\\Notes", r"C:\Notes", r"DESCRIPTION:C:\notes", "C:\notes")
seen("RESOURCES:Easel,Projector", "Easel,Projector", r"RESOURCES:Easel\,Projector", "Easel,Projector")
seen("REQUEST-STATUS:2.0;Success", "2.0;Success", r"REQUEST-STATUS:2.0\;Success", "2.0;Success")
END
echo "As described: three properties that nobody changed are others."
