"""Holds the imports of Slipbox's pages against their layers, and the worker's list of files against what is there.

    app ─▶ parts ─▶ acts ─▶ model ─▶ server, editor ─▶ view ─▶ vendor

A file imports from its own folder and from folders to the right, and nothing imports itself by a detour.
"""

import re
import sys
from pathlib import Path

WEB = Path(__file__).parents[1] / "Apps/Sources/Slipbox/Web"
LAYERS = [{"vendor"}, {"view"}, {"server", "editor"}, {"model"}, {"acts"}, {"parts"}, {"."}]
WORKER = {"sw.js", "swNotes.js", "swLock.js"}
IMPORT = re.compile(r"""^(?:import|export)\b[^"';]*["'](\.[^"']+)["']""", re.MULTILINE)


def main() -> int:
    files = sorted(path for path in WEB.rglob("*.js") if not {"vendor", "look"} & set(path.relative_to(WEB).parts))
    imports = {name(path): imported(path) for path in files if path.name not in WORKER}
    breaches = [*wrong_layers(imports), *circles(imports), *unlisted(imports)]
    for breach in breaches:
        print(breach)
    return 1 if breaches else 0


def name(path: Path) -> str:
    return path.relative_to(WEB).as_posix()


def imported(path: Path) -> list[str]:
    return [name((path.parent / other).resolve()) for other in IMPORT.findall(path.read_text())]


def layer(file: str) -> int:
    folder = Path(file).parts[0] if len(Path(file).parts) > 1 else "."
    return next(place for place, folders in enumerate(LAYERS) if folder in folders)


def wrong_layers(imports: dict[str, list[str]]):
    for file, others in imports.items():
        for other in others:
            if Path(file).parent != Path(other).parent and layer(other) >= layer(file):
                yield f"{file} imports {other}, which stands above it or beside it."


def circles(imports: dict[str, list[str]]):
    done: set[str] = set()

    def walk(file: str, way: list[str]):
        if file in way:
            yield "A circle of imports: " + " ─▶ ".join([*way[way.index(file):], file])
        elif file not in done:
            for other in imports.get(file, []):
                yield from walk(other, [*way, file])
            done.add(file)

    for file in imports:
        yield from walk(file, [])


def unlisted(imports: dict[str, list[str]]):
    listed = set(re.findall(r'"/([\w/]+\.js(?:on)?)"', (WEB / "sw.js").read_text()))
    for file in [*imports, *(name(path) for path in (WEB / "languages").iterdir())]:
        if file not in listed:
            yield f"{file} is not in the list of sw.js: it would be missing offline."
    for file in listed:
        if not file.startswith(("vendor/", "look/")) and not (WEB / file).exists():
            yield f"sw.js lists {file}, which is not there: the worker could not be installed."


if __name__ == "__main__":
    sys.exit(main())
