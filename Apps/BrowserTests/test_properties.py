"""Properties: typed fields above the text, in searches, in lists, offline, and in files."""

from playwright.sync_api import expect

from server import link, paragraph
from test_together import LOST, offline_ready
from world import DESK, PHONE, Screen, World, wait_until

WIDE = {"viewport": {"width": 1440, "height": 900}}


def properties_of(world: World, note: str) -> list[tuple[str, str, str]]:
    return [(one["name"], one["kind"], one["value"]) for one in world.server.note(note)["properties"]]


def has(world: World, note: str, *expected: tuple[str, str, str]) -> None:
    wait_until(lambda: properties_of(world, note) == list(expected), lambda: str(properties_of(world, note)))


def field(screen: Screen, name: str):
    return screen.page.locator(".properties").get_by_label(name, exact=True)


def adds(screen: Screen, name: str, kind: str | None = None) -> None:
    """By keys alone."""
    screen.presses("Alt+p")
    expect(screen.page.get_by_label("Name of the property")).to_be_focused()
    screen.types(name)
    if kind:
        screen.presses("Tab")
        screen.types(kind)
        screen.presses("Shift+Tab")
    screen.presses("Enter")


def with_properties(world: World, title: str, *properties: dict, text: str = "Words.", **more) -> str:
    return world.server.make_note(title, text, properties=list(properties), **more)


def test_properties_are_written_with_keys_alone(world: World):
    note = world.server.make_note("Reading plan", "One book a month.")
    soil = world.server.make_note("Garden soil", "Earth.")
    screen = world.person(WIDE).opens("all", note)
    expect(screen.page.locator(".properties")).to_have_count(0)
    adds(screen, "author")
    expect(field(screen, "author")).to_be_focused()
    screen.types("Ursula")
    screen.presses("Enter")
    # Behind the last one, Enter leads to the button for the next.
    expect(screen.button("Property")).to_be_focused()
    has(world, note, ("author", "text", "Ursula"))
    adds(screen, "rating", "Number")
    expect(field(screen, "rating")).to_be_focused()
    screen.types("many")
    screen.presses("Enter")
    screen.says("is not a number")
    expect(field(screen, "rating")).to_have_value("many")
    field(screen, "rating").fill("4.50")
    screen.presses("Enter")
    adds(screen, "due", "Date")
    expect(field(screen, "due")).to_be_focused()
    field(screen, "due").fill("2026-12-01")
    screen.presses("Tab")
    adds(screen, "done", "Checkbox")
    expect(field(screen, "done")).to_be_focused()
    screen.presses("Space")
    adds(screen, "genre", "List")
    for item in ("myth", "epic"):
        screen.types(item)
        screen.presses("Enter")
        expect(screen.page.locator(".property-item").filter(has_text=item)).to_be_visible()
    screen.types("war")
    screen.presses("Enter", "Backspace")
    adds(screen, "part of", "Link")
    expect(screen.button("Choose the note of part of")).to_be_focused()
    screen.presses("Enter")
    expect(screen.dialog).to_be_visible()
    screen.types("Garden")
    expect(screen.dialog.get_by_role("option").filter(has_text="Garden soil")).to_be_visible()
    screen.presses("Enter")
    has(world, note, ("author", "text", "Ursula"), ("rating", "number", "4.50"), ("due", "date", "2026-12-01"), ("done", "checkbox", "true"),
        ("genre", "list", "myth, epic"), ("part of", "link", "Garden soil"))
    screen.page.mouse.move(0, 0)
    screen.is_accessible("properties")
    screen.looks("properties-desk")
    # The link leads there, and back is a link, too.
    screen.page.locator(".property-link").click()
    expect(screen.title).to_have_value("Garden soil")
    expect(screen.page.get_by_role("region", name="Linked from")).to_contain_text("Reading plan")
    assert world.server.note(soil)["backlinks"][0]["title"] == "Reading plan"


def test_a_property_is_renamed_moved_changed_and_removed(world: World):
    note = with_properties(world, "Changed", {"name": "due", "kind": "text", "value": "2026-12-01"}, {"name": "rating", "kind": "number", "value": "3"})
    screen = world.person(WIDE).opens("all", note)
    screen.chooses("Property due", "Rename…")
    screen.dialog.get_by_label("Name").fill("deadline")
    screen.presses("Enter")
    has(world, note, ("deadline", "text", "2026-12-01"), ("rating", "number", "3"))
    screen.chooses("Property deadline", "Date")
    expect(field(screen, "deadline")).to_have_attribute("type", "date")
    screen.chooses("Property deadline", "Move down")
    has(world, note, ("rating", "number", "3"), ("deadline", "date", "2026-12-01"))
    # A value that is not of the kind stays what it is, and the page says why.
    screen.chooses("Property deadline", "Number")
    screen.says("is not a number")
    expect(field(screen, "deadline")).to_have_attribute("type", "date")
    screen.expects("status of 400")
    screen.chooses("Property deadline", "Remove")
    has(world, note, ("rating", "number", "3"))
    screen.undoes("Property “deadline” removed")
    has(world, note, ("rating", "number", "3"), ("deadline", "date", "2026-12-01"))
    # A name that files use for something else is refused, and stays to be mended.
    adds(screen, "tags")
    screen.says("Choose another name")
    expect(screen.page.get_by_label("Name of the property")).to_have_value("tags")
    screen.page.get_by_label("Name of the property").click()
    screen.presses("Escape")
    expect(screen.page.get_by_label("Name of the property")).to_have_count(0)


def test_a_calm_note_shows_nothing_of_properties(world: World):
    note = world.server.make_note("Calm", "Nothing here.")
    other = with_properties(world, "Folded", {"name": "due", "kind": "date", "value": "2026-12-01"})
    screen = world.person(WIDE, unfolds=False).opens("all", note)
    expect(screen.page.locator(".properties, .add-property:visible")).to_have_count(0)
    screen.goes_to("all", other)
    expect(screen.page.locator(".properties")).to_be_hidden()
    expect(screen.page.locator(".facts-line")).to_contain_text("1 property")
    # The slash menu unfolds them.
    screen.text.click()
    screen.presses("Control+End", "Enter")
    screen.types("/prop")
    expect(screen.page.get_by_role("option", name="Property")).to_be_visible()
    screen.presses("Enter")
    expect(screen.page.get_by_label("Name of the property")).to_be_focused()
    expect(field(screen, "due")).to_be_visible()
    screen.looks("properties-adding")
    screen.is_accessible("adding a property")


def test_notes_are_found_and_ordered_by_a_property(world: World):
    folder = world.server.make_folder("By property")
    for title, value in (("Late", "2026-12-24"), ("Early", "2026-11-02"), ("Middle", "2026-12-01")):
        with_properties(world, title, {"name": "handed in", "kind": "date", "value": value}, {"name": "stars", "kind": "number", "value": str(len(title))}, folder=folder)
    world.server.make_note("Without", "No date.", folder=folder)
    place = f"folder:{folder}"
    screen = world.person(WIDE).opens(place)
    screen.chooses("Sort order", "By a property…")
    screen.menu_item("By “handed in”, lowest first").click()
    screen.shows("Early", "Middle", "Late", "Without")
    expect(screen.row("Middle").locator(".row-property")).to_have_text("handed in 1 Dec 2026")
    screen.looks("properties-list")
    screen.is_accessible("a list by a property")
    screen.reloads()
    screen.shows("Early", "Middle", "Late", "Without")
    screen.chooses("Sort order", "By “handed in”, highest first")
    screen.shows("Late", "Middle", "Early", "Without")
    screen.chooses("More for this list", "Property in the rows…")
    screen.menu_item("stars").click()
    expect(screen.row("Late").locator(".row-property")).to_have_text("stars 4")
    search = screen.page.get_by_role("combobox", name="Search notes")
    search.fill("\"handed in\":<2026-12-02 stars:>5")
    screen.shows("Middle")
    search.fill("star")
    expect(screen.page.get_by_role("option", name="stars:")).to_be_visible()
    screen.page.get_by_role("option", name="stars:").click()
    expect(search).to_have_value("stars:")
    expect(screen.page.get_by_role("option", name="stars:none")).to_be_visible()
    search.press_sequentially("none")
    screen.shows("Without")
    screen.button("What can be searched for").click()
    expect(screen.dialog).to_contain_text("due:<2026-12-01")


def test_properties_on_a_phone(world: World):
    note = with_properties(world, "On the phone", {"name": "due", "kind": "date", "value": "2026-12-01"}, {"name": "genre", "kind": "list", "items": ["myth", "a rather long item of a list"]},
                           {"name": "A name that is rather long", "kind": "text", "value": "and a value that is longer than the line of a phone has room for"}, {"name": "read", "kind": "checkbox", "value": "true"})
    screen = world.person(PHONE).opens("all", note, rows=False)
    screen.page.locator(".facts-line").tap()
    expect(field(screen, "due")).to_be_visible()
    screen.is_accessible("properties on a phone")
    screen.looks("properties-phone")
    small = screen.page.evaluate("""() => [...document.querySelectorAll(".properties button, .properties input")].filter((one) => one.checkVisibility())
        .map((one) => [one.closest("label") ?? one, one]).filter(([target]) => target.getBoundingClientRect().height < 39).map(([, one]) => one.outerHTML.slice(0, 120))""")
    assert not small, small
    wide = screen.page.evaluate("() => document.querySelector('.page-scroll').scrollWidth - document.querySelector('.page-scroll').clientWidth")
    assert wide <= 0, wide
    screen.button("Property").tap()
    screen.page.get_by_label("Name of the property").fill("pages")
    screen.looks("properties-phone-adding")
    screen.page.get_by_label("Type of the property").select_option("number")
    screen.button("Add", screen.page.locator(".adding")).tap()
    field(screen, "pages").fill("320")
    field(screen, "pages").blur()
    wait_until(lambda: ("pages", "number", "320") in properties_of(world, note), meanwhile=screen.page)


def test_properties_are_written_without_a_network(world: World):
    note = with_properties(world, "Far away", {"name": "due", "kind": "date", "value": "2026-12-01"})
    person = world.person(DESK)
    screen = person.opens("all", note)
    offline_ready(screen)
    screen.expects(*LOST)
    person.goes_offline()
    adds(screen, "rating", "Number")
    expect(field(screen, "rating")).to_be_focused()
    screen.types("5")
    screen.presses("Enter")
    screen.chooses("Property due", "Rename…")
    screen.dialog.get_by_label("Name").fill("deadline")
    screen.presses("Enter")
    expect(screen.button("Property deadline")).to_be_visible()
    expect(field(screen, "rating")).to_have_value("5")
    person.goes_offline(False)
    has(world, note, ("deadline", "date", "2026-12-01"), ("rating", "number", "5"))
    expect(field(screen, "rating")).to_have_value("5")


def test_a_property_comes_in_while_another_is_written(world: World):
    note = with_properties(world, "Both", {"name": "one", "kind": "text", "value": "a"}, {"name": "two", "kind": "text", "value": "b"})
    screen = world.person(WIDE).opens("all", note)
    field(screen, "one").click()
    screen.presses("End")
    screen.types(" and mo")
    world.server.call("PATCH", f"/notes/{note}", {"properties": [{"name": "two", "value": "changed elsewhere"}, {"name": "three", "kind": "number", "value": "3"}]})
    expect(field(screen, "two")).to_have_value("changed elsewhere")
    expect(field(screen, "one")).to_be_focused()
    expect(field(screen, "one")).to_have_value("a and mo")
    screen.types("re")
    screen.presses("Enter")
    has(world, note, ("one", "text", "a and more"), ("two", "text", "changed elsewhere"), ("three", "number", "3"))
    expect(field(screen, "two")).to_be_focused()
    # A copy has them, too.
    screen.chooses("More for this note", "Make a copy")
    expect(screen.title).to_have_value("Both (copy)")
    expect(field(screen, "three")).to_have_value("3")


def test_what_was_typed_into_a_field_went_with_its_note_or_tab(world: World):
    note = with_properties(world, "Taken along", {"name": "author", "kind": "text", "value": ""}, {"name": "genre", "kind": "list", "items": ["myth"]})
    screen = world.person(WIDE).opens("all", note)
    field(screen, "author").click()
    screen.types("Ursula")
    screen.reloads()
    expect(field(screen, "author")).to_have_value("Ursula")
    has(world, note, ("author", "text", "Ursula"), ("genre", "list", "myth"))
    field(screen, "Add to genre").click()
    screen.types("epic")
    screen.reloads()
    has(world, note, ("author", "text", "Ursula"), ("genre", "list", "myth, epic"))
    # A new note is there before anything else is heard of.
    field(screen, "author").click()
    screen.presses("End")
    screen.types(" K.")
    screen.presses("Alt+n")
    has(world, note, ("author", "text", "Ursula K."), ("genre", "list", "myth, epic"))
    # A keyword as well, as it was typed: “Ursula” is none of those that only begin so.
    screen.goes_to("all", note)
    screen.button("Add a keyword").click()
    screen.types("Ursuline")
    screen.presses("Enter")
    screen.types("Ursula")
    screen.text.click()
    screen.undoes("Keyword “Ursula” added to the note")
    screen.says("Undone")
    for name, leave in (("read twice", screen.reloads), ("lent", lambda: screen.presses("Alt+n"))):
        screen.button("Keyword").click()
        screen.types(name)
        leave()
        wait_until(lambda: name in keywords_of(world, note), lambda: str(keywords_of(world, note)), meanwhile=screen.page)
    screen.goes_to("all", note)
    screen.button("Keyword").click()
    screen.types("given up")
    screen.presses("Escape")
    screen.text.click()
    screen.types("Behind that: ")
    screen.is_saved()
    assert sorted(keywords_of(world, note)) == ["Ursuline", "lent", "read twice"], keywords_of(world, note)


def keywords_of(world: World, note: str) -> list[str]:
    return [one["name"] for one in world.server.note(note)["keywords"]]


def test_a_value_that_was_refused_was_gone(world: World):
    note = with_properties(world, "Too long", {"name": "summary", "kind": "text", "value": "short"}, {"name": "parts", "kind": "list", "items": ["one"]})
    screen = world.person(WIDE).opens("all", note)
    screen.expects("status of 400")
    # A field counts letters, the server bytes.
    for name in ("summary", "Add to parts"):
        long = "ü" * (5000 if name == "summary" else 1000)
        if name == "Add to parts":
            world.server.call("PATCH", f"/notes/{note}", {"properties": [{"name": "parts", "kind": "list", "items": [letter * 1000 for letter in "abcdefg"]}]})
            expect(screen.page.locator(".property-item")).to_have_count(7)
        field(screen, name).fill(long)
        screen.presses("Enter")
        screen.says("at most 8,000 bytes")
        expect(field(screen, name)).to_have_value(long)
        # It waits for who mends it while another field is left.
        field(screen, "Add to parts" if name == "summary" else "summary").click()
        screen.text.click()
        expect(field(screen, name)).to_have_value(long)
        field(screen, name).fill("mended")
        screen.presses("Enter")
        wait_until(lambda: "mended" in str(properties_of(world, note)), meanwhile=screen.page)


def test_a_property_was_added_where_nobody_saw_it(world: World):
    note = with_properties(world, "Alone", {"name": "due", "kind": "date", "value": "2026-12-01"})
    screen = world.person(WIDE).opens("all", note)
    for key, name in (("Alt+f", "one"), ("Alt+l", "two")):
        screen.text.click()
        screen.presses(key)
        expect(screen.page.locator(".properties")).to_be_hidden()
        adds(screen, name)
        expect(field(screen, name)).to_be_focused()
    has(world, note, ("due", "date", "2026-12-01"), ("one", "text", ""), ("two", "text", ""))


def test_long_words_ran_out_of_the_note(world: World):
    word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbau" * 2
    other = world.server.make_note(word, "Words.")
    note = with_properties(world, f"To {word}", {"name": "part of", "kind": "link", "note": other}, {"name": "not yet", "kind": "link", "value": f"A {word}"},
                           {"name": "words", "kind": "list", "items": [word]}, keywords=["k" * 90])
    world.server.rewrite(other, paragraph("See ", link("there", note)))
    for device in (PHONE, WIDE):
        screen = world.person(device).opens("all", note)
        if device is PHONE:
            screen.page.locator(".facts-line").tap()
        expect(screen.page.locator(".properties")).to_be_visible()
        wide = screen.page.evaluate("() => document.querySelector('.page-scroll').scrollWidth - document.querySelector('.page-scroll').clientWidth")
        assert wide <= 0, wide
        width = screen.page.viewport_size["width"]
        for button in (f"Remove the keyword {'k' * 90}", f"Remove {word} from words", f"Remove the link to {word}"):
            box = screen.button(button).bounding_box()
            assert box["x"] + box["width"] <= width, (button, box)
        screen.looks(f"long-words-{width}")
    # A pointer that rests on the link of a property shows its note, as on every link.
    screen.page.locator(".property-link").hover()
    expect(screen.page.locator(".preview")).to_contain_text("See there")
    cut = screen.page.locator(".preview").evaluate("(card) => card.scrollWidth - card.clientWidth")
    assert cut <= 0, cut


def test_a_value_that_is_written_from_right_to_left_began_on_the_left(world: World):
    note = with_properties(world, "Directions", {"name": "city", "kind": "text", "value": "ירושלים"}, {"name": "cities", "kind": "list", "items": ["חיפה"]}, {"name": "plain", "kind": "text", "value": "Haifa"})
    screen = world.person(WIDE).opens("all", note)
    direction = "(element) => getComputedStyle(element).direction"
    assert field(screen, "city").evaluate(direction) == "rtl"
    assert field(screen, "plain").evaluate(direction) == "ltr"
    assert screen.page.locator(".property-item span").first.evaluate(direction) == "rtl"


def test_a_value_went_with_a_page_that_was_left_without_a_network(world: World):
    note = with_properties(world, "Left far away", {"name": "author", "kind": "text", "value": ""})
    person = world.person(WIDE)
    screen = person.opens("all", note)
    offline_ready(screen)
    screen.reloads()
    screen.expects(*LOST)
    person.goes_offline()
    field(screen, "author").click()
    screen.types("Ursula")
    screen.reloads()
    expect(field(screen, "author")).to_have_value("Ursula")
    person.goes_offline(False)
    has(world, note, ("author", "text", "Ursula"))


def test_no_letter_led_to_a_property_where_all_names_begin_alike(world: World):
    names = ["quarry", "quartz", "quoin"]
    note = with_properties(world, "Stones", *[{"name": name, "kind": "number", "value": "1"} for name in names])
    screen = world.person(WIDE).opens("all", note)
    screen.chooses("Sort order", "By a property")
    for letters, name, order in (("quo", "quoin", "lowest"), ("quart", "quartz", "lowest"), ("q", "quartz", "highest"), ("q", "quoin", "lowest"), ("quarr", "quarry", "lowest")):
        screen.types(letters)
        expect(screen.page.get_by_role("menuitemradio", name=f"By “{name}”, {order} first")).to_be_focused()
        # Letters of another name come after a while.
        screen.page.wait_for_timeout(800)
    screen.presses("Enter")
    expect(screen.row("Stones")).to_contain_text("quarry 1")


def test_a_long_name_left_no_room_for_values_beside_another_note(world: World):
    note = with_properties(world, "Narrow", {"name": "a name of many words and more", "kind": "text", "value": "value " * 20}, {"name": "when", "kind": "date", "value": "2026-12-01T10:30"})
    world.server.make_note("Its neighbour", "Words.")
    screen = world.person({"viewport": {"width": 1010, "height": 800}}).opens("all", note)
    screen.row("Its neighbour").click(modifiers=["Control", "Shift"])
    expect(screen.page.locator(".pane")).to_have_count(2)
    wide = screen.page.locator(".page-scroll").evaluate_all("(all) => all.map((one) => one.scrollWidth - one.clientWidth)")
    assert max(wide) <= 0, wide
    room = field(screen, "a name of many words and more").bounding_box()["width"]
    assert room > 0.55 * screen.page.locator(".properties").bounding_box()["width"], room


def test_an_item_that_is_there_already_was_swallowed_without_a_word(world: World):
    note = with_properties(world, "Twice", {"name": "genre", "kind": "list", "items": ["myth"]})
    screen = world.person(WIDE).opens("all", note)
    field(screen, "Add to genre").click()
    screen.types("myth")
    screen.presses("Enter")
    screen.says("“myth” is in the list already.")
    has(world, note, ("genre", "list", "myth"))


def test_a_number_that_was_typed_while_others_removed_it_came_back_as_a_text(world: World):
    note = with_properties(world, "Taken away", {"name": "rating", "kind": "number", "value": "1"}, {"name": "author", "kind": "text", "value": "Ursula"})
    screen = world.person(WIDE).opens("all", note)
    field(screen, "rating").click()
    screen.presses("End")
    screen.types("2")
    world.server.call("PATCH", f"/notes/{note}", {"properties": [{"name": "rating", "removed": True}]})
    has(world, note, ("author", "text", "Ursula"), ("rating", "number", "12"))
    expect(field(screen, "rating")).to_have_value("12")
