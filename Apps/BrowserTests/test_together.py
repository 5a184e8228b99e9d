"""Two people, two tabs, no network."""

import json
import re
import time
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import expect

from server import document
from world import World, wait_until

LOST = ("ERR_INTERNET_DISCONNECTED", "status of 503", "ERR_FAILED", "ERR_NETWORK")


def test_what_others_change_comes_in_without_taking_the_caret(world: World):
    note = world.server.make_note("Shared", "First line.", "Second line.")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.presses("Control+End")
    screen.presses("Shift+ArrowLeft", "Shift+ArrowLeft")
    chosen = screen.page.evaluate("getSelection().toString()")
    world.server.rewrite(note, "First line, longer than before.", "A line between.", "Second line.", title="Shared by two")
    expect(screen.text).to_contain_text("A line between.")
    expect(screen.title).to_have_value("Shared by two")
    expect(screen.text).to_be_focused()
    assert screen.page.evaluate("getSelection().toString()") == chosen == "e."
    expect(screen.row("Shared by two")).to_be_visible()
    screen.presses("ArrowRight")
    screen.types(" And mine.")
    screen.is_saved()
    assert "Second line. And mine." in world.server.text(note)


def test_a_list_does_not_move_under_the_pointer(world: World):
    folder = world.server.make_folder("Still")
    for title in ("b", "a"):
        world.server.make_note(title, "x", folder=folder)
    screen = world.person().opens(f"folder:{folder}")
    screen.shows("a", "b")
    screen.row("b").hover()
    world.server.make_note("c", "new on top", folder=folder)
    expect(screen.page.locator(".held")).to_be_visible()
    assert screen.titles() == ["a", "b"]
    screen.is_accessible("held list")
    screen.page.locator(".side-head").hover()
    screen.shows("c", "a", "b")


def test_an_older_answer_that_came_last_took_away_what_a_newer_one_had_shown(world: World):
    folder = world.server.make_folder("Overtaken")
    screen = world.person(service_workers="block").opens(f"folder:{folder}")
    screen.expects("registration blocked")
    late, answers = [], []

    def keep_first(route):
        if late:
            return route.continue_()
        late.append(route)
        answers.append(route.fetch())

    lists = re.compile(r"/api/notes\?")
    screen.page.route(lists, keep_first)
    world.server.make_note("older", "x", folder=folder)
    wait_until(lambda: answers, meanwhile=screen.page)
    world.server.make_note("newer", "x", folder=folder)
    expect(screen.row("newer")).to_be_visible()
    with screen.page.expect_response(lists):
        late[0].fulfill(response=answers[0])
    screen.page.wait_for_timeout(300)
    screen.shows("newer", "older")


def test_two_tabs_share_one_stream_and_see_each_other(world: World):
    person = world.person()
    streams = []
    person.context.on("request", lambda request: "/api/events" in request.url and streams.append(request.url))
    note = world.server.make_note("In two tabs", "before")
    first = person.opens("all", note)
    second = person.opens("all", note)
    expect(second.text).to_have_text("before")
    first.text.click()
    first.presses("Control+End")
    first.types(" and after")
    first.is_saved()
    expect(second.text).to_have_text("before and after")
    second.text.click()
    second.presses("Control+End")
    second.types(", answered")
    second.is_saved()
    expect(first.text).to_have_text("before and after, answered")
    assert len(streams) == 1, streams
    # The one that listened goes: the other takes over.
    first.page.close()
    world.server.rewrite(note, "from outside")
    expect(second.text).to_have_text("from outside")


def test_a_slow_network_does_not_mix_notes_up(world: World):
    old = world.server.make_note("Before the slow one", "untouched")
    screen = world.person().opens("unfiled", old)
    screen.text.click()
    screen.page.route("**/api/notes**", lambda route: (time.sleep(0.3), route.continue_()))
    screen.presses("Alt+n")
    screen.types("Typed at once")
    screen.presses("Enter")
    screen.types("and its text")
    expect(screen.title).to_have_value("Typed at once")
    screen.is_saved()
    wait_until(lambda: world.server.text(screen.page.url.rsplit("/", 1)[1]).strip() == "and its text", meanwhile=screen.page)
    kept = world.server.note(old)
    assert (kept["title"], world.server.text(old).strip()) == ("Before the slow one", "untouched")


def in_the_middle(world: World, title: str):
    """Somebody writes in a new note, and what was sent last is held back."""
    screen = world.person(service_workers="block").opens("unfiled")
    screen.expects("404", "registration blocked")
    note = screen.new_note(title, "In the middle of")
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    screen.types(" a sentence")
    wait_until(lambda: held, meanwhile=screen.page)
    return screen, note, held[0]


def test_a_note_deleted_while_it_is_written_stays(world: World):
    screen, note, held = in_the_middle(world, "Not yet")
    world.server.call("DELETE", f"/notes/{note}")
    world.server.call("DELETE", f"/notes/{note}?forever=true")
    held.continue_()
    screen.says("was deleted elsewhere")
    screen.is_saved()
    screen.types(", and on.")
    wait_until(lambda: world.server.text(note).strip() == "In the middle of a sentence, and on.", meanwhile=screen.page)


def test_words_that_followed_a_note_from_the_trash_went_nowhere(world: World):
    screen, note, held = in_the_middle(world, "Seeds")
    world.server.call("DELETE", f"/notes/{note}")
    # The page has heard of the trash before the note is deleted for good.
    expect(screen.text).to_have_attribute("contenteditable", "false")
    expect(screen.text).not_to_be_focused()
    world.server.call("DELETE", f"/notes/{note}?forever=true")
    held.continue_()
    screen.says("was deleted elsewhere")
    expect(screen.text).to_be_focused()
    screen.types(", and on.")
    wait_until(lambda: world.server.text(note).strip() == "In the middle of a sentence, and on.", meanwhile=screen.page)


def test_two_texts_at_once_are_both_kept(world: World):
    note = world.server.make_note("Contested", "the beginning")
    # A request that a service worker passes on cannot be held back.
    screen = world.person(service_workers="block").opens("all", note)
    screen.expects("status of 409", "registration blocked")
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" by me")
    wait_until(lambda: held, meanwhile=screen.page)
    world.server.rewrite(note, "by somebody else")
    held[0].continue_()
    expect(screen.page.locator(".notice.warn")).to_contain_text("changed elsewhere")
    expect(screen.saving).to_have_text("Conflict")
    expect(screen.text).to_have_text("by somebody else")
    screen.is_accessible("conflict")
    screen.page.unroute(f"**/api/notes/{note}")
    screen.button("Open mine").click()
    expect(screen.text).to_have_text("the beginning by me")
    # The hour is the writer's, wherever the server stands.
    now = datetime.now(ZoneInfo("Europe/Berlin"))
    hours = {(now - timedelta(minutes=ago)).strftime("%H:%M") for ago in range(5)}
    assert screen.title.input_value() in {f"Contested (your version of {hour})" for hour in hours}, screen.title.input_value()
    assert "by somebody else" in world.server.text(note)


def test_a_title_that_was_typed_while_two_texts_met_was_lost(world: World):
    note = world.server.make_note("Contested too", "the beginning")
    screen = world.person(service_workers="block").opens("all", note)
    screen.expects("status of 409", "registration blocked")
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" by me")
    wait_until(lambda: held, meanwhile=screen.page)
    world.server.rewrite(note, "by somebody else")
    screen.title.click()
    screen.presses("End")
    screen.types(" and renamed")
    held[0].continue_()
    expect(screen.page.locator(".notice.warn")).to_contain_text("changed elsewhere")
    titles = lambda: [row["title"] for row in world.server.call("GET", "/notes?in=all&limit=500")["rows"]]
    wait_until(lambda: any(title.startswith("Contested too and renamed (your version of ") for title in titles()), lambda: str(titles()), meanwhile=screen.page)
    screen.button("Open mine").click()
    expect(screen.text).to_have_text("the beginning by me")
    assert world.server.note(note)["title"] == "Contested too"


def test_two_people_in_one_note_write_into_different_paragraphs(world: World):
    note = world.server.make_note("Written by two", "mine", "theirs", "end")
    screen = world.person(service_workers="block").opens("all", note)
    screen.expects("registration blocked")
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    screen.text.locator("p").first.click()
    screen.presses("End")
    screen.types(" first")
    wait_until(lambda: held, meanwhile=screen.page)
    # While the text is on its way, somebody else writes, and one types on.
    world.server.rewrite(note, "mine", "theirs, longer", "a line between", "end", title="Written by three")
    screen.types(" second")
    held[0].continue_()
    expect(screen.text).to_contain_text("a line between")
    screen.page.unroute(f"**/api/notes/{note}")
    expect(screen.title).to_have_value("Written by three")
    # The caret is where it was.
    screen.types(" third")
    screen.is_saved()
    wait_until(lambda: "third" in world.server.text(note), meanwhile=screen.page)
    lines = [line for line in world.server.text(note).splitlines() if line]
    assert lines == ["mine first second third", "theirs, longer", "a line between", "end"], lines
    assert world.server.note(note)["title"] == "Written by three"
    expect(screen.page.locator(".notice.warn")).to_have_count(0)


def test_what_is_typed_into_what_somebody_else_changes_is_kept(world: World):
    note = world.server.make_note("Typed over", "mine", "theirs")
    screen = world.person(service_workers="block").opens("all", note)
    screen.expects("status of 409", "registration blocked")
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    screen.text.locator("p").first.click()
    screen.presses("End")
    # In one go: all of it is on its way.
    screen.page.keyboard.insert_text(" first")
    wait_until(lambda: held, meanwhile=screen.page)
    world.server.rewrite(note, "mine", "theirs, longer")
    # In the very paragraph that comes in with the answer.
    screen.text.locator("p").last.click()
    screen.presses("End")
    screen.types(" and mine")
    held[0].continue_()
    wait_until(lambda: "mine first" in world.server.text(note), meanwhile=screen.page)
    screen.page.unroute(f"**/api/notes/{note}")
    wait_until(lambda: any("and mine" in world.server.text(row["id"]) for row in world.server.call("GET", "/notes?in=all&text=mine")["rows"]), meanwhile=screen.page)
    assert "theirs, longer" in world.server.text(note)
    assert "mine first" in world.server.text(note)


def offline_ready(screen) -> None:
    """Waits until the worker answers for the pages; where it cannot be installed, not for ever."""
    ready = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller || new Promise(done => navigator.serviceWorker.addEventListener('controllerchange', done)))"
    late = "new Promise((_, fail) => setTimeout(() => fail(new Error('There is no worker after two minutes.')), 120_000))"
    screen.page.evaluate(f"Promise.race([{ready}, {late}])")


def test_without_a_network_one_reads_writes_and_it_goes_out_later(world: World):
    folder = world.server.make_folder("Train")
    note = world.server.make_note("Read before", "On the platform.", folder=folder)
    person = world.person()
    screen = person.opens(f"folder:{folder}")
    screen.expects(*LOST)
    offline_ready(screen)
    screen.reloads()
    screen.opens("Read before")
    expect(screen.text).to_have_text("On the platform.")
    person.goes_offline()
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" In the tunnel.")
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    screen.types(" Still dark.")
    screen.button("Review").click()
    expect(screen.saving).to_have_text("Offline, 2 edits wait")
    screen.is_accessible("offline")
    # A keyword is shown at once, whoever has to wait for it.
    screen.button("Add a keyword").click()
    screen.types("underground")
    screen.presses("Enter")
    names = screen.page.get_by_role("group", name="Keywords of the note")
    expect(names).to_contain_text("underground")
    # And stays, though what is kept of the note says nothing of it: that is read again after each act.
    screen.page.wait_for_timeout(500)
    expect(names).to_contain_text("underground")
    expect(screen.button("Review")).to_have_attribute("aria-pressed", "true")
    # Nothing is lost when the page is loaded again; the service worker has the shell.
    screen.reloads()
    expect(names).to_contain_text("underground")
    expect(screen.text).to_have_text("On the platform. In the tunnel. Still dark.")
    expect(screen.page.locator(".side-foot")).to_contain_text("3 edits wait")
    screen.presses("Alt+n")
    expect(screen.title).to_be_focused()
    screen.types("Made in the tunnel")
    screen.presses("Enter")
    screen.types("without light")
    expect(screen.saving).to_contain_text("4 edits wait")
    screen.page.wait_for_timeout(900)
    assert "tunnel" not in world.server.text(note)
    sent = []
    screen.page.on("request", lambda request: request.method in ("PATCH", "POST") and sent.append(request.post_data))
    person.goes_offline(False)
    expect(screen.saving).to_have_text("Saved")
    wait_until(lambda: "Still dark." in world.server.text(note))
    assert world.server.note(note)["status"] == "review"
    made = next(row for row in world.server.call("GET", f"/notes?in=folder:{folder}")["rows"] if row["title"] == "Made in the tunnel")
    assert "without light" in world.server.text(made["id"])
    # The service worker may hear of the network later than the page: then the first is sent again.
    sent = [body for index, body in enumerate(sent) if body != sent[index - 1] or index == 0]
    kinds = [sorted(json.loads(body)) for body in sent]
    assert kinds[0][0] == "base" and kinds[1] == ["status"] and kinds[2] == ["addKeywords"] and "id" in kinds[3], kinds
    assert [one["name"] for one in world.server.note(note)["keywords"]] == ["underground"]
    expect(screen.page.locator(".side-foot")).to_have_count(0)


def all_titled(world: World, words: str) -> list[str]:
    rows = world.server.call("GET", f"/notes?in=all&text={words.replace(' ', '%20')}&scope=all")["rows"]
    return sorted(world.server.text(row["id"]).strip() for row in rows)


def test_a_note_that_was_made_and_saved_was_blank_offline(world: World):
    other = world.server.make_note("Another in the tunnel", "Elsewhere.")
    person = world.person()
    screen = person.opens("all", other)
    screen.expects(*LOST)
    offline_ready(screen)
    screen.reloads()
    expect(screen.text).to_have_text("Elsewhere.")
    note = screen.new_note("Made on the platform", "Before the tunnel.")
    # Its row is there, whatever it says as yet.
    expect(screen.page.locator(f"#row-{note}")).to_be_visible()
    person.goes_offline()
    screen.reloads()
    expect(screen.title).to_have_value("Made on the platform")
    expect(screen.row("Made on the platform").locator(".row-excerpt")).to_have_text("Before the tunnel.")
    expect(screen.text).to_have_text("Before the tunnel.")
    expect(screen.saving).to_have_text("Offline, saved")
    # By way of another note, too.
    screen.goes_to("all", other)
    expect(screen.text).to_have_text("Elsewhere.")
    screen.goes_to("all", note)
    expect(screen.text).to_have_text("Before the tunnel.")
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" And in it.")
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    person.goes_offline(False)
    expect(screen.saving).to_have_text("Saved")
    assert all_titled(world, "Made on the platform") == ["Before the tunnel. And in it."]
    expect(screen.page.locator(".notice.warn")).to_have_count(0)


def test_a_note_that_was_edited_and_saved_was_old_offline(world: World):
    other = world.server.make_note("Read in the tunnel", "Elsewhere.")
    note = world.server.make_note("Edited on the platform", "One.")
    person = world.person()
    screen = person.opens("all", note)
    screen.expects(*LOST)
    offline_ready(screen)
    screen.reloads()
    screen.goes_to("all", other)
    expect(screen.text).to_have_text("Elsewhere.")
    screen.goes_to("all", note)
    expect(screen.text).to_have_text("One.")
    for words in (" Two.", " Three."):
        screen.text.click()
        screen.presses("Control+End")
        with screen.page.expect_response(f"**/api/notes/{note}"):
            screen.types(words)
        screen.is_saved()
    person.goes_offline()
    screen.goes_to("all", other)
    expect(screen.text).to_have_text("Elsewhere.")
    screen.goes_to("all", note)
    expect(screen.text).to_have_text("One. Two. Three.")
    screen.reloads()
    expect(screen.text).to_have_text("One. Two. Three.")
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" Four.")
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    person.goes_offline(False)
    expect(screen.saving).to_have_text("Saved")
    # What went out from the outbox is kept as well.
    person.goes_offline()
    screen.reloads()
    expect(screen.text).to_have_text("One. Two. Three. Four.")
    person.goes_offline(False)
    expect(screen.page.locator(".side-foot")).to_have_count(0)
    assert all_titled(world, "Edited on the platform") == ["One. Two. Three. Four."]


def test_after_a_reload_by_force_what_was_saved_was_old_offline(world: World):
    note = world.server.make_note("Reloaded by force", "One.")
    person = world.person()
    screen = person.opens("all", note)
    screen.expects(*LOST)
    offline_ready(screen)
    screen.reloads()
    expect(screen.text).to_have_text("One.")
    # What is there until the new page is, is no answer.
    with screen.page.expect_event("load"):
        person.context.new_cdp_session(screen.page).send("Page.reload", {"ignoreCache": True})
    expect(screen.text).to_have_text("One.")
    wait_until(lambda: screen.page.evaluate("navigator.serviceWorker.controller !== null"), meanwhile=screen.page)
    screen.text.click()
    screen.presses("Control+End")
    with screen.page.expect_response(f"**/api/notes/{note}"):
        screen.types(" Two.")
    screen.is_saved()
    person.goes_offline()
    screen.reloads()
    expect(screen.text).to_have_text("One. Two.")
    expect(screen.saving).to_have_text("Offline, saved")


def test_an_edit_that_waited_too_long_meets_a_newer_text(world: World):
    note = world.server.make_note("Left open", "old")
    person = world.person()
    screen = person.opens("all", note)
    screen.expects(*LOST, "status of 409")
    offline_ready(screen)
    person.goes_offline()
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" mine")
    expect(screen.saving).to_contain_text("1 edit waits")
    world.server.rewrite(note, "theirs")
    person.goes_offline(False)
    expect(screen.page.locator(".notice.warn")).to_be_visible()
    expect(screen.text).to_have_text("theirs")
    rows = world.server.call("GET", "/notes?in=all&text=Left%20open&scope=all")["rows"]
    assert sorted(world.server.text(row["id"]).strip() for row in rows) == ["old mine", "theirs"]


def test_an_edit_that_waited_behind_an_act_took_away_what_others_wrote(world: World):
    note = world.server.make_note("Left open too", "mine", "theirs")
    person = world.person()
    screen = person.opens("all", note)
    screen.expects(*LOST)
    offline_ready(screen)
    person.goes_offline()
    screen.button("Favourite").click()
    screen.text.locator("p").first.click()
    screen.presses("End")
    screen.types(" first")
    expect(screen.saving).to_contain_text("2 edits wait")
    world.server.rewrite(note, "mine", "theirs, longer")
    person.goes_offline(False)
    wait_until(lambda: "mine first" in world.server.text(note), meanwhile=screen.page)
    assert "theirs, longer" in world.server.text(note)
    assert world.server.note(note)["favourite"]
    expect(screen.text).to_contain_text("theirs, longer")
    screen.types(" second")
    screen.is_saved()
    wait_until(lambda: "mine first second" in world.server.text(note), meanwhile=screen.page)
    assert "theirs, longer" in world.server.text(note)


def test_a_server_that_goes_and_comes_back_is_noticed(world: World):
    note = world.server.make_note("Away", "and back")
    screen = world.person().opens("all", note)
    screen.expects(*LOST)
    # Screen readers hear of what comes into a place that is there.
    expect(screen.page.locator(".side [role=status]")).to_have_text("")
    screen.page.context.set_offline(True)
    screen.presses("Control+k")
    screen.types("aw")
    expect(screen.page.locator(".side-foot")).to_contain_text("Offline")
    screen.presses("Escape")
    screen.page.context.set_offline(False)
    expect(screen.page.locator(".side-foot")).to_have_count(0)
    world.server.call("PATCH", f"/notes/{note}", {"base": world.server.note(note)["revision"], "document": document("changed")})
    expect(screen.text).to_have_text("changed")


def writes_in_the_tunnel(world: World, note: str):
    """A person whose edit of the note waits; no service worker, so that requests can be answered here."""
    person = world.person(service_workers="block")
    screen = person.opens("all", note)
    screen.expects(*LOST, "registration blocked", "status of 500", "status of 404")
    screen.page.context.set_offline(True)
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" written below")
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    return screen


def test_an_edit_that_waited_was_thrown_away_when_the_server_could_not_save_it(world: World):
    note = world.server.make_note("Full disk", "first,")
    screen = writes_in_the_tunnel(world, note)
    asked = []

    def fail(route):
        if route.request.method != "PATCH":
            return route.continue_()
        asked.append(route)
        route.fulfill(status=500, json={"error": "The disk is full."})

    screen.page.route(f"**/api/notes/{note}", fail)
    screen.page.context.set_offline(False)
    wait_until(lambda: asked, meanwhile=screen.page)
    screen.page.wait_for_timeout(300)
    screen.page.unroute(f"**/api/notes/{note}")
    wait_until(lambda: "written below" in world.server.text(note), meanwhile=screen.page)


def test_an_edit_that_waited_was_thrown_away_when_its_note_was_gone(world: World):
    note = world.server.make_note("Soon gone", "first,")
    screen = writes_in_the_tunnel(world, note)
    world.server.call("DELETE", f"/notes/{note}")
    world.server.call("DELETE", f"/notes/{note}?forever=true")
    screen.page.context.set_offline(False)
    found = lambda: world.server.call("GET", "/notes?in=all&text=Soon%20gone&scope=all")["rows"]
    wait_until(lambda: len(found()) == 1, meanwhile=screen.page)
    assert "written below" in world.server.text(found()[0]["id"])


def refuses_texts(screen, note: str) -> list:
    """From now on, as a newer server or a proxy would: what it refuses once it refuses always."""
    asked = []

    def refuse(route):
        if route.request.method != "PATCH":
            return route.continue_()
        asked.append(route)
        route.fulfill(status=413, json={"error": "This text is too large."})

    screen.page.route(f"**/api/notes/{note}", refuse)
    return asked


def test_a_text_that_waited_gave_way_to_the_one_before_where_the_server_refused_it(world: World):
    note = world.server.make_note("Refused after the tunnel", "first,")
    screen = writes_in_the_tunnel(world, note)
    screen.expects("status of 413")
    asked = refuses_texts(screen, note)
    screen.page.context.set_offline(False)
    wait_until(lambda: asked, meanwhile=screen.page)
    expect(screen.saving).to_have_text("Not saved")
    screen.page.wait_for_timeout(500)
    expect(screen.text).to_have_text("first, written below")
    screen.page.unroute(f"**/api/notes/{note}")
    screen.presses("Control+s")
    screen.is_saved()
    assert world.server.text(note) == "first, written below\n"


def test_a_text_that_waited_was_lost_where_the_server_refused_it_and_its_note_was_left(world: World):
    note = world.server.make_note("Left before it was refused", "first,")
    screen = writes_in_the_tunnel(world, note)
    screen.expects("status of 413")
    asked = refuses_texts(screen, note)
    screen.page.evaluate("location.hash = '#/trash'")
    screen.page.context.set_offline(False)
    wait_until(lambda: asked, meanwhile=screen.page)
    screen.button("Show", screen.says("“Left before it was refused” could not be saved.")).click()
    expect(screen.dialog.get_by_role("heading", name="Left before it was refused", exact=True)).to_be_visible()
    expect(screen.dialog).to_contain_text("This text is too large.")
    # As it was written, not as it was sent.
    expect(screen.dialog.locator(".set-aside-words")).to_have_text("first, written below")
    with screen.page.expect_download() as download:
        screen.button("Save as file", screen.dialog).click()
    assert open(download.value.path()).read() == "Left before it was refused\n\nfirst, written below\n"


def test_the_menu_of_a_note_that_was_deleted_elsewhere_left_a_page_that_was_drawn_no_more(world: World):
    world.server.make_note("Staying open", "x")
    note = world.server.make_note("Deleted under its menu", "x")
    screen = world.person().opens("all", note)
    screen.expects("status of 404")
    screen.button("More for this note").click()
    expect(screen.menu_item("Pin on top")).to_be_visible()
    world.server.call("DELETE", f"/notes/{note}")
    world.server.call("DELETE", f"/notes/{note}?forever=true")
    expect(screen.page.locator(".page-empty")).to_contain_text("This note was deleted.")
    screen.menu_item("Pin on top").click()
    expect(screen.page.locator(".toast.bad")).to_be_visible()
    screen.opens("Staying open")
    assert not world.server.note(screen.page.url.rsplit("/", 1)[1])["pinned"]


def test_a_note_that_went_to_the_trash_while_one_typed_stayed_writable(world: World):
    note = world.server.make_note("Thrown away meanwhile", "one")
    screen = world.person(service_workers="block").opens("all", note)
    screen.expects("registration blocked")
    held = screen.holds_first("PATCH", f"/api/notes/{note}")
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" more")
    wait_until(lambda: held, meanwhile=screen.page)
    world.server.call("DELETE", f"/notes/{note}")
    expect(screen.text).to_have_attribute("contenteditable", "false")
    held[0].continue_()
    wait_until(lambda: world.server.text(note).strip() == "one more", meanwhile=screen.page)
