"""What is copied in a note comes back as it was, and what the server refuses can be left out."""

import json
import re

from playwright.sync_api import expect

from server import bullets, callout, footnote, heading, link, mark, marked, paragraph, picture, quote, table, tasks
from test_pasting import pastes
from test_writing import png
from world import DESK, PHONE, World, wait_until

# Marks that a server knows since version 4 of texts.
HEIGHTS = ["superscript", "subscript"]
STYLES = ["bold", "italic", "underline", "strike", "highlight", *HEIGHTS, "code"]


def put_file(server, note: str) -> str:
    return server.call("PUT", f"/notes/{note}/files", png(24, 16, (20, 90, 200)), kind="image/png")["id"]


def code(text: str, language: str | None = None):
    return {"type": "codeBlock"} | ({"attrs": {"language": language}} if language else {}) | {"content": [{"type": "text", "text": text}]}


def numbered(start: int, *lines: str):
    return bullets(*lines) | {"type": "orderedList"} | ({"attrs": {"start": start}} if start != 1 else {})


def links_of(other: str):
    return {
        "a link to a note": link("Finding things again", other),
        "a link to a heading": marked("Early days", "link", href=f"note:{other}#Early%20days"),
        "a link to a page": marked("a page", "link", href="https://example.org/a?b=1#c"),
        "a link to mail": marked("Anna", "link", href="mailto:anna@example.org"),
        "a link to another program": marked("a book", "link", href="zotero://select/items/1"),
    }


def samples(other: str, file: str) -> dict[str, list]:
    """Every node and every mark of the schema, alone and inside others: what it is, and the blocks."""
    found = {name: [paragraph("See ", one, " here.")] for name, one in links_of(other).items()}
    found |= {f"words in {style}": [paragraph("so ", marked("it is", style), " said")] for style in STYLES}
    both = {"type": "text", "text": "both", "marks": [{"type": "link", "attrs": {"href": f"note:{other}"}}, {"type": "bold"}, {"type": "italic"}]}
    blocks = {
        "a heading": heading(2, "A heading"),
        "bullets": bullets("one", "two"),
        "numbers": numbered(3, "three", "four"),
        "tasks": tasks((True, "done"), (False, "open")),
        "a quote": quote("said"),
        "code": code("let a = 1\n\nlet b = 2", "swift"),
        "a rule": {"type": "horizontalRule"},
        "a table": table(["Fruit", "Number"], ["Pears", "14"]),
        "a picture": picture(file, caption="A hive", width=240),
        "a file": {"type": "file", "attrs": {"file": file, "name": "hive.png"}},
        "a callout": callout("tip", "Short", "is better", fold="closed"),
    }
    found |= {name: ["before", block, "after"] for name, block in blocks.items()}
    found["a line break"] = [paragraph("one", {"type": "hardBreak"}, "two")]
    found["a footnote"] = [paragraph("said", mark("1"), " so"), footnote("1", "In May.")]
    found["several marks"] = [paragraph("see ", both, " marks")]
    insides = [paragraph("see ", link("Finding things again", other), " and ", both), *blocks.values()]
    found["all in a quote"] = ["before", {"type": "blockquote", "content": insides}, "after"]
    found["all in a callout"] = ["before", callout("warning", "Mind", *insides), "after"]
    for kind, item in (("bulletList", {"type": "listItem"}), ("orderedList", {"type": "listItem"}), ("taskList", {"type": "taskItem", "attrs": {"checked": True}})):
        found[f"all in a {kind}"] = ["before", {"type": kind, "content": [item | {"content": insides}]}, "after"]
    found["all in a footnote"] = [paragraph("said", mark("a"), " so"), {"type": "footnote", "attrs": {"label": "a"}, "content": insides}]
    cells = [{"type": "tableCell", "attrs": {"align": "right"}, "content": [paragraph("a ", one)]} for one in (*links_of(other).values(), both, mark("1"))]
    found["marks in a table"] = ["before", {"type": "table", "content": [{"type": "tableRow", "content": cells}]}, "after", footnote("1", "In May.")]
    return found


def kinds_of(nodes) -> set[str]:
    return {kind for node in nodes for kind in (node["type"], *(mark["type"] for mark in node.get("marks", [])), *kinds_of(node.get("content", [])))}


OURS = """() => import("/parts/panes.js").then(({ front }) => {
    const { nodes, marks } = front().editor.schema;
    return [...Object.keys(nodes), ...Object.keys(marks)];
})"""


def test_what_was_cut_and_put_back_could_not_be_saved(world: World):
    other = world.server.make_note("Finding things again", heading(2, "Early days"))
    holder = world.server.make_note("Holds a file", "")
    file = put_file(world.server, holder)
    screen = world.person(permissions=["clipboard-read", "clipboard-write"]).opens("all", holder)
    all_samples = samples(other, file)
    known = kinds_of([block if isinstance(block, dict) else paragraph(block) for blocks in all_samples.values() for block in blocks])
    assert set(screen.page.evaluate(OURS)) - known == {"doc"}, set(screen.page.evaluate(OURS)) ^ known
    wrong = {}
    for name, blocks in all_samples.items():
        note = world.server.make_note(f"Cut: {name}", *blocks)
        before = world.server.note(note)["document"]
        screen.goes_to("all", note, rows=False)
        screen.text.focus()
        screen.presses("Control+a", "Control+x")
        wait_until(lambda: world.server.text(note).strip() == "", lambda: f"{name} was not cut", meanwhile=screen.page)
        screen.presses("Control+v", "Control+s")
        expect(screen.saving).to_have_text(re.compile("^(Saved|Not saved)$"))
        wait_until(lambda: screen.saving.text_content() in ("Saved", "Not saved"), meanwhile=screen.page)
        after = world.server.note(note)["document"]
        if without_last_line(after) != without_last_line(before):
            wrong[name] = (screen.saving.text_content(), after)
    assert not wrong, "\n".join(f"{name}: {what}" for name, what in wrong.items())


def test_what_was_exported_could_not_be_pasted(world: World):
    """The page that a note is exported as, and the page that Slipbox itself shows, as a browser copies it."""
    other = world.server.make_note("Finding things again", heading(2, "Early days"))
    holder = world.server.make_note("Holds another file", "")
    screen = world.person().opens("all", holder)
    wrong = {}
    all_samples = samples(other, put_file(world.server, holder))
    for name, blocks in all_samples.items():
        # Each node and mark is inside one of these.
        if not name.startswith(("a link", "all in", "marks in")):
            continue
        note = world.server.make_note(f"Out: {name}", *blocks)
        screen.goes_to("all", note, rows=False)
        shown = screen.page.evaluate("""async (note) => {
            const page = await (await fetch(`/api/notes/${note}/export?as=html`)).text();
            return [page, document.querySelector(".text .ProseMirror").innerHTML];
        }""", note)
        before = world.server.note(note)["document"]
        for way, html in zip(("exported", "shown"), shown):
            fresh = world.server.make_note(f"In: {name}, {way}", "")
            screen.goes_to("all", fresh, rows=False)
            screen.text.click()
            pastes(screen, "x", html)
            screen.types("!")
            wait_until(lambda: screen.saving.text_content() in ("Saved", "Not saved"), meanwhile=screen.page)
            links = [one for one in addresses(before) if one.startswith(("note:", "http", "mailto:"))]
            after = addresses(world.server.note(fresh)["document"])
            if screen.saving.text_content() != "Saved" or [one for one in links if one not in after]:
                wrong[f"{name}, {way}"] = (screen.saving.text_content(), links, after)
    assert not wrong, "\n".join(f"{name}: {what}" for name, what in wrong.items())


def addresses(node) -> list[str]:
    """What the links of a text lead to."""
    own = [one["attrs"]["href"] for one in node.get("marks", []) if one["type"] == "link"]
    return own + [address for child in node.get("content", []) for address in addresses(child)]


def without_last_line(document) -> list:
    """The blocks without empty lines at the end: the editor adds one below a picture."""
    blocks = [block for block in document["content"] if block["type"] != "footnote"]
    rest = [block for block in document["content"] if block["type"] == "footnote"]
    while blocks and blocks[-1] == {"type": "paragraph"}:
        blocks.pop()
    return blocks + rest


PUT_IN = """(json) => import("/parts/panes.js").then(({ front }) => {
    const { view, schema } = front().editor;
    const { doc, tr } = view.state;
    view.dispatch(tr.insert(doc.content.size, schema.nodeFromJSON(JSON.parse(json))));
})"""


def inside_quotes(depth: int, block):
    return block if depth == 0 else {"type": "blockquote", "content": [inside_quotes(depth - 1, block)]}


def test_a_piece_that_the_server_refused_made_a_note_unsaveable(world: World):
    refused = [
        (paragraph("Ask ", marked("Anna", "link", href="javascript:x"), " about the hive"), "The link “Anna” in “Ask Anna about the hive” cannot be saved", "Ask Anna about the hive"),
        (picture("none", caption="A hive"), "The picture “A hive” cannot be saved", ""),
        ({"type": "heading", "attrs": {"level": 9}, "content": [{"type": "text", "text": "Ninth"}]}, "The heading “Ninth” cannot be saved", "Ninth"),
        (inside_quotes(40, paragraph("deep inside")), "cannot be saved: this stands too deep", "deep inside"),
        (inside_quotes(90, paragraph("deeper inside")), "cannot be saved: it is inside more than 31 others", "deeper inside"),
    ]
    for device in (DESK, PHONE):
        for number, (block, said, kept) in enumerate(refused):
            note = world.server.make_note(f"Refused {number}", "before")
            screen = world.person(device).opens("all", note, rows=False)
            screen.expects("status of 400", "status of 404.*files/none")
            screen.page.evaluate(PUT_IN, json.dumps(block))
            notice = screen.page.get_by_role("alert").filter(has_text=said)
            expect(notice).to_be_visible()
            expect(screen.saving).to_have_text("Not saved")
            expect(screen.page.locator(".toast.bad")).to_have_count(0)
            assert screen.page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]
            if number == 0:
                screen.is_accessible("a piece that is refused")
                screen.looks(f"refused-{'phone' if device is PHONE else 'desk'}")
                # One may write on, and the piece is found where it has gone.
                screen.text.locator("p").first.click()
                screen.presses("Home")
                screen.types("above")
                screen.presses("Enter")
                screen.button("Show", notice).click()
                wait_until(lambda: screen.page.evaluate("getSelection().toString()") == "Anna", meanwhile=screen.page)
            screen.button("Leave it out", notice).click()
            screen.is_saved()
            expect(notice).to_have_count(0)
            words = world.server.text(note).split("\n")
            assert [word for word in words if word] == [word for word in (["above"] if number == 0 else []) + ["before", kept] if word], words
