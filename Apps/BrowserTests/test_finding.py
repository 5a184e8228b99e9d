"""Sorting, sections, searching, the switcher, and lists that are long."""

from datetime import datetime

from playwright.sync_api import expect

from server import marked, paragraph
from test_looks import SMALL_TARGETS
from test_together import LOST, offline_ready
from world import DESK, PHONE, World, path_of, wait_until


def test_six_orders_and_sections(world: World):
    folder = world.server.make_folder("Orders")
    for title, status in (("pear", "review"), ("Apple", "draft"), ("cherry", "archived"), ("Banana", "draft")):
        world.server.make_note(title, "fruit", folder=folder, status=status)
    screen = world.person().opens(f"folder:{folder}")
    expected = {
        "Title A–Z": ["Apple", "Banana", "cherry", "pear"],
        "Title Z–A": ["pear", "cherry", "Banana", "Apple"],
        "Created, oldest first": ["pear", "Apple", "cherry", "Banana"],
        "Created, newest first": ["Banana", "cherry", "Apple", "pear"],
        "By day": ["Banana", "cherry", "Apple", "pear"],
    }
    for order, titles in expected.items():
        screen.chooses("Sort order", order)
        screen.shows(*titles)
    # Midnight may have passed between two of them.
    rows = world.server.call("GET", f"/notes?in=folder:{folder}")["rows"]
    days = {datetime.fromisoformat(row["created"].replace("Z", "+00:00")).astimezone().date() for row in rows}
    expect(screen.page.locator(".section-head")).to_have_count(len(days))
    screen.chooses("Sort order", "By status")
    expect(screen.page.locator(".section-head")).to_have_count(3)
    screen.is_accessible("sections")
    heads = screen.page.locator(".section-head span:first-child").all_text_contents()
    assert sorted(heads) == ["Archived", "Draft", "Review"], heads
    # A folder remembers how one looks at it.
    screen.reloads()
    expect(screen.page.locator(".section-head")).to_have_count(3)
    wait_until(lambda: any(one["id"] == folder and one["sort"] == "status" for one in world.server.call("GET", "/overview")["folders"]))


def test_each_note_was_called_a_draft_where_nobody_calls_any_otherwise(world: World):
    folder = world.server.make_folder("Undecided")
    world.server.make_note("Basalt", "Words", folder=folder)
    world.server.make_note("Mica", "Words", folder=folder, status="review")
    screen = world.person().opens(f"folder:{folder}")
    expect(screen.row("Basalt").locator(".status")).to_have_text("Draft")
    screen.page.evaluate("""async () => {
        const [{ state }, { changed }] = await Promise.all([import("/model/state.js"), import("/view/drawing.js")]);
        state.overview = { ...state.overview, usesStatuses: false };
        changed();
    }""")
    expect(screen.row("Basalt").locator(".status")).to_have_count(0)
    expect(screen.row("Mica").locator(".status")).to_have_text("Review")


def test_search_with_words_tokens_and_scopes(world: World):
    folder, other = world.server.make_folder("Lighthouses"), world.server.make_folder("Harbours")
    world.server.make_note("Eddystone", "A tower on a rock, and a quiet lamp.", folder=folder, status="draft")
    world.server.make_note("Bell Rock", "The oldest lamp that still burns.", folder=folder, status="review")
    world.server.make_note("Dover", "Lamplighters at the quay.", folder=other, status="draft")
    screen = world.person().opens(f"folder:{folder}")
    field = screen.page.get_by_role("combobox", name="Search notes")
    field.click()
    expect(screen.page.get_by_role("listbox", name="Search suggestions").get_by_role("option")).to_have_count(6)
    screen.is_accessible("search suggestions")
    field.fill("lamp")
    screen.shows("Bell Rock", "Eddystone")
    expect(screen.row("Eddystone").locator("mark").first).to_have_text("lamp")
    screen.button("All", screen.page.get_by_role("group", name="Where to search")).click()
    expect(screen.row("Dover").locator("mark").first).to_have_text("Lamp")
    expect(screen.row("Dover")).to_contain_text("Harbours")
    screen.button("Lighthouses", screen.page.get_by_role("group", name="Where to search")).click()
    field.fill("")
    field.click()
    screen.types("rev")
    screen.presses("ArrowDown", "Enter")
    expect(screen.page.locator(".token")).to_have_text("Review")
    screen.shows("Bell Rock")
    # A note has one status: another one takes the first one's place.
    screen.page.get_by_role("option", name="Draft status").click()
    expect(screen.page.locator(".token")).to_have_text("Draft")
    screen.page.get_by_role("option", name="Last 24 hours").click()
    expect(screen.page.locator(".token")).to_have_count(2)
    screen.shows("Eddystone")
    screen.types("nowhere")
    expect(screen.page.locator(".list .empty")).to_contain_text("No notes found")
    # It empties the field, and what is offered to an empty field does not cover the list that is back.
    screen.presses("Escape")
    screen.shows("Bell Rock", "Eddystone")
    expect(screen.page.get_by_role("listbox", name="Search suggestions")).to_be_hidden()
    field.fill("quiet")
    screen.shows("Eddystone")
    screen.opens("Eddystone")
    expect(screen.text.locator(".found-word")).to_have_text("quiet")
    screen.presses("Control+Shift+f")
    expect(field).to_be_focused()
    expect(screen.button("All", screen.page.get_by_role("group", name="Where to search"))).to_have_attribute("aria-pressed", "true")
    screen.presses("Backspace")


def test_the_switcher_goes_anywhere(world: World):
    folder = world.server.make_folder("Quarry")
    note = world.server.make_note("Quartz veins", "White lines.", folder=folder, keywords=["quartzite"])
    screen = world.person().opens()
    screen.presses("Control+k")
    field = screen.page.get_by_role("combobox", name="Go to…")
    expect(field).to_be_focused()
    screen.types("quar")
    expect(screen.dialog.get_by_role("option")).to_have_count(4)
    screen.is_accessible("switcher")
    screen.presses("Enter")
    expect(screen.title).to_have_value("Quartz veins")
    screen.presses("Control+p")
    screen.types("quarry")
    expect(screen.dialog.get_by_role("option").first).to_contain_text("Quarry")
    screen.presses("Enter")
    screen.page.wait_for_url(f"**/#/folder:{folder}")
    screen.presses("Control+k")
    screen.types("dark")
    expect(screen.dialog.get_by_role("option", name="Dark", exact=True)).to_be_visible()
    screen.dialog.get_by_role("option", name="Dark", exact=True).click()
    expect(screen.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert world.server.note(note)


def test_a_long_list_has_only_rows_in_sight_in_the_page(world: World):
    folder = world.server.make_folder("Long")
    screen = world.person().opens(f"folder:{folder}")
    with screen.page.expect_file_chooser() as chooser:
        screen.chooses("More for this list", "Import files")
    chooser.value.set_files([{"name": f"Line {n:03}.md", "mimeType": "text/markdown", "buffer": f"Number {n}".encode()} for n in range(400)])
    expect(screen.dialog).to_contain_text("400 notes imported")
    screen.presses("Escape")
    expect(screen.page.locator(".list-count")).to_have_text("400")
    screen.chooses("Sort order", "Title A–Z")
    expect(screen.row("Line 000")).to_be_visible()
    assert screen.rows.count() < 40
    rows = screen.page.locator(".rows")
    rows.focus()
    screen.presses("End")
    expect(screen.title).to_have_value("Line 399")
    expect(screen.row("Line 399")).to_have_attribute("aria-posinset", "400")
    screen.presses("ArrowUp", "ArrowUp")
    expect(screen.title).to_have_value("Line 397")
    rows.evaluate("rows => rows.scrollTop = rows.scrollHeight / 2")
    wait_until(lambda: any(title.startswith("Line 20") for title in screen.titles()))
    assert screen.rows.count() < 40
    screen.presses("Home")
    expect(screen.title).to_have_value("Line 000")


def test_enter_in_the_field_for_a_folder_opened_it_again(world: World):
    folder, target = world.server.make_folder("By key"), world.server.make_folder("Where Enter leads")
    note = world.server.make_note("Moved by key", "x", folder=folder)
    screen = world.person().opens(f"folder:{folder}")
    screen.chooses("More for this list", "Choose several")
    screen.row("Moved by key").click()
    screen.button("Move…").click()
    screen.types("where enter")
    screen.presses("Enter")
    screen.says("moved to “Where Enter leads”")
    expect(screen.dialog).to_have_count(0)
    assert world.server.note(note)["folder"]["id"] == target


def test_control_a_in_the_list_chose_the_words_of_the_page(world: World):
    folder, target = world.server.make_folder("All of them"), world.server.make_folder("Elsewhere")
    for number in range(130):
        world.server.make_note(f"Of many {number:03}", folder=folder)
    other = world.server.make_note("Not of them", "x")
    screen = world.person().opens(f"folder:{folder}")
    screen.presses("Alt+2", "ArrowDown")
    expect(screen.title).to_have_value("Of many 129")
    screen.presses("Control+a")
    expect(screen.page.locator(".chosen")).to_contain_text("130 notes chosen")
    assert screen.page.evaluate("getSelection().toString()") == ""
    # Also those that were not looked at.
    screen.button("Move…").click()
    screen.dialog.get_by_role("button", name="Elsewhere").click()
    expect(screen.page.locator(".list .empty")).to_contain_text("This folder is empty")
    assert world.server.call("GET", f"/notes?in=folder:{target}")["total"] == 130
    screen.undoes("130 notes moved")
    expect(screen.page.locator(".list-count")).to_have_text("130")
    screen.presses("Alt+2", "Control+a", "Delete")
    expect(screen.page.locator(".list .empty")).to_contain_text("This folder is empty")
    assert world.server.note(other)["trashed"] is None
    # In a text it is the text's.
    screen.goes_to("all", other)
    screen.text.click()
    screen.presses("Control+a")
    expect(screen.page.locator(".chosen")).to_have_count(0)
    wait_until(lambda: screen.page.evaluate("getSelection().toString()") == "x", meanwhile=screen.page)


def test_the_list_is_worked_with_the_keyboard(world: World):
    folder, target = world.server.make_folder("Keys"), world.server.make_folder("Target")
    for title in ("three", "two", "one"):
        world.server.make_note(title, paragraph("x"), folder=folder)
    screen = world.person().opens(f"folder:{folder}")
    screen.shows("one", "two", "three")
    screen.presses("Alt+2", "ArrowDown")
    expect(screen.title).to_have_value("one")
    screen.presses("ArrowDown")
    expect(screen.title).to_have_value("two")
    screen.presses("F2")
    expect(screen.title).to_be_focused()
    screen.presses("Alt+2", "Shift+ArrowDown")
    expect(screen.page.locator(".chosen")).to_contain_text("2 notes chosen")
    screen.is_accessible("several chosen")
    screen.button("Move…").click()
    screen.dialog.get_by_role("button", name="Target").click()
    screen.shows("one")
    screen.undoes("2 notes moved")
    screen.shows("one", "two", "three")
    screen.row("one").click()
    screen.row("three").click(modifiers=["Shift"])
    screen.button("Trash", screen.page.locator(".chosen")).click()
    expect(screen.page.locator(".list .empty")).to_contain_text("This folder is empty")
    screen.undoes("3 notes")
    screen.shows("one", "two", "three")
    assert target


def test_notes_that_were_chosen_far_from_each_other_were_left_out(world: World):
    folder, target = world.server.make_folder("Far apart"), world.server.make_folder("Together")
    notes = [world.server.make_note(f"Of many {number:03}", "x", folder=folder) for number in range(130)]
    screen = world.person().opens(f"folder:{folder}")
    rows, bar = screen.page.locator(".rows"), screen.page.locator(".chosen")
    screen.opens("Of many 129")
    rows.evaluate("rows => rows.scrollTop = rows.scrollHeight")
    screen.row("Of many 000").click(modifiers=["Control"])
    expect(bar).to_contain_text("2 notes chosen")
    # Only what is in sight is read again.
    version = lambda: screen.page.evaluate("import('/model/list.js').then(({ list }) => list.version)")
    before = version()
    world.server.make_note("In no folder", "x")
    wait_until(lambda: version() != before, meanwhile=screen.page)
    screen.button("Move…").click()
    screen.dialog.get_by_role("button", name="Together").click()
    screen.says("2 notes moved to “Together”")
    wait_until(lambda: world.server.call("GET", f"/notes?in=folder:{target}")["total"] == 2, meanwhile=screen.page)
    # Who has thought better of it has chosen none, also once another note is opened.
    rows.evaluate("rows => rows.scrollTop = 0")
    screen.opens("Of many 128")
    for _ in range(2):
        screen.row("Of many 127").click(modifiers=["Control"])
    expect(bar).to_have_count(0)
    screen.page.evaluate("(hash) => (location.hash = hash)", f"#/folder:{folder}/{notes[100]}")
    expect(screen.title).to_have_value("Of many 100")
    expect(bar).to_have_count(0)
    # With Shift all between are chosen, also those that were not looked at.
    expect(screen.page.locator(".list-count")).to_have_text("128")
    rows.evaluate("rows => rows.scrollTop = 0")
    screen.opens("Of many 128")
    rows.evaluate("rows => rows.scrollTop = rows.scrollHeight")
    screen.row("Of many 001").click(modifiers=["Shift"])
    expect(bar).to_contain_text("128 notes chosen")
    screen.row("Of many 001").click(button="right")
    screen.menu_item("Move 128 notes to trash").click()
    expect(screen.page.locator(".list .empty")).to_contain_text("This folder is empty")
    expect(bar).to_have_count(0)


def test_no_key_opened_the_menu_of_a_row(world: World):
    folder = world.server.make_folder("Menus by key")
    for title in ("below", "above"):
        world.server.make_note(title, "x", folder=folder)
    screen = world.person().opens(f"folder:{folder}")
    screen.opens("above")
    screen.presses("Alt+2", "ArrowDown")
    expect(screen.title).to_have_value("below")
    rows = screen.page.locator(".rows")
    # As the browser does it for Shift F10 and the menu key: the list has the focus.
    rows.dispatch_event("contextmenu")
    expect(screen.page.get_by_role("menu", name="Note below")).to_be_visible()
    screen.presses("Escape")
    expect(rows).to_be_focused()
    rows.dispatch_event("contextmenu")
    screen.menu_item("Move to trash").click()
    screen.says("“below” moved to the trash")
    screen.shows("above")


def test_delete_took_the_open_note_where_others_were_chosen(world: World):
    folder = world.server.make_folder("Chosen to go")
    for title in ("third", "second", "first"):
        world.server.make_note(title, "x", folder=folder)
    screen = world.person().opens(f"folder:{folder}")
    screen.opens("first")
    for title in ("second", "third", "first"):
        screen.row(title).click(modifiers=["Control"])
    expect(screen.page.locator(".chosen")).to_contain_text("2 notes chosen")
    screen.presses("Delete")
    screen.says("2 notes moved to the trash")
    screen.shows("first")
    expect(screen.title).to_have_value("first")
    # One of several can be chosen, too.
    screen.undoes("2 notes moved to the trash")
    screen.shows("first", "second", "third")
    screen.chooses("More for this list", "Choose several")
    screen.row("third").click()
    expect(screen.page.locator(".chosen")).to_contain_text("1 note chosen")
    screen.presses("Delete")
    screen.shows("first", "second")
    expect(screen.title).to_have_value("first")


def test_a_message_cut_a_sign_of_a_long_title_in_two(world: World):
    beginning = "Everything that grows in spring garden"
    world.server.make_note(f"{beginning}🌱 and what eats it", "x")
    screen = world.person().opens("all")
    screen.opens(f"{beginning}🌱 and what eats it")
    screen.presses("Alt+2", "Delete")
    screen.says(f"“{beginning}…” moved to the trash")


def test_who_thought_better_of_deleting_a_note_for_good_was_taken_to_the_next(world: World):
    for title in ("behind it", "nearly gone"):
        world.server.call("DELETE", f"/notes/{world.server.make_note(title, 'x')}")
    screen = world.person().opens("trash")
    screen.opens("nearly gone")
    screen.presses("Alt+2", "Delete")
    expect(screen.dialog).to_contain_text("“nearly gone” will be gone")
    screen.button("Cancel", screen.dialog).click()
    expect(screen.dialog).to_have_count(0)
    screen.page.wait_for_timeout(300)
    expect(screen.title).to_have_value("nearly gone")


def test_marks_go_when_the_search_goes(world: World):
    note = world.server.make_note("Marked", "a quaggaword stands here")
    screen = world.person().opens("all")
    screen.presses("Control+f")
    screen.types("quaggaword")
    screen.shows("Marked")
    screen.opens("Marked")
    expect(screen.text.locator(".found-word")).to_have_count(1)
    screen.presses("Control+f", "Escape", "Escape")
    expect(screen.text.locator(".found-word")).to_have_count(0)
    assert screen.page.url.endswith(note)


def test_the_name_of_a_folder_that_was_searched_for_was_marked_in_the_texts(world: World):
    folder = world.server.make_folder("Windmills")
    world.server.make_note("In its folder", "The windmills turn.", folder=folder)
    screen = world.person().opens("all")
    screen.presses("Control+f")
    screen.types("path:windmills")
    screen.shows("In its folder")
    screen.opens("In its folder")
    expect(screen.text).to_have_text("The windmills turn.")
    expect(screen.text.locator(".found-word")).to_have_count(0)
    # It has no words of which some note has more: the list stays in its order.
    screen.button("Sort order").click()
    expect(screen.menu_item("By day")).to_be_visible()
    expect(screen.menu_item("Best first")).to_have_count(0)


def test_letters_count_where_the_layout_has_them(world: World):
    world.server.make_note("Zwischenruf", "x")
    screen = world.person().opens("all")
    screen.opens("Zwischenruf")
    screen.page.locator(".rows").focus()
    screen.presses("Delete")
    screen.says("moved to the trash")
    # A German keyboard: Z lies where others have Y.
    screen.page.locator(".rows").dispatch_event("keydown", {"key": "z", "code": "KeyY", "ctrlKey": True, "bubbles": True, "cancelable": True})
    screen.says("Undone")
    expect(screen.row("Zwischenruf")).to_be_visible()


def test_alone_with_a_note_there_is_a_way_out(world: World):
    note = world.server.make_note("Alone", "x")
    screen = world.person().opens("all", note)
    screen.presses("Control+Backslash")
    expect(screen.page.locator(".list")).to_be_hidden()
    screen.button("Show folders and list").click()
    expect(screen.page.locator(".list")).to_be_visible()
    # Where no note is left, the list is there again.
    screen.presses("Control+Backslash")
    screen.chooses("More for this note", "Move to trash")
    expect(screen.page.locator(".list")).to_be_visible()


def test_help_shows_the_keys(world: World):
    screen = world.person().opens()
    screen.page.locator(".rows").focus()
    screen.presses("?")
    expect(screen.dialog).to_contain_text("Go to a note, folder, keyword")
    screen.is_accessible("help")
    screen.presses("Escape")
    screen.presses("Control+\\")
    expect(screen.page.locator(".side")).to_be_hidden()
    screen.presses("Control+\\")
    expect(screen.page.locator(".side")).to_be_visible()


def test_what_stands_in_a_note_is_found_in_it(world: World):
    note = world.server.make_note("Found within", "A Café at the corner.", paragraph("The ca", marked("fe", "bold"), " again, and decafé."),
                                  *(f"Line {n}" for n in range(60)), "Last of all: CAFE\u0301s.")
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        before = world.server.note(note)
        screen.text.click()
        # For 200 ms after it got the focus, ProseMirror takes a caret at the very start for the browser's doing.
        screen.page.wait_for_timeout(250)
        screen.presses("Control+Home", "Control+f")
        field, count = screen.page.get_by_role("textbox", name="Find in this note"), screen.page.locator(".find-count")
        expect(field).to_be_focused()
        screen.types("cafe")
        expect(count).to_have_text("1 of 4")
        assert screen.text.locator(".match").all_text_contents() == ["Café", "ca", "fe", "café", "CAFE\u0301"]
        expect(screen.text.locator(".chosen-match")).to_have_text("Café")
        screen.is_accessible(f"finding in a note, {scheme}")
        assert not screen.page.evaluate(SMALL_TARGETS, 40 if device is PHONE else 24)
        screen.presses("Enter")
        expect(count).to_have_text("2 of 4")
        expect(screen.text.locator(".chosen-match")).to_have_count(2)
        screen.presses("Shift+Enter", "Shift+F3")
        expect(count).to_have_text("4 of 4")
        expect(screen.text.locator(".chosen-match")).to_be_in_viewport()
        screen.presses("F3")
        expect(count).to_have_text("1 of 4")
        screen.presses("Shift+F3")
        # Nothing of it is in the text, and the caret goes where the match is.
        screen.presses("Escape")
        expect(field).to_have_count(0)
        expect(screen.text).to_be_focused()
        assert screen.page.evaluate("getSelection().toString()") == "CAFE\u0301"
        expect(screen.text.locator(".match")).to_have_count(0)
        assert world.server.note(note)["document"] == before["document"]


def test_matches_follow_while_one_types(world: World):
    note = world.server.make_note("Growing", "one two")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.presses("Control+End", "Control+f")
    screen.types("two")
    count = screen.page.locator(".find-count")
    expect(count).to_have_text("1 of 1")
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" and two more, two.")
    expect(count).to_have_text("1 of 3")
    screen.presses("F3")
    expect(count).to_have_text("2 of 3")
    screen.presses("Control+f")
    screen.types("three")
    expect(count).to_have_text("Not here")
    screen.is_accessible("nothing found in a note")
    # Another note has a bar of its own, and the list is searched from the list.
    other = world.server.make_note("Other growth", "two")
    screen.goes_to("all", other)
    expect(count).to_have_count(0)
    screen.page.locator(".rows").focus()
    screen.presses("Control+f")
    expect(screen.page.get_by_role("combobox", name="Search notes")).to_be_focused()
    # What is chosen in the text is what is looked for; in the trash too.
    world.server.call("DELETE", f"/notes/{note}")
    screen.goes_to("trash", note)
    screen.chooses("More for this note", "Find in this note")
    expect(screen.page.get_by_role("textbox", name="Find in this note")).to_be_focused()
    screen.presses("Control+a")
    screen.types("more")
    expect(count).to_have_text("1 of 1")
    screen.presses("Escape")
    wait_until(lambda: screen.page.evaluate("document.activeElement.className") == "pane", meanwhile=screen.page)


def test_names_behind_tag_and_folder_had_to_be_known_by_heart(world: World):
    folder = world.server.make_folder("Slow places")
    world.server.make_note("To Aosta", "By night.", folder=folder, keywords=["voyage/alps"])
    world.server.make_note("To Bergen", "By sea.", folder=folder, keywords=["voyage/north"])
    world.server.make_note("To Chur", "By night.", keywords=["voyage/alps"])
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        screen = world.person(device, color_scheme=scheme).opens("all")
        field = screen.page.get_by_role("combobox", name="Search notes")
        names = screen.page.get_by_role("listbox", name="Search suggestions").get_by_role("option")
        field.click()
        screen.types("night tag:voy")
        expect(names).to_have_text(["tag:voyage/alps", "tag:voyage/north"])
        screen.is_accessible(f"search names, {scheme}")
        screen.looks(f"search-names-{scheme}")
        screen.presses("ArrowDown", "Enter")
        expect(field).to_have_value("night tag:voyage/alps ")
        expect(field).to_be_focused()
        wait_until(lambda: sorted(screen.titles()) == ["To Aosta", "To Chur"], screen.titles, meanwhile=screen.page)
        screen.types("folder:slów")
        names.first.tap() if device is PHONE else names.first.click()
        expect(field).to_have_value('night tag:voyage/alps folder:"Slow places" ')
        screen.shows("To Aosta")
        screen.types("-is:arch")
        expect(names).to_have_text(["-is:archived"])
        # Enter asks for what is typed where nothing is chosen.
        screen.presses("Enter")
        expect(names.first).to_be_hidden()
        field.fill("#voyage/n")
        expect(names).to_have_text(["#voyage/north"])
        field.fill("tag:voyage/north")
        expect(names).to_have_count(0)


def test_a_search_offline_showed_the_remarks_of_the_writer(world: World):
    for title, blocks in {"Humming": ("It hums. %%Ask Anna.%% And on.", "%%for me", "for me alone%%", "End."), "Counting": ("Of 100 %% and `%%d`.",)}.items():
        note = world.server.make_note(title, *blocks)
        person = world.person()
        screen = person.opens("all", note)
        screen.expects(*LOST)
        offline_ready(screen)
        screen.reloads()
        expect(screen.title).to_have_value(title)
        person.goes_offline()
        screen.presses("Control+Shift+f")
        screen.types(title)
        screen.presses("Enter")
        expect(screen.row(title).locator(".row-excerpt")).to_have_text("It hums. And on. End." if title == "Humming" else "Of 100 %% and `%%d`.")


def test_a_name_behind_is_that_there_is_not_found_nothing_and_nobody_said_why(world: World):
    for device in (DESK, PHONE):
        screen = world.person(device).opens("all")
        screen.page.get_by_role("combobox", name="Search notes").click()
        screen.types("is:nonsense")
        screen.presses("Enter")
        expect(screen.page.locator(".list .empty")).to_contain_text("Behind “is:” there can be favourite, pinned, template, task")
        screen.is_accessible("advice")
        screen.button("Clear the search", screen.page.locator(".list .empty")).click()
        expect(screen.page.locator(".list .empty")).to_have_count(0)


def test_a_search_that_is_too_long_was_told_as_a_server_that_is_gone(world: World):
    screen = world.person().opens("all")
    field = screen.page.get_by_role("combobox", name="Search notes")
    for text in ("漢" * 400, "word " * 20_000):
        field.fill(text)
        expect(screen.page.locator(".list .empty")).to_contain_text("This search is too long.Some of its words are enough")
        expect(screen.page.locator(".found")).to_have_text("This search is too long.")
        field.fill("漢" * 300)
        expect(screen.page.locator(".list .empty")).to_contain_text("No notes found")
    screen.presses("Escape")


def test_enter_and_the_first_arrow_in_the_search_led_nowhere(world: World):
    folder = world.server.make_folder("Led to by keys")
    for title in ("Kestrel", "Merlin", "Hobby"):
        world.server.make_note(title, "A small falcon.", folder=folder)
    screen = world.person().opens(f"folder:{folder}")
    field = screen.page.get_by_role("combobox", name="Search notes")
    field.click()
    # Faster than the list: what is typed is meant.
    screen.types("falcon")
    screen.presses("Enter")
    first = screen.page.locator(".all-rows .row[aria-selected=true] .row-name")
    expect(screen.title).not_to_have_value("")
    expect(first).to_have_text(screen.titles()[0])
    expect(field).to_be_focused()
    field.fill("merlin")
    screen.presses("ArrowDown")
    expect(screen.title).to_have_value("Merlin")
    expect(screen.page.locator(".rows")).to_be_focused()
    # On a phone the note would cover what is found.
    screen = world.person(PHONE).opens(f"folder:{folder}")
    field = screen.page.get_by_role("combobox", name="Search notes")
    field.tap()
    screen.types("falcon")
    screen.presses("Enter")
    expect(screen.page.locator(".found")).to_have_text("3 notes")
    screen.page.wait_for_timeout(200)
    expect(screen.rows).to_have_count(3)
    expect(screen.row("Hobby")).to_be_visible()


def test_an_address_that_names_no_note_left_a_page_that_did_nothing(world: World):
    note = world.server.make_note("Still to be found", "one")
    screen = world.person().begins("all", "%E0")
    screen.expects("status of 404")
    nothing = screen.page.locator(".page-empty")
    expect(nothing).to_contain_text("not there any more")
    screen.goes_to("all", note)
    screen.page.goto(path_of("all", "%2e%2e%2foverview"))
    expect(nothing).to_contain_text("not there any more")
    screen.goes_to("all", note)
    expect(screen.title).to_have_value("Still to be found")


def test_an_address_that_names_no_place_was_told_in_words_of_the_server(world: World):
    world.server.make_note("Still in a list", "one")
    for device in (DESK, PHONE):
        screen = world.person(device).begins("settings")
        screen.expects("status of 400")
        nothing = screen.page.locator(".list .empty")
        expect(nothing).to_contain_text("There is no such place")
        screen.looks(f"no-such-place-{'phone' if device is PHONE else 'desk'}")
        screen.is_accessible("no such place")
        screen.button("All notes", nothing).click()
        expect(screen.row("Still in a list")).to_be_visible()


def test_without_an_overview_neither_the_palette_nor_the_folders_opened(world: World):
    note = world.server.make_note("Without an overview", "one")
    person = world.person(service_workers="block")
    for path in ("/api/overview", "/api/suggest"):
        person.context.route(lambda url, path=path: path in url, lambda route: route.fulfill(status=500, json={"error": "This cannot be read."}))
    screen = person.opens("all", note, rows=False)
    screen.expects("registration blocked", "status of 500")
    screen.presses("Control+k")
    screen.types("export every")
    expect(screen.page.get_by_role("option", name="Export everything", exact=True)).to_be_visible()
    screen.presses("Escape")
    expect(screen.dialog).to_have_count(0)
    screen.chooses("More for this note", "Move to…")
    expect(screen.button("Unfiled", screen.dialog)).to_be_visible()
