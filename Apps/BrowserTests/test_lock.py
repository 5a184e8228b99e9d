"""The lock of the slip box: set, closed by somebody or after idle time, and opened again."""

import json
import os
import re
import subprocess
import urllib.request
from contextlib import contextmanager

from playwright.sync_api import expect

from server import Server
from test_attachments import stroke, strokes
from test_together import LOST, offline_ready
from world import DESK, PHONE, Person, Screen, World, wait_until

PASSPHRASE = "open sesame"
WORDS = "The wind at night"
# The browser writes refused requests to the console.
REFUSED = ("status of 423", "status of 403", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_REFUSED", "Service Worker registration blocked")

ANSWERS = "() => Promise.all(['/api/notes?in=all', '/api/overview', '/api/lock'].map((path) => fetch(path).then((answer) => answer.status)))"


@contextmanager
def slip_box(world: World):
    """A world with a server of its own: others would be locked out, too."""
    server = Server.started("--no-samples")
    own = World(world.browser, server, world.writes_pictures, world.late)
    try:
        yield own
        own.close()
    except BaseException:
        own.give_up("lock")
        raise
    finally:
        server.stop()


def sets_lock(screen: Screen, minutes: str = "5 minutes without activity", passphrase: str = PASSPHRASE) -> None:
    screen.chooses("Settings and help", "Lock…")
    screen.dialog.get_by_label("Lock after").select_option(label=minutes)
    screen.dialog.get_by_label("Passphrase", exact=True).fill(passphrase)
    screen.dialog.get_by_label("The same passphrase again").fill(passphrase)
    screen.button("Set the lock", screen.dialog).click()
    screen.says("The lock was set")


def field(screen: Screen):
    return screen.page.locator(".locked").get_by_label("Passphrase")


def is_locked(screen: Screen) -> None:
    expect(field(screen)).to_be_focused()
    assert screen.page.title() == "Slipbox", screen.page.title()
    assert WORDS not in screen.page.content()
    assert screen.page.locator(".row, .ProseMirror, dialog").count() == 0


def unlocks(screen: Screen, passphrase: str = PASSPHRASE) -> None:
    field(screen).fill(passphrase)
    screen.presses("Enter")


def is_back(screen: Screen, note: str) -> None:
    expect(screen.page.locator(".shell")).to_be_visible()
    screen.has_come_to("all", note)


def opened(world: World, device=DESK, **settings) -> tuple[Screen, str]:
    note = world.server.make_note("Storm", WORDS)
    screen = world.person(device, **settings).opens("all", note)
    screen.expects(*REFUSED, *LOST)
    return screen, note


def lets_in(server: Server) -> None:
    """The test itself brings the passphrase, to look at notes."""
    request = urllib.request.Request(f"{server.address}/api/lock/browser", json.dumps({"passphrase": PASSPHRASE}).encode(), {"Content-Type": "application/json", "Cookie": server.cookie})
    with urllib.request.urlopen(request, timeout=60) as answer:
        server.cookie += "; " + answer.headers["Set-Cookie"].split(";")[0]


def test_a_lock_is_set_closed_and_opened(world: World):
    with slip_box(world) as own:
        screen, note = opened(own)
        screen.chooses("Settings and help", "Lock…")
        expect(screen.dialog.get_by_label("Passphrase", exact=True)).to_be_focused()
        expect(screen.dialog.get_by_label("Lock after")).to_have_value("5")
        screen.is_accessible("a lock to set")
        screen.looks("lock-set")
        for first, second, sentence in (("abc", "abc", "A passphrase has at least 4 characters."), ("abcd", "abce", "The two passphrases differ.")):
            screen.dialog.get_by_label("Passphrase", exact=True).fill(first)
            screen.dialog.get_by_label("The same passphrase again").fill(second)
            screen.presses("Enter")
            expect(screen.dialog.get_by_role("alert")).to_contain_text(sentence)
        screen.presses("Escape")
        sets_lock(screen)
        # Nothing changes for the one who has set it.
        assert screen.page.evaluate(ANSWERS) == [200, 200, 200]
        expect(screen.text).to_have_text(WORDS)

        screen.presses("Alt+Shift+l")
        is_locked(screen)
        assert screen.page.evaluate(ANSWERS) == [423, 423, 200]
        screen.is_accessible("the lock screen")
        screen.looks("lock-screen")
        screen.page.reload()
        is_locked(screen)
        unlocks(screen, "open barley")
        expect(screen.page.get_by_role("alert")).to_have_text("This is not the passphrase.")
        expect(field(screen)).to_be_focused()
        screen.is_accessible("a wrong passphrase")
        screen.looks("lock-wrong")
        unlocks(screen)
        is_back(screen, note)
        expect(screen.text).to_have_text(WORDS)

        # From the menu and from the palette.
        screen.chooses("Settings and help", "Lock now")
        is_locked(screen)
        unlocks(screen)
        is_back(screen, note)
        screen.presses("Control+k")
        screen.types("lock now")
        screen.dialog.get_by_role("option", name=re.compile("^Lock now")).click()
        is_locked(screen)
        unlocks(screen)
        is_back(screen, note)

        # The present passphrase is needed to change it and to take it off.
        screen.chooses("Settings and help", "Lock…")
        screen.is_accessible("a lock that is set")
        screen.looks("lock-change")
        screen.dialog.get_by_label("Present passphrase").fill("wrong")
        screen.dialog.get_by_label("Lock after").select_option(label="1 hour without activity")
        screen.button("Save", screen.dialog).click()
        expect(screen.dialog.get_by_role("alert")).to_have_text("This is not the passphrase.")
        screen.dialog.get_by_label("Present passphrase").fill(PASSPHRASE)
        screen.button("Save", screen.dialog).click()
        screen.says("The lock was changed")
        assert screen.page.evaluate("fetch('/api/lock').then((answer) => answer.json())") == {"isSet": True, "isLocked": False, "minutes": 60}
        screen.chooses("Settings and help", "Lock…")
        screen.dialog.get_by_label("Present passphrase").fill(PASSPHRASE)
        screen.button("Take the lock off", screen.dialog).click()
        screen.says("The lock was taken off")
        assert own.server.note(note)["title"] == "Storm"
        screen.button("Settings and help").click()
        expect(screen.menu_item("Lock…")).to_be_visible()
        expect(screen.menu_item("Lock now")).to_have_count(0)


def test_a_lock_on_a_phone(world: World):
    with slip_box(world) as own:
        screen, note = opened(own, PHONE, color_scheme="dark")
        screen.goes_to("all")
        screen.button("Back to folders").tap()
        sets_lock(screen)
        screen.chooses("Settings and help", "Lock…")
        screen.is_accessible("a lock on a phone")
        screen.looks("lock-phone-change")
        for control in (screen.button("Save", screen.dialog), screen.button("Take the lock off", screen.dialog), screen.dialog.get_by_label("Lock after"), screen.dialog.get_by_label("Present passphrase")):
            assert control.bounding_box()["height"] >= 44, control
        screen.button("Close", screen.dialog).tap()
        screen.chooses("Settings and help", "Lock now")
        is_locked(screen)
        screen.is_accessible("the lock screen on a phone")
        screen.looks("lock-phone")
        for control in (field(screen), screen.button("Unlock")):
            assert control.bounding_box()["height"] >= 44, control
        assert not screen.page.evaluate("() => document.documentElement.scrollWidth > innerWidth")
        field(screen).fill(PASSPHRASE)
        screen.button("Unlock").tap()
        expect(screen.page.locator(".shell")).to_be_visible()


def test_a_slip_box_without_a_lock_sends_no_activity(world: World):
    with slip_box(world) as own:
        note = own.server.make_note("Calm", "words")
        person = own.person()
        asked = []
        person.context.on("request", lambda request: asked.append(f"{request.method} {request.url.removeprefix(own.server.address)}"))
        screen = person.opens("all", note)
        screen.text.click()
        screen.types("more ")
        screen.page.mouse.move(200, 200)
        screen.page.mouse.move(300, 300)
        screen.is_saved()
        assert not [one for one in asked if "/api/lock" in one and one != "GET /api/lock"], asked
        assert [cookie["name"] for cookie in person.context.cookies()] == [own.server.cookie.split("=")[0]]


def test_a_page_that_nobody_uses_is_locked(world: World):
    with slip_box(world) as own:
        note = own.server.make_note("Storm", WORDS)
        person = own.person()
        person.context.clock.install()
        screen = person.opens("all", note)
        screen.expects(*REFUSED, *LOST)
        sets_lock(screen, "1 minute without activity")
        for _ in range(3):
            screen.page.clock.fast_forward(40_000)
            screen.page.mouse.move(200, 200)
            screen.page.mouse.move(300, 300)
        assert screen.page.evaluate(ANSWERS) == [200, 200, 200]
        expect(screen.text).to_have_text(WORDS)
        screen.page.clock.fast_forward(61_000)
        is_locked(screen)
        assert screen.page.evaluate(ANSWERS) == [423, 423, 200]
        unlocks(screen)
        is_back(screen, note)
        # A machine that has slept: the first sign of somebody comes too late.
        screen.page.clock.pause_at(screen.page.evaluate("Date.now()") + 3_600_000)
        screen.page.mouse.move(250, 250)
        screen.page.clock.resume()
        is_locked(screen)


def test_two_tabs_are_locked_and_unlocked_together(world: World):
    with slip_box(world) as own:
        first, note = opened(own)
        other = own.server.make_note("Calm", "words")
        second = Person(own, first.page.context).opens("all", other)
        second.expects(*REFUSED, *LOST)
        sets_lock(first)
        # The other tab has heard of it.
        second.button("Settings and help").click()
        expect(second.menu_item("Lock now")).to_be_visible()
        second.presses("Escape")
        second.presses("Alt+Shift+l")
        is_locked(second)
        expect(field(first)).to_be_visible()
        assert WORDS not in first.page.content()
        unlocks(second)
        is_back(second, other)
        is_back(first, note)


def test_other_browsers_are_locked_by_a_new_lock_and_not_by_others(world: World):
    with slip_box(world) as own:
        desk, note = opened(own)
        laptop = own.person().opens("all", note)
        laptop.expects(*REFUSED, *LOST)
        sets_lock(desk)
        expect(field(laptop)).to_be_visible()
        is_locked(laptop)
        unlocks(laptop)
        is_back(laptop, note)
        desk.presses("Alt+Shift+l")
        is_locked(desk)
        laptop.text.click()
        laptop.presses("Control+End")
        laptop.types(", and by day")
        laptop.is_saved()
        unlocks(desk)
        is_back(desk, note)
        expect(desk.text).to_have_text(f"{WORDS}, and by day")


def test_what_was_typed_just_before_the_lock_is_in_the_note(world: World):
    with slip_box(world) as own:
        screen, note = opened(own, service_workers="block")
        sets_lock(screen)
        screen.text.click()
        screen.presses("Control+End")
        screen.types(" was strong")
        screen.presses("Alt+Shift+l")
        is_locked(screen)
        unlocks(screen)
        is_back(screen, note)
        expect(screen.text).to_have_text(f"{WORDS} was strong")
        # The server locks the browser while the page saves.
        held = screen.holds_first("PATCH", f"/api/notes/{note}")
        screen.text.click()
        screen.presses("Control+End")
        screen.types(" and cold")
        wait_until(lambda: held, meanwhile=screen.page)
        screen.page.evaluate("fetch('/api/lock/browser', { method: 'DELETE' })")
        held[0].continue_()
        expect(field(screen)).to_be_visible()
        is_locked(screen)
        lets_in(own.server)
        assert "cold" not in own.server.text(note)
        unlocks(screen)
        is_back(screen, note)
        wait_until(lambda: own.server.text(note) == f"{WORDS} was strong and cold\n", lambda: own.server.text(note), meanwhile=screen.page)
        expect(screen.text).to_have_text(f"{WORDS} was strong and cold")


def test_a_drawing_that_is_nowhere_else_is_there_after_the_lock(world: World):
    with slip_box(world) as own:
        screen, note = opened(own)
        sets_lock(screen)
        screen.text.click()
        screen.presses("Control+End", "Enter")
        screen.types("/drawing")
        screen.presses("Enter")
        expect(screen.button("Insert")).to_be_disabled()
        stroke(screen, (0.3, 0.3), (0.5, 0.5), (0.7, 0.3))
        expect(strokes(screen)).to_have_count(1)
        screen.presses("Alt+Shift+l")
        expect(field(screen)).to_be_focused()
        assert screen.page.title() == "Slipbox", screen.page.title()
        assert screen.page.evaluate(ANSWERS) == [423, 423, 200]
        expect(screen.page.get_by_text(WORDS)).not_to_be_visible()
        screen.presses("Escape", "Escape")
        expect(field(screen)).to_be_focused()
        screen.is_accessible("the lock screen over a page")
        screen.looks("lock-over")
        unlocks(screen, "open barley")
        expect(screen.page.get_by_role("alert").filter(has_text="This is not the passphrase.")).to_be_visible()
        unlocks(screen)
        expect(field(screen)).to_have_count(0)
        expect(strokes(screen)).to_have_count(1)
        screen.button("Insert").click()
        expect(screen.text.locator("figure.text-picture")).to_be_visible()
        screen.is_saved()


def test_a_browser_is_locked_and_unlocked_without_the_server(world: World):
    with slip_box(world) as own:
        screen, note = opened(own)
        offline_ready(screen)
        sets_lock(screen)
        screen.reloads()
        expect(screen.text).to_have_text(WORDS)
        context = screen.page.context
        context.set_offline(True)
        screen.text.click()
        screen.presses("Control+End")
        screen.types(" in the tunnel")
        screen.presses("Alt+Shift+l")
        is_locked(screen)
        assert screen.page.evaluate(ANSWERS.replace(", '/api/lock'", "")) == [423, 423]
        assert screen.page.evaluate(f"fetch('/api/notes/{note}').then((answer) => answer.status)") == 423
        screen.page.reload()
        is_locked(screen)
        unlocks(screen, "open barley")
        expect(screen.page.get_by_role("alert")).to_have_text("This is not the passphrase.")
        unlocks(screen)
        expect(screen.text).to_have_text(f"{WORDS} in the tunnel")
        screen.presses("Alt+Shift+l")
        is_locked(screen)
        # The server hears of it when it is there again.
        context.set_offline(False)
        is_there = "fetch('/api/lock').then((answer) => answer.json()).then(({ isLocked }) => isLocked)"
        wait_until(lambda: screen.page.evaluate(is_there), meanwhile=screen.page)
        unlocks(screen)
        is_back(screen, note)
        lets_in(own.server)
        wait_until(lambda: own.server.text(note) == f"{WORDS} in the tunnel\n", lambda: own.server.text(note), meanwhile=screen.page)


def test_a_browser_that_was_left_without_the_server_is_locked(world: World):
    with slip_box(world) as own:
        screen, note = opened(own)
        offline_ready(screen)
        sets_lock(screen, "1 minute without activity")
        screen.reloads()
        screen.page.context.set_offline(True)
        # As if that had been an hour ago.
        screen.page.evaluate("""() => caches.open("slipbox-lock-1").then((cache) => cache.put("/lock/activity", new Response(JSON.stringify({ at: Date.now() - 3_600_000 }))))""")
        assert screen.page.evaluate(f"fetch('/api/notes/{note}').then((answer) => answer.status)") == 423
        screen.page.reload()
        is_locked(screen)


def test_all_browsers_are_locked_after_the_server_was_killed(world: World):
    with slip_box(world) as own:
        screen, note = opened(own)
        sets_lock(screen, "1 hour without activity")
        server = own.server
        server.process.kill()
        server.process.wait(timeout=60)
        port = server.address.rsplit(":", 1)[1]
        server.process = subprocess.Popen([*server.process.args[:1], "--port", port, "--store", server.folder, "--no-samples"], stdout=subprocess.PIPE, text=True)
        server.process.stdout.readline()
        expect(field(screen)).to_be_visible()
        is_locked(screen)
        assert screen.page.evaluate(ANSWERS) == [423, 423, 200]
        unlocks(screen)
        is_back(screen, note)


def test_a_damaged_lock_says_what_to_do(world: World):
    with slip_box(world) as own:
        screen, note = opened(own)
        path = f"{own.server.folder}/lock"
        with open(path, "w") as file:
            file.write("{}")
        screen.page.reload()
        message = screen.page.get_by_role("alert")
        expect(message).to_contain_text(path)
        expect(message).to_contain_text("Delete it on the machine")
        screen.is_accessible("a damaged lock")
        screen.looks("lock-damaged")
        expect(screen.button("Try again")).to_be_focused()
        os.remove(path)
        screen.presses("Enter")
        is_back(screen, note)
