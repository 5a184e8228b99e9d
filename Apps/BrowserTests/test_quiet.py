"""What steps back: the two modes, the thin head on a phone, one toast at a time, versions side by side, paper."""

from playwright.sync_api import expect

from server import callout, footnote, heading, mark, marked, paragraph, picture, table, tasks
from test_essays import chosen
from test_together import LOST, offline_ready
from test_writing import png
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


def test_undo_was_lost_where_the_server_could_not_be_reached(world: World):
    folder = world.server.make_folder("Undone later")
    for title in ("Stays in the trash", "Comes back"):
        world.server.make_note(title, "x", folder=folder)
    person = world.person(service_workers="block")
    screen = person.opens(f"folder:{folder}")
    screen.expects("registration blocked", "ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "ERR_NETWORK")
    for title in ("Stays in the trash", "Comes back"):
        screen.row(title).click()
        screen.page.locator(".rows").focus()
        screen.presses("Delete")
        expect(screen.row(title)).to_have_count(0)
        screen.says(f"“{title}” moved to the trash")
    person.goes_offline()
    screen.page.locator(".rows").focus()
    screen.presses("Control+z")
    screen.says("Slipbox cannot be reached.")
    person.goes_offline(False)
    wait_until(lambda: screen.page.evaluate("import('/model/state.js').then(({ state }) => state.reachable)"), meanwhile=screen.page)
    screen.page.locator(".rows").focus()
    screen.presses("Control+z")
    screen.shows("Comes back")


def test_a_button_of_a_message_took_the_focus_away_from_who_wrote(world: World):
    note = world.server.make_note("Written on", "One.")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" Two #pressed")
    screen.presses("Enter")
    screen.undoes("Keyword “pressed” added to the note")
    screen.says("Undone")
    expect(screen.text).to_be_focused()
    screen.types("three")
    # Enter gave the keyword, and a new line as well.
    expect(screen.text.locator("p")).to_have_text(["One. Two #pressed", "three"])
    # By keys, the focus was at the button.
    screen.button("Dismiss", screen.says("Undone")).focus()
    screen.presses("Enter")
    expect(screen.page.locator(".toast")).to_have_count(0)
    expect(screen.text).to_be_focused()
    screen.types(".")
    expect(screen.text.locator("p")).to_have_text(["One. Two #pressed", "three."])


def test_a_message_stood_behind_the_dialog_where_nobody_reached_it(world: World):
    world.server.make_note("Told in a dialog", "x", keywords=["spoken"])
    for device, scheme, person in both(world):
        screen = person.opens(rows=device is DESK)
        screen.presses("Control+k")
        screen.types("all keywords")
        screen.dialog.get_by_role("option", name="All keywords", exact=True).click()
        dialog = screen.page.get_by_role("dialog", name="Keywords", exact=True)
        screen.button("More for spoken", dialog).click()
        screen.menu_item("Delete").click()
        screen.button("Delete", screen.dialog.last).click()
        expect(screen.button("More for spoken", dialog)).to_have_count(0)
        expect(dialog.locator(".toast")).to_contain_text("“spoken” deleted")
        screen.is_accessible(f"message in a dialog, {scheme}")
        screen.looks(f"message-in-a-dialog-{scheme}")
        screen.undoes("“spoken” deleted")
        # The dialog shows what was taken back.
        expect(screen.button("More for spoken", dialog)).to_be_visible()
        screen.presses("Escape")
        expect(screen.dialog).to_have_count(0)
        screen.says("Undone")


def test_on_a_phone_what_was_done_covered_the_tools(world: World):
    note = world.server.make_note("Told above the tools", "x")
    screen = world.person(PHONE).opens("all", note, rows=False)
    screen.text.tap()
    tools = screen.page.get_by_role("toolbar", name="Text style")
    expect(tools).to_be_visible()
    screen.presses("Control+s")
    told = screen.says("Saved")
    screen.looks("told-above-the-tools")
    ends = lambda: (sum(told.bounding_box()[one] for one in ("y", "height")), tools.bounding_box()["y"])
    wait_until(lambda: ends()[0] <= ends()[1], lambda: str(ends()))


def test_a_version_shows_what_has_changed_since(world: World):
    for device, scheme, person in both(world):
        note = world.server.make_note(f"Versions {scheme}", "The old slip box is made of wood and stands beside the table.", "It stays.")
        # What takes much away is a version at once.
        world.server.rewrite(note, "The new slip box.", "It stays.", "And more.")
        screen = person.opens("all", note, rows=device is DESK)
        screen.chooses("More for this note", "History…")
        screen.button("Show changes", screen.dialog).click()
        changes = screen.page.get_by_role("document", name="Changes since this version")
        expect(changes.locator("del").first).to_have_text("old")
        expect(changes.locator("ins").first).to_have_text("new")
        expect(changes.locator("ins").last).to_have_text("And more.")
        screen.is_accessible(f"changes, {scheme}")
        screen.looks(f"changes-{scheme}")


def test_a_version_that_is_written_from_right_to_left_began_on_the_left(world: World):
    note = world.server.make_note("From the right", "مرحبا بالعالم! " * 8)
    world.server.rewrite(note, "مرحبا!")
    screen = world.person().opens("all", note)
    screen.chooses("More for this note", "History…")
    excerpt = screen.dialog.locator(".version .faint").first
    expect(excerpt).to_contain_text("مرحبا")
    screen.button("Show changes", screen.dialog).click()
    changes = screen.page.get_by_role("document", name="Changes since this version")
    for place in (excerpt, changes.locator("p").first):
        expect(place).to_have_css("unicode-bidi", "plaintext")


def test_the_palette_does_what_the_menus_do(world: World):
    note = world.server.make_note("By palette", "x")
    screen = world.person().opens("all", note)
    for typed, seen in (("pin on", lambda one: one["pinned"]), ("use as a t", lambda one: one["template"])):
        screen.presses("Control+k")
        screen.types(typed)
        expect(screen.dialog.get_by_role("option")).to_have_count(2)
        screen.presses("Enter")
        wait_until(lambda: seen(world.server.note(note)), meanwhile=screen.page)
    screen.presses("Control+k")
    screen.types("history")
    screen.presses("Enter")
    expect(screen.dialog).to_contain_text("There are no earlier versions yet")
    screen.presses("Escape")
    # What the text, the list and the folder can do is there too.
    for typed, name in (("order: title z", "Order: Title Z–A"), ("versions", "History…"), ("duplic", "Make a copy"), ("callo", "Callout"), ("replace words in these", "Replace words in these notes…")):
        screen.presses("Control+k")
        screen.types(typed)
        expect(screen.dialog.get_by_role("option", name=name)).to_be_visible()
        screen.presses("Escape")
    screen.text.click()
    screen.presses("Control+k")
    screen.types("callout")
    screen.presses("Enter")
    expect(screen.text.locator(".callout")).to_have_count(1)


def test_a_title_that_is_not_there_is_begun_from_the_palette(world: World):
    folder = world.server.make_folder("Begun here")
    for device in (DESK, PHONE):
        screen = world.person(device).opens(f"folder:{folder}")
        screen.presses("Control+k")
        screen.types(f"Unheard of {device['viewport']['width']}")
        expect(screen.dialog.get_by_role("option")).to_have_count(1)
        screen.presses("Enter")
        expect(screen.title).to_have_value(f"Unheard of {device['viewport']['width']}")
        note = screen.page.url.rsplit("/", 1)[1]
        assert world.server.note(note)["folder"]["name"] == "Begun here"
        # The same title once more is the note that is there.
        screen.presses("Control+k")
        screen.types(f"Unheard of {device['viewport']['width']}")
        expect(screen.dialog.get_by_role("option").first).to_be_visible()
        expect(screen.dialog.get_by_role("option").filter(has_text="New note")).to_have_count(0)
        screen.presses("Escape")


def test_a_copy_says_the_same(world: World):
    folder = world.server.make_folder("Copies")
    note = world.server.make_note("First draft", heading(2, "One"), "Two", folder=folder, keywords=["copied"], status="review")
    world.server.call("PUT", f"/notes/{note}/attachment", png(40, 30, (200, 80, 40)), kind="image/png")
    screen = world.person().opens(f"folder:{folder}", note)
    screen.chooses("More for this note", "Make a copy")
    expect(screen.title).to_have_value("First draft (copy)")
    copy = world.server.note(screen.page.url.rsplit("/", 1)[1])
    first = world.server.note(note)
    assert copy["id"] != note and copy["attachment"]["width"] == first["attachment"]["width"]
    for name in ("document", "status", "folder", "keywords"):
        assert copy[name] == first[name], name
    screen.shows("First draft (copy)", "First draft")


def test_a_note_with_a_long_title_could_not_be_copied(world: World):
    note = world.server.make_note("漢" * 666, "Its text")
    screen = world.person().opens("all", note)
    screen.chooses("More for this note", "Make a copy")
    expect(screen.title).to_have_value("漢" * 664 + " (copy)")
    expect(screen.text).to_have_text("Its text")


def test_texts_that_follow_a_title_are_counted_and_those_that_cannot_are_named(world: World):
    note = world.server.make_note("Seats", "x")
    left = {"note": note, "title": "Seats", "done": 350, "total": 352, "behindCount": 2, "reason": "The disk is full.", "stage": "stuck", "by": None,
            "behind": [{"id": note, "title": "One that shows it"}, {"id": note, "title": ""}]}
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        asked: list[tuple[str, str]] = []
        clients: list[str] = []
        screen.page.on("request", lambda request: (asked.append((request.method, request.url.split("/api")[-1])), clients.append(request.headers.get("x-slipbox-client", ""))))
        screen.presses("Control+k", "Escape")
        wait_until(lambda: any(clients), meanwhile=screen.page)

        def hears(state) -> None:
            # As another tab tells it that listens to the server.
            screen.page.evaluate("state => { const tab = new BroadcastChannel('slipbox'); tab.postMessage({ type: 'follow', state }); tab.close(); }", state)

        mine = {**left, "behind": [], "behindCount": 0, "reason": None, "by": next(filter(None, clients))}
        hears({**mine, "stage": "running", "done": 50})
        screen.says("Texts follow the new title “Seats”")
        hears({**mine, "stage": "running", "done": 1200, "total": 2000})
        expect(screen.page.locator(".toast")).to_contain_text("1,200 of 2,000")
        screen.is_accessible(f"following, {scheme}")
        screen.looks(f"following-{scheme}")
        asked.clear()
        hears({**mine, "stage": "done", "done": 2000, "total": 2000})
        screen.says("2,000 texts say “Seats” now")
        # The sentences that link here say it too.
        wait_until(lambda: ("GET", f"/notes/{note}") in asked, meanwhile=screen.page)
        expect(screen.page.locator(".toast progress")).to_have_count(0)
        # Of others' titles only what went wrong is told.
        hears({**mine, "stage": "running", "by": "somebody"})
        hears(left)
        toast = screen.says("2 texts could not follow the new title “Seats”")
        expect(screen.page.locator(".toast progress")).to_have_count(0)
        screen.button("Show", toast).click()
        for words in ("The disk is full.", "One that shows it", "Untitled"):
            expect(screen.dialog).to_contain_text(words)
        screen.is_accessible(f"behind, {scheme}")
        screen.looks(f"behind-{scheme}")
        screen.button("Try again", screen.dialog).click()
        wait_until(lambda: ("POST", f"/notes/{note}/follow") in asked, meanwhile=screen.page)
        hears(left)
        screen.button("Dismiss", screen.says("2 texts could not follow")).click()
        wait_until(lambda: ("DELETE", f"/notes/{note}/follow") in asked, meanwhile=screen.page)


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


CONTROLS_SEEN = """() => [...document.querySelectorAll("button, input:not([type=checkbox]), textarea, .icon")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(".title-field, .callout-kind, .callout-kind *, .text-file .icon-paperclip"))
    .filter((element) => !element.matches(".picture-open, .text-picture-open, .footnote-link, .footnote-number"))
    .map((element) => element.outerHTML.slice(0, 120))"""


def test_a_cross_was_printed_beside_a_file(world: World):
    note = world.server.make_note("A full page", "Before", keywords=["kw"])
    file = world.server.call("PUT", f"/notes/{note}/files", png(24, 16, (20, 90, 200)), kind="image/png")["id"]
    world.server.call("PUT", f"/notes/{note}/attachment", png(64, 48, (20, 90, 200)), kind="image/png")
    world.server.rewrite(note, paragraph("Words", mark("1")), {"type": "file", "attrs": {"file": file, "name": "Letter.pdf"}}, picture(file, caption="A hive"),
                         table(["Fruit", "Number"], ["Pears", "14"]), callout("tip", "A box", "with words", fold="open"), tasks((True, "done")), footnote("1", "A footnote."))
    for device in (DESK, PHONE):
        screen = world.person(device).opens("all", note, rows=False)
        screen.text.locator("td, th").first.click()
        screen.page.emulate_media(media="print")
        seen = screen.page.evaluate(CONTROLS_SEEN)
        assert not seen, "\n".join(seen)
        expect(screen.text.get_by_text("Letter.pdf")).to_be_visible()
        expect(screen.page.locator(".picture img")).to_be_visible()
        screen.looks(f"print-full-{'phone' if device is PHONE else 'desk'}")
    # An empty page does not say what could be written.
    empty = world.server.make_note("", "")
    screen.page.emulate_media(media="screen")
    screen.goes_to("all", empty, rows=False)
    screen.page.emulate_media(media="print")
    shown = screen.text.locator("p").first.evaluate("line => getComputedStyle(line, '::before').content")
    assert shown == "none", shown


def test_paper_had_a_field_for_a_caption_and_was_dark(world: World):
    caption = "A tree that stands at the end of the garden, and whose words are longer than a line of a small picture"
    note = world.server.make_note("A dark page", "Before")
    screen = world.person(color_scheme="dark").opens("all", note)
    screen.text.locator("p").first.click()
    chosen(screen, "Picture", *({"name": f"{name}.png", "mimeType": "image/png", "buffer": png(300, 200, (60, 120, 60))} for name in ("oak", "elm")))
    captions = screen.text.locator("figcaption")
    expect(captions).to_have_count(2)
    captions.first.get_by_label("Caption").fill(caption)
    screen.is_saved()
    screen.page.emulate_media(media="print")
    for index, words in enumerate((caption, "")):
        expect(captions.nth(index).get_by_label("Caption")).to_be_hidden()
        shown = captions.nth(index).evaluate("element => getComputedStyle(element, '::after').content")
        assert shown == f'"{words}"', shown
    light = screen.page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    assert light == "light", light
    screen.looks("print-dark")


def test_a_caption_was_longer_than_its_field(world: World):
    caption = "A tree that stands at the end of the garden, and whose words are longer than a line of a small picture"
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        note = world.server.make_note(f"Long caption, {scheme}", "Before")
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        screen.text.locator("p").first.click()
        chosen(screen, "Picture", {"name": "oak.png", "mimeType": "image/png", "buffer": png(300, 200, (60, 120, 60))})
        field = screen.text.get_by_label("Caption")
        field.fill(caption)
        screen.is_saved()
        assert field.evaluate("field => field.scrollHeight <= field.clientHeight && field.clientHeight > 30")
        screen.looks(f"long-caption-{scheme}")
        # A caption is one line of words, and the key that would break it goes on in the text.
        screen.presses("Enter")
        screen.types("After.")
        expect(field).to_have_value(caption)
        expect(screen.text.locator("p").last).to_have_text("After.")
        screen.is_saved()
        screen.reloads()
        expect(field).to_have_value(caption)
        wait_until(lambda: field.evaluate("field => field.scrollHeight <= field.clientHeight"), meanwhile=screen.page)


def test_a_menu_that_is_longer_than_the_window_ends_in_a_row(world: World):
    note = world.server.make_note("Has a long menu", "x")
    screen = world.person(PHONE, viewport={"width": 390, "height": 620}).opens("all", note, rows=False)
    screen.button("More for this note").tap()
    menu = screen.page.get_by_role("menu")
    expect(menu).to_be_visible()
    cut = menu.evaluate("""menu => { const end = menu.getBoundingClientRect().bottom - 1;
        return [...menu.querySelectorAll('.menu-item')].map(item => item.getBoundingClientRect()).filter(box => box.top < end - 8 && box.bottom > end + 8).length; }""")
    assert cut == 1
    screen.looks("long-menu")
    # The last row can be reached, and is whole then.
    screen.presses("End")
    last = menu.locator(".menu-item").last
    expect(last).to_be_focused()
    assert last.evaluate("item => item.getBoundingClientRect().bottom <= item.closest('.menu').getBoundingClientRect().bottom")


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
    # What was not read in this browser is not searched, which is no reason to think that it is gone.
    expect(screen.page.locator(".found")).to_have_text("1 note of those on this device")
    screen.page.get_by_role("combobox", name="Search notes").fill("zebras")
    expect(screen.page.locator(".empty")).to_contain_text("Not among the notes on this device")
    person.goes_offline(False)
    screen.page.get_by_role("combobox", name="Search notes").fill("lanterns")
    expect(screen.page.locator(".found")).to_have_text("1 note")


# A list is gone by the time that it is looked into, as where it is read again without a note that others deleted.
GONE_MEANWHILE = """part => {
    const { keys } = Cache.prototype;
    Cache.prototype.keys = async function () {
        const named = await keys.call(this);
        for (const request of named) if (request.url.includes(part)) await this.delete(request);
        return named;
    };
}"""


def test_a_search_offline_failed_where_a_list_was_read_again_meanwhile(world: World):
    folder = world.server.make_folder("Read again meanwhile")
    note = world.server.make_note("Read at the ferry", "Gulls cry in the rain.")
    person = world.person()
    screen = person.opens("all", note)
    offline_ready(screen)
    screen.reloads()
    expect(screen.title).to_have_value("Read at the ferry")
    screen.goes_to(f"folder:{folder}", rows=False)
    screen.goes_to("all", note)
    screen.expects("ERR_INTERNET_DISCONNECTED", "Failed to load", "503")
    person.goes_offline()
    person.context.service_workers[0].evaluate(GONE_MEANWHILE, folder)
    screen.page.get_by_role("combobox", name="Search notes").fill("gulls")
    screen.shows("Read at the ferry")


def test_a_note_that_one_had_moved_to_the_trash_was_found_offline(world: World):
    note = world.server.make_note("Thrown away online", "Rust on the rail.")
    person = world.person()
    screen = person.opens("all", note)
    offline_ready(screen)
    screen.reloads()
    expect(screen.title).to_have_value("Thrown away online")
    screen.goes_to("all")
    assert screen.page.evaluate("async id => (await fetch(`/api/notes/${id}`, { method: 'DELETE' })).ok", note)
    expect(screen.row("Thrown away online")).to_have_count(0)
    screen.expects("ERR_INTERNET_DISCONNECTED", "Failed to load", "503")
    person.goes_offline()
    screen.page.get_by_role("combobox", name="Search notes").fill("rust")
    expect(screen.page.locator(".list .empty")).to_contain_text("Not among the notes on this device")


def test_offline_a_note_that_the_list_showed_was_not_found(world: World):
    note = world.server.make_note("Opened at the quay", "Lamps.")
    world.server.make_note("Seen at the quay", "Umbrellas dry slowly.")
    trashed = world.server.make_note("Thrown at the quay", "Umbrellas too.")
    person = world.person()
    screen = person.opens("all", note)
    offline_ready(screen)
    world.server.call("DELETE", f"/notes/{trashed}")
    expect(screen.row("Thrown at the quay")).to_have_count(0)
    screen.page.goto("/#/trash")
    expect(screen.row("Thrown at the quay")).to_be_visible()
    screen.goes_to("all", note)
    screen.reloads()
    expect(screen.row("Seen at the quay")).to_be_visible()
    screen.expects("ERR_INTERNET_DISCONNECTED", "Failed to load", "503")
    person.goes_offline()
    for words in ('"at the quay" -opened', "umbrellas"):
        screen.page.get_by_role("combobox", name="Search notes").fill(words)
        screen.shows("Seen at the quay")
    expect(screen.row("Seen at the quay")).to_contain_text("Umbrellas dry slowly.")


def test_offline_a_list_that_was_read_at_two_times_stayed_empty_where_they_meet(world: World):
    folder = world.server.make_folder("Read at two times")
    for number in range(100):
        world.server.make_note(f"Of a hundred {number:03}", folder=folder)
    person = world.person()
    screen = person.opens(f"folder:{folder}")
    screen.expects(*LOST)
    offline_ready(screen)
    screen.reloads()
    rows = screen.page.locator(".rows")
    rows.evaluate("rows => rows.scrollTop = rows.scrollHeight")
    expect(screen.row("Of a hundred 000")).to_be_visible()
    rows.evaluate("rows => rows.scrollTop = 0")
    expect(screen.row("Of a hundred 099")).to_be_visible()
    # Only what is in sight is read again.
    version = lambda: screen.page.evaluate("import('/model/list.js').then(({ list }) => list.version)")
    before = version()
    world.server.make_note("In no folder", "x")
    wait_until(lambda: version() != before, meanwhile=screen.page)
    screen.page.wait_for_timeout(300)
    person.goes_offline()
    rows.evaluate("rows => rows.scrollTop = rows.scrollHeight * 0.58")
    for number in (42, 38):
        expect(screen.row(f"Of a hundred {number:03}")).to_be_visible()
    expect(screen.page.locator(".list-count")).to_have_text("100")
    person.goes_offline(False)
    expect(screen.page.locator(".side-foot")).to_have_count(0)


def test_an_empty_folder_said_that_slipbox_cannot_be_reached_also_when_it_was(world: World):
    folder = world.server.make_folder("Empty in the tunnel")
    person = world.person(service_workers="block")
    screen = person.opens("all")
    screen.expects(*LOST, "registration blocked")
    person.goes_offline()
    screen.page.evaluate("(folder) => (location.hash = `#/folder:${folder}`)", folder)
    expect(screen.page.locator(".list .empty")).to_contain_text("Slipbox cannot be reached.")
    person.goes_offline(False)
    expect(screen.page.locator(".list .empty")).to_contain_text("This folder is empty")


def test_of_one_note_a_screen_reader_said_1_notes(world: World):
    note = world.server.make_note("Alone with its keyword", "x", keywords=["solitary"])
    screen = world.person().opens("all", note)
    sidebar = screen.page.get_by_role("navigation", name="Folders and keywords")
    expect(sidebar.get_by_role("link", name="solitary")).to_have_accessible_name("solitary 1 note")


def test_on_a_phone_nothing_that_was_typed_could_be_undone(world: World):
    note = world.server.make_note("Undone by hand", "one")
    screen = world.person(PHONE, color_scheme="dark").opens("all", note, rows=False)
    screen.text.tap()
    tools = screen.page.get_by_role("toolbar", name="Text style")
    undo, redo = screen.button("Undo", tools), screen.button("Redo", tools)
    expect(undo).to_have_attribute("aria-disabled", "true")
    screen.presses("Control+End")
    # At once: a page that stands still between two letters would take them back one after the other.
    screen.page.keyboard.insert_text(" more")
    expect(undo).to_have_attribute("aria-disabled", "false")
    undo.tap()
    expect(screen.text).to_have_text("one")
    expect(undo).to_have_attribute("aria-disabled", "true")
    screen.is_accessible("undo")
    redo.tap()
    expect(screen.text).to_have_text("one more")
    expect(redo).to_have_attribute("aria-disabled", "true")
    screen.looks("undo")
    screen.is_saved()
    # Where there is a keyboard, its keys do it, and all of the tools have room.
    screen = world.person().opens("all", note)
    expect(screen.button("Undo", screen.page.get_by_role("toolbar"))).to_have_count(0)
    screen.button("Title", screen.page.get_by_role("toolbar")).focus()
    screen.presses("Home")
    expect(screen.button("Title", screen.page.get_by_role("toolbar"))).to_be_focused()
    screen.looks("tools")
