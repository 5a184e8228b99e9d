"""Keywords that are typed in a text."""

from playwright.sync_api import expect

from world import DESK, PHONE, World, wait_until


def keywords_of(world: World, note: str) -> list[str]:
    return sorted(one["name"] for one in world.server.note(note)["keywords"])


def test_a_word_behind_a_hash_gives_the_note_a_keyword(world: World):
    world.server.make_note("Has some", "x", keywords=["Harvest", "Yarn list"])
    screen = world.person().opens()
    choices = screen.page.get_by_role("listbox", name="Keyword", exact=True)
    note = screen.new_note("Notes of a farmer", "Apples #har")
    expect(choices.get_by_role("option")).to_have_text(["Harvest", "Create the keyword “har”"])
    screen.is_accessible("keywords to choose")
    screen.looks("keywords-in-text")
    screen.presses("Enter")
    expect(screen.text).to_have_text("Apples #Harvest ")
    screen.says("Keyword “Harvest” added to the note")
    wait_until(lambda: keywords_of(world, note) == ["Harvest"])
    # A name with a blank is one word in the text.
    screen.types("and #yar")
    expect(choices.get_by_role("option").first).to_have_text("Yarn list")
    screen.presses("Tab")
    expect(screen.text).to_have_text("Apples #Harvest and #Yarn-list ")
    screen.says("Keyword “Yarn list” added to the note")
    # One that is not there is made, also by who types faster than the server answers.
    screen.types("for #orchard/old")
    screen.presses("Enter")
    expect(screen.text.locator("p")).to_have_text(["Apples #Harvest and #Yarn-list for #orchard/old", ""])
    wait_until(lambda: keywords_of(world, note) == ["Harvest", "Yarn list", "orchard/old"])
    expect(screen.page.locator(".note-keywords")).to_contain_text("orchard/old")
    screen.undoes("Keyword “orchard/old” added to the note")
    wait_until(lambda: keywords_of(world, note) == ["Harvest", "Yarn list"])
    screen.is_saved()


def test_a_keyword_that_was_typed_to_its_end_was_not_given_and_took_the_new_line(world: World):
    world.server.make_note("Has one already", "x", keywords=["Garden", "Yarn list"])
    for device in (DESK, PHONE):
        note = world.server.make_note("Ends its keywords", "")
        screen = world.person(device).opens("all", note, rows=False)
        screen.text.tap() if device is PHONE else screen.text.click()
        for typed, ends, names in (
            ("Sow #garden ", "#garden ", ["Garden"]),
            ("and #bees, ", "#bees, ", ["Garden", "bees"]),
            ("the #yarn-list.", "#yarn-list.", ["Garden", "Yarn list", "bees"]),
            (" 2 #1 of #fff ", "#fff ", ["Garden", "Yarn list", "bees"]),
        ):
            screen.types(typed)
            wait_until(lambda: keywords_of(world, note) == names, lambda: str(keywords_of(world, note)), meanwhile=screen.page)
        # Enter is a new line as well, and one step back takes the keyword away, not the words.
        screen.types("Last #hive")
        screen.presses("Enter")
        screen.types("below")
        wait_until(lambda: "hive" in keywords_of(world, note), meanwhile=screen.page)
        expect(screen.text.locator("p")).to_have_count(2)
        screen.types(" #meant ")
        wait_until(lambda: "meant" in keywords_of(world, note), meanwhile=screen.page)
        expect(screen.page.locator(".note-keywords")).to_contain_text("meant")
        screen.presses("Control+z")
        wait_until(lambda: "meant" not in keywords_of(world, note), meanwhile=screen.page)
        expect(screen.text.locator("p").last).to_have_text("below #meant ")
        # One that Escape has put away is not given.
        screen.types("#quiet")
        expect(screen.page.get_by_role("listbox", name="Keyword", exact=True)).to_be_visible()
        screen.presses("Escape")
        screen.types(" and on")
        screen.is_saved()
        assert keywords_of(world, note) == ["Garden", "Yarn list", "bees", "hive"], keywords_of(world, note)


def test_a_name_with_an_accent_could_not_be_chosen_by_who_typed_it_without(world: World):
    world.server.make_note("Has an accent", "x", keywords=["Crème"])
    world.server.make_folder("Épices")
    note = world.server.make_note("Has none", "Words.")
    screen = world.person().opens("all", note)
    screen.button("Add a keyword").click()
    screen.types("creme")
    expect(screen.page.get_by_role("listbox", name="Keywords").get_by_role("option")).to_have_text(["Crème"])
    screen.presses("Enter")
    wait_until(lambda: keywords_of(world, note) == ["Crème"], meanwhile=screen.page)
    screen.presses("Escape")
    screen.chooses("More for this note", "Move to…")
    screen.page.get_by_role("textbox", name="Find a folder").fill("epices")
    expect(screen.button("Épices", screen.dialog)).to_be_visible()
    screen.presses("Enter")
    wait_until(lambda: (world.server.note(note)["folder"] or {}).get("name") == "Épices", meanwhile=screen.page)
    screen.new_note("In its text", "Sugar and #creme")
    expect(screen.page.get_by_role("listbox", name="Keyword", exact=True).get_by_role("option")).to_have_text(["Crème"])


def test_what_is_no_keyword_stays_what_it_is(world: World):
    screen = world.person().opens()
    choices = screen.page.get_by_role("listbox", name="Keyword", exact=True)
    note = screen.new_note("No keywords", "We are #1 in C#sharp, see https://example.org/#top and #c2410c, not `#code")
    expect(choices).to_have_count(0)
    screen.types("`.")
    # Escape means that it is a word.
    screen.presses("Enter")
    screen.types("#maybe")
    expect(choices).to_be_visible()
    screen.presses("Escape")
    expect(choices).to_have_count(0)
    screen.types("not")
    expect(choices).to_have_count(0)
    screen.types(" #7 ")
    expect(choices).to_have_count(0)
    screen.presses("Enter", "#", "Space")
    screen.types("A heading")
    expect(screen.text.get_by_role("heading")).to_have_text("A heading")
    screen.is_saved()
    assert keywords_of(world, note) == []


def test_a_keyword_is_tapped_on_the_phone(world: World):
    world.server.make_note("Has one", "x", keywords=["Garden"])
    note = world.server.make_note("On the phone", "Words ")
    screen = world.person(PHONE).opens("all", note, rows=False)
    screen.text.tap()
    screen.presses("Control+End")
    screen.types(" #gar")
    choice = screen.page.get_by_role("option", name="Garden")
    expect(choice).to_be_visible()
    screen.looks("phone-keywords-in-text")
    assert choice.bounding_box()["height"] >= 40
    choice.tap()
    expect(screen.text).to_contain_text("#Garden")
    wait_until(lambda: keywords_of(world, note) == ["Garden"])
    screen.is_saved()


def branch(screen, name: str):
    return screen.page.get_by_role("tree", name="Keywords").get_by_role("treeitem", name=name)


def test_keywords_below_others_are_a_tree(world: World):
    server = world.server
    for keywords in (["travel/italy/rome"], ["travel/italy/rome"], ["travel/italy"], ["travel/oslo"], ["area/work"], ["area/home"], ["and/or"]):
        server.make_note(f"About {keywords[0]}", "x", keywords=keywords)
    for device, scheme in ((DESK, "light"), (PHONE, "dark")):
        screen = world.person(device, color_scheme=scheme).opens("", rows=False)
        # No keyword is called so: what only one keyword is below is part of its name.
        expect(branch(screen, "travel, 4 notes")).to_have_attribute("aria-expanded", "false")
        expect(branch(screen, "and/or, 1 note")).to_be_visible()
        assert branch(screen, "and/or, 1 note").get_attribute("aria-expanded") is None
        expect(branch(screen, "italy")).to_have_count(0)
        twist = branch(screen, "travel").locator(".twist")
        twist.tap() if device is PHONE else twist.click()
        expect(branch(screen, "italy, 3 notes")).to_have_attribute("aria-level", "2")
        expect(branch(screen, "oslo, 1 note")).to_be_visible()
        screen.is_accessible(f"tree of keywords, {scheme}")
        branch(screen, "italy").scroll_into_view_if_needed()
        screen.looks(f"keyword-tree-{scheme}")
        # It is open the next time, too.
        screen.reloads()
        expect(branch(screen, "italy, 3 notes")).to_be_visible()
        branch(screen, "italy").tap() if device is PHONE else branch(screen, "italy").click()
        expect(screen.page.locator(".list-title")).to_have_text("travel/italy")
        if device is PHONE:
            continue
        branch(screen, "italy").focus()
        screen.presses("ArrowRight", "ArrowRight")
        expect(branch(screen, "rome, 2 notes")).to_be_focused()
        screen.presses("ArrowLeft", "ArrowLeft")
        expect(branch(screen, "rome")).to_have_count(0)
        screen.presses("ArrowLeft")
        expect(branch(screen, "travel")).to_be_focused()
        screen.presses("o")
        expect(branch(screen, "oslo")).to_be_focused()
        screen.presses("ArrowLeft", "Enter")
        expect(screen.page.get_by_role("combobox", name="Search notes")).to_have_value('tag:"travel/"')
        expect(screen.page.locator(".found")).to_have_text("4 notes")


def test_keywords_that_could_not_be_read_were_waited_for_without_end(world: World):
    screen = world.person(service_workers="block").opens()
    screen.expects("registration blocked", "status of 500")
    asks = lambda url: "/api/keywords?" in url
    screen.page.route(asks, lambda route: route.fulfill(status=500, json={"error": "The keywords cannot be read."}))
    screen.chooses("Settings and help", "All keywords…")
    expect(screen.dialog.get_by_role("alert")).to_have_text("The keywords cannot be read.")
    expect(screen.dialog.locator(".spinner")).to_have_count(0)
    screen.page.unroute(asks)
    screen.types("a")
    expect(screen.dialog.get_by_role("alert")).to_have_count(0)
