"""What is put into a text by a slash, and how code looks."""

import re

from playwright.sync_api import expect

from server import bullets, callout, footnote, heading, mark, paragraph, quote, table, tasks
from test_essays import chosen
from test_pasting import pastes
from test_writing import png
from world import DESK, PHONE, World, wait_until


def test_a_finger_that_scrolled_choices_took_the_one_it_was_put_on(world: World):
    world.server.make_note("Has one", "x", keywords=["Scrolled"])
    note = world.server.make_note("Scrolls", "")
    screen = world.person(PHONE).opens("all", note, rows=False)
    screen.text.tap()
    screen.types("/")
    menu = screen.page.get_by_role("listbox", name="Put in")
    table = menu.get_by_role("option", name="Table", exact=True)
    table.dispatch_event("pointerdown", {"pointerType": "touch"})
    expect(menu).to_be_visible()
    expect(screen.text.locator("table")).to_have_count(0)
    table.tap()
    expect(menu).to_have_count(0)
    expect(screen.text.locator("table")).to_have_count(1)
    screen.page.locator(".facts-line").tap()
    screen.button("Add a keyword").tap()
    screen.types("scroll")
    keyword = screen.page.get_by_role("listbox", name="Keywords").get_by_role("option", name="Scrolled")
    keyword.dispatch_event("pointerdown", {"pointerType": "touch"})
    expect(screen.page.get_by_role("combobox", name="Find or create a keyword")).to_have_value("scroll")
    keyword.tap()
    wait_until(lambda: [one["name"] for one in world.server.note(note)["keywords"]] == ["Scrolled"], meanwhile=screen.page)


def test_a_slash_puts_things_in(world: World):
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        note = world.server.make_note(f"Slashes {scheme}", "")
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        screen.text.tap() if device is PHONE else screen.text.click()
        screen.types("/")
        menu = screen.page.get_by_role("listbox", name="Put in")
        expect(menu.get_by_role("option")).to_have_count(28)
        screen.is_accessible(f"slash menu, {scheme}")
        screen.looks(f"slash-{scheme}")
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]
        screen.types("head")
        if device is PHONE:
            menu.get_by_role("option", name="Heading", exact=True).tap()
        else:
            screen.presses("ArrowDown", "ArrowUp", "ArrowDown", "Enter")
        screen.types("Plan")
        expect(screen.text.locator("h2")).to_have_text("Plan")
        screen.presses("Enter")
        screen.types("/todo")
        screen.presses("Enter")
        screen.types("Buy bread")
        expect(screen.text.locator("[data-type=taskItem], .tasks li")).to_have_count(1)
        # A path is a path, and Escape keeps the slash.
        screen.presses("Enter", "Enter")
        screen.types("and/or /")
        expect(menu).to_be_visible()
        screen.presses("Escape")
        expect(menu).to_have_count(0)
        screen.types("tmp")
        screen.is_saved()
        assert world.server.text(note).split() == ["Plan", "Buy", "bread", "and/or", "/tmp"]


def test_code_has_colours(world: World):
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        code = {"type": "codeBlock", "attrs": {"language": "swift"}, "content": [{"type": "text", "text": 'func greet(times: Int = 3) {\n  print("Hello")  // says it\n}'}]}
        note = world.server.make_note(f"Code {scheme}", paragraph("Look:"), code)
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        expect(screen.text.locator(".code-word")).to_have_text("func")
        expect(screen.text.locator(".code-text")).to_have_text('"Hello"')
        expect(screen.text.locator(".code-number")).to_have_text("3")
        expect(screen.text.locator(".code-remark")).to_have_text("// says it")
        screen.is_accessible(f"code, {scheme}")
        screen.looks(f"code-{scheme}")


def test_the_next_key_took_the_place_of_what_was_put_in(world: World):
    """Pictures, files and lines: by a button, a drop, the clipboard and a slash; in the middle, at the end and inside others."""
    red = {"name": "red.png", "mimeType": "image/png", "buffer": png(24, 16, (200, 0, 0))}
    letter = {"name": "letter.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4"}

    def slash(word: str):
        def put() -> None:
            screen.types(f" /{word}")
            expect(screen.page.get_by_role("listbox", name="Put in")).to_be_visible()
            screen.presses("Enter")
        return put

    def drops(file) -> None:
        screen.text.evaluate("""(field, [name, type, bytes]) => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(bytes)], name, { type }));
            const { x, y, height } = getSelection().getRangeAt(0).getBoundingClientRect();
            field.dispatchEvent(new DragEvent("drop", { dataTransfer: data, clientX: x, clientY: y + height / 2, bubbles: true, cancelable: true }));
        }""", [file["name"], file["mimeType"], list(file["buffer"])])

    def cuts_and_pastes() -> None:
        chosen(screen, "Picture", red)
        expect(screen.text.locator("figure.text-picture")).to_have_count(1)
        screen.page.evaluate("""() => import("/parts/panes.js").then(({ front }) => {
            front().editor.state.doc.descendants((node, at) => { if (node.type.name === "picture") front().editor.commands.setNodeSelection(at); });
            front().editor.view.focus();
        })""")
        screen.presses("Control+x")
        expect(screen.text.locator("figure.text-picture")).to_have_count(0)
        screen.presses("Control+v")

    ways = {
        "picture": [lambda: chosen(screen, "Picture", red), lambda: pastes(screen, "", "", red["buffer"]), lambda: drops(red), cuts_and_pastes],
        "file": [lambda: chosen(screen, "File", letter), lambda: drops(letter)],
        "horizontalRule": [slash("line")],
    }
    at_end = ["first", "here"]
    between = ["here", paragraph("after")]
    before_list = ["here", bullets("item")]
    inside = [quote("here")]
    in_list = [bullets("here")]
    for device in (DESK, PHONE):
        screen = world.person(device, permissions=["clipboard-read", "clipboard-write"]).opens("all", rows=device is DESK)
        for kind, puts in ways.items():
            for number, put in enumerate(puts):
                for blocks in (at_end, between, before_list, inside, in_list) if number == 0 and device is DESK else (at_end,):
                    note = world.server.make_note(f"Put in: {kind} {number}", *blocks)
                    screen.goes_to("all", note, rows=False)
                    screen.text.locator("p", has_text="here").click()
                    screen.presses("End")
                    put()
                    wait_until(lambda: kind in kinds(screen.page), meanwhile=screen.page)
                    if number == 0:
                        # What was put in goes and comes as one.
                        screen.presses("Control+z")
                        wait_until(lambda: kind not in kinds(screen.page), meanwhile=screen.page)
                        screen.presses("Control+y")
                        wait_until(lambda: kind in kinds(screen.page), meanwhile=screen.page)
                    screen.types("and on")
                    screen.is_saved()
                    found = kinds(screen.page)
                    assert found.count(kind) == 1, (kind, number, blocks, found)
                    lines = world.server.text(note).split("\n")
                    assert any(line.startswith("and on") for line in lines), (kind, number, blocks, lines)


def kinds(page) -> list[str]:
    """Of all nodes in the open text."""
    return page.evaluate("""() => import("/parts/panes.js").then(({ front }) => {
        const found = [];
        front().editor.state.doc.descendants((node) => void found.push(node.type.name));
        return found;
    })""")


PLACES = {
    "first": paragraph("first"),
    "second": paragraph("second"),
    "headed": heading(2, "headed"),
    "item": {"type": "bulletList", "content": [{"type": "listItem", "content": [paragraph("item"), bullets("deep", "deeper")]}, {"type": "listItem", "content": [paragraph("last item")]}]},
    "deep": None,
    "last item": None,
    "task": tasks((False, "task"), (True, "done")),
    "quoted": quote("quoted"),
    "titled": callout("tip", "titled", "boxed"),
    "boxed": None,
    "coded": {"type": "codeBlock", "content": [{"type": "text", "text": "coded"}]},
    "head cell": table(["head cell", "two"], ["cell", "four"]),
    "cell": None,
    "last": paragraph("last", mark("1")),
    "footed": footnote("1", "footed"),
}

RUN_ALL = """([note, places]) => Promise.all(["parts/panes", "editor/toolbar", "editor/slash"].map((name) => import(`/${name}.js`))).then(async ([{ front }, { textActs }, { putInActs }]) => {
    const editor = front().editor;
    const before = editor.state.doc;
    const wrong = [];
    const seen = [];
    const wait = () => new Promise((go) => setTimeout(go));
    const textOf = (doc) => doc.textBetween(0, doc.content.size, "\\n", " ");
    let { revision } = await (await fetch(`/api/notes/${note}`)).json();
    // The note itself is not saved meanwhile: what comes out is tried with another one.
    const goTo = async (place) => {
        let at = null;
        before.descendants((node, position) => { if (node.isText && node.text === place) at = position + node.nodeSize; });
        editor.commands.setTextSelection(at);
        await wait();
    };
    for (const place of places) for (const makes of [textActs, putInActs]) for (const name of (await goTo(place), makes(editor).map((one) => one.name))) {
        const say = (what) => wrong.push(`${name} at “${place}”: ${what}`);
        try {
            await goTo(place);
            makes(editor).find((one) => one.name === name).run();
            await wait();
            document.querySelector("dialog[open]")?.close();
            const { doc } = editor.state;
            doc.check();
            const { $from } = editor.state.selection;
            const around = Array.from({ length: $from.depth + 1 }, (_, depth) => $from.node(depth).type.name);
            seen.push(`${name}@${place}:${around.join(">")}`);
            const lost = textOf(before).match(/[a-z]+/g).filter((word) => !textOf(doc).includes(word));
            const isCut = /column|row|table/i.test(name) && name !== "Table";
            if (lost.length > 0 && !isCut) say(`lost ${lost}`);
            if (!doc.eq(before)) {
                const body = JSON.stringify({ base: revision, document: front().field.document() });
                const answer = await fetch(`/api/notes/${note}`, { method: "PATCH", headers: { "Content-Type": "application/json", "X-Slipbox-Client": "tries" }, body });
                const told = await answer.json();
                if (answer.ok) revision = (told.note ?? told).revision;
                else say(`refused: ${told.error}`);
                editor.commands.undo();
                await wait();
                if (!editor.state.doc.eq(before)) say(`one step back is ${editor.state.doc}`);
            }
        } catch (error) {
            say(`${error.message} ${error.stack.split("\\n").slice(1, 3).join(" ")}`);
        }
        for (let step = 0; step < 5 && !editor.state.doc.eq(before); step++) editor.commands.undo();
        if (!editor.state.doc.eq(before)) return { wrong: [...wrong, "no way back"], seen };
    }
    return { wrong, seen };
})"""


def test_what_can_be_put_in_threw_in_paragraphs_that_were_not_the_first(world: World):
    blocks = [block for block in PLACES.values() if block]
    note = world.server.make_note("Everything everywhere", *blocks)
    tried = world.server.make_note("Tries what comes out", "x")
    screen = world.person().opens("all", note)
    screen.page.route(f"**/api/notes/{note}", lambda route: route.fulfill(status=503, json={"error": "later"}) if route.request.method == "PATCH" else route.continue_())
    screen.expects("status of 503")
    screen.text.click()
    told = screen.page.evaluate(RUN_ALL, [tried, list(PLACES)])
    assert not told["wrong"], "\n".join(told["wrong"])
    ended = dict(line.split(":", 1) for line in told["seen"])
    assert len(ended) > 20 * len(PLACES), len(ended)
    for place in PLACES:
        inside = "table" if "cell" in place else "callout"
        assert inside in ended[f"Callout@{place}"].lower(), ended[f"Callout@{place}"]
        assert ended[f"Text@{place}"].endswith("paragraph"), ended[f"Text@{place}"]
        assert ended[f"Title@{place}"].endswith("heading" if "cell" not in place else "paragraph"), ended[f"Title@{place}"]


def test_a_slash_for_a_callout_or_text_did_nothing_but_in_the_first_paragraph(world: World):
    blocks = [block for block in PLACES.values() if block]
    for device in (DESK, PHONE):
        screen = world.person(device).opens("all", rows=device is DESK)
        for place in ("first", "second", "headed", "deep", "task", "quoted", "boxed", "last") if device is DESK else ("second", "last"):
            note = world.server.make_note(f"Slash at {place}", *blocks)
            screen.goes_to("all", note, rows=False)
            line = screen.text.locator("p, h2").filter(has_text=re.compile(f"^{place}1?$"))
            line.tap() if device is PHONE else line.click()
            for word, ends in (("callout", "callout>paragraph"), ("text", "paragraph")):
                screen.presses("End")
                screen.types(f" /{word}")
                expect(screen.page.get_by_role("listbox", name="Put in").get_by_role("option").first).to_have_text(word.capitalize())
                screen.presses("Enter")
                around = screen.page.evaluate(AROUND)
                assert around.endswith(ends), (place, word, around)
            screen.types("and on")
            screen.is_saved()
            assert re.search(rf"{place}\s+and on", world.server.text(note)), world.server.text(note)


AROUND = """() => import("/parts/panes.js").then(({ front }) => {
    const { $from } = front().editor.state.selection;
    return Array.from({ length: $from.depth + 1 }, (_, depth) => $from.node(depth).type.name).join(">");
})"""