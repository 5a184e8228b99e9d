"""A text that carries a whole essay: pictures and files in it, tables, links that are typed; undo that is trusted."""

from playwright.sync_api import expect

from server import footnote, link, mark, paragraph, table
from test_writing import png
from world import DESK, PHONE, World, wait_until


def blocks(world: World, note: str) -> list[str]:
    return [block["type"] for block in world.server.note(note)["document"]["content"]]


def chosen(screen, button: str, *files) -> None:
    with screen.page.expect_file_chooser() as chooser:
        screen.page.get_by_role("toolbar", name="Text style").get_by_role("button", name=button, exact=True).click()
    chooser.value.set_files(list(files))


def test_pictures_and_files_stand_in_the_text(world: World):
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        screen = world.person(device, color_scheme=scheme).opens("unfiled", rows=device is DESK)
        note = world.server.make_note(f"An essay, {scheme}", "Before", "After")
        screen.goes_to("all", note)
        screen.text.locator("p").first.click()
        sky = {"name": "sky.png", "mimeType": "image/png", "buffer": png(640, 400, (120, 160, 200))}
        sea = {"name": "sea.png", "mimeType": "image/png", "buffer": png(320, 200, (60, 120, 130))}
        chosen(screen, "Picture", sky, sea)
        figures = screen.text.locator("figure.text-picture")
        expect(figures).to_have_count(2)
        wait_until(lambda: figures.first.locator("img").evaluate("image => image.naturalWidth") == 640)
        figures.first.get_by_label("Caption").fill("The sky in November")
        figures.first.hover()
        figures.first.get_by_role("button", name="Small", exact=True).click()
        wait_until(lambda: figures.first.evaluate("figure => figure.offsetWidth") <= 240)
        screen.text.locator(":scope > p").last.click()
        chosen(screen, "File", {"name": "Letter.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 a letter"})
        expect(screen.text.locator(".text-file")).to_contain_text("Letter.pdf")
        screen.is_saved()
        assert blocks(world, note) == ["paragraph", "picture", "picture", "paragraph", "file", "paragraph"], blocks(world, note)
        assert world.server.note(note)["document"]["content"][1]["attrs"]["caption"] == "The sky in November"
        screen.is_accessible(f"an essay, {scheme}")
        look(screen, f"essay-{scheme}")
        with screen.page.expect_download() as download:
            screen.text.get_by_role("link", name="Letter.pdf").click()
        assert open(download.value.path(), "rb").read() == b"%PDF-1.7 a letter"
        # It is all there again, and a picture that is taken out comes back.
        screen.reloads()
        expect(figures.first.get_by_label("Caption")).to_have_value("The sky in November")
        figures.first.hover()
        figures.first.get_by_role("button", name="Remove the picture from the text").click()
        expect(figures).to_have_count(1)
        screen.text.locator(":scope > p").first.click()
        screen.presses("Control+z")
        expect(figures).to_have_count(2)
        screen.is_saved()


def look(screen, name: str) -> None:
    """A picture of it, for who changes how it looks."""
    from world import FAILURES
    FAILURES.mkdir(parents=True, exist_ok=True)
    screen.page.screenshot(path=FAILURES.parent / f"{name}.png", animations="disabled")


def test_a_table_is_written_with_keys_and_with_fingers(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Fruit")
    screen.presses("Enter")
    screen.types("Kilos:")
    screen.page.get_by_role("toolbar", name="Text style").get_by_role("button", name="Table").click()
    screen.types("Fruit")
    screen.presses("Tab")
    screen.types("Kilos")
    screen.presses("Tab")
    screen.types("Note")
    screen.presses("Tab")
    screen.types("Apples")
    screen.presses("Tab")
    screen.types("3")
    screen.presses("Enter")
    screen.types("14, which go with their row")
    bar = screen.page.get_by_role("toolbar", name="Table")
    bar.get_by_role("button", name="Next side of the column").click()
    bar.get_by_role("button", name="Next side of the column").click()
    bar.get_by_role("button", name="Row below").click()
    expect(screen.text.locator("tr")).to_have_count(4)
    bar.get_by_role("button", name="Delete the row").click()
    screen.is_accessible("a table")
    look(screen, "table-light")
    screen.presses("Enter")
    screen.is_saved()
    content = world.server.note(note)["document"]["content"][1]
    assert content["type"] == "table"
    assert [[cell["content"][0].get("content", [{"text": ""}])[0]["text"] for cell in row["content"]] for row in content["content"]] == [
        ["Fruit", "Kilos", "Note"], ["Apples", "3", ""], ["", "", ""]]
    assert content["content"][0]["content"][1]["attrs"] == {"align": "right"}
    phone = world.person(PHONE, color_scheme="dark").opens("unfiled", note, rows=False)
    phone.text.locator("td").first.tap()
    bar = phone.page.get_by_role("toolbar", name="Table")
    bar.get_by_role("button", name="Column behind").tap()
    expect(phone.text.locator("tr").first.locator("th")).to_have_count(4)
    look(phone, "table-dark-phone")
    phone.text.locator("tr").first.locator("th").nth(1).tap()
    phone.types("Place")
    phone.is_accessible("a table on a phone")
    phone.is_saved()
    wait_until(lambda: len(world.server.note(note)["document"]["content"][1]["content"][0]["content"]) == 4)


def test_markdown_that_is_pasted_is_what_it_means(world: World):
    target = world.server.make_note("Slip boxes")
    screen = world.person().opens("unfiled")
    note = screen.new_note("Pasted Markdown", "Start ")
    markdown = "## A heading\n\n- one\n- two\n\n- [x] done\n\n```swift\nlet a = 1\n```\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nSee [[slip boxes]] and [the web](https://example.org), **bold**."
    pastes_text(screen, markdown)
    expect(screen.text.locator("h2")).to_have_text("A heading")
    expect(screen.text.locator("td")).to_have_text(["1", "2"])
    screen.is_saved()
    assert blocks(world, note)[:6] == ["paragraph", "heading", "bulletList", "taskList", "codeBlock", "blockquote"], blocks(world, note)
    assert [one["id"] for one in world.server.note(note)["links"]] == [target]
    # One step takes it back; text that is none stays as it is.
    screen.presses("Control+z")
    expect(screen.text).to_have_text("Start")
    pastes_text(screen, "2 * 3 = 6 # no heading")
    expect(screen.text).to_contain_text("2 * 3 = 6 # no heading")


def pastes_text(screen, text: str) -> None:
    screen.text.evaluate("""(field, text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        field.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
    }""", text)


def test_what_is_copied_is_clean_text_and_markdown(world: World):
    person = world.person(permissions=["clipboard-read", "clipboard-write"])
    target = world.server.make_note("Slots")
    note = world.server.make_note("Copied", paragraph("See ", link("Slots", target), "."), {"type": "bulletList", "content": [
        {"type": "listItem", "content": [paragraph("one")]}, {"type": "listItem", "content": [paragraph("two")]}]}, table(["a", "b"], ["1", "2"]))
    screen = person.opens("all", note)
    screen.text.click()
    screen.presses("Control+a", "Control+c")
    read = lambda: screen.page.evaluate("navigator.clipboard.readText()").replace("\r", "")
    wait_until(lambda: read().strip() == "See Slots.\n\n- one\n- two\n\na\tb\n1\t2", lambda: repr(read()), meanwhile=screen.page)
    screen.chooses("More for this note", "Copy as Markdown")
    screen.says("Copied as Markdown")
    assert read() == "See [[Slots]].\n\n- one\n- two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n", repr(read())


def test_a_link_that_is_typed_becomes_one(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Typed link", "Read [the manual](https://example.org/a) now")
    expect(screen.text.locator("a[href='https://example.org/a']")).to_have_text("the manual")
    expect(screen.text).to_have_text("Read the manual now")
    screen.is_saved()
    assert world.server.text(note) == "Read the manual now\n"


def test_pasting_and_undoing_in_the_title_corrupted_it(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("First")
    screen.title.evaluate("""(field) => {
        field.setSelectionRange(5, 5);
        const data = new DataTransfer();
        data.setData("text/plain", " of all\\nlines ");
        field.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
    }""")
    expect(screen.title).to_have_value("Firstof all lines")
    screen.types("!")
    screen.presses("Control+z")
    expect(screen.title).to_have_value("Firstof all lines")
    screen.presses("Control+z")
    expect(screen.title).to_have_value("First")
    screen.presses("Control+Shift+z")
    expect(screen.title).to_have_value("Firstof all lines")
    screen.is_saved()
    wait_until(lambda: world.server.note(note)["title"] == "Firstof all lines")


def test_no_text_was_saved_below_a_title_that_was_pasted_and_too_long(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("", "The text")
    for pasted, title in (("漢" * 900 + "\nand another line", "漢" * 666), ("a" * 1500, "a" * 1000)):
        screen.title.evaluate("""(field, text) => {
            field.setSelectionRange(0, field.value.length);
            const data = new DataTransfer();
            data.setData("text/plain", text);
            field.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
        }""", pasted)
        expect(screen.title).to_have_value(title)
        screen.says("too long for a title")
        wait_until(lambda: world.server.note(note)["title"] == title, meanwhile=screen.page)
        screen.is_saved()


def test_no_text_was_saved_below_a_title_that_was_typed_and_too_long(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("", "The text")
    screen.title.click()
    screen.page.keyboard.insert_text("漢" * 660 + "end")
    screen.page.wait_for_timeout(700)
    screen.title.evaluate("(field) => field.setSelectionRange(0, 0)")
    # What stood there stays; of what is typed before it, there is room for five.
    screen.page.keyboard.insert_text("字" * 9)
    expect(screen.title).to_have_value("字" * 5 + "漢" * 660 + "end")
    screen.says("no room for more")
    screen.page.wait_for_timeout(700)
    screen.types("!")
    wait_until(lambda: world.server.note(note)["title"] == "字" * 5 + "!" + "漢" * 660 + "end", meanwhile=screen.page)
    screen.is_saved()
    screen.presses("Control+z", "Control+z")
    expect(screen.title).to_have_value("漢" * 660 + "end")


def test_undo_was_gone_when_one_came_back_to_a_note(world: World):
    other = world.server.make_note("Elsewhere", "Other words")
    screen = world.person().opens("unfiled")
    note = screen.new_note("Trusted", "first")
    screen.page.wait_for_timeout(700)
    # In one go, however slow the machine is: letters that are half a second apart are undone one by one.
    screen.page.keyboard.insert_text(" second")
    screen.is_saved()
    screen.goes_to("all", other)
    expect(screen.text).to_have_text("Other words")
    # Somebody else writes meanwhile, in another place.
    world.server.rewrite(note, "first second", "of others")
    screen.goes_to("all", note)
    expect(screen.text).to_contain_text("of others")
    screen.text.click()
    screen.presses("Control+z")
    expect(screen.text.locator("p").first).to_have_text("first")
    expect(screen.text).to_contain_text("of others")
    screen.is_saved()
    wait_until(lambda: world.server.text(note) == "first\nof others\n", lambda: world.server.text(note))


def test_removing_a_link_removes_it_from_the_text(world: World):
    target = world.server.make_note("Removed target")
    note = world.server.make_note("With a link", paragraph("See ", link("that note", target), " now."))
    screen = world.person().opens("all", note)
    screen.button("Remove the link to Removed target").click()
    expect(screen.text.locator("a")).to_have_count(0)
    expect(screen.text).to_have_text("See that note now.")
    wait_until(lambda: world.server.note(note)["links"] == [])
    expect(screen.button("Remove the link to Removed target")).to_have_count(0)
    screen.undoes("removed from the text")
    expect(screen.text.locator("a")).to_have_text("that note")
    wait_until(lambda: len(world.server.note(note)["links"]) == 1)


def test_nobody_could_write_below_a_table_at_the_end(world: World):
    screen = world.person().opens()

    def begins(title: str) -> None:
        screen.new_note(title, "Before")
        screen.presses("Enter")
        screen.types("/table")
        expect(screen.page.get_by_role("listbox", name="Put in")).to_be_visible()
        screen.presses("Enter")
        expect(screen.text.locator("table")).to_have_count(1)

    def ends_with(words: str) -> None:
        expect(screen.text.locator(":scope > *").last).to_have_text(words)
        expect(screen.text.locator(":scope > p").first).to_have_text("Before")
        expect(screen.text.locator("table")).not_to_contain_text(words)
        screen.is_saved()

    begins("By its key")
    screen.presses("Control+End")
    screen.types("with Ctrl End")
    ends_with("with Ctrl End")
    begins("By arrows")
    screen.presses("ArrowDown", "ArrowDown", "ArrowDown")
    screen.types("with arrows")
    ends_with("with arrows")
    begins("By a click")
    # A cell has room for a line only: what is no line is not offered there.
    screen.types("one /")
    expect(screen.page.get_by_role("listbox", name="Put in").get_by_role("option", name="Today’s date")).to_be_visible()
    expect(screen.page.get_by_role("listbox", name="Put in").get_by_role("option", name="Callout")).to_have_count(0)
    screen.presses("Escape")
    box = screen.text.bounding_box()
    screen.page.mouse.click(box["x"] + 200, box["y"] + box["height"] - 4)
    screen.types("with a click")
    ends_with("with a click")


def test_three_dashes_in_a_cell_tore_the_table_apart(world: World):
    note = world.server.make_note("Dashes", table(["Fruit", "Where"], ["Pears", ""]), "below")
    screen = world.person().opens("all", note)
    screen.text.locator("td").last.click()
    screen.types("---")
    expect(screen.text.locator("td").last).to_have_text("---")
    # And the tool that puts a line in, too.
    screen.button("Line").click()
    screen.types(" none")
    expect(screen.text.locator("td").last).to_have_text("--- none")
    screen.is_saved()
    assert [block["type"] for block in world.server.note(note)["document"]["content"]] == ["table", "paragraph"]


def test_long_lines_of_code_were_cut_off_on_paper(world: World):
    code = {"type": "codeBlock", "content": [{"type": "text", "text": "a word and " * 40 + "\n" + "x" * 400}]}
    note = world.server.make_note("Printed", code, table(["Fruit", "Where"], ["Pears", "In the yard"]))
    screen = world.person().opens("all", note)
    fits = "block => block.scrollWidth <= block.clientWidth"
    assert not screen.text.locator("pre").evaluate(fits)
    screen.page.emulate_media(media="print")
    assert screen.text.locator("pre").evaluate(fits)
    assert screen.text.locator("table").evaluate("table => getComputedStyle(table.parentElement).overflowX") == "visible"


def test_the_arrow_out_of_code_led_into_a_footnote(world: World):
    code = {"type": "codeBlock", "content": [{"type": "text", "text": "one\ntwo"}]}
    note = world.server.make_note("Code above a footnote", paragraph("Words", mark("1")), code, footnote("1", "Said below."))
    screen = world.person().opens("all", note)
    screen.text.locator("pre").click()
    screen.presses("Control+Home", "ArrowDown", "End")
    # From the line above it leads to the next.
    screen.presses("ArrowDown", "End", "ArrowDown")
    screen.types("Below the code.")
    expect(screen.text.locator("pre")).to_have_text("one\ntwo")
    expect(screen.text.locator("> p").last).to_have_text("Below the code.")
    expect(screen.text.locator(".footnote-text")).to_have_text("Said below.")
    screen.is_saved()
    kinds = [block["type"] for block in world.server.note(note)["document"]["content"]]
    assert kinds == ["paragraph", "codeBlock", "paragraph", "footnote"], kinds


def test_a_wide_table_moved_the_whole_page_on_the_phone(world: World):
    cells = [[f"Column number {column}" for column in range(8)], ["x"] * 8]
    note = world.server.make_note("Wide", table(*cells), "After it.")
    screen = world.person(PHONE).opens("all", note, rows=False)
    frame = screen.text.locator(".tableWrapper")
    assert frame.evaluate("element => element.scrollWidth > element.clientWidth + 100")
    assert screen.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # There is room between a table and what follows, and for the bar while one writes in it.
    gap = "element => element.nextElementSibling.getBoundingClientRect().top - element.getBoundingClientRect().bottom"
    assert frame.evaluate(gap) >= 12
    screen.text.locator("td").first.tap()
    bar = screen.page.get_by_role("toolbar", name="Table", exact=True)
    expect(bar).to_be_visible()
    wait_until(lambda: bar.evaluate("bar => bar.getBoundingClientRect().bottom") <= screen.text.get_by_text("After it.").bounding_box()["y"])
    screen.looks("phone-wide-table")


def test_the_caret_was_behind_the_tools_and_the_choices_at_it(world: World):
    lines = [f"Line {number} of a long text." for number in range(60)]
    for device in (DESK, PHONE):
        note = world.server.make_note(f"Long to its end, {device['viewport']['width']}", *lines)
        screen = world.person(device).opens("all", note, rows=device is DESK)
        screen.text.click()
        screen.presses("Control+End")
        for word in ("One", "two", "three"):
            screen.presses("Enter")
            screen.types(word)
        assert_clear(screen)
        # Where there is no room below the caret, the choices stand above its line.
        screen.presses("Enter")
        screen.types("/")
        choices = screen.page.get_by_role("listbox", name="Put in")
        expect(choices).to_be_visible()
        wait_until(lambda: is_beside(caret(screen), choices.bounding_box()), lambda: f"{caret(screen)} {choices.bounding_box()}")
        screen.looks(f"choices-at-the-end-{device['viewport']['width']}")
        screen.presses("Escape", "Backspace")
        # Upwards, line by line.
        for _ in range(40):
            screen.presses("ArrowUp")
        assert_clear(screen)


def caret(screen) -> dict:
    return screen.page.evaluate("""() => {
        const range = getSelection().getRangeAt(0);
        const { top, bottom } = range.getClientRects()[0] ?? range.startContainer.getBoundingClientRect();
        return { top, bottom };
    }""")


def is_beside(line: dict, box: dict) -> bool:
    return line["bottom"] <= box["y"] or line["top"] >= box["y"] + box["height"]


def assert_clear(screen) -> None:
    """The browser scrolls a while after the caret has moved."""
    seen = []

    def is_clear() -> bool:
        seen[:] = caret(screen), screen.page.get_by_role("toolbar", name="Text style").bounding_box()
        return is_beside(*seen)

    wait_until(is_clear, lambda: f"The tools cover the caret: {seen}")
