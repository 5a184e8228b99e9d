"""Links in a text: where they lead, and what is done with them."""

from playwright.sync_api import expect

from server import link, marked, paragraph
from test_looks import SMALL_TARGETS
from world import DESK, PHONE, World, wait_until


def test_a_link_that_is_written_shows_where_it_leads(world: World):
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        note = world.server.make_note("Has a link", paragraph("See ", marked("the example", "link", href="https://example.org/a/long/path?of=it"), " there."))
        person = world.person(device, color_scheme=scheme)
        person.context.route("https://example.org/**", lambda route: route.fulfill(body="there", content_type="text/plain"))
        screen = person.opens("all", note, rows=device is DESK)
        bubble = screen.page.get_by_role("group", name="Link", exact=True)
        anchor = screen.text.locator("a")
        anchor.tap() if device is PHONE else anchor.click()
        expect(screen.text).to_be_focused()
        expect(bubble).to_contain_text("https://example.org/a/long/path?of=it")
        screen.is_accessible(f"link, {scheme}")
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]
        assert not screen.page.evaluate(SMALL_TARGETS.replace("!one.closest(\".text, p, .twist\")", "one.closest('.link-bubble')"), 40 if device is PHONE else 24)
        # Typing goes on, and away from the link the bubble goes.
        screen.presses("Control+End")
        expect(bubble).to_have_count(0)
        with person.context.expect_page() as opened:
            anchor.click(modifiers=["Control"])
        opened.value.close()
        # By keyboard: into the bubble, along it, back, and Escape puts it away.
        screen.text.click()
        screen.presses("Control+Home", *["ArrowRight"] * 6)
        expect(bubble).to_be_visible()
        screen.presses("Alt+Enter")
        expect(screen.button("Open", bubble)).to_be_focused()
        screen.presses("ArrowRight")
        expect(screen.button("Edit", bubble)).to_be_focused()
        screen.presses("Escape")
        expect(screen.text).to_be_focused()
        screen.presses("Escape")
        expect(bubble).to_have_count(0)
        # For 200 ms after it got the focus, ProseMirror takes a caret at the very start for the browser's doing.
        screen.page.wait_for_timeout(250)
        screen.presses("Control+End", "Control+Home", *["ArrowRight"] * 6, "Alt+Enter", "ArrowRight", "Enter")
        screen.dialog.get_by_label("Address").fill("https://example.org/short")
        screen.presses("Enter")
        expect(anchor).to_have_attribute("href", "https://example.org/short")
        expect(screen.text).to_be_focused()
        screen.types("X")
        expect(anchor).to_have_text("thXe example")
        screen.button("Remove", bubble).click()
        expect(anchor).to_have_count(0)
        expect(screen.text).to_have_text("See thXe example there.")
        screen.is_saved()
        assert world.server.text(note).strip() == "See thXe example there."


def test_a_link_opened_with_a_finger_is_read(world: World):
    target = world.server.make_note("Read on a phone", "Here.")
    note = world.server.make_note("Leads a finger", paragraph("Go to ", link("the place", target), "."))
    screen = world.person(PHONE).opens("all", note, rows=False)
    screen.text.locator("a.note-link").tap()
    screen.button("Open").tap()
    expect(screen.title).to_have_value("Read on a phone")
    expect(screen.text).not_to_be_focused()


def test_a_link_to_a_note_leads_there(world: World):
    target = world.server.make_note("Where it leads", "Here.")
    note = world.server.make_note("Leads away", paragraph("Go to ", link("the place", target), "."))
    screen = world.person().opens("all", note)
    bubble = screen.page.get_by_role("group", name="Link", exact=True)
    anchor = screen.text.locator("a.note-link")
    anchor.click()
    expect(bubble).to_contain_text("Where it leads")
    expect(screen.title).to_have_value("Leads away")
    anchor.click(modifiers=["Control"])
    expect(screen.title).to_have_value("Where it leads")
    expect(bubble).to_have_count(0)
    screen.page.go_back()
    expect(screen.title).to_have_value("Leads away")
    screen.text.click()
    screen.presses("Control+End", "Control+Home", *["ArrowRight"] * 8, "Alt+Enter", "Enter")
    expect(screen.title).to_have_value("Where it leads")
    # What cannot be written is not clicked into.
    world.server.call("DELETE", f"/notes/{note}")
    screen.goes_to("trash", note)
    expect(screen.text).to_have_attribute("contenteditable", "false")
    anchor.click()
    expect(screen.title).to_have_value("Where it leads")
    wait_until(lambda: screen.page.url.endswith(f"#/all/{target}"))
