"""Notes that are open beside each other in tabs."""

from playwright.sync_api import Locator, expect

from server import heading, link, paragraph
from test_looks import SMALL_TARGETS, sample
from test_together import LOST, offline_ready
from world import PHONE, Screen, World, wait_until


def tab(screen: Screen, title: str) -> Locator:
    return screen.page.get_by_role("tab", name=title, exact=True)


def tabs_are(screen: Screen, *titles: str) -> None:
    wait_until(lambda: screen.page.locator(".tab-name").all_text_contents() == list(titles),
               lambda: f"The tabs are {screen.page.locator('.tab-name').all_text_contents()}, not {list(titles)}", meanwhile=screen.page)


def opens_behind(screen: Screen, title: str) -> None:
    screen.row(title).click(button="middle")
    expect(tab(screen, title)).to_be_visible()


def three(world: World, name: str) -> list[str]:
    """Three notes, of which the last one links to the first."""
    one, two = (world.server.make_note(f"{name} {number}", f"Text of {number}.") for number in ("one", "two"))
    return [one, two, world.server.make_note(f"{name} three", paragraph("See ", link(f"{name} one", one), "."))]


def test_a_note_opens_in_a_tab_and_the_tabs_stay(world: World):
    _, _, third = three(world, "Beside")
    screen = world.person().opens("all", third)
    expect(screen.page.get_by_role("tablist")).to_have_count(0)
    opens_behind(screen, "Beside two")
    # It is behind: the note in front stays.
    expect(screen.title).to_have_value("Beside three")
    expect(tab(screen, "Beside three")).to_have_attribute("aria-selected", "true")
    # A link opens beside, too, with Ctrl or the middle button, in the text and below it.
    screen.text.locator("a.note-link").click(modifiers=["Control"])
    tabs_are(screen, "Beside three", "Beside two", "Beside one")
    expect(screen.title).to_have_value("Beside three")
    screen.is_accessible("tabs")
    tab(screen, "Beside one").click()
    expect(screen.title).to_have_value("Beside one")
    screen.page.locator(".links a.link-card", has_text="Beside three").click(button="middle")
    tabs_are(screen, "Beside three", "Beside two", "Beside one", "Beside three")
    # A plain click replaces the note of the tab in front.
    screen.opens("Beside two")
    tabs_are(screen, "Beside three", "Beside two", "Beside two", "Beside three")
    screen.reloads()
    tabs_are(screen, "Beside three", "Beside two", "Beside two", "Beside three")
    expect(screen.page.get_by_role("tab").nth(2)).to_have_attribute("aria-selected", "true")
    expect(screen.title).to_have_value("Beside two")


def test_what_is_typed_while_tabs_change_is_in_its_note(world: World):
    first, second, _ = three(world, "Typed")
    screen = world.person().opens("all", first)
    opens_behind(screen, "Typed two")
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" Alpha")
    screen.presses("Alt+PageDown")
    screen.types("Beta ")
    expect(screen.title).to_have_value("Typed two")
    expect(screen.text).to_have_text("Beta Text of two.")
    screen.presses("Alt+PageUp")
    screen.types(" gamma")
    screen.presses("Alt+PageDown")
    screen.types("delta ")
    expect(screen.text).to_have_text("Beta delta Text of two.")
    # A tab that closes takes nothing with it.
    screen.presses("Alt+w")
    expect(screen.page.get_by_role("tablist")).to_have_count(0)
    screen.reloads()
    expect(screen.text).to_have_text("Text of one. Alpha gamma")
    wait_until(lambda: world.server.text(second).strip() == "Beta delta Text of two.", lambda: world.server.text(second), meanwhile=screen.page)


def test_words_of_tabs_wait_while_the_server_is_away(world: World):
    first, second, _ = three(world, "Away")
    person = world.person()
    screen = person.opens("all", second)
    screen.expects(*LOST)
    offline_ready(screen)
    screen.goes_to("all", first)
    opens_behind(screen, "Away two")
    tab(screen, "Away two").click()
    expect(screen.title).to_have_value("Away two")
    person.goes_offline()
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" Two offline")
    screen.presses("Alt+PageUp")
    screen.types("One offline. ")
    expect(screen.title).to_have_value("Away one")
    expect(screen.text).to_have_text("One offline. Text of one.")
    screen.presses("Alt+PageDown")
    expect(screen.text).to_have_text("Text of two. Two offline")
    person.goes_offline(False)
    for note, words in ((first, "One offline. Text of one."), (second, "Text of two. Two offline")):
        wait_until(lambda: world.server.text(note).strip() == words, lambda: world.server.text(note), meanwhile=screen.page)
    screen.reloads()
    expect(screen.text).to_have_text("Text of two. Two offline")


def test_tabs_are_worked_with_keys(world: World):
    first, _, _ = three(world, "Keys")
    screen = world.person(color_scheme="dark").opens("all", first)
    opens_behind(screen, "Keys two")
    opens_behind(screen, "Keys three")
    tab(screen, "Keys one").focus()
    screen.presses("ArrowRight")
    expect(tab(screen, "Keys two")).to_be_focused()
    expect(screen.title).to_have_value("Keys one")
    screen.presses("End", "Enter")
    expect(screen.title).to_have_value("Keys three")
    screen.is_accessible("tabs with keys, dark")
    screen.presses("Alt+Shift+PageUp")
    tabs_are(screen, "Keys one", "Keys three", "Keys two")
    # Delete closes the one that has the focus, Alt W the one in front, and they come back.
    screen.presses("Delete")
    tabs_are(screen, "Keys one", "Keys two")
    expect(screen.title).to_have_value("Keys two")
    expect(tab(screen, "Keys two")).to_be_focused()
    screen.presses("Alt+w")
    expect(screen.page.get_by_role("tablist")).to_have_count(0)
    expect(screen.title).to_have_value("Keys one")
    screen.presses("Alt+Shift+W")
    tabs_are(screen, "Keys one", "Keys two")
    screen.presses("Alt+Shift+W")
    tabs_are(screen, "Keys one", "Keys three", "Keys two")
    expect(screen.title).to_have_value("Keys three")
    # The palette knows them, and opens a note in a tab of its own.
    screen.presses("Control+k")
    screen.types("Tab: Keys two")
    screen.presses("Enter")
    expect(screen.title).to_have_value("Keys two")
    screen.presses("Control+k")
    screen.types("Keys one")
    expect(screen.dialog.get_by_role("option").first).to_contain_text("Keys one")
    screen.presses("Control+Enter")
    tabs_are(screen, "Keys one", "Keys three", "Keys two", "Keys one")
    expect(screen.title).to_have_value("Keys one")


def test_each_tab_has_its_own_way_back(world: World):
    first, _, third = three(world, "Way")
    screen = world.person().opens("all", first)
    opens_behind(screen, "Way three")
    screen.opens("Way two")
    tab(screen, "Way three").click()
    screen.text.locator("a.note-link").click()
    expect(screen.title).to_have_value("Way one")
    tabs_are(screen, "Way two", "Way one")
    screen.presses("Alt+ArrowLeft")
    expect(screen.title).to_have_value("Way three")
    expect(screen.button("Back in this tab")).to_be_disabled()
    screen.presses("Alt+PageUp")
    expect(screen.title).to_have_value("Way two")
    screen.button("Back in this tab").click()
    expect(screen.title).to_have_value("Way one")
    screen.presses("Alt+ArrowRight")
    expect(screen.title).to_have_value("Way two")
    screen.presses("Alt+PageDown", "Alt+ArrowRight")
    expect(screen.title).to_have_value("Way one")
    # The browser's own Back leads through all of them.
    screen.page.go_back()
    expect(screen.title).to_have_value("Way three")
    screen.page.go_back()
    expect(screen.title).to_have_value("Way two")
    expect(tab(screen, "Way two")).to_have_attribute("aria-selected", "true")


def test_tabs_follow_new_names_and_notes_that_go(world: World):
    first, second, third = three(world, "Named")
    screen = world.person().opens("all", first)
    opens_behind(screen, "Named three")
    opens_behind(screen, "Named two")
    tabs_are(screen, "Named one", "Named three", "Named two")
    screen.title.fill("Renamed here")
    tabs_are(screen, "Renamed here", "Named three", "Named two")
    world.server.call("PATCH", f"/notes/{second}", {"title": "Renamed elsewhere", "base": 1})
    tabs_are(screen, "Renamed here", "Named three", "Renamed elsewhere")
    # The tab of a note that goes to the trash goes, too; one behind tells what became of its note.
    screen.chooses("More for this note", "Move to trash")
    tabs_are(screen, "Named three", "Renamed elsewhere")
    expect(screen.title).to_have_value("Named three")
    world.server.call("DELETE", f"/notes/{second}")
    tab(screen, "Renamed elsewhere").click()
    expect(screen.page.locator(".notice")).to_contain_text("In the trash")
    world.server.call("DELETE", f"/notes/{third}")
    world.server.call("DELETE", f"/notes/{third}?forever=true")
    screen.expects("404")
    tab(screen, "Named three").click()
    expect(screen.page.locator(".page-empty")).to_contain_text("This note is not there any more.")


def test_tabs_are_moved_and_closed_with_the_pointer(world: World):
    first, _, _ = three(world, "Moved")
    screen = world.person().opens("all", first)
    opens_behind(screen, "Moved two")
    opens_behind(screen, "Moved three")
    tab(screen, "Moved one").hover()
    screen.page.mouse.down()
    box = tab(screen, "Moved three").bounding_box()
    screen.page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + 10, steps=8)
    screen.page.mouse.up()
    tabs_are(screen, "Moved two", "Moved three", "Moved one")
    expect(screen.title).to_have_value("Moved one")
    # The click after that is one again.
    tab(screen, "Moved two").click()
    expect(screen.title).to_have_value("Moved two")
    tab(screen, "Moved three").click(button="middle")
    tabs_are(screen, "Moved two", "Moved one")
    tab(screen, "Moved two").click(button="right")
    screen.menu_item("Move to the right").click()
    tabs_are(screen, "Moved one", "Moved two")
    tab(screen, "Moved two").locator(".tab-close").click()
    expect(screen.page.get_by_role("tablist")).to_have_count(0)
    expect(screen.title).to_have_value("Moved one")


def test_a_tab_is_shown_where_it_was_left(world: World):
    long = world.server.make_note("Left long", *[f"Line {number} of a long text." for number in range(80)], heading(2, "Far below"), "The end.")
    leads = world.server.make_note("Leads below", paragraph("See ", link("below", f"{long}#Far below"), "."))
    screen = world.person().opens("all", long)
    opens_behind(screen, "Leads below")
    scroller = screen.page.locator(".page-scroll")
    scroller.evaluate("(one) => one.scrollTo(0, 700)")
    tab(screen, "Leads below").click()
    expect(screen.title).to_have_value("Leads below")
    tab(screen, "Left long").click()
    expect(screen.title).to_have_value("Left long")
    wait_until(lambda: scroller.evaluate("(one) => one.scrollTop") == 700, lambda: f"{scroller.evaluate('(one) => one.scrollTop')}", meanwhile=screen.page)


def test_a_new_note_in_a_tab_stays_until_the_tab_closes(world: World):
    first, _, _ = three(world, "Fresh")
    screen = world.person().opens("all", first)
    opens_behind(screen, "Fresh two")
    screen.presses("Alt+n")
    expect(screen.title).to_be_focused()
    tabs_are(screen, "Untitled", "Fresh two")
    note = screen.page.url.rsplit("/", 1)[1]
    screen.presses("Alt+PageDown")
    expect(screen.title).to_have_value("Fresh two")
    screen.presses("Alt+PageUp")
    expect(screen.title).to_have_value("")
    assert screen.page.url.endswith(note)
    screen.presses("Alt+w")
    screen.expects("404")
    wait_until(lambda: not any(row["id"] == note for row in world.server.call("GET", "/notes?in=all")["rows"]), meanwhile=screen.page)


def test_a_new_note_in_a_tab_was_taken_away_by_another_window(world: World):
    first, _, _ = three(world, "Window")
    person = world.person()
    screen = person.opens("all", first)
    opens_behind(screen, "Window two")
    is_there = lambda note: any(row["id"] == note for row in world.server.call("GET", "/notes?in=all")["rows"])

    def makes_a_note(screen: Screen) -> str:
        screen.expects("404")
        before = screen.page.url
        screen.presses("Alt+n")
        screen.page.wait_for_url(lambda url: url != before)
        expect(screen.title).to_be_focused()
        note = screen.page.url.rsplit("/", 1)[1]
        wait_until(lambda: is_there(note), meanwhile=screen.page)
        return note

    kept = makes_a_note(screen)
    screen.presses("Alt+PageDown")
    expect(screen.title).to_have_value("Window two")
    # The other window clears up as it begins, and when a note of its own is left.
    other = person.opens("all", first)
    left = makes_a_note(other)
    other.opens("Window three")
    wait_until(lambda: not is_there(left), meanwhile=other.page)
    assert is_there(kept)
    # With its tab it goes, also by the other window.
    screen.presses("Alt+PageUp")
    expect(screen.title).to_have_value("")
    screen.presses("Alt+w")
    wait_until(lambda: not is_there(kept), meanwhile=screen.page)


def test_too_many_tabs_are_refused_with_a_sentence(world: World):
    first, _, _ = three(world, "Many")
    screen = world.person().opens("all", first)
    for _ in range(29):
        screen.row("Many two").click(button="middle")
    expect(screen.page.get_by_role("tab")).to_have_count(30)
    screen.row("Many two").click(button="middle")
    screen.says("30 tabs are open. Close one to open another.")
    expect(screen.page.get_by_role("tab")).to_have_count(30)
    screen.is_accessible("many tabs")
    screen.looks("tabs-many")
    screen.button("All tabs").click()
    screen.menu_item("Close the other tabs").click()
    expect(screen.page.get_by_role("tablist")).to_have_count(0)


def test_tabs_come_back_with_the_next_start(world: World):
    first, second, third = three(world, "Start")
    person = world.person()
    screen = person.opens("all", first)
    opens_behind(screen, "Start two")
    # Another page of the browser has its own.
    other = person.opens("all", third)
    expect(other.page.get_by_role("tablist")).to_have_count(0)
    other.page.close()
    screen.page.close()
    again = person.begins("all", third)
    tabs_are(again, "Start one", "Start three", "Start two")
    expect(again.title).to_have_value("Start three")


def test_a_phone_has_no_tabs(world: World):
    first, _, _ = three(world, "Small")
    screen = world.person(PHONE).opens("all", first, rows=False)
    screen.button("More for this note").tap()
    expect(screen.menu_item("Read")).to_be_visible()
    expect(screen.menu_item("Open in a new tab")).to_have_count(0)
    screen.presses("Escape", "Alt+w", "Alt+Shift+W")
    expect(screen.title).to_have_value("Small one")
    expect(screen.page.locator(".tab-bar")).to_have_count(0)


def test_tabs_look_right(world: World):
    notes = sample(world)
    for name, size, scheme in (("desk", (1280, 800), "light"), ("desk-dark", (1600, 1000), "dark"), ("tablet", (820, 1180), "light")):
        screen = world.person({"viewport": {"width": size[0], "height": size[1]}, "has_touch": name == "tablet"}, color_scheme=scheme) \
            .opens(f"folder:{notes['Essays']}", notes["How links grow"])
        for title in ("A note is a conversation", "Slow reading"):
            opens_behind(screen, title)
        screen.is_accessible(name)
        assert not screen.page.evaluate(SMALL_TARGETS, 24)
        screen.looks(f"tabs-{name}")
