"""All notes on a device without a network, and what other programs give to a page."""

import re
from urllib.parse import urlencode

from playwright.sync_api import expect

from test_together import LOST, offline_ready
from world import PHONE, World, wait_until


def kept(screen) -> dict:
    """What the worker says that it has; nothing as long as it has not said so."""
    return screen.page.evaluate("""() => new Promise((done) => {
        const request = indexedDB.open("slipbox-notes");
        request.onupgradeneeded = () => request.transaction.abort();
        request.onerror = () => done({});
        request.onsuccess = () => {
            const facts = request.result.transaction("facts").objectStore("facts").get("facts");
            facts.onsuccess = () => { request.result.close(); done(facts.result ?? {}); };
        };
    })""")


def is_filled(screen) -> None:
    wait_until(lambda: kept(screen).get("at") and not kept(screen).get("isFilling"), meanwhile=screen.page)


def test_a_phone_reads_searches_and_writes_notes_that_it_never_opened(world: World):
    folder = world.server.make_folder("Mountains")
    ids = [world.server.make_note(f"Summit {number}", f"The wind at {number} thousand feet.", folder=folder) for number in range(1, 70)]
    person = world.person(PHONE)
    screen = person.opens("all")
    screen.expects(*LOST)
    offline_ready(screen)
    is_filled(screen)
    assert kept(screen)["isWhole"] and kept(screen)["count"] >= 69
    person.goes_offline()
    # A list that was never opened, to its end.
    screen.goes_to(f"folder:{folder}", rows=False)
    expect(screen.row("Summit 69")).to_be_visible()
    screen.page.locator(".rows").evaluate("(list) => list.scrollTo(0, list.scrollHeight)")
    expect(screen.row("Summit 1")).to_be_visible()
    # A note that was never opened, and what is written in it.
    screen.goes_to("all", ids[41], rows=False)
    expect(screen.text).to_have_text("The wind at 42 thousand feet.")
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" It is cold.")
    expect(screen.saving).to_contain_text("1 edit waits")
    # A word of a note that was never opened.
    screen.goes_to("all", rows=False)
    screen.button("Back to folders").tap()
    expect(screen.page.get_by_text("here, as at")).to_be_visible()
    screen.is_accessible("notes at hand")
    found = screen.page.evaluate("fetch('/api/notes?in=all&text=%2237%20thousand%22').then((answer) => answer.json())")
    assert [row["title"] for row in found["rows"]] == ["Summit 37"], found["rows"]
    person.goes_offline(False)
    wait_until(lambda: "It is cold." in world.server.text(ids[41]), meanwhile=screen.page)


def test_changes_of_others_and_deletions_come_to_the_notes_at_hand(world: World):
    changed, trashed, erased = (world.server.make_note(title, "as it was before") for title in ("Changed", "Trashed", "Erased"))
    person = world.person(PHONE)
    screen = person.opens("all")
    screen.expects(*LOST)
    offline_ready(screen)
    is_filled(screen)
    world.server.rewrite(changed, "as it is now", title="Changed by others")
    world.server.call("DELETE", f"/notes/{trashed}")
    world.server.call("DELETE", f"/notes/{erased}")
    world.server.call("DELETE", f"/notes/{erased}?forever=true")

    def rows() -> list[str]:
        return screen.page.evaluate("""() => new Promise((done) => {
            const request = indexedDB.open("slipbox-notes");
            request.onsuccess = () => {
                const all = request.result.transaction("rows").objectStore("rows").getAll();
                all.onsuccess = () => { request.result.close(); done(all.result.map((row) => `${row.title}: ${row.excerpt}`)); };
            };
        })""")

    wait_until(lambda: "Changed by others: as it is now" in rows(), meanwhile=screen.page)
    wait_until(lambda: not any(row.startswith(("Trashed", "Erased")) for row in rows()), rows, meanwhile=screen.page)


def test_notes_are_kept_on_a_desk_only_if_somebody_wants_that(world: World):
    world.server.make_note("On the desk", "some words")
    screen = world.person().opens("all")
    offline_ready(screen)
    screen.page.wait_for_timeout(500)
    assert kept(screen).get("count", 0) == 0
    screen.chooses("Settings and help", "Notes on this device…")
    box = screen.dialog.get_by_role("checkbox")
    expect(box).not_to_be_checked()
    box.check()
    expect(screen.dialog).to_contain_text(re.compile(r"All notes are on this device \(\d+ notes?\), as of the last change"))
    screen.is_accessible("notes on this device")
    assert kept(screen)["count"] > 0
    box.uncheck()
    wait_until(lambda: kept(screen).get("count", 0) == 0, meanwhile=screen.page)


def test_what_is_shared_becomes_a_note_when_somebody_says_so(world: World):
    person = world.person()
    screen = person.opens("all")
    offline_ready(screen)
    given = urlencode({"title": "Of bees", "text": "They dance.\n\nFor an hour.", "url": "https://example.org/bees"})
    base = screen.page.url.split("#")[0]
    screen.page.goto(f"{base}share?{given}")
    expect(screen.dialog).to_contain_text("From https://example.org/bees")
    screen.is_accessible("shared")
    # Nothing is made before somebody presses the button.
    assert all(row["title"] != "Of bees" for row in world.server.call("GET", "/notes?in=all")["rows"])
    screen.button("Keep", screen.dialog).click()
    expect(screen.title).to_have_value("Of bees")
    expect(screen.text.locator("p")).to_have_text(["They dance.", "For an hour.", "https://example.org/bees"])
    expect(screen.text.locator("a")).to_have_attribute("href", "https://example.org/bees")


def test_an_address_that_is_shared_cannot_bring_a_script(world: World):
    person = world.person()
    screen = person.opens("all")
    offline_ready(screen)
    base = screen.page.url.split("#")[0]
    screen.page.goto(f"{base}share?" + urlencode({"title": "<img src=x onerror=alert(1)>", "url": "javascript:alert(1)"}))
    expect(screen.dialog.get_by_label("Title")).to_have_value("<img src=x onerror=alert(1)>")
    expect(screen.dialog).not_to_contain_text("From")
    screen.button("Keep", screen.dialog).click()
    expect(screen.title).to_have_value("<img src=x onerror=alert(1)>")
    expect(screen.text.locator("a")).to_have_count(0)
