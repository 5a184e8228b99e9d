"""Notes that everybody with a link reads, and the owner's own looks."""

import re
from pathlib import Path

from playwright.sync_api import expect

from server import Server, attached, bullets, heading, link, paragraph, picture, table
from test_copying import code
from test_together import LOST, offline_ready
from test_writing import png
from world import DESK, PHONE, Screen, World, wait_until

KEPT = """async () => {
    const kept = [];
    for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) kept.push(new URL(request.url).pathname);
    return kept.filter((path) => path.startsWith("/p/") || path === "/api/published");
}"""

WIDER_THAN_THE_SCREEN = "() => document.documentElement.scrollWidth > innerWidth"


def stranger(world: World, device=DESK, **settings) -> Screen:
    """Somebody who never had the key."""
    context = world.browser.new_context(locale="en-GB", **device, **settings)
    world.contexts.append(context)
    screen = Screen(world, context.new_page())
    world.screens.append(screen)
    return screen


def publishes(screen: Screen) -> str:
    """Publishes the note that is open, and gives its link."""
    screen.chooses(screen.button("More for this note"), "Publish…")
    screen.button("Publish", screen.dialog).click()
    field = screen.dialog.get_by_label("Link")
    expect(field).to_have_value(re.compile(r"/p/[a-z2-9]{32}$"))
    return field.input_value()


def make_moss(server) -> str:
    diary = server.make_note("Diary", "secret words")
    note = server.make_note("Moss", "", keywords=["bryology"])
    photo = server.keep_file(note, "moss.png", png(48, 32, (20, 120, 60)))["id"]
    letter = server.keep_file(note, "letter.txt", b"plain words")["id"]
    embed = paragraph("!", link("Diary", diary))
    blocks = [
        heading(2, "On stones"), paragraph("Grows on ", link("stones", diary), ". %%Ask Anna.%% So $x^2$."), embed,
        picture(photo, caption="A cushion"), attached(letter, "letter.txt"), bullets("green", "soft"), code("let a = 1", "swift"),
        table(["Kind", "Place"], ["Sphagnum", "bogs"]), paragraph("https://example.org/" + "a" * 120),
    ]
    revision = server.note(note)["revision"]
    server.call("PATCH", f"/notes/{note}", {"base": revision, "document": {"version": 1, "type": "doc", "content": blocks}})
    return note


def test_a_note_is_published_read_by_a_stranger_and_ended(world: World):
    note = make_moss(world.server)
    screen = world.person(permissions=["clipboard-read", "clipboard-write"]).opens("all", note)
    expect(screen.button("Published")).to_have_count(0)
    screen.chooses(screen.button("More for this note"), "Publish…")
    expect(screen.dialog).to_contain_text("Everybody with the link can read this note")
    expect(screen.dialog).to_contain_text("The server listens on this machine only")
    expect(screen.button("Publish", screen.dialog)).to_be_focused()
    screen.is_accessible("a note to publish")
    screen.looks("publish-before")
    screen.presses("Enter")
    field = screen.dialog.get_by_label("Link")
    expect(field).to_be_focused()
    address = field.input_value()
    assert address.startswith(f"{world.server.address}/p/"), address
    screen.is_accessible("a note that is published")
    screen.looks("publish-after")
    screen.button("Copy link", screen.dialog).click()
    screen.says("Link copied")
    assert screen.page.evaluate("navigator.clipboard.readText()") == address
    screen.presses("Escape")
    expect(screen.button("Published")).to_be_visible()
    screen.is_accessible("the sign of a published note")
    screen.looks("publish-sign")

    for name, device, settings in (("desk", DESK, {}), ("phone", PHONE, {}), ("dark", DESK, {"color_scheme": "dark"})):
        reader = stranger(world, device, **settings)
        answer = reader.page.goto(address)
        assert answer.status == 200 and "set-cookie" not in answer.headers, answer.headers
        assert answer.headers["cache-control"] == "no-store" and answer.headers["referrer-policy"] == "no-referrer", answer.headers
        expect(reader.page.get_by_role("heading", level=1)).to_have_text("Moss")
        expect(reader.page.get_by_text("Grows on stones. So")).to_be_visible()
        for word in ("Diary", "secret", "Anna", "bryology"):
            assert word not in reader.page.content(), word
        assert reader.page.get_by_role("img", name="A cushion").evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 48
        with reader.page.expect_download() as saved:
            reader.page.get_by_role("link", name="letter.txt").click()
        assert Path(saved.value.path()).read_bytes() == b"plain words"
        assert not reader.page.evaluate(WIDER_THAN_THE_SCREEN), name
        reader.is_accessible(f"a published note, {name}")
        reader.looks(f"published-{name}")

    # It follows what is written.
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" And new words.")
    wait_until(lambda: "new words" in world.server.text(note), meanwhile=screen.page)
    reader.page.reload()
    expect(reader.page.locator("main")).to_contain_text("And new words.")

    screen.button("Published").click()
    screen.button("Stop publishing", screen.dialog).click()
    expect(screen.button("Publish", screen.dialog)).to_be_focused()
    screen.presses("Escape")
    expect(screen.button("Published")).to_have_count(0)
    reader.expects("404")
    assert reader.page.reload().status == 404
    expect(reader.page.get_by_role("heading")).to_have_text("There is nothing here")
    reader.is_accessible("a link that is over")
    reader.looks("published-over")


def test_a_new_link_ends_the_old_one_and_the_list_ends_any(world: World):
    for row in world.server.call("GET", "/published")["notes"]:
        world.server.call("DELETE", f"/notes/{row['note']}/publication")
    first, second = world.server.make_note("Published fern", "green"), world.server.make_note("Published moss", "greener")
    person = world.person()
    screen = person.opens("all", first)
    old = publishes(screen)
    other_tab = person.opens("all", first)
    expect(other_tab.button("Published")).to_be_visible()
    screen.button("New link", screen.dialog).click()
    field = screen.dialog.get_by_label("Link")
    expect(field).not_to_have_value(old)
    new = field.input_value()
    screen.presses("Escape")
    reader = stranger(world)
    reader.expects("404")
    assert [reader.page.goto(address).status for address in (old, new)] == [404, 200]
    screen.goes_to("all", second)
    publishes(screen)
    screen.presses("Escape")

    screen.chooses("Settings and help", "Published notes…")
    rows = screen.dialog.get_by_role("list", name="Published notes").get_by_role("listitem")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Published moss")
    screen.is_accessible("the published notes")
    screen.looks("published-notes")
    screen.button("Stop publishing Published fern", screen.dialog).click()
    expect(rows).to_have_count(1)
    assert reader.page.reload().status == 404
    # The other tab hears of it.
    expect(other_tab.button("Published")).to_have_count(0)
    screen.dialog.get_by_role("link", name="Published moss").click()
    screen.has_come_to("all", second)
    world.server.call("DELETE", f"/notes/{second}")
    screen.chooses("Settings and help", "Published notes…")
    expect(rows).to_contain_text("In the trash, so the link leads to nothing until it is restored")
    screen.button("Stop publishing Published moss", screen.dialog).click()
    expect(screen.dialog).to_contain_text("No note is published")


def test_a_note_is_published_on_a_phone_and_from_the_palette(world: World):
    note = world.server.make_note("Published from a phone", "green")
    phone = world.person(PHONE).opens("all", note)
    address = publishes(phone)
    phone.is_accessible("publishing on a phone")
    phone.looks("publish-phone")
    for name in ("Stop publishing", "New link", "Copy link"):
        box = phone.button(name, phone.dialog).bounding_box()
        assert box["height"] >= 44, (name, box)
    phone.button("Close", phone.dialog).click()
    expect(phone.page.locator(".facts-line")).to_contain_text("Published")
    assert stranger(world, PHONE).page.goto(address).status == 200

    screen = world.person().opens("all", note)
    screen.presses("Control+k")
    screen.types("publish")
    screen.dialog.get_by_role("option", name="Publish…").click()
    expect(screen.dialog.get_by_label("Link")).to_have_value(address)
    screen.button("Stop publishing", screen.dialog).click()
    expect(screen.button("Publish", screen.dialog)).to_be_visible()


def test_the_worker_keeps_nothing_of_published_notes(world: World):
    person = world.person()
    note = world.server.make_note("Not kept", "green")
    screen = person.opens("all", note)
    offline_ready(screen)
    address = publishes(screen)
    reader = Screen(world, person.context.new_page())
    world.screens.append(reader)
    assert reader.page.goto(address).status == 200
    screen.presses("Escape")
    assert screen.page.evaluate(KEPT) == []
    # Without the server, the dialog says so, and what is known stays.
    screen.expects(*LOST)
    person.goes_offline()
    screen.button("Published").click()
    screen.button("Stop publishing", screen.dialog).click()
    expect(screen.dialog.get_by_role("alert")).to_contain_text("Slipbox cannot be reached")
    person.goes_offline(False)
    screen.button("Stop publishing", screen.dialog).click()
    expect(screen.button("Publish", screen.dialog)).to_be_visible()


def test_a_theme_changes_the_colours_and_loads_nothing_from_elsewhere(world: World):
    server = Server.started()
    try:
        note = server.make_note("Themed", "green")
        styles = Path(server.folder) / "theme.css"
        context = world.browser.new_context(base_url=server.address, **DESK)
        world.contexts.append(context)
        context.request.get(server.printed)
        # Of a request that the policy refuses, the browser tells that it was to be sent.
        sent = []
        context.on("requestfinished", lambda request: sent.append(request.url))

        def opened(scheme: str) -> Screen:
            screen = Screen(world, context.new_page())
            world.screens.append(screen)
            screen.page.emulate_media(color_scheme=scheme)
            screen.page.goto(f"/#/all/{note}")
            expect(screen.title).to_be_visible()
            return screen

        def ground(screen: Screen) -> str:
            return screen.page.locator("nav.side").evaluate("(side) => getComputedStyle(side).backgroundColor")

        assert ground(opened("light")) == "rgb(239, 236, 230)"
        styles.write_text(EXAMPLE)
        assert ground(opened("light")) == "rgb(234, 241, 234)"
        dark = opened("dark")
        assert ground(dark) == "rgb(20, 26, 20)"
        dark.looks("theme-dark")
        light = opened("light")
        light.is_accessible("the theme of the documentation")
        light.looks("theme-light")
        styles.write_text('@import "https://elsewhere.example/a.css"; :root { --ground-side: red; } nav.side { background-image: url("https://elsewhere.example/b.png"); }')
        screen = opened("light")
        screen.expects("Content Security Policy", "elsewhere.example")
        assert ground(screen) == "rgb(255, 0, 0)"
        assert not [url for url in sent if "elsewhere" in url]
        assert any(url.endswith("/theme.css") for url in sent)
    finally:
        server.stop()


# The one in Apps/Slipbox.md.
EXAMPLE = re.search(r"```css\n(.*?)```", (Path(__file__).parents[1] / "Slipbox.md").read_text(), re.DOTALL).group(1)
