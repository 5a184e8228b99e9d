"""Runs the browser tests: every function whose name begins with `test_` in the files test_*.py.

A test gets a `World`: a browser, and a server with notes of its own. It fails by an assertion, or because
a page wrote an error to its console that the test did not expect.

All of them run in three processes beside each other, each with a browser and a server: while one page waits, others
work.
"""

import argparse
import importlib
import os
import subprocess
import sys
import time
import traceback
from pathlib import Path

from playwright.sync_api import sync_playwright

import server as server_module
from server import Server, Running
from walk import WALK
from world import World

HERE = Path(__file__).parent


def main() -> int:
    options = read_options()
    if options.store:
        # The processes read it as they begin.
        os.environ["SLIPBOX_BROWSER_STORE"] = options.store
        server_module.DATABASE = options.store
    if not options.words and not options.address and not options.pictures and options.part is None:
        return run_parts((["--walk"] if options.walk else []) + (["--late", str(options.late)] if options.late is not None else []))
    tests = [test for test in all_tests(options.part, options.walk) if not options.words or any(word in name_of(test) for word in options.words)]
    failed = []
    began = time.monotonic()
    server = Running(options.address) if options.address else Server.started()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", args=["--no-sandbox"], timeout=60_000)
            for test in tests:
                if not run(test, World(browser, server, options.pictures, options.late)):
                    failed.append(test)
            browser.close()
    finally:
        server.stop()
    took = time.monotonic() - began
    print(f"\n{len(tests) - len(failed)} of {len(tests)} browser tests passed in {took:.0f} s")
    return 1 if failed else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Walks through Slipbox in a browser.")
    parser.add_argument("words", nargs="*", help="run only tests whose names have one of these words")
    parser.add_argument("--address", help="a server that runs already, as it has printed its address")
    parser.add_argument("--store", help="a PostgreSQL database for the notes: postgresql://…")
    parser.add_argument("--pictures", action="store_true", help="write Documentation/Pictures")
    parser.add_argument("--walk", action="store_true", help="run only one walk through each part of the pages, as ./test does")
    parser.add_argument("--part", type=int, choices=range(len(PARTS)), help="run only the tests of one of the processes")
    parser.add_argument("--late", type=int, metavar="SEED", help="let answers of the server come late, in an order of this number")
    return parser.parse_args()


# The looks first: their pictures show a slip box in which nobody tested yet. What is exchanged comes before others that
# make folders. The parts take about as long.
PARTS = [
    ["test_looks", "test_writing", "test_finding", "test_devices", "test_pasting", "test_strangers"],
    ["test_links", "test_tabs", "test_kit", "test_quiet", "test_small_programs", "test_studio", "test_folders", "test_tagging", "test_putting_in", "test_properties", "test_copying", "test_calm", "test_at_hand", "test_drawing", "test_publishing", "test_languages"],
    ["test_essays", "test_attachments", "test_exchange", "test_together", "test_haste", "test_leaving", "test_notes_in_text", "test_embeds", "test_citing", "test_parts", "test_work_on_texts", "test_behind_proxies", "test_sides", "test_lock"],
]


# What is about a slip box in a file.
FOR_FILES = ["test_devices"]


def run_parts(more: list[str]) -> int:
    began = time.monotonic()
    parts = [subprocess.Popen([sys.executable, __file__, "--part", str(part), *more]) for part in range(len(PARTS))]
    codes = [part.wait() for part in parts]
    print(f"\nAll of the browser tests took {time.monotonic() - began:.0f} s")
    return max(codes)


def all_tests(part: int | None, is_walk: bool):
    assert sorted(sum(PARTS, [])) == sorted(path.stem for path in HERE.glob("test_*.py"))
    # Every part of the pages has its walk.
    assert sorted(sum(PARTS, [])) == sorted(WALK)
    for name in sum(PARTS, []) if part is None else PARTS[part]:
        if name in FOR_FILES and server_module.DATABASE:
            print(f"  – {name} is left out: notes in a database are not kept in step with a server")
            continue
        module = importlib.import_module(name)
        tests = [value for name, value in vars(module).items() if name.startswith("test_")]
        if is_walk:
            assert set(WALK[name]) <= {name_of(test) for test in tests}, f"{name} lacks a test of the walk"
            tests = [test for test in tests if name_of(test) in WALK[name]]
        yield from tests


def name_of(test) -> str:
    return test.__name__.removeprefix("test_").replace("_", " ")


def run(test, world: World) -> bool:
    began = time.monotonic()
    try:
        test(world)
        world.close()
        print(f"  ✓ {name_of(test)} ({time.monotonic() - began:.1f} s)", flush=True)
        return True
    except Exception as error:
        print(f"  ✗ {name_of(test)}", flush=True)
        for line in where_in_tests(error):
            print(f"    {line}")
        # What Playwright says of the whole page is long, and the picture says more.
        print("    " + "\n    ".join(str(error).split("Aria snapshot")[0].splitlines()[:25]), flush=True)
        world.give_up(test.__name__)
        return False


def where_in_tests(error: Exception):
    frames = traceback.extract_tb(error.__traceback__)
    return [f"{Path(frame.filename).name}:{frame.lineno}: {frame.line}" for frame in frames if Path(frame.filename).name.startswith("test_")]


if __name__ == "__main__":
    sys.exit(main())
