"""Hands that are faster than the server: what they wrote, chose and left stays as they did it."""

from playwright.sync_api import expect

from test_essays import pastes_text
from test_writing import png
from world import Screen, World, wait_until


def hasty(world: World, place: str = "unfiled", note: str | None = None, *expected: str) -> Screen:
    """A screen whose requests can be held back: one that a service worker passes on cannot."""
    screen = world.person(service_workers="block").opens(place, note)
    screen.expects("registration blocked", *expected)
    return screen


def at_end(screen: Screen) -> None:
    screen.text.click()
    screen.presses("Control+End")


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


# MARK: Small acts


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
