"""Notes, and parts of them, that a text shows in their places."""

import re
from urllib.parse import unquote

from playwright.sync_api import expect

from server import bullets, document, heading, link, paragraph, plain, table, tasks
from test_together import LOST, offline_ready
from world import DESK, PHONE, Screen, World, wait_until


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


SIGN = re.compile(r"\^[a-z][a-z0-9]{5}")


def chooses_block(screen: Screen, typed: str, name: str) -> None:
    screen.types(typed)
    screen.page.get_by_role("listbox", name="Link to a note").get_by_role("option", name=name, exact=True).click()


def sign_of(href: str) -> str:
    return unquote(href.split("#")[1])


def test_a_paragraph_without_a_sign_gets_one_when_it_is_chosen(world: World):
    code = {"type": "codeBlock", "content": [{"type": "text", "text": "let it = 1"}]}
    source = world.server.make_note(
        "Signs to be", heading(2, "Firing"), paragraph("A fault fires."), paragraph("Twice said."), paragraph("Twice said."),
        bullets("one", "two"), code, table(["Head"], ["Cell"]), paragraph("Has one. ^own1"))
    note = world.server.make_note("It signs", "")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.types("![[Signs to be#^")
    menu = screen.page.get_by_role("listbox", name="Link to a note")
    expect(menu.get_by_role("option")).to_have_count(8)
    screen.is_accessible("blocks to choose")
    screen.looks("blocks-to-choose")
    screen.types("fault")
    menu.get_by_role("option", name="A fault fires.", exact=True).click()
    expect(screen.text.locator(".embed")).to_contain_text("A fault fires.")
    screen.presses("Enter")
    blocks = lambda: [plain(block).strip() for block in world.server.note(source)["document"]["content"]]
    sign = SIGN.search(blocks()[1])
    assert sign and blocks()[1] == f"A fault fires. {sign[0]}", blocks()
    # Its undo takes the sign away; what is chosen again gets another one.
    screen.undoes("“Signs to be” has the sign")
    wait_until(lambda: blocks()[1] == "A fault fires.", lambda: str(blocks()), meanwhile=screen.page)
    for typed, name in (("cell", "Head Cell"), ("two", "two"), ("let", "let it = 1"), ("own", "Has one. ^own1"), ("firing", "# Firing")):
        chooses_block(screen, f"[[Signs to be#^{typed}", name)
        expect(screen.text.locator("p").last.locator("a")).to_have_count(1)
        screen.presses("Enter")
    screen.is_saved()
    content = world.server.note(note)["document"]["content"]
    cell, two, let, own, firing = [sign_of(block["content"][-1]["marks"][0]["attrs"]["href"]) for block in content[1:6]]
    assert (own, firing) == ("^own1", "Firing")
    items = blocks()
    assert items[4:] == [f"one\ntwo {two}", "let it = 1", let, "Head\nCell", cell, "Has one. ^own1"], items
    # The second of two that say the same is the second.
    screen.types("[[Signs to be#^twice")
    menu.get_by_role("option").nth(1).click()
    expect(screen.text.locator("p").last.locator("a")).to_have_count(1)
    assert SIGN.search(blocks()[3]) and blocks()[2] == "Twice said.", blocks()


def test_a_paragraph_gets_its_sign_where_its_note_is_open(world: World):
    source = world.server.make_note("Open source", paragraph("First words."), paragraph("Second words."))
    note = world.server.make_note("It signs beside", "")
    person = world.person()
    screen = person.opens("all", source)
    screen.row("It signs beside").click(modifiers=["Control", "Shift"])
    expect(screen.page.locator(".pane")).to_have_count(2)
    left, right = (screen.page.locator(".pane").nth(at).get_by_role("textbox", name="Text of the note") for at in (0, 1))
    left.locator("p").first.click()
    screen.presses("End")
    screen.types(" Typed just now.")
    right.click()
    chooses_block(screen, "[[Open source#^second", "Second words.")
    expect(right.locator("a")).to_have_count(1)
    expect(left.locator("p").nth(1)).to_have_text(re.compile(r"^Second words\. \^[a-z0-9]{6}$"))
    expect(right).to_be_focused()
    wait_until(lambda: "First words. Typed just now." in world.server.text(source) and SIGN.search(world.server.text(source)), lambda: world.server.text(source), meanwhile=screen.page)
    # In its own side it is one step back.
    left.locator("p").first.click()
    screen.presses("Control+z")
    expect(left.locator("p")).to_have_text(["First words. Typed just now.", "Second words."])
    # In a tab behind, with words that have just been typed.
    screen.presses("End")
    screen.types(" Typed again.")
    screen.button("Close the side of Open source").click()
    expect(screen.page.locator(".pane")).to_have_count(1)
    screen.text.click()
    screen.presses("Control+End", "Enter")
    chooses_block(screen, "[[Open source#^first", "First words. Typed just now. Typed again.")
    wait_until(lambda: re.search(r"Typed again\. \^[a-z0-9]{6}\n", world.server.text(source)), lambda: world.server.text(source), meanwhile=screen.page)


def test_a_sign_waits_while_the_server_is_away(world: World):
    source = world.server.make_note("Far source", paragraph("Far words."))
    note = world.server.make_note("It signs far", "")
    person = world.person()
    screen = person.opens("all", source)
    screen.expects(*LOST)
    offline_ready(screen)
    screen.goes_to("all", note)
    screen.text.click()
    screen.types("[[Far source#^far")
    choice = screen.page.get_by_role("listbox", name="Link to a note").get_by_role("option", name="Far words.", exact=True)
    expect(choice).to_be_visible()
    person.goes_offline()
    choice.click()
    expect(screen.text.locator("a")).to_have_count(1)
    # Somebody else writes in that note meanwhile.
    world.server.call("PATCH", f"/notes/{source}", {"base": 1, "document": document(paragraph("Far words."), paragraph("Added there."))})
    person.goes_offline(False)
    wait_until(lambda: re.fullmatch(r"Far words\. \^[a-z0-9]{6}\nAdded there\.\n", world.server.text(source)), lambda: world.server.text(source), meanwhile=screen.page)
    screen.is_saved()


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


def test_an_embed_showed_old_words_of_a_note_that_was_written_without_a_network(world: World):
    source = world.server.make_note("Written far away", "Before.")
    note = world.server.make_note("Shows it beside", embed("Written far away", source))
    person = world.person()
    screen = person.opens("all", source)
    offline_ready(screen)
    screen.reloads()
    screen.goes_to("all", note)
    expect(screen.text.locator(".embed")).to_have_text("Before.")
    screen.expects(*LOST)
    person.goes_offline()
    screen.row("Written far away").click(modifiers=["Control", "Shift"])
    left, right = (screen.page.locator(".pane").nth(at).get_by_role("textbox", name="Text of the note") for at in (0, 1))
    expect(right).to_have_text("Before.")
    right.click()
    screen.presses("Control+End")
    screen.types(" And after.")
    expect(left.locator(".embed")).to_have_text("Before. And after.")
    person.goes_offline(False)
    wait_until(lambda: "And after." in world.server.text(source), meanwhile=screen.page)
    expect(left.locator(".embed")).to_have_text("Before. And after.")
