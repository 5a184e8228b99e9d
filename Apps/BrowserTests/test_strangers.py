"""Who is let in, and what a browser keeps of what is gone."""

from playwright.sync_api import expect

from test_together import LOST, offline_ready
from world import DESK, Screen, World, wait_until

KEPT = """async (id) => {
    const found = [];
    for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
            // Undefined for what the worker has forgotten since it named its keys.
            const answer = await cache.match(request);
            if (answer && (request.url.includes(id) || (await answer.text()).includes(id))) found.push(request.url);
        }
    }
    return found;
}"""


def test_a_browser_is_let_in_once_by_the_printed_address(world: World):
    context = world.browser.new_context(base_url=world.server.address, **DESK)
    world.contexts.append(context)
    screen = Screen(world, context.new_page())
    screen.expects("401")
    world.screens.append(screen)
    screen.page.goto("/")
    expect(screen.page.get_by_role("heading")).to_have_text("This browser is not known here")
    screen.is_accessible("a browser that is not known")
    screen.page.goto(world.server.printed)
    expect(screen.page.locator(".list-count")).not_to_be_empty()
    assert "access" not in screen.page.url, screen.page.url
    assert all(cookie["httpOnly"] and cookie["sameSite"] == "Strict" for cookie in context.cookies())
    another = context.new_page()
    another.goto("/")
    expect(another.locator(".list-count")).not_to_be_empty()


def test_words_wait_while_the_server_does_not_know_the_browser(world: World):
    person = world.person()
    note = world.server.make_note("Known for long", "old words")
    screen = person.opens("all", note)
    screen.expects("401", *LOST)
    person.context.clear_cookies()
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" and new words")
    wait_until(lambda: "waits" in screen.page.locator("body").inner_text().lower(), meanwhile=screen.page)
    assert "new words" not in world.server.text(note)
    person.context.request.get(world.server.printed)
    wait_until(lambda: "new words" in world.server.text(note), meanwhile=screen.page)


def test_the_worker_kept_the_token_and_the_key_of_a_pairing_code(world: World):
    person = world.person()
    earlier = Screen(world, person.context.new_page())
    earlier.leaves()
    earlier.page.evaluate("caches.open('slipbox-read-1').then((cache) => cache.put('/api/sync/address', new Response('a code')))")
    assert earlier.page.evaluate(KEPT, "/api/sync/address") != []
    screen = person.opens("all")
    offline_ready(screen)
    wait_until(lambda: screen.page.evaluate(KEPT, "/api/sync/address") == [], meanwhile=screen.page)
    screen.page.evaluate("fetch('/api/sync/address').then((answer) => answer.json())")
    screen.page.wait_for_timeout(300)
    assert screen.page.evaluate(KEPT, "/api/sync/address") == []


ANSWERED = "part => performance.getEntriesByType('resource').some(one => one.name.includes(part) && one.responseEnd > 0)"


def test_the_worker_forgets_a_note_that_was_deleted_for_good(world: World):
    note = world.server.make_note("Never again", "a secret", keywords=["hidden"])
    file = world.server.call("PUT", f"/notes/{note}/files", b"a secret list", kind="application/octet-stream")["id"]
    world.server.rewrite(note, "a secret", {"type": "file", "attrs": {"file": file, "name": "list.txt"}})
    other = world.server.make_note("Reads it", "kept")
    person = world.person()
    screen = person.opens("all", note)
    offline_ready(screen)
    screen.reloads()
    expect(screen.title).to_have_value("Never again")
    wait_until(lambda: screen.page.evaluate(KEPT, note), meanwhile=screen.page)
    # All that the page asks of the note is answered before it goes.
    wait_until(lambda: screen.page.evaluate(ANSWERED, f"{note}/mentions"), meanwhile=screen.page)
    assert screen.page.evaluate("async address => (await fetch(address)).status", f"/api/files/{file}") == 200
    wait_until(lambda: any("/api/files/" in one for one in screen.page.evaluate(KEPT, file)), meanwhile=screen.page)
    screen.goes_to("all", other)
    world.server.call("DELETE", f"/notes/{note}")
    world.server.call("DELETE", f"/notes/{note}?forever=true")
    wait_until(lambda: not screen.page.evaluate(KEPT, note), lambda: str(screen.page.evaluate(KEPT, note)), meanwhile=screen.page)
    wait_until(lambda: not screen.page.evaluate(KEPT, file), lambda: str(screen.page.evaluate(KEPT, file)), meanwhile=screen.page)


SLOW_TO_KEEP = """() => {
    const { put } = Cache.prototype;
    Cache.prototype.put = async function (...all) {
        await new Promise((done) => setTimeout(done, 2000));
        return put.apply(this, all);
    };
}"""


def test_a_list_that_was_just_read_was_not_there_offline(world: World):
    folder = world.server.make_folder("Read in the last moment")
    world.server.make_note("Seen in the last moment", "kept", folder=folder)
    person = world.person()
    screen = person.opens("all")
    screen.expects(*LOST)
    offline_ready(screen)
    person.context.service_workers[0].evaluate(SLOW_TO_KEEP)
    screen.goes_to(f"folder:{folder}")
    expect(screen.row("Seen in the last moment")).to_be_visible()
    person.goes_offline()
    screen.goes_to("favourites")
    screen.goes_to(f"folder:{folder}")
    expect(screen.row("Seen in the last moment")).to_be_visible()


def test_kept_lists_said_how_a_note_began_that_was_deleted_for_good(world: World):
    folder = world.server.make_folder("Read before")
    heard = world.server.make_note("Never opened", "a secret beginning", folder=folder)
    own = world.server.make_note("Never opened either", "another secret", folder=folder)
    other = world.server.make_note("Open meanwhile", "kept")
    screen = world.person().opens("all", other)
    offline_ready(screen)
    screen.reloads()
    screen.goes_to(f"folder:{folder}")
    expect(screen.rows).to_have_count(2)
    screen.goes_to("all", other)
    # The list of the folder is not read again by the page: it is looking at all notes.
    wait_until(lambda: any("folder" in one for one in screen.page.evaluate(KEPT, heard)), meanwhile=screen.page)
    world.server.call("DELETE", f"/notes/{heard}")
    world.server.call("DELETE", f"/notes/{heard}?forever=true")
    wait_until(lambda: not screen.page.evaluate(KEPT, heard), lambda: str(screen.page.evaluate(KEPT, heard)), meanwhile=screen.page)
    # The list was read again, without the one and with the other.
    wait_until(lambda: any("folder" in one for one in screen.page.evaluate(KEPT, own)), meanwhile=screen.page)
    world.server.call("DELETE", f"/notes/{own}")
    erased = "async id => (await fetch(`/api/notes/${id}?forever=true`, { method: 'DELETE' })).json()"
    undo = screen.page.evaluate(erased, own)["undo"]
    wait_until(lambda: not screen.page.evaluate(KEPT, own), lambda: str(screen.page.evaluate(KEPT, own)), meanwhile=screen.page)
    taken_back = "async undo => (await fetch(`/api/undo/${undo}`, { method: 'POST' })).status"
    assert screen.page.evaluate(taken_back, undo) == 200
    screen.goes_to("trash")
    expect(screen.rows.filter(has_text="Never opened either")).to_have_count(1)
    wait_until(lambda: screen.page.evaluate(KEPT, own), meanwhile=screen.page)


FULL = """() => {
    Cache.prototype.put = async () => { throw new DOMException("There is no room.", "QuotaExceededError"); };
}"""


LISTS = "async (all) => { for (const limit of all) await (await fetch(`/api/notes?in=all&limit=${limit}`)).json(); }"


def test_in_a_full_browser_a_note_that_was_deleted_for_good_was_kept(world: World):
    note = world.server.make_note("Read last", "a secret")
    other = world.server.make_note("Open then", "kept")
    person = world.person()
    screen = person.opens("all", other)
    offline_ready(screen)
    screen.page.evaluate(LISTS, list(range(20, 40)))
    screen.goes_to("all", note)
    wait_until(lambda: any(f"/api/notes/{note}" in one for one in screen.page.evaluate(KEPT, note)), meanwhile=screen.page)
    screen.goes_to("all", other)
    person.context.service_workers[0].evaluate(FULL)
    world.server.call("DELETE", f"/notes/{note}")
    world.server.call("DELETE", f"/notes/{note}?forever=true")
    wait_until(lambda: not screen.page.evaluate(KEPT, note), lambda: str(screen.page.evaluate(KEPT, note)), meanwhile=screen.page)


def test_a_picture_that_was_taken_out_before_its_note_was_deleted_for_good_was_kept(world: World):
    note = world.server.make_note("Shown once", "a secret")
    file = world.server.call("PUT", f"/notes/{note}/files", b"a secret list", kind="application/octet-stream")["id"]
    world.server.rewrite(note, "a secret", {"type": "file", "attrs": {"file": file, "name": "list.txt"}})
    shown = world.server.make_note("Shown still", "kept")
    other = world.server.call("PUT", f"/notes/{shown}/files", b"another list", kind="application/octet-stream")["id"]
    world.server.rewrite(shown, "kept", {"type": "file", "attrs": {"file": other, "name": "other.txt"}})
    screen = world.person().opens("all", note)
    offline_ready(screen)
    screen.reloads()
    for one in (file, other):
        assert screen.page.evaluate("async address => (await fetch(address)).status", f"/api/files/{one}") == 200
        wait_until(lambda: any("/api/files/" in address for address in screen.page.evaluate(KEPT, one)), meanwhile=screen.page)
    world.server.rewrite(note, "nothing shown")
    expect(screen.text).to_have_text("nothing shown")
    screen.goes_to("all", shown)
    wait_until(lambda: any("/api/notes/" in address for address in screen.page.evaluate(KEPT, shown)), meanwhile=screen.page)
    world.server.call("DELETE", f"/notes/{note}")
    world.server.call("DELETE", f"/notes/{note}?forever=true")
    wait_until(lambda: not screen.page.evaluate(KEPT, file), lambda: str(screen.page.evaluate(KEPT, file)), meanwhile=screen.page)
    assert any("/api/files/" in address for address in screen.page.evaluate(KEPT, other))
