"""The tree of folders."""

from playwright.sync_api import expect

from world import Screen, World, wait_until


def item(screen: Screen, name: str):
    return screen.page.get_by_role("treeitem").filter(has=screen.page.locator(".place-name", has_text=name)).first


def parent_of(world: World, folder: str):
    return next(one["parent"] for one in world.server.call("GET", "/overview")["folders"] if one["id"] == folder)


def test_folders_are_made_renamed_moved_and_deleted(world: World):
    screen = world.person().opens()
    screen.presses("Alt+Shift+n")
    screen.dialog.get_by_label("Name").fill("Botany")
    screen.presses("Enter")
    expect(item(screen, "Botany")).to_have_attribute("aria-selected", "true")
    expect(screen.page.locator(".list .empty")).to_contain_text("This folder is empty")
    item(screen, "Botany").click(button="right")
    screen.menu_item("New subfolder").click()
    screen.dialog.get_by_label("Name").fill("Mosses")
    screen.presses("Enter")
    expect(item(screen, "Mosses")).to_have_attribute("aria-level", "2")
    screen.is_accessible("tree")
    item(screen, "Mosses").focus()
    screen.presses("F2")
    screen.presses("Control+a")
    screen.types("Lichens")
    screen.presses("Enter")
    expect(item(screen, "Lichens")).to_be_focused()
    item(screen, "Lichens").hover()
    screen.chooses("More for Lichens", "Rename")
    screen.dialog.get_by_label("Name").fill("Ferns")
    screen.presses("Enter")
    expect(item(screen, "Ferns")).to_be_visible()
    item(screen, "Ferns").click(button="right")
    screen.menu_item("Move to…").click()
    screen.is_accessible("choice of a folder")
    screen.button("Top level").click()
    expect(item(screen, "Ferns")).to_have_attribute("aria-level", "1")
    screen.undoes("moved")
    expect(item(screen, "Ferns")).to_have_attribute("aria-level", "2")
    item(screen, "Ferns").click()
    screen.new_note("Bracken", "Green until October.")
    expect(item(screen, "Ferns")).to_have_attribute("aria-label", "Ferns, 1 note")
    item(screen, "Botany").focus()
    screen.presses("Delete")
    expect(screen.dialog).to_contain_text("1 note and 1 subfolder")
    screen.button("Delete", screen.dialog).click()
    expect(item(screen, "Botany")).to_have_count(0)
    screen.undoes("moved to the trash")
    expect(item(screen, "Botany")).to_be_visible()
    item(screen, "Botany").focus()
    screen.presses("ArrowLeft", "ArrowRight", "ArrowRight")
    expect(item(screen, "Ferns")).to_be_focused()
    screen.presses("Enter")
    expect(screen.row("Bracken")).to_be_visible()


def test_notes_and_folders_are_dragged(world: World):
    outer, inner = world.server.make_folder("Outer box"), world.server.make_folder("Inner box")
    note = world.server.make_note("Carried", "by hand", folder=outer)
    screen = world.person().opens(f"folder:{outer}")
    screen.row("Carried").drag_to(item(screen, "Inner box"))
    wait_until(lambda: (world.server.note(note)["folder"] or {}).get("id") == inner)
    screen.undoes("moved to")
    expect(screen.row("Carried")).to_be_visible()
    screen.row("Carried").drag_to(screen.page.locator(".place").filter(has_text="Unfiled"))
    wait_until(lambda: world.server.note(note)["folder"] is None)
    item(screen, "Inner box").drag_to(item(screen, "Outer box"))
    wait_until(lambda: parent_of(world, inner) == outer)
    expect(item(screen, "Inner box")).to_have_attribute("aria-level", "2")
    # Its own child cannot be its parent: nothing happens, and nothing breaks.
    item(screen, "Outer box").drag_to(item(screen, "Inner box"))
    assert parent_of(world, outer) is None


def test_folders_change_places_with_keys(world: World):
    parent = world.server.make_folder("Shelf")
    first, second = world.server.make_folder("Upper", parent), world.server.make_folder("Lower", parent)
    screen = world.person().opens(f"folder:{first}")
    item(screen, "Lower").focus()
    screen.presses("Alt+ArrowUp")

    def order():
        return [one["id"] for one in world.server.call("GET", "/overview")["folders"] if one["parent"] == parent]

    wait_until(lambda: order() == [second, first])
    screen.undoes("moved")
    wait_until(lambda: order() == [first, second])


def test_a_folder_that_was_to_move_down_went_to_the_top(world: World):
    parent = world.server.make_folder("Shelf of three")
    first, second, third = (world.server.make_folder(name, parent) for name in ("Topmost", "Middle one", "Lowest"))
    screen = world.person().opens(f"folder:{first}")
    item(screen, "Middle one").click(button="right")
    expect(screen.menu_item("Move down")).to_be_visible()
    # The folders are read again under the menu.
    screen.page.evaluate("import('/model/state.js').then(({ state }) => void (window.before = state.overview))")
    world.server.make_note("Saved meanwhile", "x")
    wait_until(lambda: screen.page.evaluate("import('/model/state.js').then(({ state }) => state.overview !== before)"), meanwhile=screen.page)
    screen.menu_item("Move down").click()
    order = lambda: [one["id"] for one in world.server.call("GET", "/overview")["folders"] if one["parent"] == parent]
    wait_until(lambda: order() != [first, second, third], meanwhile=screen.page)
    assert order() == [first, third, second], order()


def test_the_order_of_a_folder_that_was_chosen_last_was_not_the_one_that_was_kept(world: World):
    folder = world.server.make_folder("Ordered twice")
    world.server.make_note("Ordered", "x", folder=folder)
    screen = world.person(service_workers="block").opens(f"folder:{folder}")
    screen.expects("registration blocked")
    held = screen.holds_first("PATCH", f"/api/folders/{folder}")
    screen.chooses("Sort order", "Title A–Z")
    wait_until(lambda: held, meanwhile=screen.page)
    with screen.page.expect_response("**/api/notes?*sort=titleDescending*"):
        screen.chooses("Sort order", "Title Z–A")
    with screen.page.expect_response(lambda answer: answer.request.method == "PATCH" and "titleAscending" in answer.request.post_data):
        held[0].continue_()
    kept = lambda: next(one["sort"] for one in world.server.call("GET", "/overview")["folders"] if one["id"] == folder)
    wait_until(lambda: kept() == "titleDescending", kept, meanwhile=screen.page)


def test_a_folder_that_was_made_while_a_second_tab_began_was_missing_there(world: World):
    person = world.person(service_workers="block")
    first = person.opens("all")
    screens = [first]
    asked = []
    # Whoever comes to no place in particular is asked to read the welcome, after the folders were read.
    person.context.route("**/api/notes?*text=title:Welcome*", lambda route: asked.append(route))
    second = Screen(world, person.context.new_page())
    world.screens.append(second)
    second.page.goto("/")
    screens.append(second)
    for screen in screens:
        screen.expects("registration blocked")
    wait_until(lambda: asked, meanwhile=second.page)
    world.server.make_folder("Made meanwhile")
    expect(item(first, "Made meanwhile")).to_be_visible()
    asked[0].continue_()
    expect(item(second, "Made meanwhile")).to_be_visible()


def test_every_key_drew_all_of_two_thousand_folders(world: World):
    screen = world.person(service_workers="block").opens()
    screen.expects("registration blocked")
    folders = [{"id": f"00000000-0000-4000-8000-{number:012}", "name": f"Folder {number}", "parent": None, "count": 0} for number in range(2000)]
    screen.page.route("**/api/overview", lambda route: route.fulfill(json=world.server.call("GET", "/overview") | {"folders": folders}))
    screen.reloads()
    tree = screen.page.get_by_role("tree", name="Folders")
    expect(item(screen, "Folder 1")).to_be_visible()
    drawn = lambda: screen.page.evaluate("document.querySelectorAll('.tree [role=treeitem]').length")
    assert drawn() < 100, drawn()
    item(screen, "Folder 0").focus()
    screen.presses("End")
    last = tree.get_by_role("treeitem", name="Folder 1999, 0 notes")
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport()
    expect(last).to_have_attribute("aria-posinset", "2000")
    wait_until(lambda: screen.page.locator("#folder-00000000-0000-4000-8000-000000001990").count() == 1, meanwhile=screen.page)
    screen.presses("ArrowUp", "ArrowUp")
    expect(tree.get_by_role("treeitem", name="Folder 1997, 0 notes")).to_be_focused()
    assert drawn() < 100, drawn()
    # Letters find a name that is not drawn.
    screen.presses("Home")
    expect(tree.get_by_role("treeitem", name="Folder 0, 0 notes")).to_be_focused()
    # The item with the focus stays when it is scrolled out of sight.
    screen.page.locator(".side-body").evaluate("body => body.scrollTop = 30000")
    wait_until(lambda: screen.page.locator("#folder-00000000-0000-4000-8000-000000001000").count() + screen.page.locator("#folder-00000000-0000-4000-8000-000000000930").count() > 0, meanwhile=screen.page)
    screen.presses("ArrowDown")
    expect(tree.get_by_role("treeitem", name="Folder 1, 0 notes")).to_be_focused()
    screen.page.locator(".tree").scroll_into_view_if_needed()
    screen.is_accessible("tree of two thousand folders")
    screen.looks("tree-of-many")


def test_a_note_is_moved_from_its_page(world: World):
    folder = world.server.make_folder("Destination")
    screen = world.person().opens("unfiled")
    note = screen.new_note("Wanderer")
    screen.chooses("More for this note", "Move to…")
    screen.page.get_by_role("textbox", name="Find a folder").fill("desti")
    screen.presses("Enter")
    expect(screen.page.locator("button.fact")).to_have_text("Destination")
    assert world.server.note(note)["folder"]["id"] == folder
