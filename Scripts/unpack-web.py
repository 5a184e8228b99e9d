"""Takes out of the wheels what the pages use: python3 unpack-web.py WHEELS VENDOR.

    vendor/editor.js      Tiptap 3 and ProseMirror, one ES module
    vendor/icons.js       export const icons = {"folder": "<path …/>", …}
    vendor/fonts/         Source Serif and Source Sans
    vendor/katex/         KaTeX, which draws formulas: one ES module, its styles, its typefaces
    vendor/mermaid/       Mermaid, which draws diagrams: ES modules; the first one is mermaid.js
    vendor/drawing.json   the files of these two folders, which the service worker keeps
    vendor/licences/      of each of them
"""

import io
import json
import re
import sys
import zipfile
from pathlib import Path

ICONS = """
archive arrow-down arrow-down-up arrow-left arrow-right arrow-up between-horizontal-end
between-horizontal-start between-vertical-end between-vertical-start bold calendar check chevron-down chevron-left
chevron-right circle-alert clock cloud-off code command copy corner-down-right download ellipsis
eraser external-link eye file-down file-plus file-text file-up film folder folder-open folder-plus
fold-horizontal fold-vertical folder-input hash heading heading-1 heading-2 heading-3 heading-4 heading-5 heading-6 highlighter history image image-plus import inbox
info italic keyboard layers link link-2 list list-checks list-ordered loader-circle lock menu mic minus moon
music notebook-pen notebook-text paperclip pen-line pencil pilcrow plus quote redo-2 refresh-cw rotate-ccw search
search-x settings settings-2 sigma square-code square-pen square-sigma star strikethrough subscript sun sun-moon superscript table tag tags text-align-center text-quote trash trash-2
underline undo-2 unlink upload wifi-off workflow x
""".split()

FONTS = {
    "font_source_serif_pro": ["SourceSerifPro-Regular", "SourceSerifPro-It", "SourceSerifPro-Semibold"],
    "font_source_sans_pro": ["SourceSansPro-Regular", "SourceSansPro-Semibold"],
}


def main(wheels: Path, vendor: Path) -> None:
    unpack_editor(open_wheel(wheels, "django_prose_editor"), vendor)
    unpack_icons(open_wheel(wheels, "lucide"), vendor)
    for package, names in FONTS.items():
        unpack_fonts(open_wheel(wheels, package), package, names, vendor)
    unpack_katex(open_wheel(wheels, "djangocms_katex"), vendor)
    unpack_mermaid(open_wheel(wheels, "nicegui"), vendor)
    list_drawing(vendor)


def open_wheel(wheels: Path, package: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(next(wheels.glob(f"{package}-*.whl")))


def unpack_editor(wheel: zipfile.ZipFile, vendor: Path) -> None:
    folder = "django_prose_editor/static/django_prose_editor/"
    source = wheel.read(folder + "editor.js").decode()
    # The map is four times as large as the module and would be asked for in vain.
    write(vendor / "editor.js", re.sub(r"\n//# sourceMappingURL=\S+\s*$", "\n", source).encode())
    write_licence(wheel, "django-prose-editor", vendor)


def unpack_icons(wheel: zipfile.ZipFile, vendor: Path) -> None:
    drawings = zipfile.ZipFile(io.BytesIO(wheel.read("lucide/lucide.zip")))
    known = {name.removesuffix(".svg") for name in drawings.namelist()}
    icons = {name: shapes(drawings.read(f"{name}.svg").decode()) for name in ICONS if name in known}
    write(vendor / "icons.js", f"export const icons = {json.dumps(icons, indent=1)};\n".encode())
    write_licence(wheel, "lucide", vendor)


def shapes(drawing: str) -> str:
    inside = re.search(r"<svg[^>]*>(.*)</svg>", drawing, re.DOTALL)
    return " ".join(inside.group(1).split())


def unpack_fonts(wheel: zipfile.ZipFile, package: str, names: list[str], vendor: Path) -> None:
    for name in names:
        write(vendor / "fonts" / f"{name}.otf", wheel.read(f"{package}/files/{name}.otf"))
    write(vendor / "licences" / f"{package}.txt", wheel.read(f"{package}/files/LICENSE.txt"))


def unpack_katex(wheel: zipfile.ZipFile, vendor: Path) -> None:
    folder = "djangocms_katex/static/djangocms_katex/vendor/katex/"
    source = wheel.read(folder + "katex.min.js").decode()
    module = f"const module = {{ exports: {{}} }}, exports = module.exports;\n{source}\nexport default module.exports;\n"
    write(vendor / "katex/katex.js", module.encode())
    # Browsers take the first format that they know, and all know this one.
    styles = re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("\w+"\)', "", wheel.read(folder + "katex.min.css").decode())
    write(vendor / "katex/katex.css", styles.encode())
    for entry in wheel.namelist():
        if entry.startswith(folder + "fonts/") and entry.endswith(".woff2"):
            write(vendor / "katex/fonts" / Path(entry).name, wheel.read(entry))
    write(vendor / "licences/katex.txt", wheel.read(folder + "LICENSE"))
    write_licence(wheel, "djangocms-katex", vendor)


def unpack_mermaid(wheel: zipfile.ZipFile, vendor: Path) -> None:
    folder = "nicegui/elements/mermaid/dist/"
    for entry in wheel.namelist():
        if entry.startswith(folder) and entry.endswith(".js"):
            name = "mermaid.js" if entry == folder + "index.js" else Path(entry).name
            source = re.sub(r"\n//# sourceMappingURL=\S+\s*$", "\n", wheel.read(entry).decode())
            write(vendor / "mermaid" / name, source.encode())
    write_licence(wheel, "nicegui", vendor)


def list_drawing(vendor: Path) -> None:
    files = sorted(path for folder in ("katex", "mermaid") for path in (vendor / folder).rglob("*") if path.is_file())
    names = [f"/vendor/{path.relative_to(vendor).as_posix()}" for path in files]
    write(vendor / "drawing.json", f"{json.dumps(names, indent=1)}\n".encode())


def write_licence(wheel: zipfile.ZipFile, name: str, vendor: Path) -> None:
    path = next(entry for entry in wheel.namelist() if entry.endswith("licenses/LICENSE"))
    write(vendor / "licences" / f"{name}.txt", wheel.read(path))


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


main(Path(sys.argv[1]), Path(sys.argv[2]))
