"""A proxy before the server, as hosting at home has one: it answers also when the server does not."""

import socket
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import expect

from server import Running
from test_together import offline_ready
from world import World, wait_until

PAGE = b"<html><body><h1>502 Bad Gateway</h1></body></html>"
LOST = ("status of 502", "status of 503", "EventSource", "ERR_")


class Proxy:
    """Hands on what comes, until it is told that nobody answers behind it; then it says so in a page of its own."""

    def __init__(self, address: str):
        self.behind = urlsplit(address)
        self.answer: bytes | None = None
        self.open: list[socket.socket] = []
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                client, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=[client], daemon=True).start()

    def serve(self, client: socket.socket) -> None:
        if self.answer:
            return self.refuse(client)
        server = socket.create_connection((self.behind.hostname, self.behind.port))
        self.open += [client, server]
        threading.Thread(target=self.relay, args=[server, client], daemon=True).start()
        self.relay(client, server)

    def refuse(self, client: socket.socket) -> None:
        """After the whole request: a browser that is still sending would not read the answer."""
        client.settimeout(0.05)
        try:
            while client.recv(65536):
                pass
        except OSError:
            pass
        try:
            client.sendall(self.answer or b"")
        except OSError:
            pass
        client.close()

    def relay(self, source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                target.sendall(data)
        except OSError:
            pass
        end(source, target)

    def loses_the_server(self, status: str = "502 Bad Gateway") -> None:
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(PAGE)}\r\nConnection: close\r\n\r\n"
        self.answer = head.encode() + PAGE
        end(*self.open)
        self.open = []

    def breaks_off(self) -> None:
        """In the middle of each answer."""
        self.answer = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\nConnection: close\r\n\r\n{"total": 3'
        end(*self.open)
        self.open = []

    def finds_the_server(self) -> None:
        self.answer = None

    def close(self) -> None:
        self.listening.close()
        end(*self.open)


def end(*sockets: socket.socket) -> None:
    for one in sockets:
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        one.close()


@contextmanager
def behind_a_proxy(world: World):
    """The proxy, and the same slip box as it is seen through it."""
    proxy = Proxy(world.server.address)
    seen = World(world.browser, Running(world.server.printed.replace(world.server.address, proxy.address)), False)
    try:
        yield proxy, seen
        seen.close()
    except BaseException:
        seen.give_up("behind_a_proxy")
        raise
    finally:
        proxy.close()


def test_what_was_done_while_a_proxy_lost_the_server_was_refused(world: World):
    note = world.server.make_note("Behind the gateway", "before,")
    with behind_a_proxy(world) as (proxy, seen):
        screen = seen.person().opens("all", note)
        screen.expects(*LOST)
        offline_ready(screen)
        proxy.loses_the_server()
        screen.text.click()
        screen.presses("Control+End")
        screen.types(" meanwhile")
        expect(screen.saving).to_have_text("Offline, 1 edit waits")
        screen.button("Review").click()
        expect(screen.saving).to_have_text("Offline, 2 edits wait")
        screen.presses("Alt+n")
        expect(screen.title).to_be_focused()
        screen.types("Begun behind the gateway")
        expect(screen.saving).to_have_text("Offline, 3 edits wait")
        expect(screen.page.locator(".toast")).to_have_count(0)
        proxy.finds_the_server()
        wait_until(lambda: world.server.text(note) == "before, meanwhile\n", lambda: world.server.text(note), meanwhile=screen.page)
        wait_until(lambda: world.server.note(note)["status"] == "review", meanwhile=screen.page)
        found = lambda: [row["title"] for row in world.server.call("GET", "/notes?in=all&text=title:gateway&scope=all")["rows"]]
        wait_until(lambda: sorted(found()) == ["Begun behind the gateway", "Behind the gateway"], found, meanwhile=screen.page)
        screen.is_saved()


def test_a_page_that_a_proxy_made_took_the_place_of_the_notes(world: World):
    note = world.server.make_note("Read through the gateway", "kept")
    with behind_a_proxy(world) as (proxy, seen):
        screen = seen.person().opens("all", note)
        screen.expects(*LOST)
        offline_ready(screen)
        screen.reloads()
        expect(screen.text).to_have_text("kept")
        proxy.loses_the_server("503 Service Unavailable")
        screen.reloads()
        expect(screen.title).to_have_value("Read through the gateway")
        expect(screen.text).to_have_text("kept")
        expect(screen.page.locator(".side-foot")).to_contain_text("Offline")
        proxy.finds_the_server()
        expect(screen.page.locator(".side-foot")).to_have_count(0)


def test_a_text_that_a_proxy_answered_with_a_page_was_dropped(world: World):
    """Some have pages for who shall sign in again, or come later, with a status of their own."""
    for status in ("200 OK", "403 Forbidden", "429 Too Many Requests"):
        note = world.server.make_note(f"Signed out {status}", "before,")
        with behind_a_proxy(world) as (proxy, seen):
            screen = seen.person().opens("all", note)
            screen.expects(*LOST, "status of 4")
            offline_ready(screen)
            proxy.loses_the_server(status)
            screen.text.click()
            screen.presses("Control+End")
            screen.types(" meanwhile")
            expect(screen.saving).to_have_text("Offline, 1 edit waits")
            screen.types(" and later")
            screen.page.wait_for_timeout(6_000)
            proxy.finds_the_server()
            wait_until(lambda: world.server.text(note) == "before, meanwhile and later\n", lambda: world.server.text(note), meanwhile=screen.page)
            screen.is_saved()


def test_a_list_whose_answer_broke_off_was_loading_for_ever(world: World):
    world.server.make_note("Read in the middle", "of an answer")
    with behind_a_proxy(world) as (proxy, seen):
        screen = seen.person(service_workers="block").opens("all")
        screen.expects(*LOST, "registration blocked")
        proxy.breaks_off()
        screen.page.evaluate("location.hash = '#/unfiled'")
        expect(screen.page.locator(".list .empty")).to_contain_text("Slipbox cannot be reached.")
        expect(screen.page.locator(".rows")).to_have_attribute("aria-busy", "false")
        proxy.finds_the_server()
        expect(screen.row("Read in the middle")).to_be_visible()


def test_a_note_that_a_proxy_did_not_find_was_forgotten(world: World):
    note = world.server.make_note("Read behind it", "words to keep")
    with behind_a_proxy(world) as (proxy, seen):
        screen = seen.person().opens("all", note)
        screen.expects(*LOST, "status of 404")
        offline_ready(screen)
        screen.reloads()
        expect(screen.text).to_have_text("words to keep")
        proxy.loses_the_server("404 Not Found")
        screen.goes_to("favourites", rows=False)
        screen.goes_to("all", note)
        expect(screen.text).to_have_text("words to keep")
        expect(screen.row("Read behind it")).to_be_visible()
