"""Work on texts: blocks move, parts become notes, notes are split and merged, and quotes are those of the language."""

import zipfile
from pathlib import Path

from playwright.sync_api import expect

from server import bullets, callout, footnote, heading, link, mark, paragraph, picture, quote, table, tasks
from test_writing import png
from world import DESK, PHONE, World, wait_until


def blocks_of(screen) -> list[str]:
    return screen.text.evaluate("text => [...text.children].map(block => block.innerText.trim().replace(/\\s*\\n\\s*/g, '|'))")


def shows(screen, *blocks: str) -> None:
    wait_until(lambda: blocks_of(screen) == list(blocks), lambda: f"The text is {blocks_of(screen)}, not {list(blocks)}")


def puts_caret(screen, words: str, end: str | None = None) -> None:
    """Before some words, or selects from there to behind others."""
    screen.page.evaluate("""async ([words, end]) => {
        const { front } = await import("/parts/panes.js");
        const { editor } = front();
        const placeOf = (wanted, isBehind) => {
            let place = null;
            editor.state.doc.descendants((node, at) => {
                const found = node.isText ? node.text.indexOf(wanted) : -1;
                if (place === null && found >= 0) place = at + found + (isBehind ? wanted.length : 0);
            });
            return place;
        };
        editor.commands.setTextSelection(end === null ? placeOf(words) : { from: placeOf(words), to: placeOf(end, true) });
        editor.view.focus();
    }""", [words, end])


def test_blocks_move_with_keys(world: World):
    note = world.server.make_note("Moves", "one", heading(2, "two"), bullets("a", "b", "c"), quote("said"))
    screen = world.person().opens("all", note)
    puts_caret(screen, "two")
    screen.presses("Alt+Shift+ArrowUp")
    shows(screen, "two", "one", "a|b|c", "said")
    # The caret went along, and above the first is nothing.
    screen.presses("Alt+Shift+ArrowUp")
    screen.types("2 ")
    shows(screen, "2 two", "one", "a|b|c", "said")
    screen.presses("Control+z")
    shows(screen, "two", "one", "a|b|c", "said")
    screen.presses("Control+z")
    shows(screen, "one", "two", "a|b|c", "said")
    screen.presses("Control+Shift+z", "Alt+Shift+ArrowDown", "Alt+Shift+ArrowDown")
    shows(screen, "one", "a|b|c", "two", "said")
    # An item stays in its list.
    puts_caret(screen, "a")
    screen.presses(*["Alt+Shift+ArrowDown"] * 3)
    shows(screen, "one", "b|c|a", "two", "said")
    # Two that are selected go together; the only paragraph of a quote is the quote.
    puts_caret(screen, "b", "c")
    screen.presses("Alt+Shift+ArrowDown")
    shows(screen, "one", "a|b|c", "two", "said")
    puts_caret(screen, "said")
    screen.presses("Alt+Shift+ArrowUp")
    shows(screen, "one", "a|b|c", "said", "two")
    puts_caret(screen, "one", "a")
    screen.presses("Alt+Shift+ArrowDown")
    shows(screen, "said", "one", "a|b|c", "two")
    # Who selects a whole line has the caret before the next one, which stays.
    screen.page.evaluate("""import("/parts/panes.js").then(({ front }) => {
        const { editor } = front();
        const [, one] = editor.state.doc.children;
        const start = editor.state.doc.firstChild.nodeSize + 1;
        editor.commands.setTextSelection({ from: start, to: start + one.nodeSize + 2 });
    })""")
    screen.presses("Alt+Shift+ArrowUp")
    shows(screen, "one", "said", "a|b|c", "two")
    screen.presses("Control+z")
    shows(screen, "said", "one", "a|b|c", "two")
    screen.is_saved()
    kinds = [block["type"] for block in world.server.note(note)["document"]["content"]]
    assert kinds == ["blockquote", "paragraph", "bulletList", "heading"], kinds


def test_what_has_its_place_stays_there_as_blocks_move(world: World):
    file = world.server.keep_file(note := world.server.make_note("Places", ""), "hive.png", png(24, 16, (20, 90, 200)))["id"]
    world.server.rewrite(note, paragraph("first", mark("1")), callout("tip", "Head", "inner", "second"), picture(file), table(["A"], ["b"]),
                         paragraph("last", mark("2")), footnote("1", "One."), footnote("2", "Two."))
    screen = world.person().opens("all", note)
    order = lambda: [block["type"] for block in world.server.note(note)["document"]["content"]]

    def moves(words: str, key: str, *wanted: str) -> None:
        puts_caret(screen, words)
        screen.presses(key)
        screen.is_saved()
        wait_until(lambda: order() == [*wanted, "footnote", "footnote"], order)

    # Not below the footnotes.
    moves("last", "Alt+Shift+ArrowDown", "paragraph", "callout", "picture", "table", "paragraph")
    # In a cell it is the table that moves, and the title of a callout is the callout.
    moves("b", "Alt+Shift+ArrowUp", "paragraph", "callout", "table", "picture", "paragraph")
    moves("Head", "Alt+Shift+ArrowDown", "paragraph", "table", "callout", "picture", "paragraph")
    puts_caret(screen, "second")
    screen.presses("Alt+Shift+ArrowUp", "Alt+Shift+ArrowUp")
    expect(screen.text.locator(".callout p")).to_have_text(["Head", "second", "inner"])
    # A picture that is chosen.
    screen.page.evaluate("""import("/parts/panes.js").then(({ front }) => {
        const { editor } = front();
        let place;
        editor.state.doc.forEach((node, at) => { if (node.type.name === "picture") place = at; });
        editor.commands.setNodeSelection(place);
        editor.view.focus();
    })""")
    screen.presses("Alt+Shift+ArrowUp", "Alt+Shift+ArrowUp")
    screen.is_saved()
    wait_until(lambda: order()[:4] == ["paragraph", "picture", "table", "callout"], order)
    # A footnote follows the order of the marks.
    puts_caret(screen, "first")
    screen.presses(*["Alt+Shift+ArrowDown"] * 4)
    screen.is_saved()
    wait_until(lambda: [block["attrs"]["label"] for block in world.server.note(note)["document"]["content"][-2:]] == ["2", "1"])
    screen.presses("Control+z")
    screen.is_saved()
    wait_until(lambda: [block["attrs"]["label"] for block in world.server.note(note)["document"]["content"][-2:]] == ["1", "2"])


def test_the_palette_moves_a_block_on_a_phone(world: World):
    note = world.server.make_note("Moved by a finger", "one", "two")
    screen = world.person(PHONE).opens("all", note, rows=False)
    puts_caret(screen, "one")
    screen.presses("Control+k")
    screen.types("move the block down")
    screen.presses("Enter")
    shows(screen, "two", "one")
    expect(screen.text).to_be_focused()


def linked_note(world: World, note: str, title: str):
    """The note to which the link with that title in the text leads."""
    wait_until(lambda: any(one["title"] == title for one in world.server.note(note)["links"]))
    return world.server.note(next(one["id"] for one in world.server.note(note)["links"] if one["title"] == title))


def extracts(screen) -> None:
    screen.chooses("More for this note", "Extract to a new note")


def test_a_part_of_the_text_becomes_a_note(world: World):
    folder = world.server.make_folder("Extracts")
    note = world.server.make_note("Long", "before", folder=folder)
    file = world.server.keep_file(note, "hive.png", png(24, 16, (20, 90, 200)))["id"]
    world.server.rewrite(note, "before", heading(2, "Bees"), paragraph("They build.", mark("1")), picture(file), heading(3, "Wax"), "soft", heading(2, "After"),
                         paragraph("rest", mark("2")), bullets("a", "b"), footnote("1", "Often."), footnote("2", "Kept."))
    screen = world.person().opens("all", note)
    puts_caret(screen, "Bees")
    extracts(screen)
    screen.says("Note “Bees” made")
    shows(screen, "before", "Bees", "After", "rest1", "a|b", "1.|Kept.")
    screen.is_saved()
    made = linked_note(world, note, "Bees")
    assert made["folder"]["id"] == folder
    assert [block["type"] for block in made["document"]["content"]] == ["paragraph", "picture", "heading", "paragraph", "footnote"]
    assert "Often." in world.server.text(made["id"])
    # The picture is the new note's as well.
    assert [one["id"] for one in made["files"]] == [file], made["files"]
    # The text comes back in one step.
    screen.text.focus()
    screen.presses("Control+z")
    shows(screen, "before", "Bees", "They build.1", *blocks_of(screen)[3:])
    expect(screen.text).to_contain_text("Often.")
    screen.presses("Control+Shift+z")
    # Words of a line, and an item of a list.
    puts_caret(screen, "fore", "fore")
    extracts(screen)
    screen.says("Note “fore” made")
    screen.page.evaluate("""import("/parts/panes.js").then(({ front }) => {
        const { editor } = front();
        editor.state.doc.descendants((node, at) => { if (node.isText && node.text === "b") editor.commands.setTextSelection(at); });
    })""")
    extracts(screen)
    screen.says("Note “b” made")
    shows(screen, "before", "Bees", "After", "rest1", "a|b", "1.|Kept.")
    screen.is_saved()
    assert world.server.text(linked_note(world, note, "fore")["id"]) == "fore\n"
    item = linked_note(world, note, "b")["document"]["content"]
    assert [block["type"] for block in item] == ["bulletList"], item
    screen.button("Open", screen.says("Note “b” made")).click()
    expect(screen.title).to_have_value("b")


def test_several_blocks_become_a_note_on_a_phone(world: World):
    note = world.server.make_note("Long on a phone", "first words of it", quote("said"), "last")
    screen = world.person(PHONE, color_scheme="dark").opens("all", note, rows=False)
    puts_caret(screen, "words", "said")
    extracts(screen)
    screen.says("Note “first words of it” made")
    shows(screen, "first words of it", "last")
    screen.is_saved()
    made = linked_note(world, note, "first words of it")
    assert [block["type"] for block in made["document"]["content"]] == ["paragraph", "blockquote"]


def test_nothing_is_lost_where_a_part_cannot_become_a_note(world: World):
    note = world.server.make_note("Stays whole", heading(2, "Part"), "its words")
    person = world.person(service_workers="block")
    screen = person.opens("all", note)
    screen.expects("registration blocked", "status of 400", "ERR_INTERNET_DISCONNECTED")
    puts_caret(screen, "Part")
    # Refused: it is said, and the text stays.
    refuse = lambda route: route.fulfill(status=400, json={"error": "The disk is full."}) if route.request.method == "POST" else route.continue_()
    screen.page.route("**/api/notes", refuse)
    extracts(screen)
    screen.says("The disk is full.")
    shows(screen, "Part", "its words")
    screen.page.unroute("**/api/notes", refuse)
    # Changed while the server was busy: the note is there, and the words are, too.
    held = screen.holds_first("POST", "/api/notes")
    extracts(screen)
    wait_until(lambda: held, meanwhile=screen.page)
    puts_caret(screen, "words")
    screen.types("new ")
    held[0].continue_()
    screen.says("has changed meanwhile")
    shows(screen, "Part", "its new words")
    # Nobody answers: both wait, and go out in their order.
    screen.is_saved()
    person.goes_offline()
    puts_caret(screen, "Part")
    extracts(screen)
    shows(screen, "Part")
    expect(screen.text.locator("a")).to_have_text("Part")
    expect(screen.saving).to_contain_text("Offline")
    person.goes_offline(False)
    screen.is_saved()
    made = linked_note(world, note, "Part")
    assert world.server.text(made["id"]) == "its new words\n"


def test_a_note_is_split_at_its_headings(world: World):
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        note = world.server.make_note(f"Book {scheme}", "before", heading(2, "One"), "first", heading(3, "Inner"), heading(2, "Two"), "second")
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        puts_caret(screen, "second")
        # What is typed this very moment goes along.
        screen.types("the ")
        screen.chooses("More for this note", "Split at headings…")
        screen.is_accessible(f"levels of headings, {scheme}")
        screen.looks(f"split-{scheme}")
        screen.dialog.get_by_role("button", name="Headings: 2 notes").click()
        screen.says(f"2 notes made of “Book {scheme}”")
        shows(screen, "before", "One|Two")
        two = linked_note(world, note, "Two")
        assert world.server.text(two["id"]) == "the second\n"
        screen.undoes("2 notes made")
        shows(screen, "before", "One", "first", "Inner", "Two", "the second")
        assert world.server.note(note)["links"] == []


def test_notes_are_merged_into_one(world: World):
    folder = world.server.make_folder("To merge")
    notes = [world.server.make_note(title, f"text of {title}", folder=folder) for title in ("Alpha", "Beta", "Gamma")]
    other = world.server.make_note("Points there", paragraph("See ", link("Gamma", notes[2])))
    screen = world.person().opens(f"folder:{folder}")
    screen.row("Alpha").click()
    screen.page.locator(".rows").focus()
    screen.presses("Control+a")
    expect(screen.page.get_by_role("group", name="Chosen notes")).to_contain_text("3 notes chosen")
    screen.chooses(screen.page.get_by_role("group", name="Chosen notes").get_by_role("button", name="More for the chosen notes"), "Merge into one note…")
    screen.is_accessible("merging notes")
    screen.looks("merge")
    screen.button("Beta", screen.dialog).click()
    screen.says("3 notes merged into “Beta”")
    screen.shows("Beta")
    text = world.server.text(notes[1])
    assert text.startswith("text of Beta\n") and "Gamma\ntext of Gamma\n" in text and "Alpha\ntext of Alpha\n" in text, text
    assert [one["title"] for one in world.server.note(other)["links"]] == ["Beta"]
    screen.undoes("3 notes merged")
    wait_until(lambda: len(screen.titles()) == 3)
    assert world.server.text(notes[1]) == "text of Beta\n"
    assert [one["title"] for one in world.server.note(other)["links"]] == ["Gamma"]


def test_quotation_marks_are_those_of_the_language(world: World):
    note = world.server.make_note("Quotes", "")
    screen = world.person().opens("all", note)
    screen.text.click()
    # Nobody has asked for it.
    screen.types("\"so\" it's")
    shows(screen, "\"so\" it's")
    screen.presses("Control+k")
    screen.types("appearance")
    screen.presses("Enter")
    screen.button("Of the language", screen.dialog).click()
    screen.is_accessible("appearance with quotes")
    screen.looks("quotes-setting")
    screen.button("Done", screen.dialog).click()

    def written() -> str:
        # What is drawn of a formula is no text.
        return screen.page.evaluate("import('/parts/panes.js').then(({ front }) => front().field.text())")

    def writes(typed: str, wanted: str, language: str | None = None) -> None:
        if language:
            world.server.call("PATCH", f"/notes/{note}", {"properties": [{"name": "lang", "kind": "text", "value": language}]})
            expect(screen.page.locator(f".text[lang='{language}']")).to_have_count(1)
        screen.text.click()
        screen.presses("Control+a")
        screen.types(typed)
        wait_until(lambda: written() == wanted, lambda: repr(written()))

    writes("\"So,\" she said (\"it's 'fine'\").", "“So,” she said (“it’s ‘fine’”).")
    writes("\"Geht's 'gut'?\"", "„Geht’s ‚gut‘?“", "de")
    expect(screen.page.get_by_role("textbox", name="Title", exact=True)).to_have_attribute("lang", "de")
    writes("\"Grüezi\"", "«Grüezi»", "de-CH")
    writes("\"L'eau\"", "«\u202fL’eau\u202f»", "fr")
    writes("\"Hej\"", "”Hej”", "sv")
    # One undo brings back the one that was typed.
    screen.presses("Control+z")
    wait_until(lambda: written() == "”Hej\"", lambda: repr(written()))
    # Not in code, nor in a formula.
    writes("`\"a\"` and $f'(x)$ and \"b\"", "\"a\" and $f'(x)$ and ”b”")
    screen.presses("Control+a")
    screen.types("```\nlet a = \"b\"")
    expect(screen.text.locator("pre")).to_contain_text("let a = \"b\"")
    screen.is_saved()


def test_a_note_leaves_for_word(world: World):
    is_installed = any(Path(place, "pandoc").exists() for place in ("/usr/bin", "/usr/local/bin"))
    note = world.server.make_note("For Word", "some words")
    screen = world.person().opens("all", note)
    screen.button("More for this note").click()
    if not is_installed:
        expect(screen.menu_item("Export as HTML")).to_be_visible()
        expect(screen.menu_item("Export as DOCX")).to_have_count(0)
        return
    with screen.page.expect_download() as download:
        screen.menu_item("Export as DOCX").click()
    assert download.value.suggested_filename == "For Word.docx"
    with zipfile.ZipFile(download.value.path()) as document:
        assert b"some words" in document.read("word/document.xml")
