"""Notes, and parts of them, that a text shows in their places."""

from playwright.sync_api import expect

from server import bullets, heading, link, paragraph, tasks
from world import DESK, PHONE, World


def embed(title: str, note: str, place: str = "") -> dict:
    return paragraph("!", link(title, note + (f"#{place}" if place else "")))


def source(world: World, title: str) -> str:
    return world.server.make_note(
        title, paragraph("Before the heading."), heading(2, "Firing"), paragraph("A fault fires. ^f1"),
        tasks((True, "ask"), (False, "write")), heading(2, "After"), bullets("one", "two ^t2"))


def test_notes_and_parts_are_shown_in_their_places(world: World):
    slots = source(world, "Slots of embeds")
    note = world.server.make_note(
        "A page of embeds", paragraph("Words before."), embed("Slots of embeds", slots),
        embed("Slots of embeds#Firing", slots, "Firing"), embed("Slots of embeds", slots, "%5Et2"),
        embed("Slots of embeds#Nowhere", slots, "Nowhere"), paragraph("![[Nobody of embeds]]"),
        paragraph("So !", link("Slots of embeds", slots), " is a link."))
    for device, scheme in ((DESK, "light"), (DESK, "dark"), (PHONE, "light")):
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        boxes = screen.text.locator(".embed")
        expect(boxes).to_have_count(5)
        expect(boxes.nth(0)).to_contain_text("Before the heading.")
        expect(boxes.nth(1).locator("h2")).to_have_text(["Firing"])
        expect(boxes.nth(1)).not_to_contain_text("After")
        expect(boxes.nth(1).get_by_role("checkbox").first).to_be_disabled()
        expect(boxes.nth(2).locator("li")).to_have_count(1)
        expect(boxes.nth(3)).to_have_text("There is no heading “Nowhere” in this note.")
        expect(boxes.nth(4)).to_have_text("There is no note “Nobody of embeds” yet.")
        name = f"embeds-{'desk' if device is DESK else 'phone'}-{scheme}"
        screen.is_accessible(name)
        screen.looks(name)
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]
    # The text of the note is what was written, and nothing of what is shown.
    assert "Before the heading" not in world.server.text(note)


def test_an_embed_follows_its_source_and_leads_to_it(world: World):
    slots = source(world, "A source that changes")
    note = world.server.make_note("It shows a source", paragraph("Words."), embed("A source that changes", slots))
    screen = world.person().opens("all", note)
    box = screen.text.locator(".embed")
    expect(box).to_contain_text("A fault fires.")
    world.server.rewrite(slots, paragraph("Other words now."))
    expect(box).to_have_text("Other words now.")
    world.server.call("DELETE", f"/notes/{slots}")
    expect(box).to_have_text("This note is in the trash.")
    world.server.call("POST", f"/notes/{slots}/restore")
    expect(box).to_have_text("Other words now.")
    screen.text.locator(".embed-line a").click()
    screen.has_come_to("all", slots)


def test_an_embed_is_typed_and_taken_out(world: World):
    slots = source(world, "Typed embeds of it")
    note = world.server.make_note("It types embeds", "")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.types("![[Typed embeds of")
    screen.page.get_by_role("listbox", name="Link to a note").get_by_role("option", name="Typed embeds of it").click()
    expect(screen.text.locator(".embed")).to_contain_text("A fault fires.")
    screen.presses("Enter")
    screen.types("After it")
    screen.is_saved()
    assert world.server.note(note)["document"]["content"] == [embed("Typed embeds of it", slots), paragraph("After it")]
    screen.presses("Home", "ArrowUp", "Home", "Delete")
    expect(screen.text.locator(".embed")).to_have_count(0)
    screen.presses("Control+z")
    expect(screen.text.locator(".embed")).to_have_count(1)


def test_a_part_is_chosen_for_an_embed(world: World):
    slots = source(world, "Parts for embeds")
    note = world.server.make_note("It chooses a part", "")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.types("![[Parts for embeds#fir")
    menu = screen.page.get_by_role("listbox", name="Link to a note")
    menu.get_by_role("option", name="# Firing").click()
    expect(screen.text.locator(".embed")).to_contain_text("A fault fires.")
    expect(screen.text.locator(".embed")).not_to_contain_text("Before the heading.")
    screen.presses("Enter")
    screen.types("![[Parts for embeds#^t")
    menu.get_by_role("option", name="^t2").click()
    expect(screen.text.locator(".embed").nth(1)).to_have_text("two ^t2")
    screen.is_saved()
    content = world.server.note(note)["document"]["content"]
    assert content == [embed("Parts for embeds#Firing", slots, "Firing"), embed("Parts for embeds", slots, "%5Et2")], content


def test_embeds_inside_of_each_other_end(world: World):
    last = world.server.make_note("Chain 5", "The end of the chain")
    for number in (4, 3, 2, 1):
        last = world.server.make_note(f"Chain {number}", paragraph(f"Level {number}."), embed(f"Chain {number + 1}", last))
    screen = world.person().opens("all", last)
    expect(screen.text.locator(".embed")).to_have_count(3)
    expect(screen.text).to_contain_text("Level 4.")
    expect(screen.text).not_to_contain_text("The end of the chain")
    one = world.server.make_note("Circle one", "")
    two = world.server.make_note("Circle two", paragraph("Second words."), embed("Circle one", one))
    world.server.rewrite(one, paragraph("First words."), embed("Circle two", two))
    other = world.person().opens("all", one)
    expect(other.text.locator(".embed")).to_have_count(2)
    expect(other.text.locator(".embed .embed .embed-word")).to_have_text("This is shown around here already, so it is not shown again.")


def test_many_embeds_take_few_requests_and_are_there_offline(world: World):
    sources = [world.server.make_note(f"Many {number}", f"Words of many {number}") for number in range(60)]
    note = world.server.make_note("It shows many", *[embed(f"Many {number}", one) for number, one in enumerate(sources)])
    person = world.person()
    screen = person.opens("all", note)
    expect(screen.text.locator(".embed")).to_have_count(50)
    expect(screen.text.locator(".embed").nth(49)).to_have_text("Words of many 49")
    screen.reloads()
    asked = []
    screen.page.on("request", lambda request: "/api/embeds" in request.url and asked.append(request.url))
    screen.reloads()
    expect(screen.text.locator(".embed").nth(49)).to_have_text("Words of many 49")
    assert 1 <= len(asked) <= 2, asked
    screen.expects("ERR_INTERNET_DISCONNECTED", "503")
    person.goes_offline()
    screen.reloads()
    expect(screen.text.locator(".embed").nth(49)).to_have_text("Words of many 49")
