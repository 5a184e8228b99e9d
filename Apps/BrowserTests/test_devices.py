"""Two Slipboxes on two devices, and the server between them."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request
from contextlib import contextmanager

from playwright.sync_api import expect

from server import BUILD, Running, Server, document, plain
from test_strangers import KEPT
from test_together import offline_ready
from world import DESK, PHONE, World, wait_until


class Between:
    """`coredata serve`, which can go away and come back."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="sync-browser-tests-")
        # To a port that a socket is bound to nobody else gets, also while the server is away.
        self.kept = socket.socket()
        self.kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.kept.bind(("127.0.0.1", 0))
        self.port = self.kept.getsockname()[1]
        self.address = ""
        self.start()

    def start(self) -> None:
        built = [path for path in (BUILD / "debug/coredata", BUILD / "release/coredata") if path.exists()]
        assert built, "There is no tool: swift build --product coredata"
        self.program = max(built, key=lambda path: path.stat().st_mtime)
        self.process = subprocess.Popen([self.program, "serve", self.folder, "--port", str(self.port)], stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if "#" in line:
                self.address = line.strip()
                return
            if self.address and "Stop with" in line:
                return
        raise AssertionError("coredata serve ended before it listened.")

    def tool(self, *words: str) -> str:
        command = [self.program, "serve", self.folder, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=60) == 0

    def close(self) -> None:
        self.stop()
        self.kept.close()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def two_devices(world: World):
    """A server, and two Slipboxes of their own, which have not joined yet."""
    between = Between()
    servers = [Server.started("--no-samples", device=name) for name in ("the phone", "the desk")]
    worlds = [World(world.browser, server, world.writes_pictures) for server in servers]
    try:
        yield between, *worlds
        for one in worlds:
            one.close()
    except BaseException:
        for number, one in enumerate(worlds):
            one.give_up(f"devices-{number}")
        raise
    finally:
        for server in servers:
            server.stop()
        between.close()


def sync_button(screen):
    return screen.page.locator(".sync-foot")


def opens_page(screen) -> None:
    screen.chooses("Settings and help", "Other devices…")
    expect(screen.dialog).to_be_visible()


def test_other_devices_turned_for_ever_where_nobody_could_tell_of_them(world: World):
    person = world.person()
    person.context.route("**/api/sync", lambda route: route.fulfill(status=500, json={"error": "The address cannot be read."}))
    screen = person.opens("all")
    screen.expects("status of 500")
    opens_page(screen)
    expect(screen.dialog.get_by_role("alert")).to_contain_text("The address cannot be read.")
    screen.is_accessible("devices that cannot be told of")
    screen.looks("sync-refused")
    person.context.unroute("**/api/sync")
    screen.button("Try again", screen.dialog).click()
    expect(screen.dialog.get_by_label("Address")).to_be_visible()


def exchanges(screen) -> None:
    opens_page(screen)
    screen.button("Sync now", screen.dialog).click()
    expect(screen.dialog.locator(".sync-status")).to_contain_text("Everything synced", timeout=90_000)
    screen.button("Close", screen.dialog).click()


def joins(screen, address: str) -> None:
    opens_page(screen)
    screen.dialog.get_by_label("Address").fill(address)
    screen.button("Join", screen.dialog).click()
    expect(screen.dialog.get_by_text("Everything synced")).to_be_visible()


def test_two_devices_follow_each_other(world: World):
    with two_devices(world) as (between, phone, desk):
        phone.server.make_note("Seeds", "Sow them in March.", folder=phone.server.make_folder("Garden"), keywords=["spring"])
        one = phone.person(PHONE, color_scheme="dark").opens("")
        one.page.goto("/#/")
        two = desk.person(DESK, color_scheme="light").opens("all")
        opens_page(one)
        one.is_accessible("joining, phone")
        one.looks("sync-join-phone-dark")
        one.dialog.get_by_label("Address").fill("http://nowhere/Notes")
        one.expects("status of 400")
        one.button("Join", one.dialog).click()
        expect(one.dialog.get_by_role("alert")).to_contain_text("has no token")
        one.dialog.get_by_label("Address").fill(between.address)
        one.button("Join", one.dialog).click()
        expect(one.dialog.get_by_text("Everything synced")).to_be_visible()
        one.is_accessible("joined, phone")
        one.looks("sync-joined-phone-dark")
        joins(two, between.address)
        two.is_accessible("joined, desk")
        two.looks("sync-joined-desk-light")
        two.button("Close", two.dialog).click()
        expect(sync_button(two)).to_contain_text("Everything synced")
        expect(two.row("Seeds")).to_be_visible()
        expect(two.page.get_by_role("tree")).to_contain_text("Garden")
        two.opens("Seeds")
        two.text.click()
        two.presses("Control+End")
        two.types(" Cover them.")
        two.is_saved()
        [note] = phone.server.call("GET", "/notes?in=all")["rows"]
        wait_until(lambda: "Cover them." in phone.server.text(note["id"]))
        # A person sees it without doing anything.
        reader = phone.person(DESK).opens("all", note["id"])
        expect(reader.text).to_contain_text("Cover them.")
        desk.server.rewrite(note["id"], "From the other device.")
        expect(reader.text).to_contain_text("From the other device.")


def test_a_second_device_joins_with_the_pairing_code_of_an_encrypted_one(world: World):
    with two_devices(world) as (between, phone, desk):
        phone.server.make_note("Seeds", "Sow them in March.")
        one = phone.person(DESK, color_scheme="light").opens("all")
        two = desk.person(PHONE, color_scheme="dark").opens("")
        two.page.goto("/#/")
        opens_page(one)
        one.dialog.get_by_label("Address").fill(between.address)
        one.dialog.get_by_label("Passphrase").fill("mice eat cheese in the dark")
        one.button("Join", one.dialog).click()
        expect(one.dialog.get_by_text("Encrypted: the server cannot read the notes.")).to_be_visible()
        one.button("Pairing code for another device…", one.dialog).click()
        shown = one.page.locator("output.pairing-code")
        expect(shown).to_contain_text("pair-")
        one.is_accessible("pairing code, desk")
        one.looks("sync-code-desk-light")
        code = shown.inner_text()
        opens_page(two)
        # Somebody reads it aloud, and makes a mistake.
        two.dialog.get_by_label("Address").fill(code[:-1] + ("0" if code[-1] != "0" else "1"))
        two.expects("status of 400")
        two.button("Join", two.dialog).click()
        expect(two.dialog.get_by_role("alert")).to_contain_text("wrong letter")
        two.dialog.get_by_label("Address").fill(code.upper().replace("-", " "))
        two.button("Join", two.dialog).click()
        expect(two.dialog.get_by_text("Encrypted: the server cannot read the notes.")).to_be_visible()
        two.is_accessible("joined with a code, phone")
        two.looks("sync-encrypted-phone-dark")
        wait_until(lambda: [row["title"] for row in desk.server.call("GET", "/notes?in=all")["rows"]] == ["Seeds"])


def test_words_of_two_devices_are_in_the_note_and_other_wordings_are_shown_on_both(world: World):
    with two_devices(world) as (between, phone, desk):
        note = phone.server.make_note("Seeds", "Sow them now.", "Under glass.")
        one = phone.person(PHONE, color_scheme="dark").opens("all")
        two = desk.person(DESK, color_scheme="light").opens("all")
        for screen in (one, two):
            if screen is one:
                screen.page.goto("/#/")
            joins(screen, between.address)
            screen.button("Close", screen.dialog).click()
        expect(two.row("Seeds")).to_be_visible()
        between.stop()
        phone.server.rewrite(note, "Sow them today.", "Under thin glass.")
        two.page.wait_for_timeout(50)
        desk.server.rewrite(note, "Sow them tomorrow.", "Under glass, warm.")
        for screen in (one, two):
            expect(sync_button(screen)).to_contain_text("1 change waiting, everything else synced ")
        opens_page(two)
        expect(two.dialog.locator(".sync-status")).to_contain_text("cannot be reached")
        two.is_accessible("server away")
        two.looks("sync-waiting-desk-light")
        two.button("Close", two.dialog).click()
        between.start()
        for screen in (one, two):
            exchanges(screen)
        expected = "Sow them tomorrow.\nUnder thin glass, warm."
        texts = lambda: {each.server.text(note).strip() for each in (phone, desk)}
        wait_until(lambda: texts() == {expected}, lambda: str(texts()))
        for screen, name in ((one, "phone-dark"), (two, "desk-light")):
            screen.goes_to("all", note)
            box = screen.page.get_by_role("region", name="Changed on two devices")
            expect(box).to_contain_text("Sow them today.")
            expect(box).to_contain_text("Sow them tomorrow.")
            expect(box.locator("del")).to_have_text("tomorrow")
            expect(box.locator("ins")).to_have_text("today")
            screen.is_accessible(f"other wording, {name}")
            screen.looks(f"other-wording-{name}")
        two.picture("conflict")
        assert all(each.server.call("GET", "/sync/conflicts") == [] for each in (phone, desk))
        two.button("Use the other wording").click()
        for screen in (one, two):
            expect(screen.text).to_contain_text("Sow them today.")
            expect(screen.page.get_by_role("region", name="Changed on two devices")).to_have_count(0)
        assert any("tomorrow" in version["excerpt"] for version in desk.server.call("GET", f"/notes/{note}/versions"))


def test_two_people_who_write_apart_in_one_paragraph_have_all_words(world: World):
    with two_devices(world) as (between, phone, desk):
        note = phone.server.make_note("Seeds", "Sow them")
        people = [each.person(DESK, color_scheme="light") for each in (phone, desk)]
        one, two = [person.opens("all") for person in people]
        for screen in (one, two):
            joins(screen, between.address)
            screen.button("Close", screen.dialog).click()
        expect(two.row("Seeds")).to_be_visible()
        for screen in (one, two):
            screen.opens("Seeds")
            expect(screen.text).to_contain_text("Sow them")
        between.stop()
        # One of them does not even reach the program on the own device.
        people[1].goes_offline()
        two.expects("ERR_INTERNET_DISCONNECTED", "Failed to load resource")
        for screen, words in ((one, " in March"), (two, " under glass")):
            screen.text.click()
            screen.presses("Control+End")
            screen.types(words)
        one.is_saved()
        people[1].goes_offline(False)
        two.is_saved()
        for screen in (one, two):
            expect(sync_button(screen)).to_contain_text("waiting")
        between.start()
        for screen in (one, two):
            exchanges(screen)
        texts = lambda: {each.server.text(note).strip() for each in (phone, desk)}
        wait_until(lambda: len(texts()) == 1, lambda: str(texts()))
        [now] = texts()
        assert all(words in now for words in ("Sow them", "in March", "under glass")), now
        for screen in (one, two):
            expect(screen.text).to_contain_text(now)
            expect(screen.page.get_by_role("region", name="Changed on two devices")).to_have_count(0)
        assert all(each.server.call("GET", "/sync/conflicts") == [] for each in (phone, desk))


def test_words_that_came_from_another_device_doubled_those_that_were_typed_on(world: World):
    with two_devices(world) as (between, phone, desk):
        note = phone.server.make_note("Seeds", "Sow them.")
        one, two = [each.person(DESK, color_scheme="light").opens("all") for each in (phone, desk)]
        for screen in (one, two):
            joins(screen, between.address)
            screen.button("Close", screen.dialog).click()
        expect(two.row("Seeds")).to_be_visible()
        one.opens("Seeds")
        one.text.click()
        one.presses("Control+End")
        words = [f"word{number}x" for number in range(12)]
        for number, word in enumerate(words):
            one.types(f" {word}")
            if number % 3 == 1:
                there = desk.server.note(note)
                words_there = plain(there["document"]).strip()
                desk.server.call("PATCH", f"/notes/{note}", {"base": there["revision"], "document": document(f"other{number}x {words_there}")})
            one.page.wait_for_timeout(250)
        one.is_saved()
        for screen in (one, two):
            exchanges(screen)
        everything = [*words, *(f"other{number}x" for number in range(1, 12, 3))]
        texts = lambda: {each.server.text(note).strip() for each in (phone, desk)}
        wait_until(lambda: len(texts()) == 1, lambda: str(texts()))
        [now] = texts()
        shown = now + str(phone.server.note(note)["wordings"])
        assert all(word in shown for word in everything), shown
        assert all(now.count(word) <= 1 for word in everything), now
        expect(one.text).to_contain_text(now)


JOINED = {"joined": True, "active": False, "waiting": 0, "refused": 0, "server": "http://127.0.0.1:1/Notes", "encrypted": False, "readOnly": False}


def test_an_older_answer_took_away_a_conflict_that_a_newer_one_had_shown(world: World):
    screen = world.person(service_workers="block").opens("all", rows=False)
    screen.expects("registration blocked")
    lost, held = [], []
    screen.page.route("**/api/sync", lambda route: route.fulfill(json=JOINED | {"lost": len(lost)}))
    screen.page.route("**/api/sync/conflicts", lambda route: held.append((route, list(lost))))
    for name in ("First lost", "Second lost"):
        lost.append({"id": len(lost) + 1, "kind": "note", "name": name, "date": "2026-11-23T08:00:00Z", "fields": [{"name": "Text", "lost": "mine", "now": "theirs"}]})
        opens_page(screen)
        wait_until(lambda: len(held) == len(lost), meanwhile=screen.page)
        screen.button("Close", screen.dialog).click()
    opens_page(screen)
    for route, found in reversed(held):
        route.fulfill(json=found)
        screen.page.wait_for_timeout(300)
    expect(screen.dialog.get_by_role("list", name="Conflicts").get_by_role("heading", level=4)).to_have_text(["First lost", "Second lost"])


def test_a_folder_that_was_deleted_was_offered_to_be_made_again(world: World):
    screen = world.person(service_workers="block").opens("all", rows=False)
    screen.expects("registration blocked")
    lost = [{"id": number, "kind": kind, "about": None, "name": name, "date": "2026-11-23T08:00:00Z", "fields": [{"name": what, "lost": name, "now": None}]}
            for number, kind, name, what in ((1, "note", "Seeds", "Title"), (2, "folder", "Garden", "Name"))]
    screen.page.route("**/api/sync", lambda route: route.fulfill(json=JOINED | {"lost": len(lost)}))
    screen.page.route("**/api/sync/conflicts", lambda route: route.fulfill(json=lost))
    opens_page(screen)
    conflicts = screen.dialog.get_by_role("list", name="Conflicts").get_by_role("listitem")
    note, folder = (conflicts.filter(has_text=name) for name in ("Seeds", "Garden"))
    expect(screen.button("Recreate", note)).to_be_visible()
    expect(screen.button("Keep current version", folder)).to_be_visible()
    expect(screen.button("Recreate", folder)).to_have_count(0)


def test_words_of_a_conflict_that_are_written_from_right_to_left_began_on_the_left(world: World):
    screen = world.person(service_workers="block").opens("all", rows=False)
    screen.expects("registration blocked")
    text = {"name": "Text", "lost": "مرحبا بالعالم!", "now": "Latin"}
    lost = [{"id": 1, "kind": "note", "about": None, "name": "Both sides", "date": "2026-11-23T08:00:00Z", "fields": [text]}]
    screen.page.route("**/api/sync", lambda route: route.fulfill(json=JOINED | {"lost": len(lost)}))
    screen.page.route("**/api/sync/conflicts", lambda route: route.fulfill(json=lost))
    opens_page(screen)
    for side, begins_right in ((".side-lost p", True), (".side-now p", False)):
        left, right = screen.dialog.locator(side).evaluate("""(side) => {
            const words = document.createRange();
            words.selectNodeContents(side);
            const [all, own] = [side, words].map((one) => one.getBoundingClientRect());
            return [own.left - all.left, all.right - own.right];
        }""")
        assert (right < left) == begins_right, (side, left, right)


def test_who_left_was_not_told_that_conflicts_are_forgotten(world: World):
    screen = world.person(service_workers="block").opens("all", rows=False)
    screen.expects("registration blocked")
    lost = [{"id": 1, "kind": "note", "about": None, "name": "Seeds", "date": "2026-11-23T08:00:00Z", "fields": [{"name": "Text", "lost": "mine", "now": "theirs"}]}]
    screen.page.route("**/api/sync", lambda route: route.fulfill(json=JOINED | {"lost": len(lost)}))
    screen.page.route("**/api/sync/conflicts", lambda route: route.fulfill(json=lost))
    opens_page(screen)
    expect(screen.dialog.get_by_role("list", name="Conflicts").get_by_role("listitem")).to_have_count(1)
    screen.button("Stop syncing…", screen.dialog).click()
    leaving = screen.page.get_by_role("dialog", name="Stop syncing on this device?")
    expect(leaving).to_contain_text("The other version in 1 conflict can no longer be restored.")
    screen.button("Cancel", leaving).click()


def test_who_left_and_deleted_the_notes_was_told_that_changes_that_waited_stay(world: World):
    screen = world.person(service_workers="block").opens("all", rows=False)
    screen.expects("registration blocked")
    screen.page.route("**/api/sync", lambda route: route.fulfill(json=JOINED | {"lost": 0, "waiting": 2}))
    opens_page(screen)
    screen.button("Stop syncing…", screen.dialog).click()
    leaving = screen.page.get_by_role("dialog", name="Stop syncing on this device?")
    expect(leaving).to_contain_text("2 changes have not been sent. If you delete the notes here, they are lost.")
    screen.button("Cancel", leaving).click()


def test_a_page_that_was_away_went_on_showing_a_slip_box_as_joined_that_had_left(world: World):
    person = world.person(service_workers="block")
    state = JOINED | {"lost": 0}
    person.context.route("**/api/sync", lambda route: route.fulfill(json=state))
    screen = person.opens("all")
    screen.expects("registration blocked", "ERR_INTERNET_DISCONNECTED", "Failed to load resource")
    expect(sync_button(screen)).to_contain_text("Not synced yet")
    person.goes_offline()
    is_reachable = lambda: screen.page.evaluate("import('/server/call.js').then(({ isReachable }) => isReachable())")
    wait_until(lambda: not is_reachable(), meanwhile=screen.page)
    state["joined"] = False
    person.goes_offline(False)
    expect(sync_button(screen)).to_have_count(0)


def test_who_leaves_keeps_the_notes_or_not(world: World):
    with two_devices(world) as (between, phone, desk):
        phone.server.make_note("Seeds", "Sow them.")
        two = desk.person().opens("all")
        phone.server.call("POST", "/sync", {"address": between.address})
        joins(two, between.address)
        expect(two.row("Seeds")).to_be_visible()
        two.button("Stop syncing…", two.dialog).click()
        leaving = two.page.get_by_role("dialog", name="Stop syncing on this device?")
        expect(leaving).to_be_visible()
        two.looks("sync-leave-desk-light")
        two.button("Stop and delete the notes here", leaving).click()
        expect(two.dialog.get_by_label("Address")).to_be_visible()
        two.button("Close", two.dialog).click()
        expect(two.row("Seeds")).not_to_be_visible()
        expect(sync_button(two)).not_to_be_visible()
        assert len(phone.server.call("GET", "/notes?in=all")["rows"]) == 1
        joins(two, between.address)
        two.button("Stop syncing…", two.dialog).click()
        two.button("Stop and keep the notes", leaving).click()
        two.button("Close", two.dialog).click()
        expect(two.row("Seeds")).to_be_visible()
        assert len(phone.server.call("GET", "/notes?in=all")["rows"]) == 1


def test_notes_that_went_with_leaving_were_read_offline(world: World):
    with two_devices(world) as (between, _, desk):
        note = desk.server.make_note("Gone with leaving", "a secret")
        desk.server.call("POST", "/sync", {"address": between.address})
        person = desk.person()
        two = person.opens("all", note)
        two.expects("status of 404")
        offline_ready(two)
        two.reloads()
        expect(two.text).to_have_text("a secret")
        wait_until(lambda: two.page.evaluate(KEPT, note), meanwhile=two.page)
        two.page.goto("/#/all")
        opens_page(two)
        two.button("Stop syncing…", two.dialog).click()
        two.button("Stop and delete the notes here", two.page.get_by_role("dialog", name="Stop syncing on this device?")).click()
        expect(two.dialog.get_by_label("Address")).to_be_visible()
        wait_until(lambda: not two.page.evaluate(KEPT, note), lambda: str(two.page.evaluate(KEPT, note)), meanwhile=two.page)


def test_conflicts_that_could_not_be_read_once_were_said_to_be_none(world: World):
    screen = world.person(service_workers="block").opens("all", rows=False)
    screen.expects("registration blocked", "status of 503")
    lost = []
    screen.page.route("**/api/sync", lambda route: route.fulfill(json=JOINED | {"lost": len(lost)}))
    opens_page(screen)
    expect(screen.dialog).to_contain_text("No conflicts.")
    screen.button("Close", screen.dialog).click()
    lost.append({"id": 1, "kind": "note", "name": "Lost once", "date": "2026-11-23T08:00:00Z", "fields": [{"name": "Text", "lost": "mine", "now": "theirs"}]})
    refused = []
    screen.page.route("**/api/sync/conflicts", lambda route: refused.append(route.fulfill(status=503, json={"error": "The notes are busy."})))
    opens_page(screen)
    wait_until(lambda: refused, meanwhile=screen.page)
    expect(screen.dialog).not_to_contain_text("No conflicts.")
    screen.button("Close", screen.dialog).click()
    screen.page.unroute("**/api/sync/conflicts")
    screen.page.route("**/api/sync/conflicts", lambda route: route.fulfill(json=lost))
    opens_page(screen)
    expect(screen.dialog.get_by_role("list", name="Conflicts").get_by_role("heading", level=4)).to_have_text("Lost once")


def test_a_new_token_takes_the_place_of_a_revoked_one_and_what_waits_is_sent(world: World):
    with two_devices(world) as (between, phone, desk):
        older, newer = (between.tool("--new-token", "write", "--port", str(between.port)).splitlines()[0] for _ in range(2))
        two = desk.person(color_scheme="light").opens("all")
        joins(two, older)
        between.tool("--revoke", "2")
        desk.server.make_note("Seeds", "Sow them.")
        expect(two.dialog.locator(".sync-status")).to_contain_text("This token was revoked", timeout=90_000)
        two.is_accessible("a revoked token, desk")
        two.looks("sync-revoked-desk-light")
        two.dialog.get_by_label("New pairing code or address").fill(newer)
        two.button("Connect", two.dialog).click()
        expect(two.dialog.get_by_text("Everything synced")).to_be_visible()
        phone.server.call("POST", "/sync", {"address": between.address})
        wait_until(lambda: len(phone.server.call("GET", "/notes?in=all")["rows"]) == 1)


@contextmanager
def started_by_script(folder: str, end):
    """The addresses that Scripts/two-devices prints; in the end somebody ends it, and all that it has started is gone."""
    command = [BUILD.parent / "Scripts/two-devices", folder]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    addresses = []
    try:
        for line in process.stdout:
            if found := re.search(r"Device \w+: (http://\S+)", line):
                addresses.append(found.group(1))
            if "Stop with Ctrl-C" in line:
                break
        yield addresses
        end(process)
        assert process.wait(timeout=60) == 0
        assert not any(answers(address) for address in addresses)
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def presses_control_c(process: subprocess.Popen) -> None:
    """Tells the whole group of processes, as a terminal does."""
    os.killpg(process.pid, signal.SIGINT)


def answers(address: str) -> bool:
    try:
        urllib.request.urlopen(address, timeout=60).close()
    except urllib.error.HTTPError:
        return True
    except urllib.error.URLError:
        return False
    return True


def test_two_devices_are_started_with_one_command(world: World):
    with tempfile.TemporaryDirectory(prefix="two-devices-tests-") as folder:
        with started_by_script(folder, presses_control_c) as addresses:
            servers = [Running(address) for address in addresses]
            worlds = [World(world.browser, server, world.writes_pictures) for server in servers]
            one, two = [each.person().opens("all") for each in worlds]
            servers[0].make_note("Seeds from one", "Sow them in March.")
            expect(two.row("Seeds from one")).to_be_visible(timeout=60_000)
            expect(one.row("Seeds from one")).to_be_visible()
            for each in worlds:
                each.close()
        # The notes stay where they were to be kept; a service is ended otherwise than by a terminal.
        with started_by_script(folder, subprocess.Popen.terminate) as addresses:
            rows = Running(addresses[1]).call("GET", "/notes?in=all")["rows"]
            assert "Seeds from one" in [row["title"] for row in rows]
