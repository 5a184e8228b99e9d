"""What is put into a text by a slash, and how code looks."""

from playwright.sync_api import expect

from server import bullets, paragraph, quote
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
        expect(menu.get_by_role("option")).to_have_count(17)
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
        screen.page.evaluate("""() => import("/parts/note.js").then(({ openEditor }) => {
            openEditor().state.doc.descendants((node, at) => { if (node.type.name === "picture") openEditor().commands.setNodeSelection(at); });
            openEditor().view.focus();
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
    return page.evaluate("""() => import("/parts/note.js").then(({ openEditor }) => {
        const found = [];
        openEditor().state.doc.descendants((node) => void found.push(node.type.name));
        return found;
    })""")
