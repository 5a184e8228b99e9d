"""What is put into a text by a slash, and how code looks."""

from playwright.sync_api import expect

from server import paragraph
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
