"""How it looks: light and dark, desk and phone; nothing that axe objects to; pictures for the documentation."""

import json
import re
from pathlib import Path

from playwright.sync_api import expect

from server import bullets, heading, link, marked, paragraph, quote, tasks
from world import DESK, PHONE, World, wait_until
from test_writing import png

WEB = Path(__file__).parents[1] / "Sources/Slipbox/Web"


def sample(world: World) -> dict[str, str]:
    """A slip box somebody lives in; made once."""
    server = world.server
    known = {one["name"]: one["id"] for one in server.call("GET", "/overview")["folders"]}
    if "Essays" in known:
        return {row["title"]: row["id"] for row in server.call("GET", f"/notes?in=folder:{known['Essays']}&sort=dateAscending")["rows"]} | known
    essays = server.make_folder("Essays")
    server.make_folder("On attention", essays)
    server.make_folder("On walking", essays)
    reading, garden = server.make_folder("Reading"), server.make_folder("Garden")
    letters = server.make_folder("Letters")
    server.make_folder("Someday")
    method, writing, quotes, plan = ("method", "#0369a1"), ("writing", "#15803d"), ("quotes", "#7e22ce"), ("to do", "#c2410c")
    server.make_note("A Time of Gifts", "On foot to Constantinople, with a rucksack and a volume of Horace.", folder=reading, keywords=[quotes])
    server.make_note("What to plant in spring", "Broad beans, peas, the first potatoes in trays; nothing outside before the frost is over.",
                     folder=garden, keywords=[plan])
    server.make_note("To M., about the house", "Dear M., the shutters are painted and the swallows came back on Tuesday.", folder=letters, status="review")
    server.make_note("Maps for walkers", "An idea without a place yet: maps that show how long a walk takes, not how far it is.", keywords=[plan])
    server.make_note("What a day is for", "How we spend our days is, of course, how we spend our lives.", folder=essays, keywords=[quotes], status="archived")
    server.make_note("Against outlines", "An outline knows too early what it wants. A slip box finds out.", folder=essays, keywords=[writing])
    first = server.make_note(
        "A note is a conversation", heading(2, "With whom?"),
        "A slip box answers when it is asked. It surprises, because it remembers in another order than we do.",
        quote("It is impossible to think without writing; at least not in any sophisticated way."),
        "So write one thought on each slip, in whole sentences, for a reader who has forgotten everything: yourself, next year.",
        folder=essays, keywords=[method, writing], favourite=True)
    second = server.make_note("Slow reading", "Read with a pen in hand. What is not written down was not understood, and what is copied was not read.",
                              folder=essays, keywords=[quotes], status="archived")
    third = server.make_note("Walking and thinking", paragraph("Rousseau could only meditate when walking. Compare ", link("Slow reading", second), "."),
                             folder=essays, keywords=[writing], status="draft")
    server.make_note(
        "How links grow",
        paragraph("Every link is a ", marked("reason", "italic"), ". A folder says where a thing belongs; a link says ", marked("why it matters here", "bold"),
                  ". Compare ", link("A note is a conversation", first), ", where the box itself speaks, and ", link("Walking and thinking", third), "."),
        heading(2, "Before the next one"),
        tasks((True, "read the letters again"), (False, "ask why, not only where"), (False, "one link back for each link out")),
        bullets("The first links are guesses.", "The later ones are arguments."),
        folder=essays, keywords=[method, writing, quotes], status="review", favourite=True)
    return sample(world)


def test_desk_light(world: World):
    notes = sample(world)
    screen = world.person(DESK, color_scheme="light").opens(f"folder:{notes['Essays']}", notes["How links grow"])
    expect(screen.row("How links grow")).to_be_visible()
    screen.is_accessible("desk, light")
    screen.picture("light")
    screen.page.locator(".rows").focus()
    screen.presses("Control+k")
    screen.types("walking")
    expect(screen.dialog.get_by_role("option").first).to_contain_text("Walking")
    screen.picture("switcher")


def test_desk_dark(world: World):
    notes = sample(world)
    screen = world.person(DESK, color_scheme="dark").opens(f"folder:{notes['Essays']}", notes["A note is a conversation"])
    expect(screen.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(screen.row("How links grow")).to_be_visible()
    screen.is_accessible("desk, dark")
    screen.picture("dark")
    field = screen.page.get_by_role("combobox", name="Search notes")
    field.fill("slip")
    expect(screen.row("A note is a conversation").locator("mark").first).to_be_visible()
    field.click()
    screen.is_accessible("search, dark")
    screen.button("More for this note").click()
    screen.is_accessible("menu, dark")
    screen.presses("Escape")
    # The switch overrules the system, and stays.
    screen.chooses("Settings and help", "Light")
    expect(screen.page.locator("html")).to_have_attribute("data-theme", "light")
    screen.reloads()
    expect(screen.page.locator("html")).to_have_attribute("data-theme", "light")
    screen.chooses("Settings and help", "As the system")
    expect(screen.page.locator("html")).to_have_attribute("data-theme", "dark")


def test_search_in_a_picture(world: World):
    sample(world)
    screen = world.person(DESK, color_scheme="light").opens("all")
    field = screen.page.get_by_role("combobox", name="Search notes")
    field.click()
    screen.page.get_by_role("option", name="Review status").click()
    screen.types("link")
    screen.row("How links grow").locator("mark").first.wait_for()
    screen.presses("Enter")
    screen.opens("How links grow")
    expect(screen.text.locator(".found-word").first).to_be_visible()
    field.click()
    screen.picture("search")


def test_phone_has_one_column_at_a_time(world: World):
    notes = sample(world)
    for scheme in ("light", "dark"):
        person = world.person(PHONE, color_scheme=scheme)
        screen = person.opens(f"folder:{notes['Essays']}")
        expect(screen.row("How links grow")).to_be_visible()
        expect(screen.page.locator(".side")).to_be_hidden()
        screen.is_accessible(f"phone list, {scheme}")
        if scheme == "light":
            screen.picture("phone-list")
        screen.row("How links grow").tap()
        expect(screen.title).to_have_value("How links grow")
        expect(screen.page.locator(".list")).to_be_hidden()
        screen.is_accessible(f"phone note, {scheme}")
        if scheme == "light":
            screen.picture("phone-note")
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= 390
        # The browser's Back does not lead into what was left.
        entries = screen.page.evaluate("history.length")
        screen.button("Back to the list").tap()
        expect(screen.page.locator(".list")).to_be_visible()
        assert screen.page.evaluate("[history.length, location.hash.split('/').length]") == [entries, 2]
        expect(screen.row("How links grow")).to_be_visible()
        # No second button and no Shift on a phone: several are chosen by a menu.
        screen.chooses("More for this list", "Choose several")
        screen.row("How links grow").tap()
        screen.row("Slow reading").tap()
        expect(screen.page.locator(".chosen")).to_contain_text("2 notes chosen")
        screen.button("Done").tap()
        screen.button("Back to folders").tap()
        expect(screen.page.get_by_role("tree")).to_be_visible()
        screen.is_accessible(f"phone folders, {scheme}")
        screen.page.get_by_role("treeitem").filter(has_text="Someday").tap()
        expect(screen.page.locator(".list .empty")).to_contain_text("This folder is empty")
        screen.page.go_back()
        expect(screen.page.get_by_role("tree")).to_be_visible()
        small = screen.page.evaluate(SMALL_TARGETS, 40)
        assert not small, small


def test_the_bar_for_several_notes_broke_and_chosen_rows_had_no_tick(world: World):
    name = "A folder whose name is a good deal longer than a row"
    folder = world.server.make_folder(name)
    for title in ("Ticked", "Ticked too", "Not ticked"):
        world.server.make_note(title, "x", folder=folder, keywords=["word", "another"])
    for device in (DESK, {"viewport": {"width": 900, "height": 700}}, PHONE):
        screen = world.person(device).opens("all")
        screen.row("Not ticked").hover()
        expect(screen.page.locator(".row-box")).to_have_count(0)
        screen.chooses("More for this list", "Choose several")
        screen.row("Ticked").click()
        screen.row("Ticked too").click()
        bar = screen.page.locator(".chosen")
        expect(bar).to_contain_text("2 notes chosen")
        tops = bar.evaluate("bar => [...bar.children].map(one => { const box = one.getBoundingClientRect(); return box.top + box.height / 2; })")
        assert max(tops) - min(tops) < 2, (device, tops)
        for title, count in (("Ticked", 1), ("Ticked too", 1), ("Not ticked", 0)):
            expect(screen.row(title).locator(".row-box .icon-check")).to_have_count(count)
        words = screen.row("Ticked").locator(".row-folder span")
        look = words.evaluate("span => [getComputedStyle(span).textOverflow, span.scrollWidth > span.clientWidth]")
        assert look == ["ellipsis", True], look
        screen.is_accessible("several chosen")


def test_a_tablet_shows_two_columns(world: World):
    notes = sample(world)
    screen = world.person({"viewport": {"width": 900, "height": 700}}).opens(f"folder:{notes['Essays']}", notes["Slow reading"])
    side, rows, page = (screen.page.locator(one) for one in (".side", ".list", ".page"))
    expect(rows).to_be_visible()
    expect(page).to_be_visible()
    expect(side).to_be_hidden()
    screen.button("Back to folders").click()
    expect(side).to_be_visible()
    expect(rows).to_be_visible()
    expect(page).to_be_hidden()
    screen.page.get_by_role("treeitem").filter(has_text="Garden").click()
    expect(screen.row("What to plant in spring")).to_be_visible()
    expect(page).to_be_visible()


SMALL_TARGETS = """(least) => [...document.querySelectorAll("button, a, [role=treeitem], input")]
    .filter(one => one.checkVisibility() && !one.closest(".text, p, .twist") && !one.matches(".sr, .skip"))
    .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < least)
    .map(([name, box]) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`)"""


def test_targets_can_be_hit(world: World):
    notes = sample(world)
    desk = world.person().opens(f"folder:{notes['Essays']}", notes["How links grow"])
    expect(desk.row("How links grow")).to_be_visible()
    assert not desk.page.evaluate(SMALL_TARGETS, 24), desk.page.evaluate(SMALL_TARGETS, 24)
    phone = world.person(PHONE).opens(f"folder:{notes['Essays']}", notes["How links grow"], rows=False)
    expect(phone.title).to_be_visible()
    assert not phone.page.evaluate(SMALL_TARGETS, 40), phone.page.evaluate(SMALL_TARGETS, 40)


def test_a_large_picture_in_a_note_looks_right_in_the_dark(world: World):
    note = world.server.make_note("Evening sky", "Seen from the bridge.")
    screen = world.person(DESK, color_scheme="dark").opens("all", note)
    with screen.page.expect_file_chooser() as chooser:
        screen.button("Add a picture").click()
    chooser.value.set_files({"name": "evening.png", "mimeType": "image/png", "buffer": png(900, 600, (230, 150, 110))})
    expect(screen.page.locator("figure.picture")).to_contain_text("evening.png")
    wait_until(lambda: screen.page.locator("figure.picture img").evaluate("image => image.complete && image.naturalWidth > 0"))
    screen.is_accessible("picture, dark")


def test_the_service_worker_keeps_every_file_of_the_pages(world: World):
    worker = (WEB / "sw.js").read_text()
    kept = {file for name in ("files", "forDrawing") for file in re.findall(r'"/([^"]+)"', worker.split(f"const {name} =")[1].split("];")[0])}
    kept |= {file.removeprefix("/") for file in json.loads((WEB / "vendor/drawing.json").read_text())}
    there = {str(path.relative_to(WEB)) for path in WEB.rglob("*") if path.is_file()}
    there |= {"look/tokens.css"}  # from Look, which all programs share
    there |= {"theme.css"}  # from the folder of the notes
    unneeded = {path for path in there if path.startswith("vendor/licences/")} | {"sw.js", "swNotes.js", "swLock.js", "index.html", "vendor/made-from"}
    assert kept == there - unneeded, (kept - there, there - unneeded - kept)
    assert world


def test_the_field_of_a_dialog_that_was_still_loading_never_got_the_keys(world: World):
    screen = world.person(service_workers="block").opens("all")
    screen.expects("registration blocked")
    held = []
    screen.page.route("**/api/sync", lambda route: held.append(screen.holds(route)))
    screen.page.reload()
    screen.chooses("Settings and help", "Other devices…")
    expect(screen.dialog.get_by_text("Loading")).to_be_attached()
    wait_until(lambda: len(held) == 2, meanwhile=screen.page)
    for request in held:
        request.continue_()
    expect(screen.dialog.get_by_label("Pairing code or address")).to_be_focused()


def test_who_had_typed_a_wrong_address_had_no_place_to_type_a_right_one(world: World):
    screen = world.person().opens("all")
    screen.expects("status of 4")
    screen.chooses("Settings and help", "Other devices…")
    address = screen.dialog.get_by_label("Pairing code or address")
    address.fill("pair-nothing")
    screen.presses("Enter")
    expect(screen.dialog.get_by_role("alert")).to_be_visible()
    expect(address).to_be_focused()


def test_a_passphrase_had_another_field_than_an_address_and_its_ring_was_cut_off(world: World):
    screen = world.person().opens("all")
    screen.chooses("Settings and help", "Other devices…")
    address, passphrase = (screen.dialog.get_by_label(name) for name in ("Pairing code or address", "Passphrase"))
    expect(address).to_be_focused()
    boxes = [field.evaluate("field => { const { width, height } = field.getBoundingClientRect(); return [width, height, getComputedStyle(field).borderRadius]; }") for field in (address, passphrase)]
    assert boxes[0] == boxes[1], boxes
    # The ring is two wide and one away.
    room = address.evaluate("field => field.getBoundingClientRect().left - field.closest('.sync-body').getBoundingClientRect().left")
    assert room >= 3, room
    screen.looks("join")
