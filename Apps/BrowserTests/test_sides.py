"""Two notes side by side, both written."""

from random import Random

from playwright.sync_api import Locator, expect

from server import heading, link, paragraph
from test_looks import SMALL_TARGETS, sample
from test_tabs import opens_behind, tab, tabs_are, three
from test_together import LOST, offline_ready
from world import PHONE, Screen, World, wait_until


def side(screen: Screen, at: int) -> Locator:
    """0 is the one on the left."""
    return screen.page.locator(".pane").nth(at)


def title(screen: Screen, at: int) -> Locator:
    return side(screen, at).get_by_role("textbox", name="Title", exact=True)


def text(screen: Screen, at: int) -> Locator:
    return side(screen, at).get_by_role("textbox", name="Text of the note")


def sides_are(screen: Screen, *titles: str, front: int, is_listed: bool = True) -> None:
    """The sides show these notes, and the commands, the list and the address are those of one of them, whose row is in sight."""
    expect(screen.page.locator(".pane")).to_have_count(len(titles))
    for at, name in enumerate(titles):
        expect(title(screen, at)).to_have_value(name)
    expect(screen.page.locator(".pane.in-front").get_by_role("textbox", name="Title", exact=True)).to_have_value(titles[front])
    expect(screen.page.get_by_role("tab", selected=True)).to_have_text(titles[front])
    if is_listed: expect(screen.page.locator(".row.open .row-name")).to_have_text(titles[front])


def one_side(screen: Screen, name: str) -> None:
    expect(screen.page.locator(".pane")).to_have_count(1)
    expect(screen.title).to_have_value(name)


def says(world: World, screen: Screen, note: str, words: str) -> None:
    wait_until(lambda: world.server.text(note).strip() == words, lambda: f"{world.server.text(note)!r}, not {words!r}", meanwhile=screen.page)


def beside(world: World, name: str) -> tuple[Screen, list[str]]:
    """`three` notes, of which the first is on the left and the second, in front, on the right."""
    notes = three(world, name)
    screen = world.person().opens("all", notes[0])
    screen.row(f"{name} two").click(modifiers=["Control", "Shift"])
    sides_are(screen, f"{name} one", f"{name} two", front=1)
    return screen, notes


def test_a_note_opens_beside_in_each_way(world: World):
    first, _, third = three(world, "Ways")
    screen = world.person().opens("all", third)
    # From the menu of a row, and from the list with keys and a click.
    screen.row("Ways two").click(button="right")
    screen.menu_item("Open beside").click()
    sides_are(screen, "Ways three", "Ways two", front=1)
    tabs_are(screen, "Ways three", "Ways two")
    screen.button("Close the side of Ways two").click()
    one_side(screen, "Ways three")
    screen.row("Ways two").click(modifiers=["Control", "Shift"])
    sides_are(screen, "Ways three", "Ways two", front=1)
    screen.presses("Alt+w")
    one_side(screen, "Ways three")
    # From a link, and from the bubble of a link.
    screen.text.locator("a.note-link").click(modifiers=["Control", "Shift"])
    sides_are(screen, "Ways three", "Ways one", front=1)
    screen.presses("Alt+w")
    one_side(screen, "Ways three")
    screen.text.focus()
    screen.presses("Control+Home", *["ArrowRight"] * 6)
    screen.button("Open beside").click()
    sides_are(screen, "Ways three", "Ways one", front=1)
    # A link on the right side that opens beside opens on the left side.
    screen.page.locator(".pane").nth(1).locator(".links a.link-card", has_text="Ways three").click(modifiers=["Control", "Shift"])
    sides_are(screen, "Ways three", "Ways one", front=0)
    screen.presses("Alt+w")
    one_side(screen, "Ways one")
    # With a key, from the palette, and in it with a key.
    screen.presses("Alt+b")
    screen.types("Ways two")
    expect(screen.dialog.get_by_role("option").first).to_contain_text("Ways two")
    screen.presses("Enter")
    sides_are(screen, "Ways one", "Ways two", front=1)
    screen.presses("Alt+w", "Control+k")
    screen.types("beside")
    screen.dialog.get_by_role("option").filter(has_text="Open a note beside").click()
    screen.types("Ways three")
    expect(screen.dialog.get_by_role("option").first).to_contain_text("Ways three")
    screen.presses("Enter")
    sides_are(screen, "Ways one", "Ways three", front=1)
    screen.presses("Alt+w", "Control+k")
    screen.types("Ways two")
    expect(screen.dialog.get_by_role("option").first).to_contain_text("Ways two")
    screen.presses("Control+Shift+Enter")
    sides_are(screen, "Ways one", "Ways two", front=1)
    # With two sides, the other one takes the note.
    text(screen, 1).click()
    screen.presses("Alt+b")
    screen.types("Ways three")
    expect(screen.dialog.get_by_role("option").first).to_contain_text("Ways three")
    screen.presses("Enter")
    sides_are(screen, "Ways three", "Ways two", front=0)
    screen.presses("Alt+ArrowLeft")
    sides_are(screen, "Ways one", "Ways two", front=0)
    screen.presses("Alt+x")
    # A tab that is open is put beside, and taken away again.
    tab(screen, "Ways two").click(button="right")
    screen.menu_item("End side by side").click()
    one_side(screen, "Ways two")
    tabs_are(screen, "Ways one", "Ways two")
    tab(screen, "Ways one").click(button="right")
    screen.menu_item("Open beside").click()
    sides_are(screen, "Ways one", "Ways two", front=0)
    assert screen.page.url.endswith(first)


def test_both_sides_are_written_by_turns(world: World):
    screen, (first, second, _) = beside(world, "Turns")
    text(screen, 1).click()
    screen.presses("Control+End")
    screen.types(" Right.")
    text(screen, 0).click()
    screen.presses("Control+End")
    screen.types(" Left.")
    sides_are(screen, "Turns one", "Turns two", front=0)
    # With the key the caret is where it was in the other side, and what is typed at once is there.
    for words in ("a", "b", "c", "d"):
        screen.presses("Alt+x")
        screen.types(words)
    sides_are(screen, "Turns one", "Turns two", front=0)
    expect(text(screen, 0)).to_have_text("Text of one. Left.bd")
    expect(text(screen, 1)).to_have_text("Text of two. Right.ac")
    says(world, screen, first, "Text of one. Left.bd")
    says(world, screen, second, "Text of two. Right.ac")
    # Undo is of the side that has the focus.
    screen.presses("Control+z")
    expect(text(screen, 0)).not_to_contain_text("bd")
    expect(text(screen, 1)).to_have_text("Text of two. Right.ac")
    # Titles, facts and keywords are of their side.
    title(screen, 1).fill("Turns right")
    tabs_are(screen, "Turns one", "Turns right")
    screen.button("Review", side(screen, 0)).click()
    screen.button("Favourite", side(screen, 1)).click()
    wait_until(lambda: (world.server.note(first)["status"], world.server.note(second)["status"]) == ("review", "draft"), meanwhile=screen.page)
    wait_until(lambda: (world.server.note(first)["favourite"], world.server.note(second)["favourite"]) == (False, True), meanwhile=screen.page)
    wait_until(lambda: world.server.note(second)["title"] == "Turns right", meanwhile=screen.page)
    screen.reloads()
    sides_are(screen, "Turns one", "Turns right", front=1)
    text(screen, 0).click()
    screen.presses("Control+Home")
    screen.types("Again. ")
    wait_until(lambda: world.server.text(first).startswith("Again. Text of one."), lambda: world.server.text(first), meanwhile=screen.page)
    says(world, screen, second, "Text of two. Right.ac")


def test_words_that_are_not_sent_yet_survive_a_reload_in_both_sides(world: World):
    screen, (first, second, _) = beside(world, "Reload")
    text(screen, 1).click()
    screen.presses("Control+End")
    screen.types(" Second")
    screen.presses("Alt+x", "Control+End")
    screen.types(" First")
    screen.reloads()
    sides_are(screen, "Reload one", "Reload two", front=0)
    expect(text(screen, 0)).to_have_text("Text of one. First")
    expect(text(screen, 1)).to_have_text("Text of two. Second")
    says(world, screen, first, "Text of one. First")
    says(world, screen, second, "Text of two. Second")


def test_a_side_that_closes_while_one_types_loses_nothing(world: World):
    screen, (first, second, _) = beside(world, "Close")
    text(screen, 0).click()
    screen.presses("Control+End")
    screen.types(" Kept")
    screen.presses("Alt+w")
    # What is typed next is for the note that stays.
    screen.types("Here ")
    one_side(screen, "Close two")
    expect(screen.text).to_have_text("Here Text of two.")
    says(world, screen, first, "Text of one. Kept")
    says(world, screen, second, "Here Text of two.")
    # It comes back to its side.
    screen.presses("Alt+Shift+W")
    sides_are(screen, "Close one", "Close two", front=0)
    expect(text(screen, 0)).to_have_text("Text of one. Kept")
    # The button closes the other side just as well.
    text(screen, 1).click()
    screen.presses("Control+End")
    screen.types(" End")
    screen.button("Close the side of Close two").click()
    one_side(screen, "Close one")
    says(world, screen, second, "Here Text of two. End")


def test_tabs_change_quickly_beside_each_other(world: World):
    screen, (first, second, third) = beside(world, "Quick")
    opens_behind(screen, "Quick three")
    text(screen, 1).click()
    screen.presses("Control+Home")
    for words in ("1", "2", "3", "4", "5", "6"):
        screen.types(words)
        screen.presses("Alt+PageDown")
    # Two, three, one, and once more.
    for note, words in ((first, "36Text of one."), (second, "14Text of two."), (third, "25See Quick one.")):
        says(world, screen, note, words)
    sides_are(screen, "Quick one", "Quick two", front=1)
    screen.presses("Alt+PageDown")
    one_side(screen, "Quick three")
    screen.presses("Alt+PageDown")
    sides_are(screen, "Quick one", "Quick two", front=0)


SLOW_NOTES = """{
    const fetchNow = window.fetch;
    let seed = 5;
    window.fetch = async (path, ...more) => {
        const answer = fetchNow(path, ...more);
        // A note comes 20 to 420 ms late, so that answers overtake each other.
        if (/^\\/api\\/notes\\/[^/?]+$/.test(path) && (more[0]?.method ?? "GET") === "GET") {
            seed = (seed * 48271) % 2147483647;
            await new Promise((wake) => setTimeout(wake, 20 + (seed % 400)));
        }
        return answer;
    };
}"""


def test_the_last_of_some_quick_switches_wins(world: World):
    names = ["Swift one", "Swift two", "Swift three", "Swift four", "Swift five"]
    notes = {name: world.server.make_note(name, "Text.") for name in names}
    person = world.person()
    person.context.add_init_script(SLOW_NOTES)
    screen = person.opens("all", notes["Swift one"])
    screen.row("Swift two").click(modifiers=["Control", "Shift"])
    sides_are(screen, "Swift one", "Swift two", front=1)
    for name in names[2:]:
        screen.row(name).click(button="middle")
        expect(tab(screen, name)).to_be_visible()
    tabs_are(screen, *names)
    screen.text.last.click()
    chance = Random(21)
    now, typed = 1, {name: "" for name in names}
    for turn in range(20):
        did = []
        for _ in range(chance.randint(3, 7)):
            act = chance.choice(["Alt+PageDown", "Alt+PageDown", "Alt+PageUp", "Alt+x", "click", "type"])
            if act == "click":
                now = chance.randrange(len(names))
                did.append(f"click {names[now]}")
                screen.page.evaluate("(name) => [...document.querySelectorAll('[role=tab]')].find((one) => one.innerText.trim() === name).click()", names[now])
            elif act == "type":
                letter = chr(ord("a") + turn)
                did.append(letter)
                typed[names[now]] += letter
                screen.types(letter)
            else:
                did.append(act)
                screen.presses(act)
                if act == "Alt+x":
                    now = {0: 1, 1: 0}.get(now, now)
                else:
                    now = (now + (1 if act == "Alt+PageDown" else -1)) % len(names)
        where = lambda: screen.page.evaluate("import('/parts/panes.js').then(({ front }) => [front().note?.title, document.querySelector('[role=tab][aria-selected=true]').innerText.trim()])")
        why = lambda: f"{where()} is in front, not {names[now]}, after turn {turn}: {', '.join(did)}"
        wait_until(lambda: where() == [names[now]] * 2, why, seconds=10, meanwhile=screen.page)
        # What comes late changes nothing.
        screen.page.wait_for_timeout(500)
        assert where() == [names[now]] * 2, why()
    letters = lambda name: "".join(sorted(world.server.text(notes[name]).strip().replace("Text.", "")))
    for name in names:
        wait_until(lambda: letters(name) == typed[name], lambda: f"{name} has {letters(name)}, not {typed[name]}", meanwhile=screen.page)


def test_a_click_in_the_list_is_later_than_switches_that_wait(world: World):
    first, second, third = three(world, "Waits")
    screen = world.person(service_workers="block").opens("all", first)
    screen.expects("registration blocked")
    for name in ("Waits two", "Waits three"):
        opens_behind(screen, name)
    tabs_are(screen, "Waits one", "Waits two", "Waits three")
    held = screen.holds_first("GET", f"/api/notes/{second}")
    screen.text.click()
    screen.presses("Control+Home", "Alt+PageDown")
    screen.types("Held")
    wait_until(lambda: held, meanwhile=screen.page)
    # The third one waits until the second has these words.
    screen.presses("Alt+PageDown")
    screen.row("Waits one").click()
    expect(screen.title).to_have_value("Waits one")
    held[0].continue_()
    screen.says("The words are kept in this browser")
    screen.page.wait_for_timeout(500)
    expect(screen.title).to_have_value("Waits one")
    assert screen.page.url.endswith(first)
    # Switches and keys work as before.
    screen.text.click()
    screen.presses("Control+Home")
    screen.types("Here ")
    screen.presses("Alt+PageDown")
    expect(screen.title).to_have_value("Waits three")
    screen.types("There ")
    says(world, screen, first, "Here Text of one.")
    says(world, screen, third, "There See Waits one.")
    assert world.server.text(second) == "Text of two.\n"


def test_both_sides_wait_while_the_server_is_away(world: World):
    first, second, _ = three(world, "Gone")
    person = world.person()
    screen = person.opens("all", second)
    screen.expects(*LOST)
    offline_ready(screen)
    screen.goes_to("all", first)
    screen.row("Gone two").click(modifiers=["Control", "Shift"])
    sides_are(screen, "Gone one", "Gone two", front=1)
    person.goes_offline()
    text(screen, 1).click()
    screen.presses("Control+End")
    screen.types(" Two offline")
    screen.presses("Alt+x", "Control+End")
    screen.types(" One offline")
    expect(side(screen, 0).locator(".saving")).to_contain_text("Offline")
    screen.presses("Alt+x")
    screen.types(", still")
    person.goes_offline(False)
    says(world, screen, first, "Text of one. One offline")
    says(world, screen, second, "Text of two. Two offline, still")
    screen.reloads()
    expect(text(screen, 0)).to_have_text("Text of one. One offline")
    expect(text(screen, 1)).to_have_text("Text of two. Two offline, still")


def test_a_note_is_never_on_both_sides(world: World):
    screen, (first, _, _) = beside(world, "Same")
    # A click in the list, a link and opening it beside lead to the side that has it.
    screen.row("Same one").click()
    sides_are(screen, "Same one", "Same two", front=0)
    screen.row("Same two").click(modifiers=["Control", "Shift"])
    sides_are(screen, "Same one", "Same two", front=1)
    screen.row("Same two").click(modifiers=["Control", "Shift"])
    screen.says("This note is open on this side.")
    screen.row("Same three").click()
    sides_are(screen, "Same one", "Same three", front=1)
    text(screen, 1).locator("a.note-link").click()
    sides_are(screen, "Same one", "Same three", front=0)
    # Back skips the note that the other side has.
    screen.row("Same two").click()
    sides_are(screen, "Same two", "Same three", front=0)
    screen.presses("Alt+x", "Alt+ArrowLeft")
    sides_are(screen, "Same two", "Same three", front=1)
    expect(screen.button("Back in this tab")).to_be_disabled()
    screen.presses("Alt+x", "Alt+ArrowLeft")
    sides_are(screen, "Same one", "Same three", front=0)
    screen.page.evaluate("(note) => (location.hash = `#/all/${note}`)", first)
    sides_are(screen, "Same one", "Same three", front=0)
    # Of two pages of the browser each has its own sides, and the words of both are kept.
    screen.page.go_back()
    expect(screen.page.locator(".pane")).to_have_count(2)
    names = [title(screen, at).input_value() for at in (0, 1)]
    assert names[0] != names[1], names


def test_arrows_in_the_list_pass_over_the_note_of_the_other_side(world: World):
    screen, _ = beside(world, "Step")
    assert [name for name in screen.titles() if name.startswith("Step")] == ["Step three", "Step two", "Step one"]
    screen.page.locator(".rows").focus()
    screen.presses("ArrowUp")
    sides_are(screen, "Step one", "Step three", front=1)
    screen.presses("Alt+x")
    sides_are(screen, "Step one", "Step three", front=0)
    screen.page.locator(".rows").focus()
    screen.presses("ArrowUp")
    sides_are(screen, "Step two", "Step three", front=0)
    # Above the note of the other side there is none.
    screen.presses("ArrowUp", "ArrowUp")
    sides_are(screen, "Step two", "Step three", front=0)


def test_the_note_of_today_is_written_on_its_side(world: World):
    first, _, _ = three(world, "Day")
    screen = world.person().opens("all", first)
    screen.presses("Alt+t")
    expect(screen.title).not_to_have_value("Day one")
    today = screen.title.input_value()
    screen.row("Day two").click(modifiers=["Control", "Shift"])
    sides_are(screen, today, "Day two", front=1)
    text(screen, 1).click()
    screen.presses("Alt+t")
    screen.types("Written today")
    expect(text(screen, 0)).to_contain_text("Written today")
    # Another test may have made it long before.
    sides_are(screen, today, "Day two", front=0, is_listed=False)
    expect(text(screen, 1)).to_have_text("Text of two.")


def test_what_is_typed_into_a_property_survives_its_side(world: World):
    screen, (first, _, _) = beside(world, "Field")
    world.server.call("PATCH", f"/notes/{first}", {"properties": [{"name": "source", "kind": "text"}]})
    field = side(screen, 0).get_by_role("textbox", name="source")
    field.click()
    screen.types("A book")
    screen.presses("Alt+x")
    wait_until(lambda: world.server.note(first)["properties"][0]["value"] == "A book", meanwhile=screen.page)
    field.click()
    screen.presses("End")
    screen.types(" and a half")
    screen.presses("Alt+w")
    one_side(screen, "Field two")
    wait_until(lambda: world.server.note(first)["properties"][0]["value"] == "A book and a half", meanwhile=screen.page)


def test_what_others_write_comes_into_both_sides(world: World):
    screen, (first, second, _) = beside(world, "Others")
    text(screen, 1).click()
    world.server.rewrite(first, "Text of one.", "From elsewhere.")
    expect(text(screen, 0)).to_contain_text("From elsewhere.")
    world.server.rewrite(second, "Text of two.", "Also from elsewhere.")
    expect(text(screen, 1)).to_contain_text("Also from elsewhere.")
    # A title that is changed here is changed in the text on the other side.
    screen.row("Others three").click()
    sides_are(screen, "Others one", "Others three", front=1)
    title(screen, 0).fill("Renamed one")
    expect(text(screen, 1).locator("a.note-link")).to_have_text("Renamed one")
    # A note that goes leaves its side.
    screen.expects("404")
    world.server.call("DELETE", f"/notes/{first}")
    expect(side(screen, 0).locator(".notice")).to_contain_text("In the trash")
    world.server.call("DELETE", f"/notes/{first}?forever=true")
    expect(side(screen, 0).locator(".page-empty")).to_contain_text("This note was deleted.")
    screen.button("Close the empty side").click()
    one_side(screen, "Others three")


def test_a_new_note_in_a_side_stays_until_the_side_closes(world: World):
    screen, (first, _, _) = beside(world, "Fresh side")
    screen.expects("404")
    screen.presses("Alt+n")
    expect(title(screen, 1)).to_be_focused()
    note = screen.page.url.rsplit("/", 1)[1]
    text(screen, 0).click()
    screen.presses("Control+End")
    screen.types(" Meanwhile")
    says(world, screen, first, "Text of one. Meanwhile")
    screen.reloads()
    sides_are(screen, "Fresh side one", "", front=0)
    assert any(row["id"] == note for row in world.server.call("GET", "/notes?in=all")["rows"])
    screen.button("Close the side of Untitled").click()
    one_side(screen, "Fresh side one")
    wait_until(lambda: not any(row["id"] == note for row in world.server.call("GET", "/notes?in=all")["rows"]), meanwhile=screen.page)


def test_a_side_without_a_note_waits_for_one(world: World):
    screen, (first, _, _) = beside(world, "Empty")
    screen.page.locator(".list-head").get_by_label("Back to folders").click()
    screen.page.get_by_role("link", name="Unfiled").click()
    expect(side(screen, 1).locator(".page-empty")).to_contain_text("Select a note")
    expect(title(screen, 0)).to_have_value("Empty one")
    screen.is_accessible("an empty side")
    screen.reloads()
    expect(side(screen, 1).locator(".page-empty")).to_contain_text("Select a note")
    text(screen, 0).click()
    screen.presses("Control+End")
    screen.types(" Written")
    says(world, screen, first, "Text of one. Written")
    screen.presses("Alt+x")
    screen.row("Empty three").click()
    sides_are(screen, "Empty one", "Empty three", front=1)


def test_each_side_finds_and_scrolls_by_itself(world: World):
    long = [f"Line {number} of a long text." for number in range(80)]
    one = world.server.make_note("Find left", *long)
    world.server.make_note("Find right", "A line, and another line.", heading(2, "Below"), *long)
    leads = world.server.make_note("Find leads", paragraph("See ", link("below", f"{one}"), "."))
    screen = world.person().opens("all", one)
    screen.row("Find right").click(modifiers=["Control", "Shift"])
    sides_are(screen, "Find left", "Find right", front=1)
    scrollers = [side(screen, at).locator(".page-scroll") for at in (0, 1)]
    for at, top in ((0, 700), (1, 300)):
        scrollers[at].evaluate("(one, top) => one.scrollTo(0, top)", top)
    text(screen, 1).click()
    screen.presses("Control+f")
    screen.types("another line")
    expect(side(screen, 1).locator(".find-count")).to_have_text("1 of 1")
    expect(side(screen, 0).locator(".find-bar")).to_have_count(0)
    text(screen, 0).click(position={"x": 20, "y": 740})
    screen.presses("Control+f")
    screen.types("of a long")
    expect(side(screen, 0).locator(".find-count")).to_contain_text("of 80")
    expect(side(screen, 1).locator(".find-count")).to_have_text("1 of 1")
    screen.presses("Escape", "Alt+x", "Control+f", "Escape")
    expect(screen.page.locator(".find-bar")).to_have_count(0)
    # They come back where they were left.
    tops = [top.evaluate("(one) => one.scrollTop") for top in scrollers]
    opens_behind(screen, "Find leads")
    tab(screen, "Find leads").click()
    one_side(screen, "Find leads")
    assert screen.page.url.endswith(leads)
    tab(screen, "Find right").click()
    sides_are(screen, "Find left", "Find right", front=1)
    wait_until(lambda: [top.evaluate("(one) => one.scrollTop") for top in scrollers] == tops, lambda: f"{[top.evaluate('(one) => one.scrollTop') for top in scrollers]}, not {tops}", meanwhile=screen.page)


def test_the_line_between_the_sides_is_moved(world: World):
    screen, _ = beside(world, "Line")
    line = screen.page.get_by_role("separator", name="Width of the left side")
    width = lambda: side(screen, 0).bounding_box()["width"]
    half = width()
    expect(line).to_have_attribute("aria-valuenow", "50")
    line.focus()
    screen.presses("ArrowLeft", "ArrowLeft", "ArrowLeft")
    expect(line).to_have_attribute("aria-valuenow", "44")
    wait_until(lambda: width() < half - 40, lambda: f"{width()} of {half}")
    screen.presses("End")
    expect(line).to_have_attribute("aria-valuenow", "75")
    screen.presses("ArrowRight")
    expect(line).to_have_attribute("aria-valuenow", "75")
    screen.presses("Home")
    expect(line).to_have_attribute("aria-valuenow", "25")
    screen.presses("Enter")
    expect(line).to_have_attribute("aria-valuenow", "50")
    # With the pointer, and it stays.
    box = line.bounding_box()
    screen.page.mouse.move(box["x"], box["y"] + 200)
    screen.page.mouse.down()
    screen.page.mouse.move(box["x"] + 120, box["y"] + 200, steps=6)
    screen.page.mouse.up()
    wait_until(lambda: abs(width() - half - 120) < 12, lambda: f"{width()} of {half}")
    moved = line.get_attribute("aria-valuenow")
    screen.reloads()
    expect(line).to_have_attribute("aria-valuenow", moved)
    line.dblclick()
    expect(line).to_have_attribute("aria-valuenow", "50")


def test_a_narrow_window_shows_the_side_in_front(world: World):
    screen, (first, second, _) = beside(world, "Narrow")
    text(screen, 1).click()
    screen.presses("Control+End")
    screen.types(" Wide")
    screen.page.set_viewport_size({"width": 820, "height": 800})
    one_side(screen, "Narrow two")
    screen.types(" and narrow")
    screen.presses("Alt+x", "Control+End")
    one_side(screen, "Narrow one")
    screen.types(" Narrow")
    screen.row("Narrow three").click(button="right")
    expect(screen.menu_item("Open in a new tab")).to_be_visible()
    expect(screen.menu_item("Open beside")).to_have_count(0)
    screen.presses("Escape")
    screen.page.set_viewport_size({"width": 390, "height": 844})
    one_side(screen, "Narrow one")
    screen.page.set_viewport_size({"width": 1280, "height": 800})
    sides_are(screen, "Narrow one", "Narrow two", front=0)
    says(world, screen, first, "Text of one. Narrow")
    says(world, screen, second, "Text of two. Wide and narrow")
    # Alone with a text there is one side, too.
    screen.presses("Alt+f")
    expect(screen.page.locator(".pane")).to_have_count(1)
    screen.presses("Escape")
    sides_are(screen, "Narrow one", "Narrow two", front=0)


def test_a_button_leads_to_the_other_side_where_there_is_room_for_one(world: World):
    first, second, _ = three(world, "Hidden")
    for scheme in ("light", "dark"):
        screen = world.person({"viewport": {"width": 1280, "height": 800}, "has_touch": True}, color_scheme=scheme).opens("all", first)
        screen.row("Hidden two").click(modifiers=["Control", "Shift"])
        sides_are(screen, "Hidden one", "Hidden two", front=1)
        expect(screen.button("Other side: Hidden one")).to_have_count(0)
        for width, height in ((820, 800), (390, 844)):
            screen.page.set_viewport_size({"width": width, "height": height})
            one_side(screen, "Hidden two")
            button = screen.button("Other side: Hidden one")
            box = button.bounding_box()
            assert min(box["width"], box["height"]) >= 44, box
            screen.is_accessible(f"other side {width} {scheme}")
            screen.looks(f"other-side-{width}-{scheme}")
            assert screen.page.evaluate("document.documentElement.scrollWidth") <= width
            button.tap()
            one_side(screen, "Hidden one")
            screen.text.tap()
            screen.presses("Control+End")
            screen.types(f" {width}")
            screen.button("Other side: Hidden two").tap()
            one_side(screen, "Hidden two")
    # Alone with a text there is no other side, and with its tab it goes.
    screen.page.set_viewport_size({"width": 820, "height": 800})
    screen.presses("Alt+f")
    expect(screen.button("Other side: Hidden one")).to_have_count(0)
    screen.presses("Escape")
    # A side without a note has a way, too.
    screen.page.evaluate("location.hash = '#/unfiled'")
    expect(screen.page.locator(".page-empty")).to_contain_text("Select a note")
    screen.button("Other side: Hidden one").tap()
    one_side(screen, "Hidden one")
    expect(screen.page.get_by_role("button", name="Other side")).to_have_count(0)
    screen.presses("Alt+x", "Alt+w")
    one_side(screen, "Hidden one")
    expect(screen.page.get_by_role("button", name="Other side")).to_have_count(0)
    says(world, screen, first, "Text of one. 820 390 820 390")


def test_a_finger_scrolls_a_side_without_going_there(world: World):
    first, _, _ = three(world, "Finger")
    screen = world.person({"viewport": {"width": 1180, "height": 820}, "has_touch": True}).opens("all", first)
    screen.row("Finger two").click(modifiers=["Control", "Shift"])
    sides_are(screen, "Finger one", "Finger two", front=1)
    text(screen, 0).dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    sides_are(screen, "Finger one", "Finger two", front=1)
    text(screen, 0).tap()
    sides_are(screen, "Finger one", "Finger two", front=0)
    expect(text(screen, 0)).to_be_focused()
    screen.is_accessible("sides for fingers")


def test_a_phone_has_one_side(world: World):
    first, _, _ = three(world, "Phone side")
    screen = world.person(PHONE).opens("all", first, rows=False)
    screen.button("More for this note").tap()
    expect(screen.menu_item("Read")).to_be_visible()
    expect(screen.menu_item("Open a note beside…")).to_have_count(0)
    screen.presses("Escape", "Alt+b", "Alt+x")
    expect(screen.dialog).to_have_count(0)
    one_side(screen, "Phone side one")
    expect(screen.page.get_by_role("separator", name="Width of the left side")).to_have_count(0)


def test_sides_look_right(world: World):
    notes = sample(world)
    for name, size, scheme in (("desk", (1280, 800), "light"), ("desk-dark", (1280, 800), "dark"), ("small", (1000, 700), "light"), ("small-dark", (1000, 700), "dark"), ("large", (1680, 1000), "light")):
        screen = world.person({"viewport": {"width": size[0], "height": size[1]}, "has_touch": name == "small"}, color_scheme=scheme) \
            .opens(f"folder:{notes['Essays']}", notes["How links grow"])
        screen.row("A note is a conversation").click(modifiers=["Control", "Shift"])
        sides_are(screen, "How links grow", "A note is a conversation", front=1)
        screen.is_accessible(f"sides {name}")
        assert not screen.page.evaluate(SMALL_TARGETS, 24), screen.page.evaluate(SMALL_TARGETS, 24)
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= size[0]
        text(screen, 0).click()
        screen.looks(f"sides-{name}")
