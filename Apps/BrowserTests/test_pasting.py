"""What comes from other programs: its form, its lists, its pictures."""

import base64

from playwright.sync_api import expect

from server import footnote, mark, paragraph, table
from test_together import LOST
from test_writing import png
from world import World, wait_until


def test_what_comes_from_other_programs_keeps_its_form(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Pasted")
    screen.presses("Enter")
    pastes(screen, "x", """<html><head><style>p { color: red }</style></head><body><b style="font-weight:normal" id="docs-internal-guid">
        <h4>Fourth</h4><p style="color:red">plain, <span style="font-weight:700">strong</span> and <span style='font-style: italic'>slanted</span></p>
        <table><tr><td><p>Apples</p></td><td>3</td></tr><tr><td>Pears</td><td>14</td></tr></table>
        <ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open</li></ul></b></body></html>""")
    expect(screen.text.locator("h4")).to_have_text("Fourth")
    expect(screen.text.locator("p").nth(0)).to_have_text("plain, strong and slanted")
    assert screen.text.locator("strong").all_text_contents() == ["strong"]
    assert screen.text.locator("em").all_text_contents() == ["slanted"]
    expect(screen.text.locator("td")).to_have_text(["Apples", "3", "Pears", "14"])
    assert [box.is_checked() for box in screen.text.locator("ul.tasks input").all()] == [True, False]
    screen.is_saved()
    # Cells come with a picture of themselves: the cells are meant.
    screen.presses("Enter")
    pastes(screen, "7\t8", "<table><tr><td>7</td><td>8</td></tr></table>", png(8, 8, (200, 0, 0)))
    expect(screen.text.locator("td")).to_have_text(["Apples", "3", "Pears", "14", "7", "8"])
    screen.is_saved()
    assert world.server.note(note)["attachment"] is None


def test_styles_of_what_is_pasted_were_blocked_in_the_console(world: World):
    person = world.person(permissions=["clipboard-read", "clipboard-write"])
    screen = person.opens("unfiled")
    note = screen.new_note("Pasted styles")
    page = "<ol type=a start=3><li>letters</li></ol><ol start=x><li>one</li></ol><p><span style='color:red'>red</span></p>"
    screen.presses("Enter")
    pastes(screen, "x", page)
    # As the browser itself copies and pastes it.
    other = person.context.new_page()
    other.set_content(page)
    other.keyboard.press("Control+a")
    other.keyboard.press("Control+c")
    other.close()
    screen.presses("Control+End", "Enter", "Control+v")
    expect(screen.text.locator("li")).to_have_text(["letters", "one"] * 2)
    assert screen.text.locator("ol").evaluate_all("lists => lists.map(list => list.getAttribute('start'))") == ["3", None] * 2
    expect(screen.text.locator("[type], [style], [data-type]")).to_have_count(0)
    screen.is_saved()
    # And from note to note.
    screen.text.click()
    screen.presses("Control+a", "Control+x", "Control+v")
    expect(screen.text.locator("li")).to_have_text(["letters", "one"] * 2)
    screen.is_saved()
    kinds = {block["type"]: block.get("attrs") for block in world.server.note(note)["document"]["content"][:1]}
    assert kinds == {"orderedList": {"start": 3}}, kinds


def pastes(screen, text: str, html: str, picture: bytes | None = None) -> None:
    screen.text.evaluate("""(field, [text, html, bytes]) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        data.setData("text/html", html);
        if (bytes) data.items.add(new File([new Uint8Array(bytes)], "image.png", {type: "image/png"}));
        field.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
    }""", [text, html, list(picture) if picture else None])


def data(color: tuple[int, int, int]) -> str:
    return "data:image/png;base64," + base64.b64encode(png(24, 16, color)).decode()


def test_pictures_in_what_is_pasted_are_taken_or_told(world: World):
    person = world.person()
    asked = []
    person.context.on("request", lambda request: "elsewhere.example" in request.url and asked.append(request.url))
    screen = person.opens("unfiled")
    note = screen.new_note("Pasted with pictures")
    screen.presses("Enter")
    web = '<img src="https://elsewhere.example/a.png" onerror="alert(1)">'
    dot = '<img src="https://elsewhere.example/dot.gif" width="1" height="1">'
    pastes(screen, "x", f'<p>Before {web} and {dot} after <img alt="🌿" src="https://elsewhere.example/leaf.png"></p>')
    screen.says("1 picture was left out, because Slipbox does not load anything from other sites.")
    expect(screen.text).to_have_text("Before  and  after 🌿")
    # Pictures that came along stand where they stood; what lies elsewhere is said.
    pastes(screen, "y", f'<p>One <img src="{data((20, 90, 200))}"> two <img src="file:///C:/a.png"> three {web}</p><p>end <img src="{data((200, 90, 20))}"></p>')
    screen.says("2 pictures were left out")
    figures = screen.text.locator("figure.text-picture")
    expect(figures).to_have_count(2)
    for figure in figures.all():
        wait_until(lambda: figure.locator("img").evaluate("image => image.naturalWidth") == 24)
    expect(screen.text.locator(":scope > p", has_text="two")).to_contain_text("two  three")
    screen.is_accessible("pictures in the text")
    # Nothing but a picture from elsewhere: the browser must not paste it by itself.
    before = screen.text.text_content()
    pastes(screen, "", web)
    screen.says("1 picture was left out")
    assert screen.text.text_content() == before and screen.text.locator("img:not(.ProseMirror-separator)").count() == 2
    # A broken one is told, too.
    pastes(screen, "z", '<p>broken <img src="data:image/png;base64,%%%"></p>')
    expect(screen.text).to_contain_text("broken")
    screen.is_saved()
    assert not asked, asked
    assert [file["bytes"] for file in world.server.note(note)["files"]].count(len(png(24, 16, (20, 90, 200)))) >= 1
    assert [block["type"] for block in world.server.note(note)["document"]["content"]].count("picture") == 2


def test_what_is_pasted_with_a_picture_left_the_selected_words(world: World):
    note = world.server.make_note("Pasted over", "Old words", "Others")
    screen = world.person().opens("all", note)
    screen.text.locator("p").first.click()
    screen.selects_line()
    pastes(screen, "x", f'<p>New <img src="{data((20, 90, 200))}"> words</p>')
    expect(screen.text.locator("figure.text-picture")).to_have_count(1)
    expect(screen.text.locator(":scope > p").first).to_have_text("New")
    expect(screen.text).not_to_contain_text("Old words")


DROP = """([line, html]) => {
    const data = new DataTransfer();
    data.setData("text/html", html);
    const target = document.querySelectorAll(".ProseMirror > p")[line];
    const range = document.createRange();
    range.selectNodeContents(target);
    const box = range.getBoundingClientRect();
    const place = { clientX: box.right - 1, clientY: box.top + box.height / 2 };
    target.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true, ...place }));
}"""


def test_words_with_a_picture_that_were_dropped_came_to_the_caret(world: World):
    note = world.server.make_note("Dropped words", "One", "Two", "Three")
    screen = world.person().opens("all", note)
    screen.text.locator("p").first.click()
    screen.page.evaluate(DROP, [1, f'<p>new <img src="{data((20, 90, 200))}"> words</p>'])
    expect(screen.text.locator("figure.text-picture")).to_have_count(1)
    expect(screen.text.locator(":scope > p").first).to_have_text("One")
    screen.is_saved()
    kinds = [block["type"] for block in world.server.note(note)["document"]["content"]]
    assert kinds[:3] == ["paragraph", "paragraph", "picture"], kinds


def test_an_address_that_was_pasted_over_selected_code_was_lost(world: World):
    code = {"type": "codeBlock", "content": [{"type": "text", "text": "old"}]}
    note = world.server.make_note("Address in code", code, "words")
    screen = world.person().opens("all", note)
    for place, now in (("pre", "https://example.org/a"), ("p", "words")):
        screen.text.locator(place).click()
        screen.selects_line()
        pastes(screen, "https://example.org/a", "")
        expect(screen.text.locator(place)).to_have_text(now)
    expect(screen.text.get_by_role("link", name="words")).to_have_attribute("href", "https://example.org/a")


def test_a_link_to_an_address_with_parentheses_lost_its_end(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Planets")
    screen.presses("Enter")
    screen.types("See https://example.org/Mars_(planet), and [Venus](https://example.org/Venus_(planet)) ")
    pastes(screen, "or https://example.org/Saturn_(planet).", "")
    expect(screen.text.locator("a")).to_have_count(3)
    wanted = [f"https://example.org/{name}_(planet)" for name in ("Mars", "Venus", "Saturn")]
    assert screen.text.locator("a").evaluate_all("links => links.map(link => link.getAttribute('href'))") == wanted
    screen.is_saved()
    assert world.server.text(note).strip() == f"See {wanted[0]}, and Venus or {wanted[2]}."


def test_a_browser_without_a_clipboard_was_told_of_in_the_words_of_an_error(world: World):
    note = world.server.make_note("Not copied", "Words.")
    person = world.person()
    # As where the page came without HTTPS.
    person.context.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    screen = person.opens("all", note)
    screen.chooses("More for this note", "Copy as Markdown")
    screen.says("The browser does not allow copying.")


def test_the_caption_of_a_pasted_picture_was_a_paragraph_below_it(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Pasted with a caption")
    screen.presses("Enter")
    figure = f'<figure><img src="{data((20, 90, 200))}"><figcaption>A <b>hive</b>\n in May</figcaption></figure>'
    elsewhere = '<figure><img src="https://elsewhere.example/a.png"><figcaption>Not here</figcaption></figure>'
    pastes(screen, "x", f"<p>Before</p>{figure}{elsewhere}<p>After</p>")
    expect(screen.text.get_by_label("Caption")).to_have_value("A hive in May")
    screen.is_saved()
    blocks = [(block["type"], block.get("attrs", {}).get("caption")) for block in world.server.note(note)["document"]["content"]]
    assert blocks.count(("picture", "A hive in May")) == 1, blocks
    # The words of a picture that did not come are all that is left of it.
    expect(screen.text).to_contain_text("Not here")


def test_words_beside_a_block_in_a_table_that_lays_out_a_page_were_lost(world: World):
    screen = world.person().opens("unfiled")
    screen.new_note("Pasted from a mail")
    for html, words in (
        ("<table><tr><td>Dear Anna,<div>see you Monday</div>Yours, B.</td></tr></table>", ["Dear Anna,", "see you Monday", "Yours, B."]),
        ("<table><tr><td>Bring:<ul><li>rope</li></ul></td></tr></table>", ["Bring:", "rope"]),
        ("<table><tr><td><p>One paragraph</p></td></tr></table>", ["One paragraph"]),
        ("<table><caption>Fruit of the <b>year</b></caption><tr><td>Pears</td><td>14</td></tr></table>", ["Fruit of the year", "Pears"]),
    ):
        screen.presses("Control+End", "Enter")
        pastes(screen, "x", html)
        for one in words:
            expect(screen.text.locator("p").filter(has_text=one).first).to_have_text(one)
    expect(screen.text.locator("td")).to_have_text(["Pears", "14"])


WORD = """<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoListParagraph {margin-left:36pt} --></style></head><body>
<p class=MsoNormal>Shopping<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span
style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>Fruit<o:p></o:p></p>
<p class=MsoListParagraphCxSpMiddle style='margin-left:72.0pt;mso-list:l0 level2 lfo1'><![if !supportLists]><span style='font-family:"Courier New"'><span
style='mso-list:Ignore'>o<span>&nbsp; </span></span></span><![endif]><b>Pears</b></p>
<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o </span>Quinces</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>· </span>Ink</p>
<p class=MsoNormal>And then</p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l1 level1 lfo2'><!--[if !supportLists]--><span style='mso-list:Ignore'>3.<span>&nbsp; </span></span><!--[endif]-->third</p>
<p class=MsoListParagraphCxSpLast style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>4. </span>fourth</p></body></html>"""

DOCS = """<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><ul style="margin-top:0">
<li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr" role="presentation"><span style="font-weight:400">outer</span></p></li>
<ul><li dir="ltr" style="list-style-type:circle" aria-level="2"><p dir="ltr" role="presentation"><span style="font-weight:700">inner</span></p></li></ul>
<li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>outer again</span></p></li></ul>
<ul><li role="checkbox" aria-checked="true" aria-level="1"><img src="data:image/png;base64,iVBORw0KGgo=" width="17px" height="17px" alt="checked" /><p dir="ltr" role="presentation"><span>done</span></p></li>
<li role="checkbox" aria-checked="false" aria-level="1"><img src="data:image/png;base64,iVBORw0KGgo=" alt="unchecked" /><p dir="ltr" role="presentation"><span>open</span></p></li></ul></b>"""


def shape(node) -> list | str:
    """The lists of a document as lists, their texts as texts."""
    kind = node["type"]
    inside = [shape(child) for child in node.get("content", [])]
    if kind == "text":
        return node["text"].strip()
    if kind in ("paragraph", "listItem"):
        return inside[0] if len(inside) == 1 else inside
    if kind == "taskItem":
        return [node["attrs"]["checked"] if "attrs" in node else False, *inside]
    return [kind + str(node.get("attrs", {}).get("start", "")), *inside]


def test_lists_of_word_and_google_docs_stay_lists(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("From Word")
    screen.presses("Enter")
    pastes(screen, "x", WORD)
    expect(screen.text.locator("li")).to_have_count(6)
    screen.is_saved()
    _, *blocks = shape(world.server.note(note)["document"])
    assert blocks == ["Shopping", ["bulletList", ["Fruit", ["bulletList", "Pears", "Quinces"]], "Ink"], "And then", ["orderedList3", "third", "fourth"]], blocks
    note = screen.new_note("From Google Docs")
    screen.presses("Enter")
    pastes(screen, "x", DOCS)
    expect(screen.text.locator("li")).to_have_count(5)
    screen.is_saved()
    _, *blocks = shape(world.server.note(note)["document"])
    assert blocks == [["bulletList", ["outer", ["bulletList", "inner"]], "outer again"], ["taskList", [True, "done"], [False, "open"]]], blocks
    expect(screen.text.locator("figure")).to_have_count(0)


def test_what_stands_before_a_pasted_text_was_a_heading(world: World):
    screen = world.person(permissions=["clipboard-read", "clipboard-write"]).opens("unfiled")
    note = screen.new_note("Pasted whole")
    screen.presses("Enter")
    screen.page.evaluate("text => navigator.clipboard.writeText(text)", "---\ntags: [garden, bees]\naliases:\n  - Hive\n---\n\nThe text.\n")
    screen.presses("Control+v")
    expect(screen.text.locator("pre")).to_have_text("tags: [garden, bees]\naliases:\n  - Hive")
    screen.is_saved()
    kinds = [(block["type"], block.get("attrs")) for block in world.server.note(note)["document"]["content"]]
    assert kinds == [("codeBlock", {"language": "yaml"}), ("paragraph", None)], kinds
    # A rule with words below it is one.
    screen.new_note("Pasted with a rule", "x")
    screen.page.evaluate("text => navigator.clipboard.writeText(text)", "---\n\n**Bold** words: these.\n\n---\n")
    screen.presses("Control+v")
    expect(screen.text.locator("hr")).to_have_count(2)


def test_a_picture_that_was_pasted_offline_was_gone_without_a_word_about_it(world: World):
    person = world.person()
    screen = person.opens("unfiled")
    screen.expects(*LOST)
    screen.new_note("No picture", "words")
    person.goes_offline()
    pastes(screen, "", "", png(8, 8, (200, 0, 0)))
    screen.says("The picture was not inserted. Insert it again when Slipbox is reachable.")
    person.goes_offline(False)
    expect(screen.page.locator(".side-foot")).to_have_count(0)


def test_words_that_were_marked_in_word_were_plain(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Pasted marks")
    screen.presses("Enter")
    pastes(screen, "x", """<p class=MsoNormal>plain, <span style='background:yellow;mso-highlight:yellow'>marked</span>
        and <span style="background:white">on white</span></p>""")
    expect(screen.text.locator("mark")).to_have_text(["marked"])
    screen.is_saved()
    assert world.server.text(note).strip() == "plain, marked and on white"


def test_numbers_that_were_pasted_lost_their_powers(world: World):
    screen = world.person().opens("unfiled")
    note = screen.new_note("Powers")
    screen.presses("Enter")
    pastes(screen, "x", """<p>10<sup>6</sup> m<sup>2</sup>, 10<sup>\u22123</sup>, CO<sub>2</sub>, x<sup><i>n</i></sup>, x<sub>i+1</sub></p>
        <p><sub>Printed small, for whoever reads it.</sub></p><p>2<span style="font-size:0.6em;vertical-align:super">8</span></p>
        <p>e<sup>A/B</sup>, v<sub>max,2</sub>, 5<sup>th</sup>, Slipbox<sup>™</sup></p>
        <p>Said<sup><a href="https://example.org/#1">[1]</a></sup> there<a href="https://example.org/#2"><sup>2</sup></a>.</p>""")
    expect(screen.text.locator("p")).to_have_text(
        ["10⁶ m², 10⁻³, CO₂, xⁿ, xᵢ₊₁", "Printed small, for whoever reads it.", "2⁸", "e^(A/B), v_(max,2), 5th, Slipbox™", "Said[1] there2."])
    expect(screen.text.locator("a")).to_have_count(2)
    screen.is_saved()
    assert world.server.text(note).startswith("10⁶ m²")


def test_the_lines_of_a_cell_were_one_word_in_what_is_copied(world: World):
    cells = [paragraph("Pears", {"type": "hardBreak"}, "sweet", mark("1")), paragraph("14")]
    row = {"type": "tableRow", "content": [{"type": "tableCell", "content": [cell]} for cell in cells]}
    note = world.server.make_note("Copied cells", {"type": "table", "content": [row]}, "below", footnote("1", "In May."))
    screen = world.person(permissions=["clipboard-read", "clipboard-write"]).opens("all", note)
    screen.text.locator(":scope > p").click()
    screen.presses("Control+a", "Control+c")
    copied = lambda: screen.page.evaluate("navigator.clipboard.readText()")
    wait_until(lambda: copied().startswith("Pears sweet[1]\t14\n"), copied, meanwhile=screen.page)


def test_lines_that_were_pasted_into_a_cell_tore_the_table_apart(world: World):
    note = world.server.make_note("Pasted into a cell", table(["Fruit", "Where"], ["Pears", ""]), "below")
    screen = world.person().opens("all", note)
    screen.text.locator("td").last.click()
    pastes(screen, "In the yard\nand by the wall", "")
    screen.types(", too")
    expect(screen.text.locator("td")).to_have_count(2)
    screen.is_saved()
    blocks = world.server.note(note)["document"]["content"]
    assert [block["type"] for block in blocks] == ["table", "paragraph"]
    line = blocks[0]["content"][1]["content"][1]["content"]
    assert line == [paragraph("In the yard", {"type": "hardBreak"}, "and by the wall, too")], line
    # A picture comes below.
    pastes(screen, "x", f'<p>So <img src="{data((20, 90, 200))}"></p>')
    expect(screen.text.locator("figure.text-picture")).to_have_count(1)
    expect(screen.text.locator("table figure")).to_have_count(0)
    expect(screen.text.locator("table")).to_have_count(1)
    expect(screen.text.locator("td")).to_have_count(2)
