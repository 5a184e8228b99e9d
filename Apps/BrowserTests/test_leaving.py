"""What stays behind: notes nobody wrote in, texts of a tab that closed."""

import json
import uuid

from playwright.sync_api import expect

from server import document, plain
from test_together import LOST, offline_ready
from world import PHONE, World, wait_until


def exists(world: World, note: str) -> bool:
    ids = [row["id"] for place in ("all", "trash") for row in world.server.call("GET", f"/notes?in={place}&limit=500")["rows"]]
    return note in ids


def makes_a_note(screen) -> str:
    before = screen.page.url
    screen.presses("Alt+n")
    screen.page.wait_for_url(lambda url: url != before)
    expect(screen.title).to_be_focused()
    return screen.page.url.rsplit("/", 1)[1]


def is_there(world: World, note: str) -> None:
    wait_until(lambda: exists(world, note), lambda: "The note was not made.")


def goes_away(world: World, screen, note: str) -> None:
    wait_until(lambda: not exists(world, note), lambda: "The note is still there.", meanwhile=screen.page)


def test_a_note_nobody_wrote_in_goes_when_it_is_left(world: World):
    folder = world.server.make_folder("Emptiness")
    keyword = world.server.make_note("Something", "else", folder=folder, keywords=["void"])
    place = f"keyword:{world.server.note(keyword)['keywords'][0]['id']}"
    screen = world.person().opens(f"folder:{folder}")
    empty = makes_a_note(screen)
    is_there(world, empty)
    screen.row("Something").click()
    expect(screen.title).to_have_value("Something")
    goes_away(world, screen, empty)
    screen.shows("Something")
    expect(screen.page.locator(".toast")).to_have_count(0)
    # Back does not lead to a complaint.
    screen.page.go_back()
    expect(screen.page.locator(".page-empty")).to_contain_text("Select a note")
    # In a keyword's list a new note has the keyword, which nobody typed.
    screen.goes_to(place)
    expect(screen.page.locator(".list-title")).to_have_text("void")
    empty = makes_a_note(screen)
    is_there(world, empty)
    wait_until(lambda: world.server.note(empty)["keywords"], meanwhile=screen.page)
    second = makes_a_note(screen)
    goes_away(world, screen, empty)
    is_there(world, second)
    wait_until(lambda: world.server.note(second)["keywords"], meanwhile=screen.page)
    # A tab that closes leaves it; the next start looks after that, unless it opens it again.
    screen.reloads()
    expect(screen.title).to_have_value("")
    screen.page.wait_for_timeout(300)
    assert exists(world, second)
    screen.goes_to("all")
    goes_away(world, screen, second)


def test_a_note_that_was_being_deleted_was_shown_to_who_went_back(world: World):
    folder = world.server.make_folder("On its way out")
    world.server.make_note("Staying", "here", folder=folder)
    screen = world.person(service_workers="block").opens(f"folder:{folder}")
    screen.expects("registration blocked")
    empty = makes_a_note(screen)
    is_there(world, empty)
    held = screen.holds_first("DELETE", f"/api/notes/{empty}?forever=true")
    screen.opens("Staying")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.page.go_back()
    expect(screen.page.locator(".page-empty")).to_contain_text("Select a note")
    held[0].continue_()
    goes_away(world, screen, empty)


def test_a_blank_note_that_was_pinned_or_made_a_template_went_away(world: World):
    screen = world.person().opens("unfiled")
    notes = {}
    for act, mark in (("Pin on top", "pinned"), ("Use as a template", "template")):
        notes[mark] = makes_a_note(screen)
        is_there(world, notes[mark])
        screen.chooses("More for this note", act)
        wait_until(lambda: world.server.note(notes[mark])[mark], meanwhile=screen.page)
    screen.goes_to("all")
    screen.page.wait_for_timeout(500)
    assert all(exists(world, note) for note in notes.values())
    # Other tests have their notes on top of the list.
    for note in notes.values():
        world.server.call("DELETE", f"/notes/{note}")


def test_a_note_somebody_touched_stays(world: World):
    person = world.person()
    screen = person.opens("unfiled")
    typed, starred, shared = makes_a_note(screen), None, None
    screen.types("x")
    screen.presses("Backspace")
    screen.is_saved()
    starred = makes_a_note(screen)
    screen.button("Favourite").click()
    is_there(world, starred)
    wait_until(lambda: world.server.note(starred)["favourite"], meanwhile=screen.page)
    elsewhere = makes_a_note(screen)
    is_there(world, elsewhere)
    world.server.rewrite(elsewhere, "written on another machine")
    expect(screen.text).to_have_text("written on another machine")
    shared = makes_a_note(screen)
    is_there(world, shared)
    other = person.opens("all", shared)
    screen.goes_to("unfiled")
    screen.page.wait_for_timeout(500)
    assert all(exists(world, note) for note in (typed, starred, elsewhere, shared))
    other.title.click()
    other.types("Both looked at it")
    other.is_saved()
    screen.reloads()
    screen.page.wait_for_timeout(300)
    assert world.server.note(shared)["title"] == "Both looked at it" and not world.server.note(shared)["trashed"]


def test_a_note_nobody_wrote_in_without_a_network_goes_later(world: World):
    # An empty list has a second button for a new note.
    world.server.make_note("Written before", "words")
    person = world.person(PHONE)
    screen = person.opens("unfiled")
    screen.expects(*LOST)
    offline_ready(screen)
    person.goes_offline()
    screen.button("New note").click()
    expect(screen.title).to_be_focused()
    empty = screen.page.url.rsplit("/", 1)[1]
    screen.button("Back to the list").tap()
    screen.button("New note").click()
    expect(screen.title).to_be_focused()
    screen.types("Kept")
    kept = screen.page.url.rsplit("/", 1)[1]
    expect(screen.saving).to_contain_text("wait")
    person.goes_offline(False)
    expect(screen.saving).to_have_text("Saved")
    wait_until(lambda: exists(world, kept), meanwhile=screen.page)
    goes_away(world, screen, empty)


def test_a_note_that_was_made_offline_stood_where_it_was_not(world: World):
    folder = world.server.make_folder("Made offline in here")
    known = world.server.make_note("With a keyword", "x", keywords=["underway"])
    keyword = world.server.note(known)["keywords"][0]["id"]
    person = world.person(service_workers="block")
    screen = person.opens("all")
    screen.expects(*LOST, "registration blocked")
    unsent = screen.page.locator(".row.unsent .row-name")
    goes = lambda place: screen.page.evaluate("(place) => (location.hash = `#/${place}`)", place)
    person.goes_offline()
    made = {}
    for place, title in (("favourites", "Starred"), (f"folder:{folder}", "Filed"), (f"keyword:{keyword}", "Tagged")):
        goes(place)
        expect(unsent).to_have_count(0)
        made[title] = makes_a_note(screen)
        screen.types(title)
        expect(screen.saving).to_contain_text("wait")
        expect(unsent).to_have_text([title])
    goes("unfiled")
    expect(unsent).to_have_text(["Starred", "Tagged"])
    unsent.first.click()
    expect(screen.title).to_have_value("Starred")
    screen.chooses("More for this note", "Move to trash")
    expect(unsent).to_have_text(["Tagged"])
    person.goes_offline(False)
    wait_until(lambda: all(exists(world, note) for note in made.values()), meanwhile=screen.page)
    wait_until(lambda: world.server.note(made["Starred"])["trashed"], meanwhile=screen.page)


def test_a_note_that_was_made_offline_was_not_found_by_its_name(world: World):
    person = world.person(service_workers="block")
    screen = person.opens("all")
    screen.expects(*LOST, "registration blocked")
    person.goes_offline()
    note = makes_a_note(screen)
    screen.types("Keys of the lamp room")
    expect(screen.saving).to_contain_text("wait")
    screen.page.evaluate("location.hash = '#/trash'")
    expect(screen.page.locator(".page-empty")).to_be_visible()
    screen.presses("Control+k")
    expect(screen.dialog).to_be_visible()
    screen.types("keys of the lamp room")
    expect(screen.dialog.get_by_role("option").first).to_have_text("Keys of the lamp room")
    expect(screen.dialog.get_by_role("option").filter(has_text="New note")).to_have_count(0)
    screen.presses("Enter")
    expect(screen.title).to_have_value("Keys of the lamp room")
    assert screen.page.url.endswith(note)
    person.goes_offline(False)
    is_there(world, note)


def test_no_key_led_to_the_notes_that_wait_to_be_sent(world: World):
    folder = world.server.make_folder("Reached by keys")
    world.server.make_note("Sent before", "x", folder=folder)
    person = world.person(service_workers="block")
    screen = person.opens(f"folder:{folder}")
    screen.expects(*LOST, "registration blocked")
    person.goes_offline()
    for title in ("Made first", "Made second"):
        makes_a_note(screen)
        screen.types(title)
        expect(screen.saving).to_contain_text("wait")
    unsent = screen.page.locator(".row.unsent .row-name")
    expect(unsent).to_have_text(["Made first", "Made second"])
    screen.presses("Alt+2", "ArrowUp")
    expect(screen.title).to_have_value("Made first")
    screen.presses("ArrowUp")
    expect(screen.title).to_have_value("Made first")
    screen.presses("ArrowDown")
    expect(screen.title).to_have_value("Made second")
    expect(screen.page.locator(".row.unsent[aria-selected=true] .row-name")).to_have_text("Made second")
    screen.presses("Enter")
    expect(screen.text).to_be_focused()
    screen.presses("Alt+2", "Delete")
    expect(unsent).to_have_text(["Made first"])
    person.goes_offline(False)
    expect(unsent).to_have_count(0)
    wait_until(lambda: [row["title"] for row in world.server.call("GET", f"/notes?in=folder:{folder}")["rows"]] == ["Made first", "Sent before"], meanwhile=screen.page)


def test_what_another_tab_had_written_offline_was_written_over(world: World):
    for both in (False, True):
        note = world.server.make_note(f"In two tabs offline {both}", "one", "two")
        person = world.person(service_workers="block")
        closed, screen = person.opens("all", note), person.opens("all", note)
        for one in (closed, screen):
            one.expects(*LOST, "registration blocked")
        person.goes_offline()
        adds(closed, 0, " more")
        expect(closed.saving).to_have_text("Offline, 1 edit waits")
        expect(screen.page.locator(".side-foot")).to_contain_text("1 edit waits")
        if both:
            adds(screen, 1, " and more")
            expect(screen.saving).to_have_text("Offline, 2 edits wait")
        closed.page.close()
        person.goes_offline(False)
        expect(screen.text.locator("p")).to_have_text(["one more", "two and more" if both else "two"])
        if not both:
            adds(screen, 1, " and more")
        screen.is_saved()
        wait_until(lambda: world.server.text(note) == "one more\ntwo and more\n", lambda: world.server.text(note), meanwhile=screen.page)
        titles = [row["title"] for row in world.server.call("GET", "/notes?in=all&limit=500")["rows"]]
        assert not any("your version" in title and "In two tabs offline" in title for title in titles), titles


def test_of_two_tabs_that_went_on_from_words_that_wait_one_lost_its_own(world: World):
    note = world.server.make_note("Gone on from twice", "one", "two")
    person = world.person()
    first = person.opens("all", note)
    offline_ready(first)
    first.reloads()
    person.goes_offline()
    adds(first, 0, " more")
    expect(first.saving).to_have_text("Offline, 1 edit waits")
    one, two = person.opens("all", note), person.opens("all", note)
    for screen in (first, one, two):
        screen.expects(*LOST, "status of 409")
        expect(screen.text.locator("p")).to_have_text(["one more", "two"])
    first.page.close()
    adds(one, 0, " still")
    expect(one.saving).to_have_text("Offline, 1 edit waits")
    adds(two, 1, " and more")
    expect(two.saving).to_have_text("Offline, 2 edits wait")
    person.goes_offline(False)

    def words() -> str:
        rows = world.server.call("GET", "/notes?in=all&text=twice&scope=all")["rows"]
        return "".join(world.server.text(row["id"]) for row in rows)

    wait_until(lambda: "one more still" in words() and "two and more" in words(), words, meanwhile=two.page)


def loses_an_answer(screen, method: str, end: str) -> dict:
    """The first such request arrives, and nothing comes back from then on, until the test says that it `is_away` no more."""
    sign = {"has_arrived": False, "is_away": False}

    def answer(route):
        if route.request.method == method and route.request.url.endswith(end) and not sign["has_arrived"]:
            route.fetch()
            sign.update(has_arrived=True, is_away=True)
        if sign["is_away"]:
            route.abort()
        else:
            route.continue_()

    screen.page.route("**/api/**", answer)
    return sign


def test_who_wrote_on_after_an_answer_was_lost_had_a_conflict_with_himself(world: World):
    note = world.server.make_note("Saved and not answered", "one")
    screen = world.person(service_workers="block").opens("all", note)
    screen.expects(*LOST, "registration blocked")
    sign = loses_an_answer(screen, "PATCH", f"/api/notes/{note}")
    adds(screen, 0, " two")
    wait_until(lambda: sign["has_arrived"], meanwhile=screen.page)
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    screen.types(" three")
    expect(screen.saving).to_have_text("Offline, 2 edits wait")
    assert world.server.text(note) == "one two\n"
    sign["is_away"] = False
    wait_until(lambda: world.server.text(note) == "one two three\n", lambda: world.server.text(note), meanwhile=screen.page)
    screen.is_saved()
    titles = [row["title"] for row in world.server.call("GET", "/notes?in=all&limit=500")["rows"]]
    assert [one for one in titles if "Saved and not" in one] == ["Saved and not answered"], titles


def test_words_of_a_new_note_were_lost_where_the_answer_to_its_making_was(world: World):
    screen = world.person(service_workers="block").opens("unfiled")
    screen.expects(*LOST, "registration blocked")
    sign = loses_an_answer(screen, "POST", "/api/notes")
    note = makes_a_note(screen)
    screen.types("Answered to nobody")
    screen.presses("Enter")
    screen.types("with words")
    wait_until(lambda: sign["has_arrived"], meanwhile=screen.page)
    screen.page.wait_for_timeout(1_500)
    expect(screen.saving).to_contain_text("wait")
    assert world.server.note(note)["title"] == ""
    sign["is_away"] = False
    wait_until(lambda: world.server.note(note)["title"] == "Answered to nobody", meanwhile=screen.page)
    screen.is_saved()
    assert world.server.text(note) == "with words\n"


def test_a_new_note_that_was_closed_before_its_making_was_answered_was_there_twice(world: World):
    person = world.person(service_workers="block")
    screen = person.opens("unfiled")
    screen.expects("registration blocked", "Failed to load", "ERR_")
    made = []

    def answers_nobody(route):
        if route.request.method == "POST" and not made:
            made.append(screen.holds(route).fetch())
        else:
            route.continue_()

    screen.page.route("**/api/notes", answers_nobody)
    note = makes_a_note(screen)
    screen.types("Closed at once")
    wait_until(lambda: made, meanwhile=screen.page)
    screen.leaves()
    screen = person.opens("all", note)
    screen.expects("registration blocked")
    expect(screen.title).to_have_value("Closed at once")
    assert world.server.note(note)["title"] == "Closed at once"
    titles = [row["title"] for row in world.server.call("GET", "/notes?in=all&limit=500")["rows"]]
    assert [one for one in titles if "Closed at once" in one] == ["Closed at once"], titles


SENDS_FIRST = """async () => {
    const { empty } = await import("/server/outbox.js");
    await new Promise((have) => navigator.locks.request("slipbox-outbox", () => {
        have();
        return new Promise((letGo) => (window.letGo = letGo));
    }));
    empty();
}"""


def test_what_was_written_on_while_another_tab_sent_what_waited_was_lost(world: World):
    for is_made in (False, True):
        title = f"Sent by the other tab {is_made}"
        person = world.person(service_workers="block")
        screen = person.opens("unfiled") if is_made else person.opens("all", world.server.make_note(title, "one"))
        other = person.opens("trash")
        for one in (screen, other):
            one.expects(*LOST, "registration blocked")
        person.goes_offline()
        if is_made:
            makes_a_note(screen)
            screen.types(title)
            screen.presses("Enter")
            screen.types("one two")
        else:
            adds(screen, 0, " two")
        expect(screen.saving).to_have_text("Offline, 1 edit waits")
        screen.page.wait_for_timeout(1_000)
        note = screen.page.url.rsplit("/", 1)[1]
        held = other.holds_first("POST" if is_made else "PATCH", "/api/notes" if is_made else f"/api/notes/{note}")
        other.page.evaluate(SENDS_FIRST)
        person.goes_offline(False)
        other.page.evaluate("letGo()")
        wait_until(lambda: held, meanwhile=other.page)
        screen.types(" three")
        screen.page.wait_for_timeout(1_500)
        held[0].continue_()
        is_there(world, note)
        wait_until(lambda: world.server.text(note) == "one two three\n", lambda: world.server.text(note), meanwhile=screen.page)
        screen.is_saved()
        expect(screen.text).to_have_text("one two three")
        titles = [row["title"] for row in world.server.call("GET", "/notes?in=all&limit=500")["rows"]]
        assert [one for one in titles if one.startswith(title)] == [title], titles


def test_words_that_were_added_after_another_tab_had_opened_those_that_wait_were_lost(world: World):
    note = world.server.make_note("Opened while one wrote on", "one", "two")
    person = world.person()
    first = person.opens("all", note)
    offline_ready(first)
    first.reloads()
    person.goes_offline()
    adds(first, 0, " more")
    expect(first.saving).to_have_text("Offline, 1 edit waits")
    second = person.opens("all", note)
    for screen in (first, second):
        screen.expects(*LOST, "status of 409")
    expect(second.text.locator("p")).to_have_text(["one more", "two"])
    adds(first, 0, " still")
    first.page.wait_for_timeout(1_500)
    adds(second, 1, " and more")
    expect(second.saving).to_have_text("Offline, 2 edits wait")
    person.goes_offline(False)

    def words() -> str:
        rows = world.server.call("GET", "/notes?in=all&text=Opened%20while%20one&scope=all")["rows"]
        return "".join(world.server.text(row["id"]) for row in rows)

    wait_until(lambda: "one more still" in words() and "two and more" in words(), words, meanwhile=second.page)


def adds(screen, paragraph: int, words: str) -> None:
    screen.text.locator("p").nth(paragraph).click()
    screen.presses("End")
    # At once: a text that is typed slowly is sent in pieces.
    screen.page.keyboard.insert_text(words)


def test_what_cannot_be_read_does_not_keep_the_program_from_starting(world: World):
    gone, known, foreign = (str(uuid.uuid4()) for _ in range(3))
    note = world.server.make_note("Unsaved here", "old")
    kept = {
        f"unsaved:{gone}": "{\"base\": 3, \"title\": \"half a",
        f"set-aside:{gone}": "another one of the same note",
        f"unsaved:{foreign}": json.dumps({"version": 9, "text": "from next year"}),
        "unsaved:not-a-note": json.dumps({"base": 1, "title": "t", "document": document("x")}),
        f"unsaved:{note}": json.dumps({"base": world.server.note(note)["revision"], "title": "Unsaved here", "document": document("new")}),
        "sort:all": "sideways",
        f"untouched:{known}": "[",
    }
    person = world.person()
    person.context.add_init_script(f"if (!sessionStorage.filled) {{ Object.assign(localStorage, {json.dumps(kept)}); sessionStorage.filled = 1; }}")
    screen = person.opens("all", note)
    expect(screen.text).to_have_text("new")
    toast = screen.says("4 texts could not be saved")
    screen.is_accessible("set aside")
    # It is said again until somebody has taken it.
    screen.reloads()
    screen.button("Show", screen.says("4 texts could not be saved")).click()
    expect(screen.dialog.locator(".set-aside-words")).to_have_count(4)
    with screen.page.expect_download() as download:
        screen.button("Save as file", screen.dialog).click()
    text = open(download.value.path()).read()
    assert all(words in text for words in ("half a", "another one of the same note", "from next year", "t\n\nx\n")), text
    screen.reloads()
    expect(screen.text).to_have_text("new")
    expect(toast).to_have_count(0)
    assert plain(world.server.note(note)["document"]).strip() == "new"


def test_a_tab_that_closed_while_it_saved_lost_the_text_or_kept_it_twice(world: World):
    note = world.server.make_note("Closing while saving", "first")
    person = world.person(service_workers="block")
    for late, expected in ((False, "first second third"), (True, "first second third fourth fifth")):
        screen = person.opens("all", note)
        screen.expects("registration blocked", "Failed to load", "ERR_")
        held = screen.holds_first("PATCH", f"/api/notes/{note}")
        screen.text.click()
        screen.presses("Control+End")
        screen.types(" second" if not late else " fourth")
        screen.presses("Control+s")
        wait_until(lambda: held, meanwhile=screen.page)
        screen.types(" third" if not late else " fifth")
        # The request that is on its way arrives, or ends with the tab.
        if late:
            held[0].continue_()
        else:
            held[0].abort()
        screen.leaves()
        screen = person.opens("all", note)
        screen.expects("registration blocked")
        expect(screen.text).to_have_text(expected)
        wait_until(lambda: world.server.text(note).strip() == expected, lambda: world.server.text(note))
        titles = [row["title"] for row in world.server.call("GET", "/notes?in=all&limit=500")["rows"]]
        assert not any("your version" in title and "Closing while" in title for title in titles), titles


def test_a_text_that_was_kept_while_another_was_recovered_waited_for_the_next_start(world: World):
    first, second = world.server.make_note("Recovered first", "first"), world.server.make_note("Kept meanwhile", "second")
    person = world.person(service_workers="block")
    closing = person.opens("all")
    closing.expects("registration blocked")

    def keeps(note: str, title: str, text: str) -> None:
        kept = {"base": world.server.note(note)["revision"], "title": title, "document": document(text)}
        closing.page.evaluate("([key, text]) => localStorage.setItem(key, text)", [f"unsaved:{note}", json.dumps(kept)])

    held = []
    person.context.route(f"**/api/notes/{first}", lambda route: route.continue_() if held else held.append(route))
    keeps(first, "Recovered first", "first and last")
    screen = person.begins("all", second)
    screen.expects("registration blocked")
    wait_until(lambda: held, meanwhile=screen.page)
    keeps(second, "Kept meanwhile", "second and last")
    held[0].continue_()
    expect(screen.text).to_have_text("second and last")
    assert world.server.text(second).strip() == "second and last"
    wait_until(lambda: world.server.text(first).strip() == "first and last", meanwhile=screen.page)


def test_a_tab_that_closed_late_was_recovered_at_the_next_start_only(world: World):
    note = world.server.make_note("Closed late", "first")
    person = world.person(service_workers="block")
    screen, other = person.opens("all", note), person.opens("all")
    for one in (screen, other):
        one.expects("registration blocked")
    # The browser shows the new tab before it has heard what the old one kept.
    kept = {"base": world.server.note(note)["revision"], "title": "Closed late", "document": document("first and last")}
    other.page.evaluate("([key, text]) => localStorage.setItem(key, text)", [f"unsaved:{note}", json.dumps(kept)])
    expect(screen.text).to_have_text("first and last")
    assert world.server.text(note).strip() == "first and last"
    wait_until(lambda: screen.page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('unsaved:')).length") == 0)
    titles = [row["title"] for row in world.server.call("GET", "/notes?in=all&limit=500")["rows"]]
    assert titles.count("Closed late") == 1 and not any("your version" in title and "Closed late" in title for title in titles), titles


def versions(world: World, note: str) -> list[str]:
    """The texts of the copies of a note in which conflicts were kept."""
    title = world.server.note(note)["title"]
    rows = world.server.call("GET", "/notes?in=all&limit=500")["rows"]
    return [world.server.text(row["id"]).strip() for row in rows if row["title"].startswith(f"{title} (your version")]


def test_what_another_tab_had_written_was_overwritten_by_what_was_typed_when_both_came_back(world: World):
    note = world.server.make_note("Written in two tabs", "one")
    person = world.person(service_workers="block")
    own, other = (person.opens("all", note) for _ in range(2))
    for screen in (own, other):
        screen.expects(*LOST, "status of 409", "registration blocked")
    person.goes_offline()
    adds(own, 0, " mine")
    expect(own.saving).to_have_text("Offline, 1 edit waits")
    adds(other, 0, " theirs")
    expect(other.saving).to_contain_text("wait")
    other.page.close()
    sent = []

    def hold_second(route):
        if route.request.method == "PATCH":
            sent.append(route)
        own.holds(route) if len(sent) == 2 else route.continue_()

    own.page.route(f"**/api/notes/{note}", hold_second)
    person.goes_offline(False)
    wait_until(lambda: len(sent) == 2, meanwhile=own.page)
    own.types(" and on")
    sent[1].continue_()
    wait_until(lambda: versions(world, note), meanwhile=own.page)
    own.is_saved()
    wait_until(lambda: world.server.text(note).strip() == "one mine and on", lambda: world.server.text(note), meanwhile=own.page)
    assert versions(world, note) == ["one theirs"]
    expect(own.text).to_have_text("one mine and on")


def test_words_that_were_typed_while_a_conflict_was_answered_were_lost_with_the_network(world: World):
    note = world.server.make_note("Answered too late", "one")
    person = world.person(service_workers="block")
    screen = person.opens("all", note)
    screen.expects(*LOST, "status of 409", "registration blocked")
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    adds(screen, 0, " two")
    wait_until(lambda: held, meanwhile=screen.page)
    world.server.rewrite(note, "somebody else's")
    screen.types(" three")
    away = [True]
    screen.page.route("**/api/notes/*", lambda route: route.abort() if away and not route.request.url.endswith(note) else route.fallback())
    held[0].continue_()
    expect(screen.text).to_have_text("somebody else's")
    wait_until(lambda: versions(world, note) == ["one two"], meanwhile=screen.page)
    away.clear()
    wait_until(lambda: versions(world, note) == ["one two three"], lambda: str(versions(world, note)), meanwhile=screen.page)
    assert world.server.text(note).strip() == "somebody else's"


# As long as the page is there, it does not save what is typed: a slow machine has not looked at it before.
SAVES_LATE = """() => {
    const { setTimeout } = window;
    window.setTimeout = (work, wait, ...more) => setTimeout(work, wait > 400 && wait <= 800 ? 60_000 : wait, ...more);
}"""


def test_who_was_alone_and_reloaded_while_an_edit_waited_had_a_conflict_with_himself(world: World):
    person = world.person()
    screen = person.opens()
    screen.expects(*LOST)
    offline_ready(screen)
    note = world.server.make_note("Alone and offline", "one")
    # The second time, the tab has sent nothing itself: it has opened what waits.
    for times in (1, 2):
        screen.goes_to("all", note)
        screen.reloads()
        before = world.server.text(note).strip()
        person.goes_offline()
        adds(screen, 0, " more")
        expect(screen.saving).to_have_text("Offline, 1 edit waits")
        for _ in range(times):
            screen.page.evaluate(SAVES_LATE)
            screen.types(" still")
            expect(screen.saving).to_have_text("Edited")
            screen.reloads()
            expect(screen.saving).to_have_text("Offline, 1 edit waits")
            screen.text.click()
            screen.presses("Control+End")
        person.goes_offline(False)
        expected = before + " more" + " still" * times
        wait_until(lambda: world.server.text(note).strip() == expected, lambda: world.server.text(note), meanwhile=screen.page)
        screen.is_saved()
        expect(screen.text).to_have_text(expected)
        titles = [row["title"] for row in world.server.call("GET", "/notes?in=all&limit=500")["rows"]]
        assert not any("your version" in title and "Alone and offline" in title for title in titles), titles


HIDE = """() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
}"""


def hides(screen) -> None:
    """As a phone does it where somebody goes to another program."""
    screen.page.evaluate(HIDE)


def test_a_tab_that_a_phone_ended_while_the_network_hung_lost_the_text(world: World):
    note = world.server.make_note("Ended in a tunnel", "one")
    person = world.person(service_workers="block")
    # What is ended hears nothing of it.
    person.context.add_init_script("addEventListener('pagehide', (event) => event.stopImmediatePropagation(), true)")
    screen = person.opens("all", note)
    screen.expects("registration blocked", "Failed to load", "ERR_")
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    adds(screen, 0, " two")
    screen.presses("Control+s")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.types(" three")
    hides(screen)
    screen.page.unroute_all(behavior="ignoreErrors")
    screen.page.close()
    screen = person.opens("all", note)
    screen.expects("registration blocked")
    expect(screen.text).to_have_text("one two three")
    wait_until(lambda: world.server.text(note) == "one two three\n", lambda: world.server.text(note), meanwhile=screen.page)
    assert screen.page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('unsaved:'))") == []


WITHOUT_LOCKS = """Object.defineProperty(Navigator.prototype, "locks", { get: () => undefined });
    window.streams = [];
    window.EventSource = class extends EventSource {
        constructor(...about) {
            super(...about);
            streams.push(this);
        }
    };"""
SHOW = HIDE.replace("hidden", "visible")


def test_what_a_tab_had_kept_that_a_phone_ended_waited_for_the_next_start_beside_another_tab(world: World):
    note = world.server.make_note("Ended beside another", "one")
    person = world.person(service_workers="block")
    other, third = person.opens("all"), person.opens("unfiled")
    for one in (other, third):
        one.expects("registration blocked")
    # What is ended hears nothing of it.
    person.context.add_init_script("addEventListener('pagehide', (event) => event.stopImmediatePropagation(), true)")
    screen = person.opens("all", note)
    screen.expects("registration blocked")
    # Nothing that it sends arrives, also behind its end.
    screen.page.evaluate("const sends = fetch; window.fetch = (path, how) => (how?.method === 'PATCH' ? new Promise(() => {}) : sends(path, how))")
    adds(screen, 0, " two")
    screen.presses("Control+s")
    hides(screen)
    # The other one has heard of what was kept, and leaves it to the tab that lives.
    other.page.wait_for_timeout(1_500)
    assert world.server.text(note) == "one\n"
    screen.page.close()
    wait_until(lambda: world.server.text(note) == "one two\n", lambda: world.server.text(note), meanwhile=other.page)


def test_tabs_that_nobody_saw_took_all_connections_without_https(world: World):
    note = world.server.make_note("In many tabs", "before")
    person = world.person(service_workers="block")
    person.context.add_init_script(WITHOUT_LOCKS)
    screen = person.opens("all", note)
    screen.expects("registration blocked")
    listening = lambda: screen.page.evaluate("streams.filter(({ readyState }) => readyState !== EventSource.CLOSED).length")
    wait_until(lambda: listening() == 1, meanwhile=screen.page)
    hides(screen)
    assert listening() == 0
    world.server.rewrite(note, "and after")
    screen.page.evaluate(SHOW)
    expect(screen.text).to_have_text("and after")
    assert listening() == 1


def test_what_a_hidden_tab_keeps_is_its_own_as_long_as_it_lives(world: World):
    note = world.server.make_note("Hidden and alive", "one")
    person = world.person(service_workers="block")
    screen, other = person.opens("all", note), person.opens("unfiled")
    for one in (screen, other):
        one.expects("registration blocked")
    sent = []
    other.page.on("request", lambda request: request.method == "PATCH" and sent.append(request))
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    adds(screen, 0, " two")
    screen.presses("Control+s")
    wait_until(lambda: held, meanwhile=screen.page)
    screen.types(" three")
    hides(screen)
    kept = "(note) => localStorage.getItem(`unsaved:${note}`) !== null"
    assert screen.page.evaluate(kept, note)
    other.page.wait_for_timeout(1_500)
    other.reloads()
    held[0].continue_()
    wait_until(lambda: world.server.text(note) == "one two three\n", lambda: world.server.text(note), meanwhile=screen.page)
    screen.is_saved()
    assert not screen.page.evaluate(kept, note)
    assert sent == []


def test_without_a_place_to_keep_edits_in_the_page_stayed_empty(world: World):
    """As in some private windows."""
    note = world.server.make_note("Nothing is kept here", "one")
    person = world.person(service_workers="block")
    person.context.add_init_script("""indexedDB.open = () => {
        const request = {};
        setTimeout(() => { request.error = new DOMException("no", "UnknownError"); request.onerror?.(); });
        return request;
    }""")
    screen = person.opens("all", note)
    screen.expects(*LOST, "registration blocked")
    adds(screen, 0, " two")
    screen.is_saved()
    person.goes_offline()
    screen.types(" three")
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    person.goes_offline(False)
    wait_until(lambda: world.server.text(note) == "one two three\n", lambda: world.server.text(note), meanwhile=screen.page)
    screen.is_saved()
    # What waits in the page alone is kept when it closes.
    person.goes_offline()
    screen.types(" four")
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    screen.page.goto("about:blank")
    person.goes_offline(False)
    screen = person.opens("all", note)
    screen.expects("registration blocked")
    expect(screen.text).to_have_text("one two three four")
    wait_until(lambda: world.server.text(note) == "one two three four\n", lambda: world.server.text(note), meanwhile=screen.page)


def test_no_edit_waited_once_the_browser_had_ended_its_connection_to_what_it_keeps(world: World):
    """As a phone does with one of a page that it has hidden for a while."""
    note = world.server.make_note("Connection ended", "one")
    person = world.person(service_workers="block")
    person.context.add_init_script("""window.opened = [];
        const open = indexedDB.open.bind(indexedDB);
        indexedDB.open = (...about) => {
            const request = open(...about);
            request.addEventListener("success", () => opened.push(request.result));
            return request;
        };""")
    screen = person.opens("all", note)
    screen.expects(*LOST, "registration blocked")
    screen.page.evaluate("opened.forEach((database) => database.close())")
    person.goes_offline()
    adds(screen, 0, " two")
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    person.goes_offline(False)
    wait_until(lambda: world.server.text(note) == "one two\n", lambda: world.server.text(note), meanwhile=screen.page)
    screen.is_saved()


FULL = "Storage.prototype.setItem = () => { throw new DOMException('no room', 'QuotaExceededError'); };"
FORBIDDEN = "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } });"
FULL_LATER = """const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (...edit) {
        if (window.isFull) throw new DOMException("no room", "QuotaExceededError");
        return put.apply(this, edit);
    };"""
ASKS_WHETHER_TO_LEAVE = """() => {
    const event = new Event("beforeunload", { cancelable: true });
    dispatchEvent(event);
    return event.defaultPrevented;
}"""


def test_nothing_came_of_new_note_in_a_full_browser_and_of_the_page_in_one_that_forbids_to_keep_anything(world: World):
    for number, script in enumerate((FULL, FORBIDDEN)):
        person = world.person(service_workers="block")
        person.context.add_init_script(script)
        screen = person.opens("unfiled")
        screen.expects("registration blocked")
        empty = makes_a_note(screen)
        is_there(world, empty)
        note = makes_a_note(screen)
        screen.types(f"Kept by the server {number}")
        screen.is_saved()
        assert world.server.note(note)["title"] == f"Kept by the server {number}"
        goes_away(world, screen, empty)


def test_a_text_that_waited_was_sent_as_it_had_been_before_where_the_browser_was_full_by_then(world: World):
    note = world.server.make_note("Full by then", "one")
    person = world.person(service_workers="block")
    person.context.add_init_script(FULL_LATER)
    screen = person.opens("all", note)
    screen.expects(*LOST, "registration blocked")
    texts = []
    screen.page.on("request", lambda request: request.method == "PATCH" and texts.append(request.post_data))
    person.goes_offline()
    adds(screen, 0, " two")
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    screen.page.evaluate("window.isFull = true")
    screen.types(" three")
    screen.says("keeps nothing more")
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    # There is room for it elsewhere, until there is none.
    assert not screen.page.evaluate(ASKS_WHETHER_TO_LEAVE)
    screen.page.evaluate(f"() => {{ {FULL} }}")
    assert screen.page.evaluate(ASKS_WHETHER_TO_LEAVE)
    texts.clear()
    person.goes_offline(False)
    screen.is_saved()
    wait_until(lambda: world.server.text(note) == "one two three\n", lambda: world.server.text(note), meanwhile=screen.page)
    assert texts and all("one two three" in text for text in texts), texts
    assert not screen.page.evaluate(ASKS_WHETHER_TO_LEAVE)
