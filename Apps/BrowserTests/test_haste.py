"""Hands that are faster than the server: what they wrote, chose and left stays as they did it."""

import json
import re

from playwright.sync_api import expect

from test_essays import pastes_text
from test_writing import png
from world import DESK, PHONE, Screen, World, wait_until


def hasty(world: World, place: str = "unfiled", note: str | None = None, *expected: str) -> Screen:
    """A screen whose requests can be held back: one that a service worker passes on cannot."""
    screen = world.person(service_workers="block").opens(place, note)
    screen.expects("registration blocked", *expected)
    return screen


def at_end(screen: Screen) -> None:
    screen.text.click()
    screen.presses("Control+End")


# MARK: One act after another


def test_an_act_that_overtook_the_one_before_was_undone_by_it(world: World):
    note = world.server.make_note("Quick fingers", "words", properties=[{"name": "genre", "kind": "list", "items": ["myth"]}])
    screen = hasty(world, "all", note)
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    answered = []
    screen.page.on("response", lambda response: response.request.method == "PATCH" and answered.append(response.status))
    screen.page.get_by_label("Add to genre").click()
    screen.types("war")
    screen.presses("Enter")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.presses("Backspace")
    expect(screen.page.locator(".property-item")).to_have_count(1)
    screen.page.wait_for_timeout(500)
    held[0].continue_()
    wait_until(lambda: len(answered) == 2, meanwhile=screen.page)
    assert [one["value"] for one in world.server.note(note)["properties"]] == ["myth"]
    expect(screen.page.locator(".property-item")).to_have_count(1)


def test_a_note_was_read_before_the_server_had_made_it(world: World):
    screen = hasty(world)
    held = []
    screen.page.route("**/api/notes", lambda route: held.append(screen.holds(route)) if route.request.method == "POST" else route.continue_())
    for made in (1, 2):
        screen.presses("Alt+n")
        wait_until(lambda: len(held) == made, meanwhile=screen.page)
    with screen.page.expect_response(lambda response: "/api/overview" in response.url):
        held[0].continue_()
    # The page has read again what it shows; a 404 in its console would fail the test.
    screen.page.wait_for_timeout(300)
    held[1].continue_()
    screen.types("Made at last")
    screen.is_saved()
    expect(screen.row("Made at last")).to_be_visible()


def test_undo_before_the_answer_of_an_act_undid_the_one_before(world: World):
    note = world.server.make_note("Thrown away quickly", "words")
    status = lambda: world.server.note(note)["status"]
    screen = hasty(world, "unfiled", note)
    screen.row("Thrown away quickly").click(button="right")
    screen.menu_item("Review").click()
    expect(screen.says("Status: Review")).to_be_visible()
    held = screen.holds_answer("DELETE", f"/api/notes/{note}")
    # Rows do not move under a pointer.
    screen.page.mouse.move(900, 700)
    screen.page.locator(".rows").focus()
    screen.presses("Delete")
    # The list hears of it before the answer comes.
    expect(screen.row("Thrown away quickly")).to_have_count(0)
    screen.presses("Control+z")
    screen.page.wait_for_timeout(300)
    held[0]()
    expect(screen.row("Thrown away quickly")).to_be_visible()
    assert status() == "review"

    held = screen.holds_answer("POST", "/api/undo/*")
    screen.presses("Control+z")
    wait_until(lambda: status() != "review", meanwhile=screen.page)
    screen.presses("Control+Shift+z")
    held[0]()
    wait_until(lambda: status() == "review", meanwhile=screen.page)


def stars_before_an_answer(world: World, title: str):
    """A note whose status was changed, without an answer yet, and which was starred then: (screen, note, held answer)."""
    note = world.server.make_note(title, "words")
    screen = hasty(world, "unfiled", note)
    held = screen.holds_answer("PATCH", f"/api/notes/{note}")
    screen.button("Review").click()
    screen.button("Favourite").click()
    expect(screen.row(title).locator(".row-star")).to_be_visible()
    wait_until(lambda: held, meanwhile=screen.page)
    return screen, note, held


def test_an_act_that_waited_for_another_was_lost_with_the_page(world: World):
    screen, note, _ = stars_before_an_answer(world, "Starred and left")
    screen.reloads()
    wait_until(lambda: world.server.note(note)["favourite"], meanwhile=screen.page)
    assert world.server.note(note)["status"] == "review"


def test_an_act_that_waited_for_another_was_lost_with_a_hidden_page(world: World):
    screen, note, held = stars_before_an_answer(world, "Starred and hidden")
    # A phone may end a page that is hidden, without another word.
    screen.page.evaluate("""() => {
        Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
        dispatchEvent(new Event("visibilitychange"));
    }""")
    wait_until(lambda: world.server.note(note)["favourite"], meanwhile=screen.page)
    held[0]()
    wait_until(lambda: world.server.note(note)["status"] == "review", meanwhile=screen.page)
    expect(screen.page.get_by_role("button", name="Favourite", exact=True)).to_have_attribute("aria-pressed", "true")


# MARK: From note to note


def test_what_was_typed_on_before_the_next_note_came_was_lost(world: World):
    first, second = world.server.make_note("Left in haste", "one"), world.server.make_note("Opened slowly", "two")
    screen = hasty(world, "all", first)
    held = screen.holds_first("GET", f"/api/notes/{second}")
    at_end(screen)
    # Not saved yet when the other note is asked for.
    screen.types(" more")
    screen.row("Opened slowly").click()
    wait_until(lambda: held, meanwhile=screen.page)
    at_end(screen)
    screen.types(" and more")
    held[0].continue_()
    expect(screen.title).to_have_value("Opened slowly")
    wait_until(lambda: world.server.text(first).strip() == "one more and more", lambda: world.server.text(first), meanwhile=screen.page)
    assert world.server.text(second).strip() == "two"


def test_who_comes_back_before_the_next_note_is_there_writes_on(world: World):
    first, second = world.server.make_note("Nearly left", "one"), world.server.make_note("Nearly opened", "two")
    screen = hasty(world, "all", first)
    held = screen.holds_first("GET", f"/api/notes/{second}")
    at_end(screen)
    screen.types(" more")
    screen.row("Nearly opened").click()
    wait_until(lambda: held, meanwhile=screen.page)
    screen.row("Nearly left").click()
    at_end(screen)
    screen.types(" and more")
    held[0].continue_()
    screen.is_saved()
    expect(screen.title).to_have_value("Nearly left")
    expect(screen.text).to_have_text("one more and more")
    assert world.server.text(first).strip() == "one more and more"
    expect(screen.page.locator(".page-head .spinner")).to_have_count(0)


def test_who_came_back_at_once_saw_a_text_without_its_last_words(world: World):
    first = world.server.make_note("Come back to", "one")
    world.server.make_note("Looked at between", "two")
    screen = hasty(world, "all", first)
    held = screen.holds_first("PATCH", f"/api/notes/{first}")
    at_end(screen)
    screen.types(" more")
    screen.opens("Looked at between")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.row("Come back to").click()
    screen.page.wait_for_timeout(300)
    held[0].continue_()
    expect(screen.title).to_have_value("Come back to")
    expect(screen.text).to_have_text("one more")
    at_end(screen)
    screen.types(" and more")
    screen.is_saved()
    assert world.server.text(first).strip() == "one more and more"


def test_a_text_that_was_refused_was_sent_again_as_that_of_another_note(world: World):
    first, second = world.server.make_note("Refused at first", "one"), world.server.make_note("Open by then", "two")
    screen = hasty(world, "all", first, "status of 507")
    held = screen.holds_first("PATCH", f"/api/notes/{first}")
    at_end(screen)
    screen.types(" more")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.opens("Open by then")
    held[0].fulfill(status=507, json={"error": "The disk is full."})
    screen.says("The disk is full.")
    # It is tried again at once, as the note was left.
    wait_until(lambda: world.server.text(first).strip() != "one", meanwhile=screen.page)
    assert (world.server.note(first)["title"], world.server.text(first).strip()) == ("Refused at first", "one more")
    assert (world.server.note(second)["title"], world.server.text(second).strip()) == ("Open by then", "two")


def test_who_came_back_to_a_text_that_was_refused_saw_the_one_before(world: World):
    first = world.server.make_note("Refused for a while", "one")
    world.server.make_note("Looked at meanwhile", "two")
    screen = hasty(world, "all", first, "status of 507")
    path = f"**/api/notes/{first}"
    screen.page.route(path, lambda route: refuses(route) if route.request.method == "PATCH" else route.continue_())
    at_end(screen)
    screen.types(" more")
    screen.says("The disk is full.")
    screen.opens("Looked at meanwhile")
    screen.row("Refused for a while").click()
    expect(screen.title).to_have_value("Refused for a while")
    expect(screen.text).to_have_text("one more")
    screen.page.unroute(path)
    at_end(screen)
    screen.types(" and more")
    screen.is_saved()
    assert world.server.text(first).strip() == "one more and more"
    titles = [row["title"] for row in world.server.call("GET", "/notes?in=all&limit=500")["rows"]]
    assert not any("Refused for a while (your version" in title for title in titles), titles


def test_a_refused_text_whose_note_was_left_was_lost_with_the_tab(world: World):
    first = world.server.make_note("Refused until the tab closed", "one")
    world.server.make_note("Open as the tab closed", "two")
    person = world.person(service_workers="block")
    screen = person.opens("all", first)
    screen.expects("registration blocked", "status of 507", "Failed to load", "ERR_")
    screen.page.route(f"**/api/notes/{first}", lambda route: refuses(route) if route.request.method == "PATCH" else route.continue_())
    at_end(screen)
    screen.types(" more")
    screen.says("The disk is full.")
    screen.opens("Open as the tab closed")
    screen.page.wait_for_timeout(300)
    screen.leaves()
    screen = person.opens("all", first)
    screen.expects("registration blocked")
    expect(screen.text).to_have_text("one more")
    wait_until(lambda: world.server.text(first).strip() == "one more", lambda: world.server.text(first), meanwhile=screen.page)


def refuses(route) -> None:
    route.fulfill(status=507, json={"error": "The disk is full."})


def test_keys_behind_alt_t_came_into_the_note_that_was_open_before(world: World):
    note = world.server.make_note("Open before today", "before")
    screen = hasty(world, "all", note)
    held = screen.holds_first("POST", "/api/today")
    at_end(screen)
    screen.presses("Alt+t")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.types("Written")
    screen.presses("Enter")
    screen.types("before it")
    held[0].continue_()
    expect(screen.title).to_have_value(screen.page.evaluate("new Date().toLocaleDateString('sv')"))
    expect(screen.text.locator("> p").last).to_have_text("before it")
    screen.types(" came")
    expect(screen.text.locator("> p").last).to_have_text("before it came")
    expect(screen.text).to_contain_text("Written")
    screen.is_saved()
    assert world.server.text(note).strip() == "before"
    assert "Written\nbefore it came" in world.server.text(screen.page.url.rsplit("/", 1)[1])


def test_what_was_typed_into_a_note_that_was_asked_for_while_reading_was_lost(world: World):
    note = world.server.make_note("Read with care", "x")
    screen = hasty(world, "all", note)
    screen.presses("Alt+l")
    expect(screen.button("Stop reading")).to_be_visible()
    made = screen.new_note("Begun while reading", "with words")
    expect(screen.button("Stop reading")).to_have_count(0)
    assert world.server.text(made) == "with words\n"
    screen.presses("Alt+l")
    expect(screen.button("Stop reading")).to_be_visible()
    screen.presses("Alt+t")
    screen.types("Read something.")
    expect(screen.text).to_contain_text("Read something.")
    expect(screen.button("Stop reading")).to_have_count(0)
    screen.is_saved()


def test_keys_behind_alt_t_are_given_back_where_the_note_of_today_does_not_come(world: World):
    note = world.server.make_note("Open instead of today", "before and after")
    screen = hasty(world, "all", note, "status of 507")
    held = screen.holds_first("POST", "/api/today")
    screen.text.click()
    screen.presses("Control+Home", *["ArrowRight"] * len("before"))
    screen.presses("Alt+t")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.types(", while")
    refuses(held[0])
    screen.says("The disk is full.")
    screen.types(" and as")
    expect(screen.text).to_have_text("before, while and as and after")


def test_words_behind_alt_t_were_lost_where_a_new_note_came_in_between(world: World):
    screen = hasty(world)
    day = screen.page.evaluate("new Date().toLocaleDateString('sv')")
    today = world.server.call("POST", "/today", {"day": day, "utcOffset": 60})["id"]
    held = screen.holds_first("GET", f"/api/notes/{today}")
    screen.presses("Alt+t")
    screen.types("Meant for today")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.presses("Alt+n")
    screen.types("Begun in between")
    # Asked for twice, it is on its way once.
    screen.presses("Alt+t")
    screen.types(", and this")
    held[0].continue_()
    expect(screen.title).to_have_value(day)
    expect(screen.text).to_contain_text("Meant for today, and this")
    screen.is_saved()
    assert "Begun in between" in [row["title"] for row in world.server.call("GET", "/notes?in=all&limit=500")["rows"]]


OPENS_WITH_THE_ANSWER = """([id, note]) => {
  const real = window.fetch;
  window.fetch = (path, ...more) => {
    if (path !== `/api/notes/${id}`) return real(path, ...more);
    return new Promise((resolve) => {
      window.answers = () => resolve({ ok: true, status: 200, headers: new Headers(), text: async () => note });
    });
  };
}"""


def test_a_new_note_gave_way_to_one_that_came_in_the_same_moment(world: World):
    first, second = world.server.make_note("Left for a new one", "one"), world.server.make_note("Came too late", "two")
    screen = hasty(world, "all", first)
    screen.page.evaluate(OPENS_WITH_THE_ANSWER, [second, json.dumps(world.server.note(second))])
    held = screen.holds_first("POST", "/api/notes")
    screen.row("Came too late").click()
    screen.page.wait_for_function("() => window.answers")
    screen.page.evaluate("""() => {
        dispatchEvent(new KeyboardEvent("keydown", { key: "n", code: "KeyN", altKey: true, bubbles: true, cancelable: true }));
        window.answers();
    }""")
    wait_until(lambda: held, meanwhile=screen.page)
    expect(screen.title).to_be_focused()
    screen.types("Made at once")
    held[0].continue_()
    screen.is_saved()
    expect(screen.title).to_have_value("Made at once")
    assert world.server.note(screen.page.url.rsplit("/", 1)[1])["title"] == "Made at once"
    assert world.server.note(second)["title"] == "Came too late"


def test_signs_that_a_mac_has_behind_the_option_key_were_commands(world: World):
    note = world.server.make_note("Written on a Mac", "one")
    screen = hasty(world, "all", note)
    presses = """(field, [key, code]) => field.dispatchEvent(new KeyboardEvent("keydown", { key, code, altKey: true, bubbles: true, cancelable: true }))"""
    screen.text.click()
    for key, code in (("@", "KeyL"), ("#", "Digit3"), ("|", "Digit1")):
        # The browser types it where nobody has taken the key.
        assert screen.text.evaluate(presses, [key, code]), key
        expect(screen.text).to_be_focused()
    assert screen.page.evaluate("import('/model/state.js').then(({ state }) => state.mode)") is None
    # A letter that no keyboard lacks is a command still.
    assert not screen.text.evaluate(presses, ["¬", "KeyL"])
    expect(screen.button("Stop reading")).to_be_visible()


def test_letters_that_a_polish_or_french_mac_has_behind_the_option_key_were_commands(world: World):
    note = world.server.make_note("Pisane na Macu", "one")
    screen = hasty(world, "all", note)
    screen.text.click()
    presses = """(field, [key, code]) => field.dispatchEvent(new KeyboardEvent("keydown", { key, code, altKey: true, bubbles: true, cancelable: true }))"""
    for key, code in (("ł", "KeyL"), ("ń", "KeyN"), ("ó", "KeyO"), ("œ", "KeyO")):
        assert screen.text.evaluate(presses, [key, code]), key
        expect(screen.text).to_be_focused()
    expect(screen.title).to_have_value("Pisane na Macu")
    assert screen.page.evaluate("import('/model/state.js').then(({ state }) => state.mode)") is None
    # An American one writes ø behind O, where the headings are.
    assert not screen.text.evaluate(presses, ["ø", "KeyO"])
    screen.says("This note has no headings.")


def test_quotes_and_the_euro_that_a_mac_has_behind_the_option_key_were_commands(world: World):
    note = world.server.make_note("Zitate", "eins")
    screen = hasty(world, "all", note)
    presses = """(field, [key, code, shiftKey]) => field.dispatchEvent(new KeyboardEvent("keydown", { key, code, shiftKey, altKey: true, bubbles: true, cancelable: true }))"""
    screen.text.click()
    # On a German one, a French one, and a British one.
    for key, code, shift in (("“", "Digit2", False), ("”", "Digit2", True), ("“", "Digit3", False), ("€", "Digit2", False)):
        assert screen.text.evaluate(presses, [key, code, shift]), key
        screen.page.wait_for_timeout(100)
        expect(screen.text).to_be_focused()
    # An American one has ™ behind 2, where the list is.
    assert not screen.text.evaluate(presses, ["™", "Digit2", False])
    expect(screen.page.locator(".rows")).to_be_focused()


def test_a_dead_key_that_a_mac_has_behind_the_option_key_was_a_command(world: World):
    note = world.server.make_note("El niño", "one")
    screen = hasty(world, "all", note)
    screen.text.click()
    presses = """(place, [key, code]) => place.dispatchEvent(new KeyboardEvent("keydown", { key, code, altKey: true, bubbles: true, cancelable: true }))"""
    assert screen.text.evaluate(presses, ["Dead", "KeyN"])
    expect(screen.text).to_be_focused()
    expect(screen.title).to_have_value("El niño")
    # Where nobody writes, it is one still.
    rows = screen.page.locator(".rows")
    rows.focus()
    assert not rows.evaluate(presses, ["Dead", "KeyN"])
    expect(screen.title).to_be_focused()
    expect(screen.title).to_have_value("")


def test_the_last_note_opened_after_one_had_gone_to_another(world: World):
    folder = world.server.make_folder("Its end comes late")
    for number in range(70):
        world.server.make_note(f"Of seventy {number:02}", folder=folder)
    screen = hasty(world, f"folder:{folder}")
    screen.opens("Of seventy 69")
    held = []
    screen.page.route(re.compile(r"/api/notes\?.*offset=60"), lambda route: held.append(screen.holds(route)))
    screen.presses("Alt+2", "End")
    wait_until(lambda: held, meanwhile=screen.page)
    rows = screen.page.locator(".rows")
    rows.evaluate("rows => rows.scrollTop = 0")
    screen.opens("Of seventy 68")
    screen.page.unroute_all(behavior="ignoreErrors")
    rows.evaluate("rows => rows.scrollTop = rows.scrollHeight")
    expect(screen.row("Of seventy 00")).to_be_visible()
    screen.page.wait_for_timeout(300)
    expect(screen.title).to_have_value("Of seventy 68")


def test_a_note_was_exported_without_its_last_words(world: World):
    note = world.server.make_note("Exported in haste", "one")
    screen = hasty(world, "all", note)
    held, asked = [], []
    screen.page.route(f"**/api/notes/{note}", lambda route: held.append(route) if route.request.method == "PATCH" else route.continue_())
    screen.page.on("request", lambda request: asked.append(request.url) if "/export" in request.url else None)
    at_end(screen)
    screen.types(" two")
    screen.presses("Control+s")
    wait_until(lambda: held, meanwhile=screen.page)
    # It is to be saved by itself as soon as the first is, and because it is exported.
    screen.types(" three")
    screen.page.wait_for_timeout(1_000)
    screen.chooses("More for this note", "Export as Markdown")
    held[0].continue_()
    wait_until(lambda: len(held) == 2, meanwhile=screen.page)
    screen.page.wait_for_timeout(500)
    assert asked == [], asked
    with screen.page.expect_download() as download:
        held[1].continue_()
    assert "one two three" in open(download.value.path()).read()


def test_a_note_that_went_to_the_trash_slowly_took_the_next_one_with_it(world: World):
    note, _ = world.server.make_note("Thrown away slowly", "one"), world.server.make_note("Read meanwhile", "two")
    screen = hasty(world, "all", note)
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    at_end(screen)
    screen.types(" more")
    screen.chooses("More for this note", "Move to trash")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.opens("Read meanwhile")
    held[0].continue_()
    screen.says("“Thrown away slowly” moved to the trash")
    expect(screen.title).to_have_value("Read meanwhile")


def test_a_list_that_was_scrolled_while_another_was_opened_stayed(world: World):
    folder, other = world.server.make_folder("Scrolled and left"), world.server.make_folder("Opened meanwhile")
    for number in range(130):
        world.server.make_note(f"Passing by {number:03}", folder=folder)
    world.server.make_note("Alone in here", "x", folder=other)
    screen = hasty(world, f"folder:{folder}")
    expect(screen.row("Passing by 129")).to_be_visible()
    held = []
    screen.page.route(re.compile(rf"/api/notes\?in=folder%3A{other}"), lambda route: route.continue_() if held else held.append(route))
    screen.page.evaluate("(folder) => (location.hash = `#/folder:${folder}`)", other)
    wait_until(lambda: held, meanwhile=screen.page)
    rows = screen.page.locator(".rows")
    rows.evaluate("rows => rows.scrollTop = rows.scrollHeight")
    screen.page.wait_for_timeout(300)
    held[0].continue_()
    screen.shows("Alone in here")
    expect(rows).to_have_attribute("aria-busy", "false")


# MARK: Small acts


def test_what_one_has_done_oneself_waited_for_the_pointer_to_leave(world: World):
    folder = world.server.make_folder("Under the pointer")
    for title in ("staying", "coming back"):
        world.server.make_note(title, "x", folder=folder)
    screen = hasty(world, f"folder:{folder}")
    screen.opens("coming back")
    screen.presses("Alt+2", "Delete")
    screen.says("moved to the trash")
    screen.shows("staying")
    lists, held = re.compile(r"/api/notes\?"), []
    screen.page.route(lists, lambda route: held.append(route) if len(held) < 2 else route.continue_())
    # The page reads the list because it did something, and because the server tells that something was done.
    screen.presses("Control+z")
    wait_until(lambda: len(held) == 2, meanwhile=screen.page)
    for route in reversed(held):
        with screen.page.expect_response(lists):
            route.continue_()
    screen.shows("coming back", "staying")


def test_a_star_went_out_while_it_was_on_its_way(world: World):
    note = world.server.make_note("Starred slowly", "mine")
    screen = hasty(world, "all", note)
    star = screen.button("Favourite", screen.page.locator(".page-head"))
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    star.click()
    wait_until(lambda: held, meanwhile=screen.page)
    # The note is read again before the server has heard of the star.
    world.server.rewrite(note, "of somebody else")
    expect(screen.text).to_have_text("of somebody else")
    expect(star).to_have_attribute("aria-pressed", "true")
    held[0].continue_()
    wait_until(lambda: world.server.note(note)["favourite"], meanwhile=screen.page)
    expect(star).to_have_attribute("aria-pressed", "true")


def test_a_star_that_was_refused_went_on_shining(world: World):
    note = world.server.make_note("Never starred", "text")
    screen = hasty(world, "all", note, "status of 507")
    star = screen.button("Favourite", screen.page.locator(".page-head"))
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    star.click()
    wait_until(lambda: held, meanwhile=screen.page)
    expect(star).to_have_attribute("aria-pressed", "true")
    held[0].fulfill(status=507, json={"error": "The disk is full."})
    screen.says("The disk is full.")
    expect(star).to_have_attribute("aria-pressed", "false")


def test_offline_a_note_whose_picture_was_removed_seemed_to_be_in_the_trash(world: World):
    note = world.server.make_note("Without its picture", "text")
    world.server.call("PUT", f"/notes/{note}/attachment", png(24, 16, (200, 0, 0)), kind="image/png")
    person = world.person()
    screen = person.opens("all", note)
    screen.expects("Failed to load", "ERR_INTERNET")
    expect(screen.page.locator(".picture")).to_be_visible()
    screen.page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    person.goes_offline()
    screen.button("Remove the picture").click()
    screen.says("will be sent when Slipbox is reachable")
    screen.page.wait_for_timeout(300)
    expect(screen.page.locator(".page .notice")).to_have_count(0)
    expect(screen.text).to_have_attribute("contenteditable", "true")
    person.goes_offline(False)
    wait_until(lambda: world.server.note(note)["attachment"] is None, meanwhile=screen.page)
    assert not world.server.note(note)["trashed"]


# MARK: In the text


def test_a_link_was_lost_where_one_wrote_on_before_its_note_was_found(world: World):
    target = world.server.make_note("Quickly meant", "text")
    screen = hasty(world)
    note = screen.new_note("Links in haste", "See ")
    held = screen.holds_first("GET", "/api/suggest?text=Quickly%20meant&limit=8")
    screen.types("[[Quickly meant")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.presses("Enter")
    screen.types(" and so on")
    held[0].continue_()
    expect(screen.text).to_have_text("See Quickly meant and so on")
    expect(screen.text.locator("a")).to_have_text("Quickly meant")
    screen.types(".")
    screen.is_saved()
    assert world.server.text(note).strip() == "See Quickly meant and so on."
    assert [one["id"] for one in world.server.note(note)["links"]] == [target]


def test_a_keyword_was_lost_where_one_wrote_on_before_it_was_found(world: World):
    screen = hasty(world)
    note = screen.new_note("Keywords in haste", "About ")
    held = screen.holds_first("GET", "/api/keywords?text=hurrying&limit=100")
    screen.types("#hurrying")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.presses("Enter")
    screen.types("and so on")
    held[0].continue_()
    expect(screen.page.get_by_role("group", name="Keywords of the note")).to_contain_text("hurrying")
    expect(screen.text.locator("p")).to_have_text(["About #hurrying", "and so on"])
    screen.is_saved()
    wait_until(lambda: [one["name"] for one in world.server.note(note)["keywords"]] == ["hurrying"], meanwhile=screen.page)


def test_a_link_to_a_new_note_took_the_place_of_what_was_written_meanwhile(world: World):
    screen = hasty(world)
    note = screen.new_note("Makes others", "See ")
    held = screen.holds_first("POST", "/api/notes")
    screen.types("[[Made slowly")
    expect(screen.page.locator("#completion")).to_contain_text("Create “Made slowly”")
    screen.presses("Enter")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.presses("Home")
    screen.types("Please: ")
    screen.presses("End")
    screen.types(" soon")
    held[0].continue_()
    expect(screen.text.locator("a")).to_have_text("Made slowly")
    screen.types(".")
    expect(screen.text).to_have_text("Please: See Made slowly soon.")
    screen.is_saved()
    assert world.server.text(note).strip() == "Please: See Made slowly soon."


def test_a_link_to_a_new_note_came_into_the_note_that_was_open_by_then(world: World):
    world.server.make_note("Innocent", "Nothing of this is to be replaced.")
    screen = hasty(world)
    screen.new_note("Left while it made another", "See ")
    held = screen.holds_first("POST", "/api/notes")
    screen.types("[[Made too late")
    expect(screen.page.locator("#completion")).to_contain_text("Create “Made too late”")
    screen.presses("Enter")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.opens("Innocent")
    expect(screen.text).to_have_text("Nothing of this is to be replaced.")
    held[0].continue_()
    screen.says("created")
    expect(screen.text).to_have_text("Nothing of this is to be replaced.")


def test_what_was_typed_behind_a_pasted_text_came_before_it(world: World):
    screen = hasty(world)
    note = screen.new_note("Pasted in haste", "Before. ")
    held = screen.holds_first("POST", "/api/markdown")
    pastes_text(screen, "**strong** words\n\n- one\n- two\n\nlast words")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.types(" After.")
    held[0].continue_()
    expect(screen.text.locator("strong")).to_have_text("strong")
    # And the caret is where one writes.
    screen.types(" On.")
    expect(screen.text.locator("> p")).to_have_text(["Before. strong words", "last words After. On."])
    expect(screen.text.locator("li")).to_have_text(["one", "two"])
    screen.is_saved()
    assert "last words After. On." in world.server.text(note)


def test_a_file_that_came_took_the_caret_from_where_one_wrote_on(world: World):
    screen = hasty(world)
    note = screen.new_note("Sent slowly", "Above")
    held = screen.holds_first("PUT", f"/api/notes/{note}/files")
    screen.page.locator(".ProseMirror").evaluate("""(field, bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "slow.png", {type: "image/png"}));
        field.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
    }""", list(png(24, 16, (0, 0, 200))))
    wait_until(lambda: held, meanwhile=screen.page)
    screen.presses("Enter")
    screen.types("Below")
    held[0].continue_()
    expect(screen.text.locator("figure")).to_have_count(1)
    screen.types(", and on")
    expect(screen.text.locator("> p")).to_have_text(["Above", "Below, and on"])
    kinds = screen.text.locator("> *").evaluate_all("all => all.map(one => one.localName)")
    assert kinds[:3] == ["p", "figure", "p"], kinds
    screen.is_saved()


def test_what_was_pasted_was_gone_without_a_word_where_one_went_to_another_note(world: World):
    world.server.make_note("Gone to while it was read", "text")
    screen = hasty(world)
    screen.new_note("Pasted and left", "Before. ")
    held = screen.holds_first("POST", "/api/markdown")
    pastes_text(screen, "**strong** words\n\n- one\n- two\n\nlast words")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.opens("Gone to while it was read")
    held[0].continue_()
    screen.says("was not ready when you left the note")
    expect(screen.text).to_have_text("text")
    screen.reloads()
    # The same where no other note is opened.
    held = screen.holds_first("POST", "/api/markdown")
    pastes_text(screen, "**strong** words\n\n- one\n- two\n\nlast words")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.page.evaluate("location.hash = '#/unfiled'")
    expect(screen.page.locator(".page-empty")).to_contain_text("Select a note")
    held[0].continue_()
    screen.says("was not ready when you left the note")


# MARK: In dialogs


def test_what_was_typed_behind_a_name_opened_another_note(world: World):
    world.server.make_note("Gone to quickly", "text")
    screen = hasty(world, "all")
    held = screen.holds_first("GET", "/api/suggest?text=Gone%20to&limit=12")
    screen.presses("Control+k")
    expect(screen.dialog).to_be_visible()
    screen.types("Gone to")
    screen.presses("Enter")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.types("and on")
    held[0].continue_()
    expect(screen.title).to_have_value("Gone to quickly")
    expect(screen.dialog).to_have_count(0)


def test_an_arrow_was_forgotten_when_the_notes_came(world: World):
    second = world.server.make_note("The note before the last", "text")
    world.server.make_note("The last note", "text")
    screen = hasty(world, "all")
    held = screen.holds_first("GET", "/api/suggest?text=&limit=12")
    screen.presses("Control+k")
    expect(screen.dialog).to_be_visible()
    wait_until(lambda: held, meanwhile=screen.page)
    screen.presses("ArrowDown")
    held[0].continue_()
    expect(screen.dialog.get_by_role("option").nth(1)).to_contain_text("The note before the last")
    screen.presses("Enter")
    expect(screen.title).to_have_value("The note before the last")
    assert screen.page.url.endswith(second)


def test_the_next_keyword_was_taken_away_when_the_first_was_made(world: World):
    screen = hasty(world)
    screen.presses("Control+k")
    screen.types("All keywords")
    screen.page.get_by_role("option", name="All keywords", exact=True).click()
    field = screen.page.get_by_role("textbox", name="Find or create a keyword")
    held = screen.holds_first("POST", "/api/keywords")
    field.fill("made in haste")
    screen.button("Create “made in haste”", screen.dialog).click()
    wait_until(lambda: held, meanwhile=screen.page)
    field.fill("the next")
    held[0].continue_()
    screen.page.wait_for_timeout(500)
    expect(field).to_have_value("the next")
    wait_until(lambda: "made in haste" in [one["name"] for one in world.server.call("GET", "/keywords?text=made&limit=10")], meanwhile=screen.page)


def test_words_that_were_searched_while_the_page_began_were_lost(world: World):
    folder = world.server.make_folder("Searched at once")
    world.server.make_note("Found", "An ochre door.", folder=folder)
    world.server.make_note("Left out", "A blue door.", folder=folder)
    for device in (DESK, PHONE):
        person = world.person(device)
        held = []
        person.context.route("**/api/overview", lambda route: held.append(route))
        screen = person.begins(f"folder:{folder}")
        field = screen.page.get_by_role("combobox", name="Search notes")
        field.fill("ochre")
        wait_until(lambda: held, lambda: "The page does not ask for the overview.", meanwhile=screen.page)
        for route in held:
            route.continue_()
        person.context.unroute("**/api/overview")
        screen.shows("Found")
        expect(field).to_have_value("ochre")


def test_a_menu_that_was_opened_while_the_page_began_closed(world: World):
    folder = world.server.make_folder("Where a menu is open")
    for device in (DESK, PHONE):
        person = world.person(device)
        held = []
        person.context.route("**/api/overview", lambda route: held.append(route))
        screen = person.begins(f"folder:{folder}")
        screen.button("Sort order").click()
        expect(screen.menu_item("Title A–Z")).to_be_visible()
        wait_until(lambda: held, lambda: "The page does not ask for the overview.", meanwhile=screen.page)
        for route in held:
            route.continue_()
        person.context.unroute("**/api/overview")
        screen.has_come_to(f"folder:{folder}")
        screen.menu_item("Title A–Z").click()
        wait_until(lambda: any(one["id"] == folder and one["sort"] == "titleAscending" for one in world.server.call("GET", "/overview")["folders"]), meanwhile=screen.page)
        world.server.call("PATCH", f"/folders/{folder}", {"sort": "dateDescending"})


def test_a_new_note_came_into_the_folder_that_was_left_just_before(world: World):
    left, opened = world.server.make_folder("Left just before"), world.server.make_folder("Opened just now")
    screen = world.person().opens(f"folder:{left}")
    # A key comes before the browser has told the page of its new address.
    screen.page.evaluate("""(place) => {
        location.hash = `#/${place}`;
        dispatchEvent(new KeyboardEvent("keydown", { key: "n", code: "KeyN", altKey: true, bubbles: true, cancelable: true }));
    }""", f"folder:{opened}")
    expect(screen.title).to_be_focused()
    screen.types("In its folder")
    screen.is_saved()
    assert world.server.note(screen.page.url.rsplit("/", 1)[1])["folder"]["id"] == opened


def test_a_dialog_that_was_opened_by_a_double_click_closed_at_once(world: World):
    screen = world.person().opens()
    box = screen.button("New folder").bounding_box()
    screen.page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(screen.dialog).to_be_visible()
    screen.page.wait_for_timeout(600)
    expect(screen.dialog).to_be_visible()
    # A press beside it closes it still.
    screen.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(screen.dialog).to_have_count(0)


def test_a_map_that_was_asked_for_twice_opened_twice(world: World):
    screen = world.person(service_workers="block").opens()
    screen.expects("registration blocked")
    held = screen.holds_first("GET", "/api/map")
    screen.presses("Alt+m")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.presses("Alt+m")
    expect(screen.dialog).to_be_visible()
    with screen.page.expect_response("**/api/map"):
        held[0].continue_()
    screen.page.wait_for_timeout(300)
    expect(screen.dialog).to_have_count(1)
    screen.presses("Escape")
    expect(screen.dialog).to_have_count(0)


def test_the_history_did_not_open_while_the_text_was_on_its_way_and_hid_what_went_wrong(world: World):
    note = world.server.make_note("Slow history", "The old slip box is made of wood and stands beside the table.")
    # What takes much away is a version at once.
    world.server.rewrite(note, "The new slip box.")
    screen = hasty(world, "all", note, "status of 500")
    screen.page.route("**/versions/*", lambda route: route.fulfill(status=500, json={"error": "This version cannot be read."}))
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    at_end(screen)
    screen.types(" More.")
    screen.button("History of the note").click()
    expect(screen.dialog).to_be_visible()
    wait_until(lambda: held, meanwhile=screen.page)
    held[0].continue_()
    expect(screen.dialog.get_by_role("alert")).to_have_text("This version cannot be read.")
    screen.page.unroute("**/versions/*")
    screen.dialog.locator(".version").last.click()
    expect(screen.dialog.locator(".version-text")).to_contain_text("made of wood")
    expect(screen.dialog.get_by_role("alert")).to_have_count(0)
