"""The slip box kit: the note of the day, templates, pins, any note, the outline, the map, numbers, kept searches."""

import zipfile
from datetime import datetime

from playwright.sync_api import expect

from server import heading, link, paragraph, tasks
from world import DESK, PHONE, World, wait_until


def both(world: World):
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        yield device, scheme, world.person(device, color_scheme=scheme)


def test_the_note_of_today_is_made_once_and_from_its_template(world: World):
    template = world.server.make_note("Daily note", "It is {{weekday}}.", keywords=["diary"])
    screen = world.person().opens("all", template)
    screen.chooses("More for this note", "Use as a template")
    wait_until(lambda: world.server.note(template)["template"])
    screen.presses("Alt+t")
    title = screen.page.evaluate("new Date().toLocaleDateString('sv')")
    expect(screen.title).to_have_value(title)
    expect(screen.text).to_contain_text("day.")
    # Who asks for it wants to write on.
    expect(screen.text).to_be_focused()
    screen.page.keyboard.type(" Here.")
    expect(screen.text).to_contain_text("day. Here.")
    expect(screen.page.get_by_role("group", name="Keywords of the note")).to_contain_text("diary")
    url = screen.page.url
    screen.goes_to("all", template)
    screen.button("Today", screen.page.get_by_role("group", name="Slip box")).click()
    expect(screen.title).to_have_value(title)
    assert screen.page.url == url


def test_a_note_is_made_from_a_template(world: World):
    for device, scheme, person in both(world):
        template = world.server.make_note(f"Meeting {scheme}", heading(2, "Present"), "On {{date}}.")
        world.server.call("PATCH", f"/notes/{template}", {"template": True})
        screen = person.opens()
        screen.chooses("More for this list", "New note from a template")
        expect(screen.button(f"Meeting {scheme}", screen.dialog)).to_be_visible()
        screen.is_accessible(f"templates, {scheme}")
        screen.button(f"Meeting {scheme}", screen.dialog).click()
        expect(screen.title).to_have_value(f"Meeting {scheme}")
        expect(screen.text).to_contain_text("On 2")
        assert not screen.page.url.endswith(template)


def test_nothing_said_that_a_slow_server_was_still_at_work(world: World):
    template = world.server.make_note("Slowly filled", "Words.")
    world.server.call("PATCH", f"/notes/{template}", {"template": True})
    screen = world.person(service_workers="block").opens()
    screen.expects("registration blocked")
    held = screen.holds_first("POST", "/api/notes")
    screen.chooses("More for this list", "New note from a template")
    screen.button("Slowly filled", screen.dialog).click()
    screen.says("Making the note…")
    held[0].continue_()
    expect(screen.title).to_have_value("Slowly filled")
    expect(screen.page.locator(".toast")).to_have_count(0)
    held = screen.holds_first("GET", "/api/map")
    screen.presses("Alt+m")
    screen.says("Reading the links…")
    held[0].continue_()
    expect(screen.dialog.locator("canvas")).to_be_visible()
    expect(screen.page.locator(".toast")).to_have_count(0)


def test_a_pinned_note_stands_on_top(world: World):
    for device, scheme, person in both(world):
        folder = world.server.make_folder(f"Pins {scheme}")
        for title in ("one", "two", "three"):
            world.server.make_note(title, "x", folder=folder)
        screen = person.opens(f"folder:{folder}")
        screen.shows("three", "two", "one")
        screen.row("one").click(button="right")
        screen.menu_item("Pin on top").click()
        screen.shows("one", "three", "two")
        expect(screen.page.locator(".section-head").first).to_contain_text("Pinned")
        screen.is_accessible(f"pinned, {scheme}")
        screen.looks(f"pinned-{scheme}")
        screen.row("one").click(button="right")
        screen.menu_item("Unpin").click()
        screen.shows("three", "two", "one")


def test_the_outline_leads_to_a_heading(world: World):
    for device, scheme, person in both(world):
        blocks = [block for n in range(8) for block in (heading(1 + n % 2, f"Part {n}"), *[f"Line {n}.{m}" for m in range(12)])]
        note = world.server.make_note(f"Long one {scheme}", *blocks)
        screen = person.opens("all", note, rows=device is DESK)
        screen.chooses("More for this note", "Headings…")
        expect(screen.page.locator(".menu [role^=menuitem]")).to_have_count(8)
        screen.looks(f"outline-{scheme}")
        screen.menu_item("Part 6").click()
        expect(screen.text.get_by_role("heading", name="Part 6")).to_be_in_viewport()


def test_the_headings_of_an_outline_stood_all_at_one_margin(world: World):
    note = world.server.make_note("Deep", heading(1, "One"), "a", heading(2, "One"), "b", heading(3, "One"), "c", heading(6, "One"), "d")
    for device in (DESK, PHONE):
        screen = world.person(device).opens("all", note, rows=device is DESK)
        screen.chooses("More for this note", "Headings…")
        names = screen.page.locator(".menu .menu-name")
        expect(names).to_have_count(4)
        ends = names.evaluate_all("""all => all.map((name) => {
            const range = document.createRange();
            range.selectNodeContents(name);
            return range.getBoundingClientRect().right;
        })""")
        assert ends[0] + 8 < ends[1] and ends[1] + 8 < ends[2], ends


def test_the_map_shows_links_and_leads_to_notes(world: World):
    last = world.server.make_note("Map end", "Here.")
    middle = world.server.make_note("Map middle", paragraph(link("Map end", last)))
    first = world.server.make_note("Map start", paragraph(link("Map middle", middle)))
    for device, scheme, person in both(world):
        screen = person.opens("all", first, rows=device is DESK)
        screen.presses("Alt+m")
        canvas = screen.dialog.locator("canvas[data-settled=true]")
        expect(canvas).to_be_visible()
        screen.is_accessible(f"map, {scheme}")
        screen.looks(f"map-whole-{scheme}")
        screen.button("Around this note", screen.dialog).click()
        expect(screen.dialog).to_contain_text("3 notes, 2 links")
        expect(canvas).to_be_visible()
        screen.looks(f"map-local-{scheme}")
        screen.button("Larger", screen.dialog).click()
        canvas.focus()
        screen.presses("ArrowLeft", "+", "0")
        screen.dialog.locator("summary").click()
        screen.button("Map end", screen.dialog).click()
        expect(screen.title).to_have_value("Map end")


def test_a_map_of_many_notes_tells_how_far_it_is_and_can_be_stopped(world: World):
    world.server.make_note("Of many", "x")

    def many(route) -> None:
        overview = route.fetch().json()
        overview["places"]["all"] = 5000
        route.fulfill(json=overview)

    def half(route) -> None:
        route.fulfill(json={"id": "0", "done": 9500, "total": 20000, "what": "Reading notes", "state": "running", "report": None, "error": None})

    for device, scheme, person in both(world):
        person.context.route("**/api/overview", many)
        screen = person.opens(rows=True)
        screen.presses("Alt+m")
        expect(screen.dialog.locator("canvas[data-settled=true]")).to_be_visible()
        screen.presses("Escape")
        expect(screen.dialog).to_have_count(0)
        person.context.route("**/api/maps", half)
        person.context.route("**/api/jobs/0", half)
        screen.presses("Alt+m")
        expect(screen.dialog).to_contain_text("Reading notes 9,500 of 20,000")
        screen.is_accessible(f"progress of a map, {scheme}")
        screen.looks(f"map-progress-{scheme}")
        screen.button("Cancel", screen.dialog).click()
        screen.says("The map was stopped.")


def test_numbers_are_counted(world: World):
    world.server.make_note("Counted", tasks((False, "Do it")))
    for device, scheme, person in both(world):
        screen = person.opens()
        screen.presses("Control+k")
        screen.types("statis")
        screen.presses("Enter")
        region = screen.page.get_by_role("region", name="Statistics")
        expect(region).to_contain_text("With open tasks")
        screen.is_accessible(f"statistics, {scheme}")
        screen.looks(f"statistics-{scheme}")
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]
        screen.presses("Escape")


def test_any_note_comes(world: World):
    folder = world.server.make_folder("Few")
    world.server.make_note("The only one", "x", folder=folder)
    screen = world.person().opens(f"folder:{folder}")
    screen.presses("Alt+r")
    expect(screen.title).to_have_value("The only one")


def test_a_search_is_kept_renamed_and_forgotten(world: World):
    for device, scheme, person in both(world):
        world.server.make_note(f"Kept {scheme}", tasks((False, f"find {scheme} task")))
        screen = person.opens()
        field = screen.page.get_by_role("combobox", name="Search notes")
        field.fill(f"is:task {scheme}")
        screen.shows(f"Kept {scheme}")
        screen.is_accessible(f"search foot, {scheme}")
        screen.looks(f"search-{scheme}")
        screen.button("Keep this search").click()
        screen.dialog.get_by_label("Name").fill(f"My {scheme} tasks")
        screen.presses("Enter")
        screen.says("kept")
        if device is PHONE:
            screen.goes_to("all")
            screen.button("Back to folders").click()
        else:
            screen.button("Clear the search").first.click()
        kept = screen.page.get_by_role("list", name="Searches").get_by_role("link", name=f"My {scheme} tasks")
        expect(kept).to_be_visible()
        screen.looks(f"sidebar-{scheme}")
        kept.click()
        screen.shows(f"Kept {scheme}")
        expect(field).to_have_value(f"is:task {scheme}")
        if device is PHONE:
            screen.button("Back to folders").click()
        kept.click(button="right")
        screen.menu_item("Forget").click()
        expect(kept).to_have_count(0)


def test_a_search_in_a_folder_is_kept_with_its_place(world: World):
    folder = world.server.make_folder("Kept here")
    world.server.make_note("Inside", "apples", folder=folder)
    world.server.make_note("Outside", "apples")
    screen = world.person().opens(f"folder:{folder}")
    field = screen.page.get_by_role("combobox", name="Search notes")
    field.fill("apples")
    screen.shows("Inside")
    screen.button("Keep this search").click()
    screen.dialog.get_by_label("Name").fill("Apples here")
    screen.presses("Enter")
    screen.says("kept")
    kept = screen.page.get_by_role("list", name="Searches").get_by_role("link", name="Apples here")
    expect(kept).to_be_visible()
    # It was kept again, with nothing to tell the two apart.
    screen.button("Keep this search").click()
    screen.says("This search is kept already: “Apples here”.")
    screen.goes_to("all")
    kept.click()
    screen.shows("Inside")
    field.fill("title:outside")
    screen.shows("Outside")
    kept.click(button="right")
    screen.menu_item("Keep what is searched for now").click()
    screen.says("searches for")
    screen.button("Clear the search").first.click()
    kept.click()
    screen.shows("Outside")
    expect(field).to_have_value("title:outside")


def test_a_kept_search_that_was_just_changed_searched_for_what_it_was(world: World):
    world.server.make_note("Pears in a jar", "x")
    world.server.call("POST", "/searches", {"name": "In a jar", "text": "title:apples"})
    screen = world.person(service_workers="block").opens("all")
    screen.expects("registration blocked")
    field = screen.page.get_by_role("combobox", name="Search notes")
    kept = screen.page.get_by_role("list", name="Searches").get_by_role("link", name="In a jar")
    held = []
    screen.page.route("**/api/overview", lambda route: held.append(route))
    field.fill("title:pears")
    screen.shows("Pears in a jar")
    kept.click(button="right")
    screen.menu_item("Keep what is searched for now").click()
    screen.says("searches for")
    screen.button("Clear the search").first.click()
    expect(field).to_have_value("")
    kept.click()
    expect(field).to_have_value("title:pears")
    screen.shows("Pears in a jar")
    for route in held:
        route.continue_()


def test_a_kept_search_took_its_place_for_words_of_a_phrase_without_an_end(world: World):
    folder = world.server.make_folder("Preserves")
    world.server.make_note("Plum jam", "in a jar", folder=folder)
    world.server.make_note("Plum jam for guests", "in a jar")
    screen = world.person().opens(f"folder:{folder}")
    field = screen.page.get_by_role("combobox", name="Search notes")
    kept = screen.page.get_by_role("list", name="Searches").get_by_role("link")
    for typed, name in (('"plum jam', "A phrase"), ("plum OR", "Either")):
        field.fill(typed)
        screen.shows("Plum jam")
        screen.button("Keep this search").click()
        screen.dialog.get_by_label("Name").fill(name)
        screen.presses("Enter")
        screen.says("kept")
        screen.goes_to("all")
        kept.filter(has_text=name).click()
        screen.shows("Plum jam")
        screen.goes_to(f"folder:{folder}")


def test_kept_searches_had_no_order_of_their_own(world: World):
    for device in (DESK, PHONE):
        # Before the page is there: a page that still shows those of the round before would look the same.
        for search in world.server.call("GET", "/overview")["searches"]:
            world.server.call("DELETE", f"/searches/{search['id']}")
        for name in ("Open", "Lately", "Untitled"):
            world.server.call("POST", "/searches", {"name": name, "text": "is:task"})
        screen = world.person(device).opens("all") if device is DESK else world.person(device, color_scheme="dark").opens("all", rows=False)
        if device is PHONE:
            screen.button("Back to folders").click()
        searches = screen.page.get_by_role("list", name="Searches").get_by_role("link")
        expect(searches).to_have_text(["Open", "Lately", "Untitled"])
        searches.nth(2).click(button="right")
        expect(screen.menu_item("Move down")).to_be_disabled()
        screen.looks(f"searches-menu-{'desk' if device is DESK else 'phone'}")
        screen.menu_item("Move up").click()
        expect(searches).to_have_text(["Open", "Untitled", "Lately"])
        if device is PHONE:
            continue
        # By keys, again and again: the focus goes along.
        searches.nth(1).focus()
        screen.presses("Alt+ArrowUp")
        expect(searches).to_have_text(["Untitled", "Open", "Lately"])
        expect(searches.nth(0)).to_be_focused()
        screen.presses("Alt+ArrowDown")
        expect(searches).to_have_text(["Open", "Untitled", "Lately"])
        screen.presses("Alt+ArrowDown")
        expect(searches).to_have_text(["Open", "Lately", "Untitled"])
        expect(searches.nth(2)).to_be_focused()
        # By hand. What was said of the keys would be said of this in the same words.
        screen.button("Dismiss", screen.says("“Untitled” moved")).click()
        expect(screen.page.locator(".toast")).to_have_count(0)
        searches.nth(2).drag_to(searches.nth(0), target_position={"x": 40, "y": 3})
        expect(searches).to_have_text(["Untitled", "Open", "Lately"])
        screen.undoes("“Untitled” moved")
        expect(searches).to_have_text(["Open", "Lately", "Untitled"])
        screen.reloads()
        expect(searches).to_have_text(["Open", "Lately", "Untitled"])


def test_the_note_in_the_middle_of_a_map_had_its_name_twice(world: World):
    other = world.server.make_note("Beside the middle", "x")
    note = world.server.make_note("The very middle", paragraph("See ", link("it", other)))
    person = world.person()
    # A canvas says nothing of what is on it: its last picture is the names since it was wiped.
    person.context.add_init_script("""{ const { fillText, clearRect } = CanvasRenderingContext2D.prototype; window.names = [];
        CanvasRenderingContext2D.prototype.clearRect = function (...box) { window.names = []; return clearRect.apply(this, box); };
        CanvasRenderingContext2D.prototype.fillText = function (...words) { window.names.push(words[0]); return fillText.apply(this, words); }; }""")
    screen = person.opens("all", note)
    screen.chooses("More for this note", "Map around this note")
    wait_until(lambda: sorted(screen.page.evaluate("window.names")) == ["Beside the middle", "The very middle"],
               lambda: str(screen.page.evaluate("window.names")), meanwhile=screen.page)


def test_words_are_replaced_in_a_note_and_in_many(world: World):
    folder = world.server.make_folder("Replacing")
    notes = [world.server.make_note(title, "A colour is a colour.", folder=folder) for title in ("One", "Two", "Three")]
    screen = world.person().opens(f"folder:{folder}", notes[0])
    screen.text.click()
    screen.presses("Control+f")
    screen.types("colour")
    screen.button("Replace", screen.page.get_by_role("search", name="Find in this note")).click()
    bar = screen.page.get_by_role("group", name="Replace in this note")
    bar.get_by_label("Replace with").fill("hue")
    screen.presses("Enter")
    expect(screen.text).to_have_text("A hue is a colour.")
    screen.is_accessible("replace in a note")
    screen.looks("replace-light")
    screen.button("All", bar).click()
    expect(screen.text).to_have_text("A hue is a hue.")
    screen.undoes("1 match replaced")
    expect(screen.text).to_have_text("A hue is a colour.")
    screen.is_saved()
    # In all of the list, after it was said how many there are.
    screen.chooses("More for this list", "Replace words in these notes")
    screen.dialog.get_by_label("Find").fill("colours")
    expect(screen.dialog).to_contain_text("0 matches")
    expect(screen.button("Replace all", screen.dialog)).to_be_disabled()
    screen.dialog.get_by_label("Find").fill("colour")
    expect(screen.dialog).to_contain_text("5 matches in 3 notes")
    screen.dialog.get_by_label("Replace with").fill("tone")
    screen.is_accessible("replace in many")
    screen.button("Replace all", screen.dialog).click()
    screen.says("5 matches in 3 notes replaced")
    assert world.server.text(notes[1]).strip() == "A tone is a tone."
    expect(screen.text).to_have_text("A hue is a tone.")
    screen.undoes("5 matches in 3 notes replaced")
    wait_until(lambda: world.server.text(notes[1]).strip() == "A colour is a colour.")


def test_a_list_whose_words_were_replaced_said_that_there_are_none(world: World):
    folder = world.server.make_folder("Replaced in a search")
    for title in ("One", "Two"):
        world.server.make_note(title, "A mauve hat.", folder=folder)
    for device in (DESK, PHONE):
        screen = world.person(device).opens(f"folder:{folder}", rows=device is DESK)
        screen.page.get_by_role("combobox", name="Search notes").fill("mauve hat")
        screen.shows("Two", "One")
        screen.chooses("More for this list", "Replace words in these notes")
        screen.dialog.get_by_label("Find").fill("mauve")
        screen.dialog.get_by_label("Replace with").fill("violet")
        expect(screen.dialog).to_contain_text("2 matches in 2 notes")
        screen.button("Replace all", screen.dialog).click()
        empty = screen.page.locator(".list .empty")
        expect(empty).to_contain_text("2 matches in 2 notes replaced")
        screen.is_accessible("words replaced")
        screen.looks(f"words-replaced-{'desk' if device is DESK else 'phone'}")
        screen.button("Undo", empty).click()
        screen.shows("Two", "One")


def test_undo_of_replaced_words_undid_what_was_done_after_it(world: World):
    folder = world.server.make_folder("Replaced")
    notes = [world.server.make_note(title, "A colour is a colour.", folder=folder) for title in ("First", "Second")]
    screen = world.person().opens(f"folder:{folder}", notes[1])
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" More.")
    screen.opens("First")
    screen.text.click()
    toast = screen.page.locator(".toast").filter(has_text="2 matches replaced")
    bar = screen.page.get_by_role("group", name="Replace in this note")

    def replaces_all():
        screen.presses("Control+f")
        screen.page.get_by_role("textbox", name="Find in this note").fill("colour")
        if bar.count() == 0:
            screen.button("Replace", screen.page.get_by_role("search", name="Find in this note")).click()
        bar.get_by_label("Replace with").fill("hue")
        screen.button("All", bar).click()
        expect(screen.text).to_have_text("A hue is a hue.")
        expect(toast).to_be_visible()

    # Undone by a key, there is nothing left to undo by a button; and Escape closes the bar whatever was pressed.
    replaces_all()
    screen.presses("Escape")
    expect(bar).to_have_count(0)
    screen.presses("Control+z")
    expect(screen.text).to_have_text("A colour is a colour.")
    expect(toast).to_have_count(0)
    # In another note it would undo what was written there.
    replaces_all()
    screen.opens("Second")
    expect(screen.text).to_have_text("A colour is a colour. More.")
    expect(toast).to_have_count(0)
    screen.is_saved()



def test_many_notes_get_a_keyword_a_status_and_leave_as_an_archive(world: World):
    folder = world.server.make_folder("Many")
    notes = [world.server.make_note(f"Many {n}", "x", folder=folder) for n in range(3)]
    screen = world.person().opens(f"folder:{folder}")
    screen.page.locator(".rows").focus()
    screen.presses("Control+a")
    bar = screen.page.get_by_role("group", name="Chosen notes")
    expect(bar).to_contain_text("3 notes chosen")
    screen.chooses(screen.button("More for the chosen notes", bar), "Keyword…")
    # The names that are there can be chosen.
    field = screen.dialog.get_by_role("combobox", name="Name")
    screen.is_accessible("keyword of many")
    assert field.evaluate("field => [...field.list.options].map(option => option.value)") != []
    field.fill("together")
    screen.presses("Enter")
    screen.says("3 notes: keyword “together” added")
    screen.chooses(screen.button("More for the chosen notes", bar), "Status: Review")
    screen.says("3 notes: status Review")
    assert all(world.server.note(note)["status"] == "review" for note in notes)
    assert all(world.server.note(note)["keywords"][0]["name"] == "together" for note in notes)
    with screen.page.expect_download() as download:
        screen.chooses(screen.button("More for the chosen notes", bar), "Export…")
    assert download.value.suggested_filename.endswith(".zip")
    with zipfile.ZipFile(download.value.path()) as pack:
        assert pack.testzip() is None
        texts = {name.rsplit("/", 1)[-1]: pack.read(name).decode() for name in pack.namelist() if name.endswith(".md")}
    assert sorted(texts) == ["Many 0.md", "Many 1.md", "Many 2.md"]
    for number in range(3):
        head, text = texts[f"Many {number}.md"].split("\n---\n", 1)
        assert f"title: Many {number}" in head and "tags: [together]" in head and "status: " in head
        assert text.strip() == "x"
    screen.is_accessible("many chosen")
    screen.looks("many-light")


def test_old_notes_were_0_notes_on_0_days(world: World):
    screen = world.person(service_workers="block").opens()
    screen.expects("registration blocked")
    screen.page.route("**/api/statistics", lambda route: route.fulfill(json=route.fetch().json() | {"days": {"1999-12-31": 7}}))
    screen.presses("Control+k")
    screen.types("Statistics")
    expect(screen.dialog.get_by_role("option", name="Statistics", exact=True)).to_be_visible()
    screen.presses("Enter")
    region = screen.page.get_by_role("region", name="Statistics")
    expect(region).to_contain_text("No note was made in the last year.")
    assert "0 days" not in region.inner_html(), region.inner_html()
