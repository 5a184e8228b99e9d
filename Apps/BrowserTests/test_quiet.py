"""What steps back: the two modes, the thin head on a phone, one toast at a time, versions side by side, paper."""

from playwright.sync_api import expect

from server import callout, footnote, heading, mark, marked, paragraph
from test_together import offline_ready
from world import DESK, PHONE, World, wait_until


def both(world: World):
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        yield device, scheme, world.person(device, color_scheme=scheme)


def test_the_text_alone_to_write_and_to_read(world: World):
    for device, scheme, person in both(world):
        note = world.server.make_note(f"Quiet {scheme}", "First paragraph.", "Second paragraph.")
        screen = person.opens("all", note, rows=device is DESK)
        screen.chooses("More for this note", "Write without distraction")
        expect(screen.page.locator(".page-head")).to_be_hidden()
        expect(screen.page.locator(".list")).to_be_hidden()
        expect(screen.text).to_be_focused()
        screen.is_accessible(f"focus, {scheme}")
        screen.looks(f"focus-{scheme}")
        screen.presses("Control+End")
        screen.types(" More.")
        screen.presses("Escape")
        expect(screen.page.locator(".page-head")).to_be_visible()
        screen.is_saved()
        assert world.server.text(note).endswith("Second paragraph. More.\n")
        screen.chooses("More for this note", "Read")
        expect(screen.text).to_have_attribute("contenteditable", "false")
        expect(screen.page.locator(".links").first).to_be_hidden()
        screen.is_accessible(f"reading, {scheme}")
        screen.looks(f"reading-{scheme}")
        screen.button("Stop reading").click()
        expect(screen.text).to_have_attribute("contenteditable", "true")


def test_on_a_phone_the_text_begins_in_the_upper_third(world: World):
    note = world.server.make_note("Thin head", "The text.", keywords=["one", "two"])
    screen = world.person(PHONE).opens("all", note, rows=False)
    box = screen.text.bounding_box()
    assert box["y"] < 844 / 4, box
    facts = screen.page.locator(".facts-line")
    expect(facts).to_contain_text("one, two")
    expect(screen.page.get_by_role("group", name="Status")).to_be_hidden()
    screen.looks("thin-head")
    facts.tap()
    screen.button("Review", screen.page.get_by_role("group", name="Status")).tap()
    expect(facts).to_contain_text("Review")
    expect(screen.page.get_by_role("group", name="Keywords of the note")).to_be_visible()
    screen.is_accessible("facts on a phone")
    screen.looks("thin-head-open")
    facts.tap()
    screen.text.tap()
    expect(screen.page.get_by_role("toolbar", name="Text style")).to_be_visible()


def test_toasts_do_not_pile_up(world: World):
    folder = world.server.make_folder("Toasts")
    for n in range(4):
        world.server.make_note(f"Toast {n}", "x", folder=folder)
    screen = world.person().opens(f"folder:{folder}")
    for n in range(4):
        screen.row(f"Toast {n}").click()
        screen.page.locator(".rows").focus()
        screen.presses("Delete")
        expect(screen.row(f"Toast {n}")).to_have_count(0)
    expect(screen.page.locator(".toast")).to_have_count(1)
    screen.undoes("Toast 3")
    expect(screen.row("Toast 3")).to_be_visible()
    screen.page.locator(".rows").focus()
    screen.presses("Control+z")
    expect(screen.row("Toast 2")).to_be_visible()


def test_a_version_shows_what_has_changed_since(world: World):
    for device, scheme, person in both(world):
        note = world.server.make_note(f"Versions {scheme}", "The old slip box is made of wood and stands beside the table.", "It stays.")
        # What takes much away is a version at once.
        world.server.rewrite(note, "The new slip box.", "It stays.", "And more.")
        screen = person.opens("all", note, rows=device is DESK)
        screen.chooses("More for this note", "History…")
        screen.button("What has changed", screen.dialog).click()
        changes = screen.page.get_by_role("document", name="What has changed since")
        expect(changes.locator("del").first).to_have_text("old")
        expect(changes.locator("ins").first).to_have_text("new")
        expect(changes.locator("ins").last).to_have_text("And more.")
        screen.is_accessible(f"changes, {scheme}")
        screen.looks(f"changes-{scheme}")


def test_the_palette_does_what_the_menus_do(world: World):
    note = world.server.make_note("By palette", "x")
    screen = world.person().opens("all", note)
    for typed, seen in (("pin on", lambda one: one["pinned"]), ("use as a t", lambda one: one["template"])):
        screen.presses("Control+k")
        screen.types(typed)
        expect(screen.dialog.get_by_role("option")).to_have_count(1)
        screen.presses("Enter")
        wait_until(lambda: seen(world.server.note(note)), meanwhile=screen.page)
    screen.presses("Control+k")
    screen.types("history")
    screen.presses("Enter")
    expect(screen.dialog).to_contain_text("There is no earlier version yet")
    screen.presses("Escape")
    # What the text, the list and the folder can do is there too.
    for typed, name in (("order: title z", "Order: Title Z–A"), ("callo", "Callout"), ("replace words in these", "Replace words in these notes…")):
        screen.presses("Control+k")
        screen.types(typed)
        expect(screen.dialog.get_by_role("option", name=name)).to_be_visible()
        screen.presses("Escape")
    screen.text.click()
    screen.presses("Control+k")
    screen.types("callout")
    screen.presses("Enter")
    expect(screen.text.locator(".callout")).to_have_count(1)


def test_the_palette_stayed_away_right_after_it_was_closed(world: World):
    screen = world.person().opens("all", world.server.make_note("By palette", "x"))
    for _ in range(15):
        screen.presses("Control+k")
        screen.types("stat")
        expect(screen.dialog.get_by_role("option", name="Statistics")).to_be_visible()
        screen.presses("Escape")


def test_paper_has_no_controls(world: World):
    note = world.server.make_note("On paper", heading(2, "A heading"), paragraph("Words, ", marked("bold", "bold"), mark("1")),
                                  callout("tip", "A box", "with words", fold="closed"), footnote("1", "A footnote."), keywords=["kw"])
    screen = world.person().opens("all", note)
    screen.page.emulate_media(media="print")
    for part in (".page-head", ".toolbar", ".facts", ".note-keywords", ".links", ".side", ".list"):
        expect(screen.page.locator(part).first).to_be_hidden()
    expect(screen.title).to_be_visible()
    expect(screen.text).to_be_visible()
    # Paper cannot be unfolded.
    expect(screen.text.get_by_text("with words")).to_be_visible()
    expect(screen.text.locator(".callout-fold")).to_be_hidden()
    screen.looks("print")


def test_the_first_screen_says_welcome(world: World):
    person = world.person()
    page = person.context.new_page()
    page.goto("/")
    expect(page.get_by_role("textbox", name="Title", exact=True)).to_have_value("Welcome to your slip box")
    page.goto("/#/all")
    page.reload()
    expect(page.get_by_text("Select a note")).to_be_visible()


def test_searching_works_offline(world: World):
    note = world.server.make_note("Read before the tunnel", "Lanterns glow in the dark.")
    person = world.person()
    screen = person.opens("all", note)
    offline_ready(screen)
    screen.reloads()
    expect(screen.title).to_have_value("Read before the tunnel")
    screen.expects("ERR_INTERNET_DISCONNECTED", "Failed to load", "503")
    person.goes_offline()
    screen.page.get_by_role("combobox", name="Search notes").fill("lanterns -nothing")
    screen.shows("Read before the tunnel")
    person.goes_offline(False)
