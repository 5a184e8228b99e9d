"""Links in a text: where they lead, and what is done with them."""

from playwright.sync_api import expect

from server import bullets, heading, link, marked, paragraph
from test_looks import SMALL_TARGETS
from test_together import LOST, offline_ready
from world import DESK, PHONE, World, wait_until


def test_a_link_that_is_written_shows_where_it_leads(world: World):
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        note = world.server.make_note("Has a link", paragraph("See ", marked("the example", "link", href="https://example.org/a/long/path?of=it"), " there."))
        person = world.person(device, color_scheme=scheme)
        person.context.route("https://example.org/**", lambda route: route.fulfill(body="there", content_type="text/plain"))
        screen = person.opens("all", note, rows=device is DESK)
        bubble = screen.page.get_by_role("group", name="Link", exact=True)
        anchor = screen.text.locator("a")
        # The caret shows where it leads; a click would follow it.
        screen.text.tap(position={"x": 3, "y": 12}) if device is PHONE else anchor.click(modifiers=["Alt"])
        expect(screen.text).to_be_focused()
        screen.presses("Control+Home", *["ArrowRight"] * 6)
        expect(bubble).to_contain_text("https://example.org/a/long/path?of=it")
        screen.is_accessible(f"link, {scheme}")
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]
        assert not screen.page.evaluate(SMALL_TARGETS.replace("!one.closest(\".text, p, .twist\")", "one.closest('.link-bubble')"), 40 if device is PHONE else 24)
        # Typing goes on, and away from the link the bubble goes.
        screen.presses("Control+End")
        expect(bubble).to_have_count(0)
        with person.context.expect_page() as opened:
            anchor.tap() if device is PHONE else anchor.click()
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


def test_a_mail_address_that_was_typed_as_a_link_led_to_a_page(world: World):
    note = world.server.make_note("Writes a letter", "Anna")
    screen = world.person().opens("all", note)
    for typed, address in (("anna@example.org", "mailto:anna@example.org"), ("example.org/@anna", "https://example.org/@anna")):
        screen.text.locator("p").click()
        screen.selects_line()
        screen.button("Link", screen.page.get_by_role("toolbar", name="Text style")).click()
        screen.dialog.get_by_label("Address").fill(typed)
        screen.presses("Enter")
        expect(screen.text.get_by_role("link", name="Anna")).to_have_attribute("href", address)


def test_a_link_opened_with_a_finger_is_read(world: World):
    target = world.server.make_note("Read on a phone", "Here.")
    note = world.server.make_note("Leads a finger", paragraph("Go to ", link("the place", target), "."))
    screen = world.person(PHONE).opens("all", note, rows=False)
    screen.text.locator("a.note-link").tap()
    expect(screen.title).to_have_value("Read on a phone")
    expect(screen.text).not_to_be_focused()


def test_a_link_to_a_note_leads_there(world: World):
    target = world.server.make_note("Where it leads", "Here.")
    note = world.server.make_note("Leads away", paragraph("Go to ", link("the place", target), "."))
    screen = world.person().opens("all", note)
    bubble = screen.page.get_by_role("group", name="Link", exact=True)
    anchor = screen.text.locator("a.note-link")
    anchor.click(modifiers=["Alt"])
    expect(bubble).to_contain_text("Where it leads")
    expect(screen.title).to_have_value("Leads away")
    anchor.click()
    expect(screen.title).to_have_value("Where it leads")
    expect(bubble).to_have_count(0)
    screen.page.go_back()
    expect(screen.title).to_have_value("Leads away")
    screen.page.go_forward()
    expect(screen.title).to_have_value("Where it leads")
    screen.page.go_back()
    expect(screen.title).to_have_value("Leads away")
    # The pointer still rests where the link is, and a click would meet its preview.
    screen.text.focus()
    screen.presses("Control+End", "Control+Home", *["ArrowRight"] * 8, "Alt+Enter", "Enter")
    expect(screen.title).to_have_value("Where it leads")
    # What cannot be written is not clicked into.
    world.server.call("DELETE", f"/notes/{note}")
    screen.goes_to("trash", note)
    expect(screen.text).to_have_attribute("contenteditable", "false")
    anchor.click()
    expect(screen.title).to_have_value("Where it leads")
    wait_until(lambda: screen.page.url.endswith(f"#/all/{target}"))


def both(world: World):
    """A desk in the light, and a phone in the dark."""
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        yield device, scheme, world.person(device, color_scheme=scheme)


def test_a_renamed_note_is_followed_by_the_texts_that_show_its_title(world: World):
    target = world.server.make_note("Old name", "Here.")
    note = world.server.make_note("Shows the name", paragraph("See ", link("Old name", target), " and ", link("my words", target), "."))
    person = world.person()
    screen, other = person.opens("all", target), person.opens("all", note)
    screen.title.fill("New name")
    screen.is_saved()
    expect(other.text).to_have_text("See New name and my words.")
    screen.title.press("Control+z")
    screen.is_saved()
    expect(other.text).to_have_text("See Old name and my words.")


def test_a_link_to_a_note_that_is_not_there_waits_for_it(world: World):
    for device, scheme, person in both(world):
        name = f"Promised to {scheme}"
        note = world.server.make_note(f"Promises in {scheme}", f"See [[{name}]] and [[Nobody {scheme}]].")
        screen = person.opens("all", note, rows=device is DESK)
        loose = screen.text.locator(".loose-link")
        expect(loose).to_have_count(2)
        bubble = screen.page.get_by_role("group", name="Link", exact=True)
        loose.first.tap() if device is PHONE else loose.first.click()
        expect(bubble).to_contain_text(f"No note “{name}” yet")
        screen.is_accessible(f"loose link, {scheme}")
        screen.looks(f"loose-link-{scheme}")
        screen.button("Create", bubble).click()
        expect(screen.text.locator("a.note-link")).to_have_text(name)
        expect(loose).to_have_count(1)
        screen.is_saved()
        # Somebody else makes the other one.
        made = world.server.make_note(f"nobody {scheme}")
        expect(loose).to_have_count(0)
        expect(screen.text.locator("a.note-link")).to_have_count(2)
        # And throws it away: the link looks dead.
        world.server.call("DELETE", f"/notes/{made}")
        expect(screen.text.locator(".dead-link")).to_have_count(1)
        screen.looks(f"dead-link-{scheme}")


def test_control_click_makes_the_note_that_a_link_waits_for(world: World):
    note = world.server.make_note("Clicks", "See [[Made by a click]].")
    screen = world.person().opens("all", note)
    screen.text.locator(".loose-link").click(modifiers=["Control"])
    expect(screen.text.locator("a.note-link")).to_have_text("Made by a click")


def test_after_a_control_click_a_letter_took_the_place_of_the_paragraph(world: World):
    target = world.server.make_note("Clicked on", "text")
    world.server.make_note("Clicked in", paragraph("To [[Made by another click]], to ", link("Clicked on", target), " and on."))
    screen = world.person().opens()
    screen.opens("Clicked in")
    screen.text.click(position={"x": 4, "y": 8})
    screen.presses("Control+End")
    screen.text.locator(".loose-link").click(modifiers=["Control"])
    expect(screen.text.locator("a.note-link")).to_have_text(["Made by another click", "Clicked on"])
    screen.types(" And on.")
    expect(screen.text).to_have_text("To Made by another click, to Clicked on and on. And on.")
    # A control click opens the note in a tab behind this one.
    screen.text.locator("a.note-link").last.click(modifiers=["Control"])
    expect(screen.page.get_by_role("tab")).to_have_count(2)
    expect(screen.title).to_have_value("Clicked in")
    expect(screen.text.locator(".ProseMirror-selectednode")).to_have_count(0)


def test_a_link_that_died_while_another_note_was_open_looked_alive(world: World):
    target = world.server.make_note("Dies meanwhile", "text")
    world.server.make_note("Leads to the dead", paragraph("See ", link("Dies meanwhile", target), "."))
    world.server.make_note("Open at the time", "text")
    screen = world.person().opens("unfiled")
    screen.opens("Leads to the dead")
    expect(screen.text.locator("a.note-link")).to_have_count(1)
    expect(screen.text.locator(".dead-link")).to_have_count(0)
    screen.opens("Open at the time")
    # Under the pointer no row goes.
    screen.text.hover()
    world.server.call("DELETE", f"/notes/{target}")
    expect(screen.row("Dies meanwhile")).to_have_count(0)
    screen.opens("Leads to the dead")
    expect(screen.text.locator(".dead-link")).to_have_text("Dies meanwhile")


def test_a_chosen_suggestion_leaves_no_space_behind(world: World):
    world.server.make_note("Suggested thing", "Here.")
    screen = world.person().opens()
    note = screen.new_note("Writes quickly", "See [[Suggested th")
    expect(screen.page.get_by_role("option", name="Suggested thing", exact=True)).to_be_visible()
    screen.presses("Enter")
    screen.types(", and on.")
    screen.is_saved()
    assert world.server.text(note).strip() == "See Suggested thing, and on."


def test_a_link_to_a_heading_leads_to_it(world: World):
    from server import heading
    target = world.server.make_note("Long target", *[f"Line {n}." for n in range(60)], heading(2, "Far below"), *[f"More {n}." for n in range(60)])
    for device, scheme, person in both(world):
        screen = person.opens()
        note = screen.new_note(f"Points far, {scheme}", "See [[Long target#far")
        expect(screen.page.get_by_role("option", name="# Far below")).to_be_visible()
        screen.presses("Enter")
        screen.is_saved()
        anchor = screen.text.locator("a.note-link")
        expect(anchor).to_have_text("Long target#Far below")
        anchor.tap() if device is PHONE else anchor.click()
        expect(screen.title).to_have_value("Long target")
        expect(screen.text.locator("h2")).to_be_in_viewport()
        assert "#Far%20below" in str(world.server.note(note)["document"])


def test_a_link_to_a_heading_that_was_typed_to_its_end_stayed_text(world: World):
    from server import heading
    target = world.server.make_note("Typed target", heading(2, "Far below"), "text")
    world.server.make_note("All of C#", "text")
    screen = world.person().opens("unfiled")
    note = screen.new_note("Types to the end", "See [[Typed target#far below]]")
    expect(screen.text.locator("a")).to_have_text("Typed target#Far below")
    screen.types(", [[all of c#]]")
    expect(screen.text.locator("a")).to_have_text(["Typed target#Far below", "All of C#"])
    screen.types(" and [[Typed target#Nowhere]].")
    expect(screen.text).to_have_text("See Typed target#Far below, All of C# and [[Typed target#Nowhere]].")
    screen.is_saved()
    assert f"note:{target}#Far%20below" in str(world.server.note(note)["document"])


def test_a_note_with_a_hash_in_its_title_was_not_offered_behind_it(world: World):
    world.server.make_note("F# for the ear", "text")
    screen = world.person().opens("unfiled")
    screen.new_note("Points at a hash", "See [[F# for")
    expect(screen.page.get_by_role("option", name="F# for the ear", exact=True)).to_be_visible()
    screen.presses("Enter")
    expect(screen.text.locator("a.note-link")).to_have_text("F# for the ear")
    screen.is_saved()


def test_the_sign_of_a_paragraph_is_a_mark_and_links_lead_to_it(world: World):
    lines = [f"Line {n}." for n in range(60)]
    target = world.server.make_note("Long signs", *lines, "The hive hums. ^a1b2", bullets("One", "Two"), "^quiet-list", "Two times 2 ^10", *lines)
    # What shows where a link leads would lie on the next.
    apart = ["And."] * 6
    note = world.server.make_note("Points at signs", link_to("the hive", target, "^a1b2"), *apart, link_to("the list", target, "^quiet-list"), *apart, link_to("nowhere", target, "^gone"))
    for device, scheme, person in both(world):
        screen = person.opens("all", target, rows=device is DESK)
        signs = screen.text.locator(".block-sign")
        expect(signs).to_have_text(["^a1b2", "^quiet-list"])
        hive = screen.text.locator("p", has_text="The hive hums.")
        assert signs.first.evaluate("element => getComputedStyle(element).fontSize") == "0px"
        # Whoever writes there sees it.
        hive.scroll_into_view_if_needed()
        hive.click(position={"x": 5, "y": 5})
        expect(signs.first).to_have_class("block-sign near")
        assert signs.first.evaluate("element => getComputedStyle(element).fontSize") != "0px"
        screen.looks(f"block-sign-{scheme}")
        screen.is_accessible(f"signs of paragraphs, {scheme}")
        for words, shown in (("the hive", hive), ("the list", screen.text.locator("li", has_text="One"))):
            screen.goes_to("all", note)
            expect(screen.title).to_have_value("Points at signs")
            follow(screen, device, words)
            expect(screen.title).to_have_value("Long signs")
            expect(shown).to_be_in_viewport()
        screen.goes_to("all", note)
        expect(screen.title).to_have_value("Points at signs")
        follow(screen, device, "nowhere")
        screen.says("There is no paragraph “^gone” in this note.")
    assert "The hive hums. ^a1b2" in world.server.text(target)


def test_a_note_that_was_dragged_into_the_text_was_words_alone(world: World):
    carried = world.server.make_note("Carried over", "by hand")
    note = world.server.make_note("Carried into", "See:")
    screen = world.person().opens("all", note)
    screen.row("Carried over").drag_to(screen.text.locator("p").first)
    expect(screen.text.get_by_role("link", name="Carried over")).to_have_attribute("href", f"#/all/{carried}")
    screen.types(" soon")
    expect(screen.text).to_have_text("See:Carried over soon")
    expect(screen.text.locator("a")).to_have_text("Carried over")
    screen.is_saved()
    assert [link["id"] for link in world.server.note(note)["links"]] == [carried]
    assert world.server.note(carried)["folder"] is None


def test_another_note_with_the_title_of_this_one_was_offered(world: World):
    note = world.server.make_note("The only hive of its kind", "")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.types("[[the only hive of its kind")
    expect(screen.page.get_by_role("listbox", name="Link to a note").get_by_role("option")).to_have_text(["This note has that title"])
    screen.types("s")
    expect(screen.page.get_by_role("option", name="Create “the only hive of its kinds”")).to_be_visible()


def test_remarks_of_a_writer_were_read_and_printed(world: World):
    words = "It hums. %%Ask Anna.%% So 5%% of 10%%."
    note = world.server.make_note("With remarks", words)
    screen = world.person().opens("all", note)
    remark = screen.text.locator(".remark")
    expect(remark).to_have_text("%%Ask Anna.%%")
    screen.is_accessible("a remark")
    screen.page.emulate_media(media="print")
    expect(remark).to_be_hidden()
    screen.page.emulate_media(media="screen")
    expect(remark).to_be_visible()
    screen.chooses("More for this note", "Read")
    expect(remark).to_be_hidden()
    expect(screen.text).to_contain_text("So 5%% of 10%%.")
    assert world.server.text(note).strip() == words


def test_remarks_of_several_paragraphs_were_read_and_printed(world: World):
    note = world.server.make_note("With long remarks", "First.", "%%For me,", bullets("a point"), "and me alone.%%", "Between.", "%%", "mine", "%%", "Last, and 5%%", "%%this is open")
    for device, scheme in ((DESK, "dark"), (PHONE, "light")):
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        remarks = screen.text.locator(".remark")
        expect(remarks).to_have_text(["%%For me,", "a point", "and me alone.%%", "%%", "mine", "%%"])
        screen.is_accessible(f"remarks of several paragraphs, {scheme}")
        screen.looks(f"remarks-{scheme}")
        screen.page.emulate_media(media="print")
        for remark in remarks.all():
            expect(remark).to_be_hidden()
        screen.page.emulate_media(media="screen")
        screen.chooses("More for this note", "Read")
        expect(remarks.first).to_be_hidden()
        for shown in ("First.", "Between.", "Last, and 5%%", "%%this is open"):
            expect(screen.text.get_by_text(shown, exact=True)).to_be_visible()
        screen.presses("Escape")
    # Once it ends, it is one.
    expect(remarks.first).to_be_visible()
    screen.text.click()
    expect(screen.text).to_be_focused()
    screen.presses("Control+End", "Enter")
    screen.types("now it ends%%")
    expect(remarks).to_have_count(8)


def link_to(words: str, note: str, place: str):
    return paragraph(marked(words, "link", href=f"note:{note}#{place.replace('^', '%5E')}"))


def follow(screen, device, words: str) -> None:
    anchor = screen.text.locator("a.note-link", has_text=words)
    anchor.tap() if device is PHONE else anchor.click()


def test_a_note_that_is_named_without_a_link_can_be_linked(world: World):
    for device, scheme, person in both(world):
        target = world.server.make_note(f"Beehive {scheme}", "Here.")
        note = world.server.make_note(f"Names it, {scheme}", f"First. The beehive {scheme} hums. Last.")
        screen = person.opens("all", target, rows=device is DESK)
        mentions = screen.page.get_by_role("region", name="Named without a link")
        expect(mentions).to_contain_text(f"The beehive {scheme} hums.")
        screen.is_accessible(f"mentions, {scheme}")
        mentions.scroll_into_view_if_needed()
        screen.looks(f"mentions-{scheme}")
        screen.button(f"Make it a link in Names it, {scheme}").click()
        expect(screen.page.get_by_role("region", name="Linked from")).to_contain_text(f"The beehive {scheme} hums.")
        expect(mentions).to_have_count(0)
        assert [one["id"] for one in world.server.note(note)["links"]] == [target]
        screen.undoes("links here now")
        expect(mentions).to_be_visible()


def test_a_link_to_a_note_that_was_made_offline_was_dead_once_both_had_gone_out(world: World):
    old = world.server.make_note("Old before the tunnel", "Said before.")
    person = world.person()
    screen = person.opens("all", old)
    screen.expects(*LOST)
    offline_ready(screen)
    screen.reloads()
    expect(screen.text).to_have_text("Said before.")
    person.goes_offline()
    # An old note, and one that waits itself, whose texts wait when the notes that they name are made.
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" To")
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    makes_by_link(screen, " [[Lamp room")
    screen.types(" and")
    expect(screen.saving).to_have_text("Offline, 2 edits wait")
    screen.presses("Alt+n")
    expect(screen.title).to_be_focused()
    screen.types("New in the tunnel")
    screen.presses("Enter")
    screen.types("To")
    expect(screen.saving).to_have_text("Offline, 3 edits wait")
    makes_by_link(screen, " [[Coal room")
    screen.types(" too")
    expect(screen.saving).to_have_text("Offline, 5 edits wait")
    new = screen.page.url.rsplit("/", 1)[1]
    person.goes_offline(False)
    expect(screen.saving).to_have_text("Saved")
    for note, words, title in ((old, "Said before. To Lamp room and", "Lamp room"), (new, "To Coal room too", "Coal room")):
        wait_until(lambda: world.server.text(note).strip() == words, lambda: world.server.text(note), meanwhile=screen.page)
        assert [one["title"] for one in world.server.note(note)["links"]] == [title]
        assert world.server.note(note)["dead"] == []
    expect(screen.text.locator(".dead-link")).to_have_count(0)


def makes_by_link(screen, text: str) -> None:
    screen.types(text)
    choice = screen.page.get_by_role("option", name="Create")
    expect(choice).to_be_visible()
    choice.click()
    expect(screen.text.locator("a.note-link")).to_have_count(1)
    expect(screen.text).to_be_focused()


def test_offline_only_new_notes_could_be_linked_to(world: World):
    folder = world.server.make_folder("Mine")
    world.server.make_note("Shaft seven", "Deep.", folder=folder)
    note = world.server.make_note("Writes of shafts", "See", folder=folder)
    person = world.person()
    screen = person.opens(f"folder:{folder}", note)
    screen.expects(*LOST)
    offline_ready(screen)
    screen.reloads()
    expect(screen.row("Shaft seven")).to_be_visible()
    expect(screen.text).to_have_text("See")
    person.goes_offline()
    screen.text.click()
    screen.presses("Control+End")
    choices = screen.page.get_by_role("listbox", name="Link to a note").get_by_role("option")
    screen.types(" [[sháft")
    expect(choices.first).to_contain_text("Shaft seven")
    screen.presses("Enter")
    expect(screen.text.locator("a.note-link")).to_have_text("Shaft seven")
    # What waits to be made is known too, and the palette goes to both.
    screen.types(" and [[Gallery four")
    choices.filter(has_text="Create").click()
    expect(screen.text.locator("a.note-link")).to_have_count(2)
    screen.types(" or [[gallery")
    expect(choices.first).to_contain_text("Gallery four")
    screen.presses("Escape")
    screen.presses("Control+k")
    screen.types("shaft s")
    expect(screen.dialog.get_by_role("option").first).to_contain_text("Shaft seven")
    screen.presses("Escape")
    person.goes_offline(False)
    wait_until(lambda: len(world.server.note(note)["links"]) == 2, meanwhile=screen.page)


def test_offline_a_link_said_the_title_from_before_it_was_changed(world: World):
    note = world.server.make_note("Lift cage", "Creaks.")
    person = world.person()
    screen = person.opens("all", note)
    screen.expects(*LOST)
    offline_ready(screen)
    screen.reloads()
    expect(screen.title).to_have_value("Lift cage")
    person.goes_offline()
    screen.title.click()
    screen.presses("End")
    screen.types(" repaired")
    expect(screen.saving).to_have_text("Offline, 1 edit waits")
    screen.presses("Alt+n")
    expect(screen.title).to_be_focused()
    screen.types("Rides down")
    screen.presses("Enter")
    screen.types("In the [[lift c")
    expect(screen.page.get_by_role("listbox", name="Link to a note").get_by_role("option").first).to_contain_text("Lift cage repaired")
    screen.presses("Enter")
    expect(screen.text.locator("a.note-link")).to_have_text("Lift cage repaired")
    new = screen.page.url.rsplit("/", 1)[1]
    person.goes_offline(False)
    wait_until(lambda: world.server.note(note)["title"] == "Lift cage repaired", meanwhile=screen.page)
    expect(screen.saving).to_have_text("Saved")
    wait_until(lambda: world.server.text(new).strip() == "In the Lift cage repaired", lambda: world.server.text(new), meanwhile=screen.page)


def test_back_with_the_caret_in_a_link_was_an_error(world: World):
    folder = world.server.make_folder("Back from a link")
    target = world.server.make_note("Led to", "x")
    world.server.make_note("Leads on", paragraph("To ", link("Led to", target), "."), folder=folder)
    screen = world.person().opens(f"folder:{folder}")
    screen.opens("Leads on")
    screen.text.locator("a").click(modifiers=["Alt"])
    expect(screen.page.locator(".link-bubble")).to_contain_text("Led to")
    # What cannot be caught by the page is told in the console.
    screen.page.go_back()
    expect(screen.page.locator(".page-empty")).to_contain_text("Select a note")


def test_another_name_of_a_note_could_have_no_comma(world: World):
    note = world.server.make_note("Prospect theory")
    screen = world.person().opens("all", note)
    screen.chooses("More for this note", "Other names…")
    names = screen.dialog.get_by_label("Names")
    expect(names).to_be_focused()
    screen.types("Kahneman, Tversky")
    screen.presses("Enter")
    screen.types("  Losses ")
    screen.is_accessible("other names")
    screen.button("Save", screen.dialog).click()
    wait_until(lambda: world.server.note(note)["aliases"] == ["Kahneman, Tversky", "Losses"], meanwhile=screen.page)
    screen.chooses("More for this note", "Other names…")
    expect(names).to_have_value("Kahneman, Tversky\nLosses")
    names.fill("")
    screen.button("Save", screen.dialog).click()
    wait_until(lambda: world.server.note(note)["aliases"] == [], meanwhile=screen.page)


def test_brackets_did_not_find_a_title_whose_accents_stand_apart(world: World):
    target = world.server.make_note("Zu\u0308rich by tram")
    screen = world.person().opens("unfiled")
    note = screen.new_note("Writes Z\u00fcrich", "See [[Z\u00fcrich by tram]]")
    expect(screen.text.locator("a")).to_have_count(1)
    wait_until(lambda: [one["id"] for one in world.server.note(note)["links"]] == [target], meanwhile=screen.page)


def test_a_link_with_words_of_its_own_stayed_text(world: World):
    target = world.server.make_note("Shown otherwise", heading(2, "Early days"))
    barred = world.server.make_note("Either|or", "x")
    for device in (DESK, PHONE):
        note = world.server.make_note("Links with words", "")
        screen = world.person(device).opens("all", note, rows=False)
        screen.text.tap() if device is PHONE else screen.text.click()
        for typed, shown, href in (
            ("[[Shown otherwise|these words]]", "these words", f"note:{target}"),
            ("[[shown OTHERWISE | so ]]", "so", f"note:{target}"),
            ("[[Shown otherwise#early days|then]]", "then", f"note:{target}#Early%20days"),
            ("[[Shown otherwise|]]", "Shown otherwise", f"note:{target}"),
            ("[[Either|or]]", "Either|or", f"note:{barred}"),
        ):
            screen.types(f"see {typed}")
            expect(screen.text.locator("a").last).to_have_text(shown)
            screen.types(", ")
            screen.is_saved()
            links = [piece for piece in world.server.note(note)["document"]["content"][0]["content"] if piece.get("marks")]
            assert links[-1] == link(shown, target) | {"marks": [{"type": "link", "attrs": {"href": href}}]}, links
        # And where the note is chosen.
        screen.types("and [[Shown oth|chosen")
        expect(screen.page.get_by_role("listbox", name="Link to a note").get_by_role("option").first).to_contain_text("Shown otherwise")
        screen.presses("Enter")
        expect(screen.text.locator("a").last).to_have_text("chosen")
        screen.types(" [[Nobody|stays]]")
        expect(screen.text).to_contain_text("[[Nobody|stays]]")
        screen.is_saved()


def test_words_of_a_link_are_selected_and_the_caret_stays_where_it_was(world: World):
    target = world.server.make_note("Stays there", "Here.")
    note = world.server.make_note("Writes on", paragraph("Go to ", link("the long place", target), "."), "Second line.")
    screen = world.person().opens("all", note)
    screen.text.locator("p").last.click()
    screen.presses("End")
    box = screen.text.locator("a.note-link").bounding_box()
    # Dragging over words of a link selects them.
    screen.page.mouse.move(box["x"] + 4, box["y"] + 8)
    screen.page.mouse.down()
    screen.page.mouse.move(box["x"] + box["width"] - 4, box["y"] + 8, steps=4)
    screen.page.mouse.up()
    assert screen.page.evaluate("getSelection().toString()")
    expect(screen.title).to_have_value("Writes on")
    screen.text.locator("p").last.click()
    screen.presses("End")
    screen.text.locator("a.note-link").click()
    expect(screen.title).to_have_value("Stays there")
    screen.page.go_back()
    expect(screen.title).to_have_value("Writes on")
    screen.text.focus()
    screen.types(" More.")
    screen.is_saved()
    assert world.server.text(note).endswith("Second line. More.\n"), world.server.text(note)


def test_a_pointer_that_rests_on_a_link_shows_its_note(world: World):
    from server import heading
    target = world.server.make_note("Seen from afar", "First words.", *[f"Line {n}." for n in range(40)], heading(2, "Far below"), *[f"More {n}." for n in range(30)])
    empty = world.server.make_note("Seen and empty")
    part = marked("its part", "link", href=f"note:{target}#Far%20below")
    for scheme in ("light", "dark"):
        note = world.server.make_note(f"Looks around, {scheme}", paragraph("Go to ", link("the place", target), " or ", part, " or ", link("nothing", empty), "."))
        screen = world.person(color_scheme=scheme).opens("all", note)
        card = screen.page.locator(".preview")
        links = screen.text.locator("a.note-link")
        links.first.hover()
        expect(card).to_contain_text("First words.")
        expect(card.get_by_role("heading", level=2).first).to_have_text("Seen from afar")
        screen.is_accessible(f"preview, {scheme}")
        screen.looks(f"preview-{scheme}")
        # It stays while the pointer is on it.
        card.hover()
        screen.page.wait_for_timeout(600)
        expect(card).to_be_visible()
        screen.presses("Escape")
        expect(card).to_have_count(0)
        screen.title.hover()
        links.nth(1).hover()
        expect(card.get_by_role("heading", name="Far below")).to_be_in_viewport()
        screen.title.hover()
        expect(card).to_have_count(0)
        links.last.hover()
        expect(card).to_contain_text("No text yet")
        links.last.click()
        expect(screen.title).to_have_value("Seen and empty")
        expect(card).to_have_count(0)
        # The link comes back under the pointer, which nobody moves.
        screen.page.go_back()
        expect(links).to_have_count(3)
        screen.page.wait_for_timeout(1000)
        expect(card).to_have_count(0)
        links.last.click()
        expect(screen.title).to_have_value("Seen and empty")
        screen.page.get_by_role("region", name="Linked from").get_by_role("link").first.hover()
        expect(card).to_contain_text("Go to the place")


def test_keys_and_the_palette_lead_back_and_forth(world: World):
    last = world.server.make_note("Place three", "Here.")
    middle = world.server.make_note("Place two", paragraph(link("on to three", last)))
    first = world.server.make_note("Place one", paragraph(link("on to two", middle)))
    screen = world.person().opens("all", first)
    for title in ("Place two", "Place three"):
        screen.text.locator("a.note-link").click()
        expect(screen.title).to_have_value(title)
    screen.text.click()
    screen.presses("Alt+ArrowLeft")
    expect(screen.title).to_have_value("Place two")
    screen.presses("Alt+ArrowLeft")
    expect(screen.title).to_have_value("Place one")
    screen.presses("Alt+ArrowRight")
    expect(screen.title).to_have_value("Place two")
    screen.presses("Control+k")
    screen.types("forward")
    screen.presses("Enter")
    expect(screen.title).to_have_value("Place three")
    screen.presses("Control+k")
    screen.types("back")
    expect(screen.dialog.get_by_role("option").first).to_contain_text("Back")
    screen.presses("Escape")
    phone = world.person(PHONE).opens("all", first, rows=False)
    phone.text.locator("a.note-link").tap()
    expect(phone.title).to_have_value("Place two")
    phone.page.go_back()
    expect(phone.title).to_have_value("Place one")
