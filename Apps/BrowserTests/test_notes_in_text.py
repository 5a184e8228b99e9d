"""Footnotes and callouts: typed, put in, followed, copied, and as they look."""

from playwright.sync_api import expect

from server import bullets, callout, footnote, mark, paragraph
from world import DESK, PHONE, World, wait_until

ESSAY = (
    paragraph("A claim", mark("b"), " and another", mark("a"), ", and the first again", mark("b"), "."),
    callout("warning", "Mind this", "It is not so simple.", bullets("one", "two"), fold="open"),
    callout("tip", "", "No title."),
    footnote("b", "Where the claim comes from."),
    footnote("a", "Somebody said so."),
)


def nodes(world: World, note: str, kind: str) -> list:
    return [node for node in world.server.note(note)["document"]["content"] if node["type"] == kind]


def test_footnotes_and_callouts_look_like_what_they_are(world: World):
    note = world.server.make_note("An essay with notes", *ESSAY)
    for device, scheme in ((DESK, "light"), (DESK, "dark"), (PHONE, "light"), (PHONE, "dark")):
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        expect(screen.text.locator(".footnote-mark")).to_have_text(["1", "2", "1"])
        expect(screen.text.locator(".footnote-number")).to_have_text(["1.", "2."])
        expect(screen.text.locator(".callout")).to_have_count(2)
        expect(screen.text.locator(".callout.is-mute .callout-name")).to_have_text("Tip")
        name = f"notes-in-text-{'desk' if device is DESK else 'phone'}-{scheme}"
        screen.is_accessible(name)
        screen.looks(name)
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]


def test_a_footnote_is_typed_and_followed_there_and_back(world: World):
    note = world.server.make_note("Typed notes", "")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.types("Second[^x] and ")
    expect(screen.text.locator(".footnote")).to_have_count(1)
    screen.types("third^[by the way]. ")
    screen.presses("Home")
    screen.types("First[^y] ")
    # The numbers follow the order of the text, and so do the texts.
    expect(screen.text.locator(".footnote-mark")).to_have_text(["1", "2", "3"])
    expect(screen.text.locator(".footnote").nth(2)).to_contain_text("by the way")
    screen.text.locator(".footnote-link").nth(1).click()
    screen.types("Of the second")
    expect(screen.text.locator(".footnote").nth(1)).to_contain_text("Of the second")
    screen.text.locator(".footnote-number").nth(1).click()
    screen.types("!")
    screen.is_saved()
    labels = [node["attrs"]["label"] for node in nodes(world, note, "footnote")]
    assert labels == ["y", "x", "1"], labels
    assert world.server.text(note).startswith("First Second! and third.")
    # What is undone takes its text along; the words of a text outlive their mark.
    screen.presses("Control+z")
    screen.reloads()
    expect(screen.text.locator(".footnote-mark")).to_have_text(["1", "2", "3"])
    screen.text.locator("p").first.click()
    screen.presses("Home", *["ArrowRight"] * len("First"), "Delete")
    expect(screen.text.locator(".footnote-mark")).to_have_count(2)
    expect(screen.text.locator(".footnote")).to_have_count(2)


def test_a_footnote_of_the_menu_has_the_caret(world: World):
    for device in (DESK, PHONE):
        note = world.server.make_note(f"Menu notes {device is DESK}", "Words")
        screen = world.person(device).opens("all", note, rows=device is DESK)
        screen.text.tap() if device is PHONE else screen.text.click()
        screen.presses("Control+End")
        screen.types(" /footn")
        menu = screen.page.get_by_role("listbox", name="Put in")
        choice = menu.get_by_role("option", name="Footnote")
        choice.tap() if device is PHONE else choice.click()
        screen.types("What it says")
        expect(screen.text.locator(".footnote")).to_contain_text("What it says")
        screen.presses("Control+Alt+f")
        screen.types(" go on")
        screen.is_saved()
        assert world.server.text(note).split("\n")[:2] == ["Words  go on", "What it says"]


def test_a_callout_is_typed_changed_and_left(world: World):
    note = world.server.make_note("Typed boxes", "")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.types("> [!tip]- Short")
    expect(screen.text.locator(".callout[data-callout=tip]")).to_have_count(1)
    screen.presses("Enter")
    screen.types("Leave it out")
    screen.presses("Enter", "Enter")
    screen.types("After the box")
    screen.is_saved()
    box, after = world.server.note(note)["document"]["content"]
    assert box["attrs"] == {"kind": "tip", "fold": "closed"}
    assert [block["content"][0]["text"] for block in box["content"]] == ["Short", "Leave it out"]
    assert after == paragraph("After the box")
    screen.button("Kind: Tip").click()
    screen.looks("callout-menu")
    screen.menu_item("Danger").click()
    expect(screen.text.locator(".callout")).to_have_class("callout tone-bad")
    screen.button("Fold up", screen.text).click()
    expect(screen.text.get_by_text("Leave it out")).to_be_hidden()
    screen.button("Unfold", screen.text).click()
    expect(screen.text.get_by_text("Leave it out")).to_be_visible()
    screen.is_saved()
    assert nodes(world, note, "callout")[0]["attrs"] == {"kind": "danger", "fold": "open"}
    screen.button("Fold up", screen.text).click()
    screen.is_saved()
    assert nodes(world, note, "callout")[0]["attrs"] == {"kind": "danger", "fold": "closed"}
    screen.chooses("Kind: Danger", "No box")
    expect(screen.text.locator(".callout")).to_have_count(0)
    expect(screen.text.locator("p")).to_have_text(["Short", "Leave it out", "After the box"])


def test_a_box_that_could_not_be_made_unfolded_another(world: World):
    world.server.make_note("Folded up", callout("tip", "Title", "Below", fold="closed"))
    note = world.server.make_note("No box in a list", bullets("one"))
    screen = world.person().opens("all", note)
    screen.text.locator("li p").click()
    screen.presses("Home")
    screen.types("[!tip] ")
    expect(screen.text.locator("li p")).to_have_text("[!tip] one")
    screen.is_saved()
    screen.opens("Folded up")
    expect(screen.text.locator(".callout")).to_have_attribute("data-folded", "true")
    expect(screen.text.get_by_text("Below")).to_be_hidden()


def test_a_slash_makes_a_box_on_the_phone(world: World):
    note = world.server.make_note("Boxes by slash", "")
    screen = world.person(PHONE, color_scheme="dark").opens("all", note, rows=False)
    screen.text.tap()
    screen.types("/callout")
    screen.presses("Enter")
    screen.types("Title")
    screen.presses("Enter")
    screen.types("Words in it")
    screen.is_saved()
    box = nodes(world, note, "callout")[0]
    assert [block["content"][0]["text"] for block in box["content"]] == ["Title", "Words in it"]


def test_the_caret_left_the_words_of_a_box_that_was_taken_away(world: World):
    note = world.server.make_note("Without its box", callout("tip", "Title", "Below"), "After")
    screen = world.person().opens("all", note)
    screen.text.locator(".callout-text p").first.click()
    screen.presses("End")
    screen.chooses("Kind: Tip", "No box")
    screen.types(" here")
    expect(screen.text.locator(":scope > p")).to_have_text(["Title here", "Below", "After"])


def test_markdown_with_notes_is_pasted_and_copied(world: World):
    note = world.server.make_note("Pasted notes", paragraph("Here", mark("1"), "."), footnote("1", "Mine."))
    screen = world.person(permissions=["clipboard-read", "clipboard-write"]).opens("all", note)
    screen.text.locator("p").first.click()
    screen.presses("End", "Enter")
    markdown = "Theirs[^1], see\\n\\n> [!note] Box\\n> words\\n\\n[^1]: Other words\\n"
    screen.page.evaluate(f"navigator.clipboard.writeText('{markdown}')")
    screen.presses("Control+v")
    expect(screen.text.locator(".callout")).to_have_count(1)
    # Their first is no more ours.
    expect(screen.text.locator(".footnote-mark")).to_have_text(["1", "2"])
    expect(screen.text.locator(".footnote")).to_have_text(["1.Mine.", "2.Other words"])
    screen.is_saved()
    screen.presses("Control+a", "Control+c")
    copied = lambda: screen.page.evaluate("navigator.clipboard.readText()")
    wait_until(lambda: "Theirs[2], see" in copied() and "[2] Other words" in copied(), copied, meanwhile=screen.page)
    # A part that is copied takes its footnotes along, into another note too.
    other = world.server.make_note("Copied into", "")
    screen.goes_to("all", other)
    screen.text.click()
    screen.presses("Control+v")
    expect(screen.text.locator(".footnote")).to_have_text(["1.Mine.", "2.Other words"])
    screen.is_saved()
    wait_until(lambda: len(nodes(world, other, "footnote")) == 2)


def test_words_that_were_cut_in_a_footnote_could_not_be_pasted(world: World):
    note = world.server.make_note("Cut below", paragraph("Here", mark("1"), "."), footnote("1", "Said below."))
    screen = world.person(permissions=["clipboard-read", "clipboard-write"]).opens("all", note)
    screen.text.locator(".footnote p").click()
    screen.selects_line()
    screen.presses("Control+x")
    expect(screen.text.locator(".footnote-text")).to_have_text("")
    screen.text.locator("p").first.click()
    screen.presses("End", "Control+v")
    expect(screen.text.locator("p").first).to_have_text("Here1.Said below.")
    # And back into the footnote.
    screen.text.locator(".footnote p").click()
    screen.presses("Control+v")
    expect(screen.text.locator(".footnote-text")).to_have_text("Said below.")
    # A footnote of Markdown to which nothing leads is not lost, either.
    screen.text.locator("p").first.click()
    screen.presses("End", "Enter")
    screen.page.evaluate("navigator.clipboard.writeText('[^so]: Said elsewhere.')")
    screen.presses("Control+v")
    expect(screen.text.locator(":scope > p").last).to_have_text("Said elsewhere.")
    screen.is_saved()
    assert [block["type"] for block in world.server.note(note)["document"]["content"]][-2:] == ["paragraph", "footnote"]


SELECT_FIRST = """() => import("/parts/panes.js").then(({ front }) => {
    const { commands, state } = front().editor;
    commands.setTextSelection({ from: 1, to: 1 + state.doc.firstChild.content.size });
})"""

# From the first letter of the first paragraph to behind the last one of the second.
DRAG = """() => {
    const lines = [...document.querySelectorAll(".ProseMirror > p")];
    const data = new DataTransfer();
    const place = (line, isEnd) => {
        const range = document.createRange();
        range.selectNodeContents(line);
        const box = range.getBoundingClientRect();
        return { clientX: isEnd ? box.right - 1 : box.left + 2, clientY: box.top + box.height / 2 };
    };
    const send = (name, line, isEnd) => line.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true, ...place(line, isEnd) }));
    send("dragstart", lines[0], false);
    send("drop", lines[1], true);
}"""


def test_words_with_a_footnote_could_not_be_dragged(world: World):
    note = world.server.make_note("Dragged", paragraph("Here", mark("1"), " and more"), paragraph("There"), footnote("1", "Said below."))
    screen = world.person().opens("all", note)
    screen.text.locator("p").first.click()
    screen.page.evaluate(SELECT_FIRST)
    screen.page.evaluate(DRAG)
    expect(screen.text.locator(":scope > p")).to_have_text(["", "ThereHere1 and more"])
    expect(screen.text.locator(".footnote-text")).to_have_text(["Said below."])
    screen.is_saved()
    assert [node["attrs"]["label"] for node in nodes(world, note, "footnote")] == ["1"]
    screen.presses("Control+z")
    expect(screen.text.locator(":scope > p")).to_have_text(["Here1 and more", "There"])


# From the first letter of the text into its footnote.
SELECT_MOST = """() => import("/parts/panes.js").then(({ front }) => {
    const { commands, state } = front().editor;
    commands.setTextSelection({ from: 1, to: state.doc.content.size - 6 });
})"""


def test_what_was_copied_up_to_the_middle_of_a_footnote_could_not_be_pasted(world: World):
    note = world.server.make_note("Copied most of it", paragraph("Here", mark("1")), "", footnote("1", "Said below."))
    screen = world.person(permissions=["clipboard-read", "clipboard-write"]).opens("all", note)
    screen.text.locator("p").first.click()
    screen.page.evaluate(SELECT_MOST)
    screen.presses("Control+c")
    other = world.server.make_note("Copied most of it into", "")
    screen.goes_to("all", other)
    screen.text.click()
    screen.presses("Control+v")
    expect(screen.text.locator(":scope > p").first).to_have_text("Here1")
    expect(screen.text.locator(".footnote-text")).to_have_text("Said be")
