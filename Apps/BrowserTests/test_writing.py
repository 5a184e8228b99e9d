"""A writer at a desk: notes, their text, links, keywords, pictures, history."""

import re
import zipfile
import struct
import zlib

from playwright.sync_api import Locator, expect

from server import bullets, callout, link, paragraph, quote, table, tasks
from world import World, wait_until


def test_a_note_is_written_saves_itself_and_is_there_after_a_reload(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Morning pages", "Three pages, by hand, before anything else.")
    expect(screen.row("Morning pages")).to_contain_text("Three pages, by hand")
    expect(screen.page.locator(".facts")).to_contain_text("7 words")
    screen.button("Review").click()
    screen.button("Favourite").click()
    expect(screen.row("Morning pages").locator(".status")).to_have_text("Review")
    expect(screen.row("Morning pages").locator(".row-star")).to_be_visible()
    screen.reloads()
    expect(screen.title).to_have_value("Morning pages")
    expect(screen.text).to_have_text("Three pages, by hand, before anything else.")
    expect(screen.button("Review")).to_have_attribute("aria-pressed", "true")
    kept = world.server.note(note)
    assert (kept["title"], kept["status"], kept["favourite"]) == ("Morning pages", "review", True)


def test_markdown_becomes_form_while_one_types(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Forms", "## A heading")
    screen.presses("Enter")
    screen.types("- one")
    screen.presses("Enter")
    screen.types("two")
    screen.presses("Enter", "Enter")
    screen.types("[ ] to do")
    screen.presses("Enter", "Enter")
    screen.types("> said")
    screen.presses("Enter", "Enter")
    screen.types("**bold** and _slanted_ and ==marked== and `code` and ~~gone~~ at https://example.org/a now")
    screen.presses("Enter")
    screen.types("``` ")
    screen.types("let x = 1")
    text = screen.text
    for selector, content in {"h2": "A heading", "ul:not(.tasks) li >> nth=1": "two", "ul.tasks li": "to do", "blockquote": "said", "strong": "bold",
                              "em": "slanted", "mark": "marked", "p code": "code", "s": "gone", "a": "https://example.org/a", "pre": "let x = 1"}.items():
        expect(text.locator(selector).first).to_have_text(content)
    text.locator("ul.tasks input").check()
    screen.is_saved()
    kinds = [block["type"] for block in world.server.note(note)["document"]["content"]]
    assert kinds == ["heading", "bulletList", "taskList", "blockquote", "paragraph", "codeBlock"], kinds
    assert world.server.note(note)["document"]["content"][2]["content"][0]["attrs"] == {"checked": True}


def test_what_looks_like_a_table_or_a_deep_heading_stayed_text_while_one_typed(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("More forms", "#### Deep")
    screen.presses("Enter")
    screen.types("A ***both*** and ___too___ so")
    screen.presses("Enter")
    screen.types("| Tree | **Years** | a ")
    screen.presses("Enter")
    screen.types("|---|")
    expect(screen.text.locator("table")).to_have_count(0)
    screen.types("--:|:-:")
    expect(screen.text.locator("table")).to_have_count(0)
    screen.presses("Enter")
    screen.types("Oak")
    screen.presses("Tab")
    screen.types("300")
    expect(screen.text.locator("h4")).to_have_text("Deep")
    expect(screen.text.locator("strong em, em strong")).to_have_text(["both", "too"])
    expect(screen.text.locator("th")).to_have_text(["Tree", "Years", "a"])
    expect(screen.text.locator("th strong")).to_have_text("Years")
    expect(screen.text.locator("td")).to_have_text(["Oak", "300", ""])
    expect(screen.text.locator("p", has_text="and")).to_have_text("A both and too so")
    screen.is_saved()
    blocks = world.server.note(note)["document"]["content"]
    assert [block["type"] for block in blocks][:3] == ["heading", "paragraph", "table"], blocks
    cells = blocks[2]["content"][1]["content"]
    assert [cell.get("attrs") for cell in cells] == [None, {"align": "right"}, {"align": "center"}], cells
    # A bar at the end is enough; who did not mean a table takes it back.
    screen.new_note("Bars", "| a | b |")
    screen.presses("Enter")
    screen.types("|---|---|")
    expect(screen.text.locator("th")).to_have_text(["a", "b"])
    screen.presses("Backspace")
    expect(screen.text.locator("table")).to_have_count(0)
    expect(screen.text.locator("p")).to_have_text(["| a | b |", "|---|---|"])


def test_words_in_parentheses_or_quotation_marks_stayed_plain_while_one_typed(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Emphasis")
    screen.presses("Enter")
    screen.types("As there (*Moby-Dick*, “**loud**”) \u2014_softly_, the '*' sign and '*'.")
    expect(screen.text.locator("em")).to_have_text(["Moby-Dick", "softly"])
    expect(screen.text.locator("strong")).to_have_text(["loud"])
    screen.is_saved()
    assert world.server.text(note).strip() == "As there (Moby-Dick, “loud”) \u2014softly, the '*' sign and '*'."


def test_a_number_and_a_full_stop_stayed_text(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Numbers", "1. first")
    screen.presses("Enter")
    screen.types("second")
    screen.presses("Enter", "Enter")
    screen.types("7) seventh")
    screen.presses("Enter", "Enter")
    screen.types("8. eighth")
    screen.presses("Enter", "Enter")
    screen.types("1986. A year")
    screen.presses("Enter")
    screen.types("by the button")
    screen.button("Numbered list").click()
    # An attribute without a value is none, and our policy blocks styles.
    assert screen.text.locator("ol").evaluate_all("lists => lists.map(list => list.cloneNode().outerHTML.replace(' dir=\"auto\"', ''))") == [
        "<ol></ol>", '<ol start="7"></ol>', "<ol></ol>"]
    assert screen.text.locator("li").all_text_contents() == ["first", "second", "seventh", "eighth", "by the button"]
    screen.is_saved()
    blocks = world.server.note(note)["document"]["content"]
    assert [(block["type"], block.get("attrs")) for block in blocks] == [
        ("orderedList", {"start": 1}), ("orderedList", {"start": 7}), ("paragraph", None), ("orderedList", {"start": 1})], blocks
    # Whoever did not mean a list takes it back.
    screen.new_note("No list", "2. ")
    expect(screen.text.locator("ol")).to_have_count(1)
    screen.presses("Backspace")
    expect(screen.text.locator("ol")).to_have_count(0)
    expect(screen.text).to_have_text("2. ")


def test_tab_threw_the_writer_out_of_the_text(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Tabs", "plain")
    screen.presses("Tab", "Shift+Tab")
    screen.types(" words")
    screen.presses("Enter")
    screen.types("- one")
    # The first item has nothing to nest in.
    screen.presses("Tab", "Enter")
    screen.types("two")
    screen.presses("Tab", "Tab", "Enter", "Shift+Tab", "Shift+Tab")
    screen.types("```")
    screen.presses("Enter")
    screen.types("a")
    screen.presses("Enter", "Tab")
    screen.types("b")
    screen.presses("Enter", "Tab")
    screen.types("c")
    screen.presses("Shift+Tab", "Shift+Tab", "Enter")
    screen.types("d")
    expect(screen.text.locator("pre")).to_have_text("a\n  b\nc\nd")
    # Lines that are chosen go in and out together, and stay chosen.
    screen.presses("Home", "Shift+ArrowUp", "Shift+ArrowUp", "Tab", "Tab", "Shift+Tab")
    expect(screen.text.locator("pre")).to_have_text("a\n    b\n  c\nd")
    expect(screen.text).to_be_focused()
    expect(screen.text.locator("ul ul li")).to_have_text("two")
    expect(screen.dialog).to_have_count(0)
    screen.is_saved()
    kept = world.server.text(note)
    assert kept == "plain words\none\ntwo\na\n    b\n  c\nd\n", repr(kept)


def test_escape_and_tab_leave_the_text(world: World):
    screen = world.person().opens("unfiled")
    screen.new_note("A way out", "- one")
    expect(screen.text).to_have_accessible_description("Escape, then Tab leaves the text.")
    screen.presses("Escape", "Tab")
    expect(screen.text).not_to_be_focused()
    screen.text.click()
    screen.presses("Escape", "Shift+Tab")
    expect(screen.button("Title", screen.page.get_by_role("toolbar"))).to_be_focused()
    # A letter is enough to stay.
    screen.text.click()
    screen.presses("Escape", "x", "Tab")
    expect(screen.text).to_be_focused()
    screen.is_accessible("the text with a description")
    screen.presses("Escape", "Tab", "?")
    expect(screen.dialog).to_contain_text("Leave the text")


def test_a_fast_click_and_letters_replaced_the_whole_text(world: World):
    screen = world.person().opens("unfiled")
    for number in range(2):
        screen.new_note(f"Fast {number}", "alpha beta gamma")
        screen.presses("Control+a")
        screen.title.click()
        screen.page.wait_for_timeout(300)
        box = screen.text.locator("p").bounding_box()
        screen.page.mouse.click(box["x"] + 60, box["y"] + box["height"] / 2)
        screen.presses("Control+End")
        screen.types(" delta")
        expect(screen.text).to_have_text("alpha beta gamma delta")
        # Without a key between: the letter stands where the click was.
        screen.presses("Control+a")
        screen.title.click()
        screen.page.wait_for_timeout(300)
        screen.page.mouse.click(box["x"] + box["width"] - 10, box["y"] + box["height"] / 2)
        screen.types("!")
        expect(screen.text).to_have_text("alpha beta gamma delta!")
        screen.is_saved()


def test_a_slow_machine_put_the_caret_back_to_where_it_had_been(world: World):
    for goes in ("by a key", "by a click"):
        note = world.server.make_note(f"A slow machine, {goes}", "First words of the text", "Last")
        screen = world.person().opens("all", note)
        screen.text.click()
        screen.presses("Control+End")
        screen.title.click()
        # Between the press of a button and the focus lies what the machine is busy with.
        screen.page.evaluate("""addEventListener('mousedown', () => {
            const end = performance.now() + 400;
            while (performance.now() < end);
        })""")
        if goes == "by a key":
            screen.text.locator("p").first.click()
            screen.presses("Home")
        else:
            box = screen.text.locator("p").first.bounding_box()
            screen.page.mouse.click(box["x"] + 1, box["y"] + box["height"] / 2)
        screen.types("The ")
        expect(screen.text.locator("p")).to_have_text(["The First words of the text", "Last"])


def test_a_key_that_came_just_after_the_focus_lost_the_caret(world: World):
    for number in range(4):
        note = world.server.make_note(f"A key comes in between, {number}", "First", "In the middle", "Last")
        screen = world.person().opens("all", note)
        # As if a key that leads to the end came just before one of the moments at which the editor looks again.
        screen.page.evaluate("""(number) => {
            const later = setTimeout;
            let looks = 0;
            window.setTimeout = (work, after, ...rest) => later(() => {
                if (!(after > 20) && document.activeElement.isContentEditable && looks++ === number) {
                    getSelection().modify('move', 'forward', 'documentboundary');
                    window.isMoved = true;
                }
                work(...rest);
            }, after);
        }""", number)
        screen.text.locator("p").nth(1).click()
        if number > 0:
            screen.page.wait_for_timeout(500)
            # It looks no oftener.
            if not screen.page.evaluate("Boolean(window.isMoved)"):
                return
        wait_until(lambda: screen.page.evaluate("Boolean(window.isMoved)"), meanwhile=screen.page)
        screen.presses("Enter")
        screen.types("there")
        expect(screen.text.locator("p")).to_have_text(["First", "In the middle", "Last", "there"])


def test_an_empty_item_that_was_deleted_glued_a_paragraph_to_the_one_before(world: World):
    screen = world.person().opens("unfiled")
    for sign, kind in {"-": "bulletList", "1.": "orderedList", "[ ]": "taskList"}.items():
        note = screen.new_note(f"Ends with {sign}", f"{sign} a")
        screen.presses("Enter")
        screen.types("b")
        screen.presses("Enter", "Backspace")
        screen.types("after")
        # In the middle the list becomes two, and a nested item goes out by one step.
        screen.presses("ArrowUp", "Home", "Enter", "ArrowUp", "Backspace")
        screen.types("between")
        screen.presses("ArrowDown", "End", "Enter", "Tab", "Backspace")
        screen.types("c")
        screen.is_saved()
        blocks = world.server.note(note)["document"]["content"]
        assert [block["type"] for block in blocks] == [kind, "paragraph", kind, "paragraph"], blocks
        assert [len(block["content"]) for block in blocks] == [1, 1, 2, 1], blocks
        assert world.server.text(note) == "a\nbetween\nb\nc\nafter\n"


def test_a_box_in_a_bullet_item_stayed_text(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Bullets and boxes", "- milk")
    screen.presses("Enter")
    screen.types("[ ] bread")
    screen.presses("Enter")
    screen.types("eggs")
    screen.presses("Enter", "Enter")
    screen.types("- [x] done")
    screen.is_saved()
    blocks = world.server.note(note)["document"]["content"]
    assert [block["type"] for block in blocks] == ["bulletList", "taskList"], blocks
    assert [item["attrs"]["checked"] for item in blocks[1]["content"]] == [False, False, True], blocks
    assert world.server.text(note) == "milk\nbread\neggs\ndone\n"


def test_a_box_is_made_of_a_bullet_between_others(world: World):
    nested = bullets("one", "two", "three")
    nested["content"][1]["content"].append(bullets("inner"))
    note = world.server.make_note("Between bullets", nested)
    screen = world.person().opens("all", note)
    screen.text.locator("p", has_text="two").click()
    screen.presses("Home")
    screen.types("[ ] ")
    expect(screen.text.locator("ul.tasks > li")).to_contain_text("two")
    screen.types("2 ")
    screen.text.locator("p", has_text="inner").click()
    screen.presses("Home")
    screen.types("[x] ")
    screen.is_saved()
    blocks = world.server.note(note)["document"]["content"]
    assert [block["type"] for block in blocks] == ["bulletList", "taskList", "bulletList"], blocks
    assert [block["type"] for block in blocks[1]["content"][0]["content"]] == ["paragraph", "taskList"], blocks
    assert world.server.text(note) == "one\n2 two\ninner\nthree\n"
    # One step back gives the sign.
    screen.presses("Backspace")
    expect(screen.text.locator("ul ul")).to_have_text("[x] inner")


def test_arrows_lead_from_the_list_to_the_title_and_the_text(world: World):
    folder = world.server.make_folder("Arrows")
    world.server.make_note("Lower", "x", folder=folder)
    world.server.make_note("Upper", "first line", "second line", folder=folder)
    screen = world.person().opens(f"folder:{folder}")
    screen.shows("Upper", "Lower")
    screen.presses("ArrowDown")
    expect(screen.title).to_have_value("Upper")
    screen.presses("ArrowDown")
    expect(screen.title).to_have_value("Lower")
    screen.presses("ArrowUp")
    expect(screen.title).to_have_value("Upper")
    screen.title.focus()
    screen.presses("End", "ArrowDown")
    expect(screen.text).to_be_focused()
    # For 200 ms after it got the focus, ProseMirror takes a caret at the very start for the browser's doing.
    screen.page.wait_for_timeout(250)
    screen.presses("ArrowDown", "ArrowUp")
    expect(screen.text).to_be_focused()
    screen.presses("ArrowUp")
    expect(screen.title).to_be_focused()
    screen.types("most")
    expect(screen.title).to_have_value("Uppermost")
    screen.is_saved()


def test_the_toolbar_forms_what_is_chosen(world: World):
    screen = world.person().opens("unfiled")
    screen.new_note("Toolbar", "plain words")
    screen.presses("Control+a")
    toolbar = screen.page.get_by_role("toolbar")
    for name, selector in {"Bold": "strong", "Italic": "em", "Underline": "u", "Strike": "s", "Highlight": "mark"}.items():
        screen.button(name, toolbar).click()
        expect(screen.text.locator(selector)).to_have_text("plain words")
        expect(screen.button(name, toolbar)).to_have_attribute("aria-pressed", "true")
    for name, selector in {"Heading": "h2", "Bullet list": "ul", "Numbered list": "ol", "Quote": "blockquote"}.items():
        screen.button(name, toolbar).click()
        expect(screen.text.locator(selector)).to_contain_text("plain words")
        if name != "Heading":
            screen.button(name, toolbar).click()
    screen.button("Bold", toolbar).focus()
    screen.presses("ArrowRight")
    expect(screen.button("Italic", toolbar)).to_be_focused()
    screen.text.click()
    screen.presses("Control+a")
    screen.button("Link", toolbar).click()
    screen.dialog.get_by_label("Address").fill("example.org/page")
    screen.button("Link", screen.dialog).click()
    expect(screen.text.locator("a")).to_have_attribute("href", "https://example.org/page")
    screen.is_saved()


def test_two_brackets_link_to_a_note_or_make_one(world: World):
    target = world.server.make_note("The heron at the weir", "Grey, and patient.")
    screen = world.person().opens("all")
    note = screen.new_note("Birds by the water", "I saw [[heron")
    choice = screen.page.locator(".completion .choice").filter(has_text="The heron at the weir")
    expect(choice).to_be_visible()
    screen.is_accessible("completion")
    screen.presses("Enter")
    expect(screen.text.locator("a.note-link")).to_have_text("The heron at the weir")
    screen.types("and [[Kingfisher at dawn")
    expect(screen.page.locator(".completion")).to_contain_text("Create “Kingfisher at dawn”")
    screen.presses("ArrowUp", "Enter")
    expect(screen.text.locator("a.note-link")).to_have_count(2)
    screen.is_saved()
    links = screen.page.get_by_role("region", name="Links")
    expect(links).to_contain_text("The heron at the weir")
    expect(links).to_contain_text("Kingfisher at dawn")
    screen.text.locator("a.note-link").first.click(modifiers=["Alt"])
    bubble = screen.page.get_by_role("group", name="Link", exact=True)
    expect(bubble).to_contain_text("The heron at the weir")
    screen.button("Open", bubble).click()
    expect(screen.title).to_have_value("The heron at the weir")
    back = screen.page.get_by_role("region", name="Linked from")
    expect(back).to_contain_text("Birds by the water")
    expect(back).to_contain_text("I saw")
    back.get_by_role("link").click()
    expect(screen.title).to_have_value("Birds by the water")
    assert {one["id"] for one in world.server.note(note)["links"]} >= {target}


def test_a_title_in_closed_brackets_stayed_text(world: World):
    target = world.server.make_note("Otters of the brook", "Wet.")
    world.server.make_note("Otters of the brook, again", "Wetter.")
    for text in "one", "two":
        world.server.make_note("Two notes with a title", text)
    screen = world.person().opens("all")
    note = screen.new_note("Brackets", "See [[otters OF the brook]], and on.")
    anchor = screen.text.locator("a.note-link")
    expect(anchor).to_have_text("Otters of the brook")
    expect(screen.text).to_have_text("See Otters of the brook, and on.")
    screen.presses("Enter")
    screen.types("Not [[two notes with a title]] nor [[otters]] nor `[[otters of the brook]]` nor [[]]!")
    screen.presses("Enter")
    screen.types("**bold [[Otters of the brook]]**")
    expect(anchor).to_have_count(2)
    screen.is_saved()
    kept = world.server.text(note)
    assert kept == (
        "See Otters of the brook, and on.\nNot [[two notes with a title]] nor [[otters]] nor [[otters of the brook]] nor [[]]!\n"
        "bold Otters of the brook\n"), kept
    assert [one["id"] for one in world.server.note(note)["links"]] == [target]


def test_a_title_in_brackets_is_linked_while_one_types_on_and_taken_back(world: World):
    world.server.make_note("Slow to be found", "x")
    person = world.person()
    held, later = [], []
    screen = person.opens("all")
    screen.new_note("Typing on", "first")
    person.context.route("**/api/suggest*", lambda route: route.continue_() if later else held.append(route))
    screen.presses("Enter")
    screen.types("[[Slow to be found]]")
    screen.presses("Control+Home")
    screen.types("A new line")
    screen.presses("Enter")
    wait_until(lambda: held, meanwhile=screen.page)
    later.append(True)
    for route in held:
        route.continue_()
    expect(screen.text.locator("a.note-link")).to_have_text("Slow to be found")
    # In one go, however slow the machine is: it is undone in one step.
    screen.page.keyboard.insert_text("the ")
    expect(screen.text.locator("p")).to_have_text(["A new line", "the first", "Slow to be found"])
    screen.presses("Control+z", "Control+z")
    expect(screen.text.locator("a.note-link")).to_have_count(0)
    expect(screen.text).to_contain_text("[[Slow to be found]]")


def test_a_link_is_made_and_taken_away_beside_the_text(world: World):
    world.server.make_note("Far-off note", "Elsewhere.")
    screen = world.person().opens("unfiled")
    screen.new_note("Near note")
    screen.button("Link a note").click()
    screen.page.get_by_role("combobox", name="Link a note").fill("far-off")
    expect(screen.dialog.get_by_role("option")).to_have_count(1)
    screen.presses("Enter")
    links = screen.page.get_by_role("region", name="Links")
    expect(links.get_by_role("link", name="Far-off note")).to_be_visible()
    screen.button("Remove the link to Far-off note").click()
    expect(links.get_by_role("link")).to_have_count(0)
    screen.undoes("removed")
    expect(links.get_by_role("link", name="Far-off note")).to_be_visible()


def test_keywords_are_made_found_removed_and_coloured(world: World):
    world.server.make_note("Has one", "x", keywords=[("philosophy", "#7e22ce")])
    screen = world.person().opens("unfiled")
    note = screen.new_note("On keywords")
    chips = screen.page.get_by_role("group", name="Keywords of the note")
    screen.button("Add a keyword").click()
    field = screen.page.get_by_role("combobox", name="Find or create a keyword")
    expect(field).to_be_focused()
    screen.types("philo")
    expect(screen.page.get_by_role("listbox", name="Keywords").get_by_role("option").first).to_have_text("philosophy")
    screen.presses("Enter")
    expect(chips.get_by_role("link", name="philosophy")).to_be_visible()
    screen.types("rivers")
    screen.page.get_by_role("radio", name="Teal").click()
    screen.is_accessible("keyword editor")
    field.focus()
    screen.presses("Enter")
    expect(chips.get_by_role("link", name="rivers")).to_be_visible()
    # In the empty field Enter is the end, and takes nothing that was not asked for.
    screen.presses("Enter")
    expect(field).to_have_count(0)
    expect(screen.button("Keyword")).to_be_focused()
    assert {(one["name"], one["color"]) for one in world.server.note(note)["keywords"]} == {("philosophy", "#7e22ce"), ("rivers", "#0f766e")}
    screen.button("Remove the keyword philosophy").click()
    expect(chips.get_by_role("link", name="philosophy")).to_have_count(0)
    screen.undoes("removed from the note")
    expect(chips.get_by_role("link", name="philosophy")).to_be_visible()

    screen.button("All keywords").click()
    screen.button("More for rivers", screen.dialog).click()
    screen.menu_item("Rename").click()
    screen.dialog.last.get_by_label("Name").fill("streams")
    screen.presses("Enter")
    expect(screen.dialog.get_by_role("button", name="streams").first).to_be_visible()
    screen.button("More for streams", screen.dialog).click()
    screen.menu_item("Colour").click()
    screen.page.get_by_role("radio", name="Pink").click()
    wait_until(lambda: any(one["color"] == "#be185d" for one in world.server.note(note)["keywords"]))
    screen.is_accessible("all keywords")
    screen.button("More for streams", screen.dialog).click()
    screen.menu_item("Delete").click()
    screen.button("Delete", screen.dialog.last).click()
    wait_until(lambda: [one["name"] for one in world.server.note(note)["keywords"]] == ["philosophy"])
    screen.presses("Escape")
    screen.undoes("deleted")
    wait_until(lambda: len(world.server.note(note)["keywords"]) == 2)


def test_a_picture_is_chosen_pasted_seen_and_removed(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("With a picture")
    with screen.page.expect_file_chooser() as chooser:
        screen.button("Add a picture").click()
    chooser.value.set_files({"name": "sky.png", "mimeType": "image/png", "buffer": png(640, 400, (120, 160, 200))})
    figure = screen.page.locator("figure.picture")
    expect(figure).to_contain_text("sky.png")
    expect(figure).to_contain_text("KB")
    expect(figure).to_contain_text("640 × 400")
    wait_until(lambda: figure.locator("img").evaluate("image => image.naturalWidth") == 600, lambda: "There is no thumbnail of 600.")
    expect(screen.row("With a picture").locator(".row-sign")).to_be_visible()
    figure.get_by_role("button", name="Show sky.png in full").click()
    wait_until(lambda: screen.dialog.locator("img").evaluate("image => image.naturalWidth") == 640)
    expect(screen.dialog).to_contain_text("KB")
    screen.is_accessible("full picture")
    screen.presses("Escape")
    screen.button("Remove the picture").click()
    expect(figure).to_have_count(0)
    screen.undoes("removed")
    expect(figure).to_contain_text("sky.png")

    # Pasted: the browser is given a clipboard with a file in it.
    screen.text.click()
    screen.page.evaluate("""(bytes) => {
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "pasted.png", {type: "image/png"}));
        document.querySelector(".ProseMirror").dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
    }""", list(png(32, 32, (200, 90, 60))))
    # It comes into the text; the one that is the note's stays, until another is chosen.
    expect(screen.text.locator("figure.text-picture img")).to_be_visible()
    with screen.page.expect_file_chooser() as chooser:
        screen.button("Replace the picture").click()
    chooser.value.set_files({"name": "other.png", "mimeType": "image/png", "buffer": png(32, 32, (200, 90, 60))})
    screen.undoes("“other.png” is the picture now")
    expect(figure).to_contain_text("sky.png")
    wait_until(lambda: world.server.note(note)["attachment"]["name"] == "sky.png", lambda: "The server has another picture.")


def test_what_is_no_picture_is_refused_in_a_sentence(world: World):
    screen = world.person().opens("unfiled")
    screen.new_note("No picture")
    screen.expects("status of 4")
    with screen.page.expect_file_chooser() as chooser:
        screen.button("Add a picture").click()
    chooser.value.set_files({"name": "trick.png", "mimeType": "image/png", "buffer": b"%PDF-1.7 no picture at all"})
    expect(screen.page.locator(".toast.bad")).to_be_visible()
    expect(screen.page.locator("figure.picture")).to_have_count(0)


def test_right_to_left_begins_on_the_right(world: World):
    screen = world.person().opens("unfiled")
    screen.new_note("كتاب", "مرحبا")
    side = """(element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return element.getBoundingClientRect().right - range.getBoundingClientRect().right;
    }"""
    assert screen.text.locator("p").evaluate(side) < 2
    expect(screen.row("كتاب")).to_be_visible()
    assert screen.row("كتاب").locator(".row-name").evaluate(side) < 2


def test_the_signs_of_right_to_left_blocks_stood_on_the_left(world: World):
    arabic = "مرحبا بالعالم"
    both = bullets("Latin", arabic)
    both["content"][0]["content"].append(bullets(arabic))
    note = world.server.make_note("Both sides", both, tasks((False, "Latin"), (True, arabic)), quote(arabic), quote("Latin"))
    screen = world.person().opens("all", note)
    text = screen.text
    direction = "elements => elements.map(element => getComputedStyle(element).direction)"
    assert text.locator("ul:not(.tasks) li").evaluate_all(direction) == ["ltr", "rtl", "rtl"]
    assert text.locator("ul.tasks li").evaluate_all(direction) == ["ltr", "rtl"]
    assert text.locator("blockquote").evaluate_all(direction) == ["rtl", "ltr"]
    # How far the words are from the left and the right of the text, where the sign is.
    room = """elements => elements.map(element => {
        const [box, page] = [element.getBoundingClientRect(), element.closest(".ProseMirror").getBoundingClientRect()];
        return [box.left - page.left, page.right - box.right].map(Math.round);
    })"""
    latin, nested, other = text.locator("ul:not(.tasks) li").evaluate_all(room)
    assert latin[0] > 15 and latin[1] == 0 and other == latin[::-1], (latin, other)
    assert nested == [latin[0], latin[0]], nested
    left, right = text.locator("ul.tasks input").evaluate_all(room)
    assert left[0] == 0 and right == left[::-1], (left, right)
    right, left = text.locator("blockquote p").evaluate_all(room)
    assert left[0] > 15 and left[1] == 0 and right == left[::-1], (left, right)
    # While one types, too.
    typed = screen.new_note("Typed", "- ")
    screen.page.keyboard.insert_text(arabic)
    wait_until(lambda: text.locator("li").evaluate_all(direction) == ["rtl"], meanwhile=screen.page)
    screen.is_saved()
    assert world.server.note(typed)["document"]["content"] == [bullets(arabic)]


def test_boxes_and_tables_of_right_to_left_words_stood_as_others(world: World):
    arabic, other = "مرحبا بالعالم", "عربي"
    blocks = callout("tip", arabic, arabic, fold="closed"), table([arabic, other], ["1", "2"]), callout("tip", "Latin"), table(["Latin", arabic], ["1", "2"])
    note = world.server.make_note("Boxes on both sides", *blocks)
    screen = world.person().opens("all", note)
    direction = "elements => elements.map(element => getComputedStyle(element).direction)"
    assert screen.text.locator(".callout").evaluate_all(direction) == ["rtl", "ltr"]
    assert screen.text.locator("table").evaluate_all(direction) == ["rtl", "ltr"]
    left = "elements => elements.map(element => element.getBoundingClientRect().left)"
    first, second, third, fourth = screen.text.locator("th").evaluate_all(left)
    assert first > second and third < fourth
    right, left_one = screen.text.locator(".callout-kind").evaluate_all(left)
    assert right > left_one + 200
    screen.looks("right-to-left-boxes")
    # While one types, too.
    screen.text.locator("th").nth(2).click()
    screen.selects_line()
    screen.page.keyboard.insert_text(other)
    wait_until(lambda: screen.text.locator("table").evaluate_all(direction) == ["rtl", "rtl"], meanwhile=screen.page)
    screen.is_saved()



def test_an_earlier_version_is_looked_at_and_restored(world: World):
    note = world.server.make_note("Second thoughts", "The first thought.")
    world.server.rewrite(note, "The second thought, quite another one.")
    screen = world.person().opens("all", note)
    screen.button("History of the note").click()
    expect(screen.dialog.locator(".version-text")).to_contain_text("The first thought.")
    screen.is_accessible("history")
    screen.button("Restore this version").click()
    expect(screen.text).to_have_text("The first thought.")
    screen.undoes("restored")
    expect(screen.text).to_have_text("The second thought, quite another one.")


def test_a_note_is_exported_and_files_are_imported(world: World):
    folder = world.server.make_folder("Imported things")
    note = world.server.make_note("Export me", "Some words.", paragraph("A link to ", link("Export me too", world.server.make_note("Export me too"))))
    screen = world.person().opens("all", note)
    for name, ending, content in (("Export as Markdown", ".md", b"Some words."), ("Export as HTML", ".html", b"Some words."), ("Export as RTF", ".rtf", b"{\\rtf1")):
        with screen.page.expect_download() as download:
            screen.chooses("More for this note", name)
        assert download.value.suggested_filename.endswith(ending), download.value.suggested_filename
        told = open(download.value.path(), "rb").read()
        assert content in told
        assert ending != ".md" or b"A link to [[Export me too]]" in told
    screen.goes_to(f"folder:{folder}")
    with screen.page.expect_file_chooser() as chooser:
        screen.chooses("More for this list", "Import files")
    chooser.value.set_files([
        {"name": "Walden.md", "mimeType": "text/markdown", "buffer": b"# Walden\n\nI went to the **woods**.\n\n- to live\n"},
        {"name": "list.txt", "mimeType": "text/plain", "buffer": b"bread\nink\n"},
        {"name": "song.mp3", "mimeType": "audio/mpeg", "buffer": b"ID3"},
    ])
    expect(screen.dialog).to_contain_text("song.mp3")
    screen.button("OK").click()
    expect(screen.row("Walden")).to_be_visible()
    screen.opens("Walden")
    expect(screen.text.locator("strong")).to_have_text("woods")
    screen.page.evaluate("""() => {
        const data = new DataTransfer();
        data.items.add(new File(["# Dropped\\n\\nfrom the desk"], "Dropped.md", {type: "text/markdown"}));
        const list = document.querySelector(".list-body");
        for (const name of ["dragover", "drop"]) list.dispatchEvent(new DragEvent(name, {dataTransfer: data, bubbles: true, cancelable: true}));
    }""")
    expect(screen.row("Dropped")).to_be_visible()


def test_what_the_server_said_of_an_export_that_it_refused_was_the_file(world: World):
    note = world.server.make_note("Not exported", "Some words.")
    person = world.person(service_workers="block")
    refusal = {"error": "The disk is full."}
    person.context.route("**/export?**", lambda route: route.fulfill(status=500, json=refusal))
    person.context.route("**/api/exports/*", lambda route: route.fulfill(status=404, json=refusal))
    screen = person.opens("all", note)
    screen.expects("registration blocked", "status of 500", "status of 404")
    files = []
    screen.page.on("download", lambda file: files.append(file))
    screen.chooses("More for this note", "Export as Markdown")
    screen.button("Dismiss", screen.says("The disk is full.")).click()
    screen.chooses("Settings and help", "Export everything")
    screen.says("The disk is full.")
    expect(screen.dialog).to_have_count(0)
    # One that the network does not let through is told, too.
    person.context.unroute("**/export?**")
    screen.expects("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "ERR_NETWORK", "status of 503")
    person.goes_offline()
    screen.chooses("More for this note", "Export as Markdown")
    screen.says("Slipbox cannot be reached.")
    person.goes_offline(False)
    assert not files, [file.url for file in files]


def never_saves_by_itself(screen) -> None:
    """The pause after which the page saves what was typed does not end until the page is loaded again."""
    screen.page.evaluate("""() => {
        const later = window.setTimeout;
        window.setTimeout = (work, delay, ...more) => later(work, delay === 800 ? 1e8 : delay, ...more);
    }""")


def test_a_picture_that_a_file_has_no_place_for_was_left_out_without_a_word(world: World):
    screen = world.person().opens("unfiled")
    screen.new_note("Out with its picture", "Some words.")
    with screen.page.expect_file_chooser() as chooser:
        screen.button("Add a picture").click()
    chooser.value.set_files({"name": "sky.png", "mimeType": "image/png", "buffer": png(64, 40, (120, 160, 200))})
    expect(screen.page.locator("figure.picture")).to_contain_text("sky.png")
    for name, content in (("Export as HTML", b'alt="sky.png"'), ("Export as RTF", b"\\pngblip")):
        with screen.page.expect_download() as download:
            screen.chooses("More for this note", name)
        assert content in open(download.value.path(), "rb").read()
    expect(screen.page.locator(".toast").filter(has_text="no place for the picture")).to_have_count(0)
    # The page shows it as it is, with nothing from elsewhere.
    with screen.page.expect_download() as download:
        screen.chooses("More for this note", "Export as HTML")
    reader = screen.page.context.new_page()
    reader.set_content(open(download.value.path()).read())
    wait_until(lambda: reader.locator("img").evaluate("image => image.naturalWidth") == 64)
    expect(reader.locator("h1")).to_have_text("Out with its picture")
    reader.close()
    # Markdown comes with it in an archive.
    with screen.page.expect_download() as download:
        screen.chooses("More for this note", "Export as Markdown")
    assert download.value.suggested_filename == "Out with its picture.zip"
    assert zipfile.ZipFile(download.value.path()).namelist() == ["Out with its picture.md", "files/sky.png"]


def test_leaving_a_note_and_control_s_save_at_once(world: World):
    other = world.server.make_note("Somewhere else")
    screen = world.person().opens("all")
    note = screen.new_note("Haste", "first")
    never_saves_by_itself(screen)
    screen.types(" second")
    screen.goes_to("all", other)
    wait_until(lambda: "first second" in world.server.text(note))
    screen.goes_to("all", note)
    expect(screen.text).to_have_text("first second")
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" third")
    screen.presses("Control+s")
    wait_until(lambda: "third" in world.server.text(note))
    screen.is_saved()
    screen.types(" fourth")
    screen.reloads()
    expect(screen.text).to_have_text("first second third fourth")


def test_control_s_said_that_a_text_was_saved_which_the_server_refused(world: World):
    note = world.server.make_note("Said to be saved", "one")
    person = world.person(service_workers="block")
    screen = person.opens("all", note)
    screen.expects("registration blocked", "status of 413", "ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "ERR_NETWORK")
    refuses = lambda route: route.fulfill(status=413, json={"error": "This text is too large."}) if route.request.method == "PATCH" else route.continue_()
    screen.page.route(f"**/api/notes/{note}", refuses)
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" two")
    screen.presses("Control+s")
    screen.says("This text is too large.")
    expect(screen.saving).to_have_text("Not saved")
    expect(screen.page.locator(".toast").filter(has_text="Saved")).to_have_count(0)
    screen.page.unroute(f"**/api/notes/{note}")
    screen.presses("Control+s")
    screen.says("Saved")
    assert world.server.text(note).strip() == "one two"
    person.goes_offline()
    screen.types(" three")
    screen.presses("Control+s")
    screen.says("Offline, 1 edit waits")
    person.goes_offline(False)
    wait_until(lambda: world.server.text(note).strip() == "one two three", meanwhile=screen.page)


def test_what_is_typed_while_another_note_opens_belongs_to_the_first(world: World):
    first, second = world.server.make_note("First of two", "one"), world.server.make_note("Second of two", "two")
    screen = world.person(service_workers="block").opens("all", first)
    screen.expects("registration blocked")
    held = screen.holds_first("GET", f"/api/notes/{second}")
    screen.row("Second of two").click()
    wait_until(lambda: held, meanwhile=screen.page)
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" more")
    held[0].continue_()
    expect(screen.title).to_have_value("Second of two")
    wait_until(lambda: world.server.text(first).strip() == "one more", lambda: world.server.text(first), meanwhile=screen.page)
    screen.is_saved()
    assert (world.server.text(second).strip(), world.server.note(second)["title"]) == ("two", "Second of two")


def test_the_trash_gives_back_and_keeps_its_word(world: World):
    screen = world.person().opens("unfiled")
    # The page may ask for a note, told of its return, in the moment in which the trash is emptied.
    screen.expects(r"404 .*/api/notes/[0-9A-Fa-f-]{36}")
    screen.new_note("Thrown away", "by mistake")
    screen.chooses("More for this note", "Move to trash")
    expect(screen.row("Thrown away")).to_have_count(0)
    screen.undoes("moved to the trash")
    expect(screen.row("Thrown away")).to_be_visible()
    screen.row("Thrown away").click()
    screen.page.locator(".rows").focus()
    screen.presses("Delete")
    expect(screen.row("Thrown away")).to_have_count(0)
    screen.presses("Control+z")
    expect(screen.row("Thrown away")).to_be_visible()
    screen.presses("Control+Shift+z")
    expect(screen.row("Thrown away")).to_have_count(0)
    screen.goes_to("trash")
    screen.opens("Thrown away")
    expect(screen.page.locator(".page .notice")).to_contain_text("In the trash")
    expect(screen.text).to_have_attribute("contenteditable", "false")
    screen.is_accessible("trash")
    screen.button("Restore", screen.page.locator(".page .notice")).click()
    expect(screen.text).to_have_attribute("contenteditable", "true")
    screen.goes_to("unfiled")
    screen.row("Thrown away").click(button="right")
    screen.menu_item("Move to trash").click()
    expect(screen.row("Thrown away")).to_have_count(0)
    screen.goes_to("trash")
    screen.row("Thrown away").click(button="right")
    screen.menu_item("Delete for good").click()
    screen.button("Delete", screen.dialog).click()
    expect(screen.row("Thrown away")).to_have_count(0)
    screen.undoes("deleted")
    expect(screen.row("Thrown away")).to_be_visible()
    screen.button("Empty trash").click()
    screen.button("Empty trash", screen.dialog).click()
    expect(screen.page.locator(".list .empty")).to_contain_text("The trash is empty")


def test_a_menu_stayed_when_the_place_it_was_of_was_left(world: World):
    note = world.server.make_note("With a menu", "of its row")
    screen = world.person().opens("unfiled")
    screen.row("With a menu").click(button="right")
    expect(screen.menu_item("Move to trash")).to_be_visible()
    screen.goes_to("favourites")
    expect(screen.menu_item("Move to trash")).to_have_count(0)
    screen.goes_to("unfiled", note)
    screen.row("With a menu").click(button="right")
    expect(screen.menu_item("Move to trash")).to_be_visible()


def test_a_key_pressed_while_the_list_comes_is_not_lost(world: World):
    note = world.server.make_note("Thrown away at once", "before its row is here")
    screen = world.person(service_workers="block").opens("favourites", note)
    screen.expects("registration blocked")
    held = screen.holds_first("GET", "/api/notes?in=unfiled*")
    screen.goes_to("unfiled", note, rows=False)
    wait_until(lambda: held, meanwhile=screen.page)
    screen.page.locator(".rows").focus()
    screen.presses("Delete")
    held[0].continue_()
    screen.undoes("moved to the trash")
    expect(screen.row("Thrown away at once")).to_be_visible()


def png(width: int, height: int, color: tuple[int, int, int]) -> bytes:
    """A picture with a slope in it, so that it is some kilobytes."""
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + b"".join(bytes(min(255, part * (y + x // 3 + 300) // (height + 300)) for part in color) for x in range(width))
                    for y in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def test_enter_that_confirms_composed_letters_was_taken_as_a_command(world: World):
    folder = world.server.make_folder("Composed")
    note = world.server.make_note("Written in kana", "text", folder=folder)
    screen = world.person().opens(f"folder:{folder}", note)

    def confirms(field: Locator, *keys: str) -> None:
        # Some browsers end the composition first; only the number of the key tells.
        for key in keys or ("Enter",):
            for marks in ({"isComposing": True}, {"keyCode": 229}):
                field.evaluate("(field, keys) => field.dispatchEvent(new KeyboardEvent('keydown', { ...keys, bubbles: true, cancelable: true }))", {"key": key} | marks)

    screen.title.click()
    confirms(screen.title, "Enter", "ArrowDown")
    expect(screen.title).to_be_focused()
    screen.button("Add a keyword").click()
    field = screen.page.get_by_role("combobox", name="Find or create a keyword")
    field.fill("kana")
    confirms(field, "Enter", "Escape")
    expect(field).to_have_value("kana")
    field.press("Escape")
    search = screen.page.get_by_label("Search notes")
    search.fill("text")
    confirms(search, "Enter", "Escape")
    expect(search).to_have_value("text")
    screen.presses("Control+k")
    field = screen.dialog.get_by_role("combobox")
    field.fill("Statistics")
    confirms(field)
    expect(screen.dialog.get_by_role("combobox")).to_have_value("Statistics")
    screen.presses("Escape")
    screen.page.locator(".tree").get_by_text("Composed").dblclick()
    field = screen.page.get_by_label("Name of the folder")
    field.fill("Kana")
    confirms(field, "Enter", "Escape")
    expect(field).to_be_focused()
    field.press("Enter")
    expect(screen.page.locator(".tree")).to_contain_text("Kana")


def test_enter_behind_a_done_task_made_another_done_task(world: World):
    note = world.server.make_note("Done and to do", tasks((True, "done")))
    screen = world.person().opens("all", note)
    screen.text.locator("p").click()
    screen.presses("End", "Enter")
    screen.types("to do")
    # One above keeps the box of what is done with its words.
    screen.text.locator("p", has_text="done").click()
    screen.presses("Home", "Enter", "ArrowUp")
    screen.types("before")
    screen.is_saved()
    items = world.server.note(note)["document"]["content"][0]["content"]
    assert [item["attrs"]["checked"] for item in items] == [False, True, False], items
    assert world.server.text(note) == "before\ndone\nto do\n"


def test_a_box_that_was_typed_before_a_task_stayed_text(world: World):
    note = world.server.make_note("Boxes by hand", tasks((False, "one"), (True, "two"), (False, "three")))
    screen = world.person().opens("all", note)
    for words, sign in (("one", "[x] "), ("two", "[ ] "), ("three", "[X] ")):
        screen.text.locator("p", has_text=words).click()
        screen.presses("Home")
        screen.types(sign)
    screen.is_saved()
    items = world.server.note(note)["document"]["content"][0]["content"]
    assert [item["attrs"]["checked"] for item in items] == [True, False, True], items
    assert world.server.text(note) == "one\ntwo\nthree\n"
    # One step back gives the sign.
    screen.presses("Backspace")
    expect(screen.text.locator("li").nth(2)).to_have_text("[X] three")


def test_signs_with_blanks_beside_them_formed_the_words_between(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Signs", "2 * 3 * 4 and 2 ** 3 ** 4, a == b and c == d, x _ y _ z, p ~~ q ~~ r. ")
    assert screen.text.locator("em, strong, mark, s").count() == 0, screen.text.inner_html()
    screen.types("But *so*, **so it is**, ==the hive==, _here_, ~~there~~, *a b*, *c* ")
    expect(screen.text.locator("em")).to_have_text(["so", "here", "a b", "c"])
    expect(screen.text.locator("strong")).to_have_text(["so it is"])
    expect(screen.text.locator("mark")).to_have_text(["the hive"])
    expect(screen.text.locator("s")).to_have_text(["there"])
    screen.is_saved()
    words = "2 * 3 * 4 and 2 ** 3 ** 4, a == b and c == d, x _ y _ z, p ~~ q ~~ r."
    assert world.server.text(note).startswith(words), world.server.text(note)
    # The same where it is pasted.
    screen.presses("Enter")
    screen.text.evaluate("""(field, text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }""", words)
    expect(screen.text.locator("p").last).to_have_text(words)
    expect(screen.text.locator("p").last.locator("em, strong, mark, s")).to_have_count(0)


def test_one_step_back_takes_back_what_the_editor_made_of_signs(world: World):
    world.server.make_note("The brook", "")
    screen = world.person().opens("unfiled")
    for typed, made, before in (
        ("so *it is*", "em", "so *it is*"), ("so **it is**", "strong", "so **it is**"), ("==it==", "mark", "==it=="), ("`it`", "code", "`it`"),
        ("# ", "h1", "# "), ("- ", "ul", "- "), ("1. ", "ol", "1. "), ("[ ] ", "ul.tasks", "[ ] "), ("> ", "blockquote", "> "), ("```\n", "pre", None),
        ("[a](https://example.org)", "a", "[a](https://example.org)"), ("see https://example.org ", "a", "see https://example.org "),
        ("see [[The brook]]", "a.note-link", "see [[The brook]]"), ("see [[The brook|water]]", "a.note-link", "see [[The brook|water]]"),
        ("said[^1]", "sup", "said[^1]"), ("[!tip] ", ".callout", "[!tip] "),
    ):
        screen.new_note(f"Back: {typed}"[:40].strip())
        screen.presses("Enter")
        screen.types(typed.removesuffix("\n"))
        if typed.endswith("\n"):
            screen.presses("Enter")
        expect(screen.text.locator(made)).to_have_count(1)
        screen.presses("Control+z")
        expect(screen.text.locator(made)).to_have_count(0)
        if before:
            assert screen.text.locator("p").first.text_content() == before, (typed, screen.text.inner_html())
