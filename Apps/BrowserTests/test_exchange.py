"""Words come in and go out: a folder, an archive, everything; with progress, a report, and one undo."""

import io
import json
import zipfile

from playwright.sync_api import expect

from test_essays import look
from test_writing import png
from world import PHONE, World, wait_until


def archive(**files: str | bytes) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as pack:
        for path, content in files.items():
            pack.writestr(path, content)
    return data.getvalue()


VAULT = {
    "Garden/.obsidian/app.json": "{}",
    "Garden/Paths.md": "---\ntags: [walks]\naliases: [Ways]\n---\nTo [[Trees]], [[Beds/Beds|the beds]].\nA second line\n\n![[tree.png|200]]\n",
    "Garden/Trees.md": "| Tree | Years |\n|---|--:|\n| Oak | 300 |\n\nBack: [[ways]]",
    "Garden/Beds/Beds.md": "> quoted\n\n![[Trees]]\n\nSo ![[Trees]]",
    "Garden/bad.md": b"\xff\xfe\xff",
    "Garden/pictures/tree.png": png(300, 200, (60, 120, 60)),
}


def imports(screen, name: str, data: bytes) -> None:
    with screen.page.expect_file_chooser() as chooser:
        screen.chooses("Settings and help", "Import files or an archive")
    chooser.value.set_files({"name": name, "mimeType": "application/zip", "buffer": data})


def test_an_archive_comes_in_is_told_and_undone(world: World):
    screen = world.person().opens("all")
    before = world.server.call("GET", "/overview")["places"]["all"]
    imports(screen, "Garden.zip", archive(**VAULT, **{"Garden/Board.bin": "{}"}))
    report = screen.dialog
    expect(report).to_contain_text("3 notes imported")
    # What was left out is named: nobody would look for it elsewhere.
    expect(report.get_by_role("list", name="Files that no note uses")).to_have_text("Garden/Board.bin")
    expect(report).to_contain_text("2 folders created")
    expect(report).to_contain_text("1 picture or file imported")
    expect(report).to_contain_text("Garden/bad.md")
    screen.is_accessible("a report")
    # Who looks for what stood there finds it behind a link.
    expect(report).to_contain_text("1 embedded note is a link now: first in Garden/Beds/Beds.md, line 5")
    look(screen, "import-report")
    screen.button("Open", report).click()
    expect(screen.title).to_be_visible()
    screen.goes_to("all")
    screen.opens("Paths")
    expect(screen.text.locator("a.note-link")).to_have_text(["Trees", "the beds"])
    expect(screen.text.locator("p").first.locator("br")).to_have_count(1)
    wait_until(lambda: screen.text.locator("figure.text-picture img").evaluate("image => image.naturalWidth") == 300)
    screen.text.locator("a.note-link").first.click()
    expect(screen.title).to_have_value("Trees")
    expect(screen.text.locator("td")).to_have_text(["Oak", "300"])
    expect(screen.text.locator("a.note-link")).to_have_text("ways")
    look(screen, "import-table")
    # One undo for all of it.
    imports(screen, "Garden.zip", archive(**VAULT))
    screen.button("Undo the import", screen.dialog).click()
    wait_until(lambda: world.server.call("GET", "/overview")["places"]["all"] == before + 3)
    expect(screen.page.locator(".tree")).to_contain_text("Garden")


def test_an_import_that_was_stopped_while_it_was_sent_came_in(world: World):
    screen = world.person(service_workers="block").opens("all")
    screen.expects("registration blocked", "ERR_")
    before = world.server.call("GET", "/overview")["places"]["all"]
    held = screen.holds_first("POST", "/api/imports")
    imports(screen, "Garden.zip", archive(**VAULT))
    wait_until(lambda: held, meanwhile=screen.page)
    screen.button("Cancel", screen.dialog).click()
    screen.says("Importing was stopped: nothing was changed.")
    expect(screen.dialog).to_have_count(0)
    screen.page.unroute_all(behavior="ignoreErrors")
    # What comes after it comes in.
    imports(screen, "Alone.zip", archive(**{"Alone/One.md": "alone"}))
    expect(screen.dialog).to_contain_text("1 note imported")
    assert world.server.call("GET", "/overview")["places"]["all"] == before + 1
    screen.button("Undo the import", screen.dialog).click()


def test_an_export_that_was_stopped_as_it_began_went_on(world: World):
    world.server.make_note("Not exported after all", "x")
    screen = world.person(service_workers="block").opens("all")
    screen.expects("registration blocked")
    held = screen.holds_first("POST", "/api/exports")
    begun = {"id": "0", "done": 0, "total": 0, "what": "", "state": "running", "report": None, "error": None}
    asked = []
    screen.page.route("**/api/jobs/0", lambda route: asked.append(route.request.method) or route.fulfill(json=begun))
    screen.chooses("Settings and help", "Export everything")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.button("Cancel", screen.dialog).click()
    held[0].fulfill(json=begun)
    screen.says("Exporting was stopped")
    assert asked == ["DELETE"], asked


def test_a_screen_reader_said_each_step_of_an_export(world: World):
    screen = world.person(service_workers="block").opens("all")
    screen.expects("registration blocked")
    begun = {"id": "0", "done": 40, "total": 200, "what": "Writing notes", "state": "running", "report": None, "error": None}
    screen.page.route("**/api/exports", lambda route: route.fulfill(json=begun))
    screen.page.route("**/api/jobs/0", lambda route: route.fulfill(json=begun))
    screen.chooses("Settings and help", "Export everything")
    expect(screen.dialog.get_by_role("status").first).to_contain_text("Writing notes 40 of 200")
    expect(screen.dialog.get_by_text("40 of 200", exact=True)).to_have_attribute("aria-hidden", "true")
    screen.is_accessible("progress of an export")
    screen.button("Cancel", screen.dialog).click()
    screen.says("Exporting was stopped")


def test_the_dialog_of_an_export_that_failed_stayed(world: World):
    screen = world.person(service_workers="block").opens("all")
    screen.expects("registration blocked")
    begun = {"id": "0", "done": 0, "total": 2, "what": "Writing notes", "state": "running", "report": None, "error": None}
    screen.page.route("**/api/exports", lambda route: route.fulfill(json=begun))
    screen.page.route("**/api/jobs/0", lambda route: route.fulfill(json=begun | {"state": "failed", "error": "The disk is full."}))
    screen.chooses("Settings and help", "Export everything")
    screen.says("The disk is full.")
    expect(screen.dialog).to_have_count(0)


def test_what_is_not_as_it_was_written_was_told_to_nobody(world: World):
    screen = world.person().opens("all")
    imports(screen, "Deep.md", b"#### Deep\n\n![](https://example.org/a.png)\n\n- [/] half\n")
    told = "Changed during the import"
    picture = "1 file has pictures on the web: they are links now. In Deep.md, line 3."
    screen.button("Show", screen.says("Some parts were changed during the import.")).click()
    items = screen.dialog.get_by_role("list", name=told).get_by_role("listitem")
    expect(items).to_have_count(2)
    expect(items.first).to_contain_text("tasks with signs other than x")
    expect(items.last).to_have_text(picture)
    screen.is_accessible("changed during the import")
    screen.button("OK", screen.dialog).click()
    imports(screen, "Deep.zip", archive(**{"V/A.md": "![](https://example.org/a.png)", "V/B.md": "x\n\n![](https://example.org/b.png)"}))
    expect(screen.dialog.get_by_role("list", name=told)).to_contain_text("2 files have pictures on the web: they are links now. First in V/A.md, line 1.")
    screen.button("Undo the import", screen.dialog).click()


def test_pins_of_an_unpacked_archive_were_left_out(world: World):
    import tempfile
    from pathlib import Path
    note = world.server.make_note("Pinned before it left", "words")
    world.server.call("PATCH", f"/notes/{note}", {"pinned": True})
    folder = Path(tempfile.mkdtemp()) / "Unpacked"
    facts = {"pinned": ["Pinned before it left.md"]}
    folder.mkdir()
    (folder / "Pinned before it left.md").write_text("words")
    (folder / ".slipbox.json").write_text(json.dumps(facts))
    screen = world.person().opens("all")
    with screen.page.expect_file_chooser() as chooser:
        screen.chooses("Settings and help", "Import a folder")
    chooser.value.set_files(folder)
    expect(screen.dialog).to_contain_text("1 note imported")
    rows = world.server.call("GET", "/notes?in=all&limit=500")["rows"]
    assert [row["pinned"] for row in rows if row["title"] == "Pinned before it left"] == [True, True], rows
    screen.button("Undo the import", screen.dialog).click()
    # Other tests have their notes on top of the list.
    world.server.call("PATCH", f"/notes/{note}", {"pinned": False})


def test_a_folder_comes_in_with_its_paths(world: World, tmp=None):
    import tempfile
    from pathlib import Path
    folder = Path(tempfile.mkdtemp()) / "Cellar"
    for path, text in {"Wine.md": "See [[Shelves]]", "Deep/Shelves.md": "![](../shelf.png)", ".hidden/x.md": "no"}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "shelf.png").write_bytes(png(30, 20, (90, 60, 40)))
    screen = world.person(PHONE, color_scheme="dark").opens("all", rows=False)
    screen.page.get_by_role("button", name="Folders").first.click() if not screen.button("Settings and help").is_visible() else None
    with screen.page.expect_file_chooser() as chooser:
        screen.chooses("Settings and help", "Import a folder")
    chooser.value.set_files(folder)
    expect(screen.dialog).to_contain_text("2 notes imported")
    expect(screen.dialog).to_contain_text("1 picture or file imported")
    look(screen, "import-report-phone")
    screen.is_accessible("a report on a phone")
    screen.button("Undo the import", screen.dialog).click()
    wait_until(lambda: all(one["name"] != "Cellar" for one in world.server.call("GET", "/overview")["folders"]))


DROP = """async ([name, files]) => {
  const ask = (entry, act, ...more) => new Promise((resolve, reject) => entry[act](...more, resolve, reject));
  const system = await new Promise((resolve, reject) => webkitRequestFileSystem(TEMPORARY, 1 << 20, resolve, reject));
  const folder = await ask(system.root, "getDirectory", name, { create: true });
  for (const [path, text] of files) {
    for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) await ask(folder, "getDirectory", path.slice(0, at), { create: true });
    const writer = await ask(await ask(folder, "getFile", path, { create: true }), "createWriter");
    await new Promise((resolve) => { writer.onwriteend = resolve; writer.write(new Blob([text])); });
  }
  const event = new Event("drop", { bubbles: true, cancelable: true });
  Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], files: [], items: [{ webkitGetAsEntry: () => folder }] } });
  document.querySelector(".list-body").dispatchEvent(event);
}"""


def test_a_folder_that_is_dropped_was_a_file_without_words(world: World):
    screen = world.person().opens("all")
    screen.page.evaluate(DROP, ["Shed", [["Rake.md", "See [[Spade]]"], ["Tools/Spade.md", "#iron"], [".obsidian/x.md", "no"]]])
    expect(screen.dialog).to_contain_text("2 notes imported")
    expect(screen.dialog).to_contain_text("2 folders created")
    screen.button("Undo the import", screen.dialog).click()
    wait_until(lambda: all(one["name"] != "Shed" for one in world.server.call("GET", "/overview")["folders"]))


def test_everything_goes_out_and_comes_in_again(world: World):
    world.server.make_note("Goes out", "With words")
    screen = world.person().opens("all")
    with screen.page.expect_download() as download:
        screen.chooses("Settings and help", "Export everything")
    names = zipfile.ZipFile(download.value.path()).namelist()
    assert download.value.suggested_filename.startswith("Slipbox 20"), download.value.suggested_filename
    count = world.server.call("GET", "/overview")["places"]["all"]
    assert len([name for name in names if name.endswith(".md")]) == count, names
    assert "Goes out.md" in names
    imports(screen, "back.zip", open(download.value.path(), "rb").read())
    expect(screen.dialog).to_contain_text(f"{count} notes imported")
    screen.button("Undo the import", screen.dialog).click()
    wait_until(lambda: world.server.call("GET", "/overview")["places"]["all"] == count)


def test_what_is_no_archive_is_refused_in_a_sentence(world: World):
    screen = world.person().opens("all")
    screen.expects("status of 4")
    imports(screen, "broken.zip", b"PK\x03\x04 and then nothing")
    expect(screen.page.locator(".toast.bad")).to_contain_text("no zip archive")
    expect(screen.dialog).to_have_count(0)
