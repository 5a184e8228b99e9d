"""A browser with people in it, and what they do on a page."""

import re
import time
from collections.abc import Callable
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, Route, expect

from server import Running

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "Documentation/Pictures"
LOOKS = ROOT / ".build/browser-tests/looks"
FAILURES = ROOT / ".build/browser-tests/failures"

DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}

expect.set_options(timeout=30_000)

HAS_COME = """async ([place, note, rows]) => {
    const [{ state }, { front }, { list }] = await Promise.all(["model/state", "parts/panes", "model/list"].map((name) => import(`/${name}.js`)));
    if (place && (state.place !== place || state.noteID !== note)) return false;
    return (!note || (front().note?.id === note && !front().isLoading)) && (!rows || (list.total !== null && !list.isLoading));
}"""

KNOWS_SELECTION = """() => import("/parts/panes.js").then(({ front }) => {
    const { doc, selection: { from, to } } = front().editor.state;
    return from < to && doc.textBetween(from, to) === getSelection().toString();
})"""
HAS_BEGUN = """async () => {
    const [{ state }, { front }, { list }] = await Promise.all(["model/state", "parts/panes", "model/list"].map((name) => import(`/${name}.js`)));
    return list.total !== null && !list.isLoading && !front().isLoading && (!state.noteID || front().note?.id === state.noteID || front().problem !== null);
}"""

# For the log of a machine whose pictures nobody sees.
TELLS = """() => {
    const { tagName, className } = document.activeElement ?? {};
    const shown = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent.trim());
    return { address: location.hash, focus: `${tagName} ${className}`, messages: shown(".toasts > *"), rows: shown(".row-name").slice(0, 20) };
}"""

# A message stays for some seconds, which a slow machine may need to come to the line that looks for it.
MESSAGES_STAY = """{
    const later = window.setTimeout;
    window.setTimeout = (work, after, ...more) => later(work, /^\\(\\) => dismiss\\(/.test(work) ? 20 * after : after, ...more);
}"""


# Answers of the server that come late, each by another time, so that they overtake each other and events come before them.
ANSWERS_LATE = """{
    let seed = %d;
    const random = () => (seed = (seed * 1103515245 + 12345) %% 2147483648) / 2147483648;
    const wait = () => new Promise((done) => setTimeout(done, random() < 0.5 ? 0 : random() * 900));
    const ask = window.fetch;
    window.fetch = async (...request) => {
        const answer = await ask(...request);
        await wait();
        return answer;
    };
}"""

FACTS_UNFOLDED = """try { localStorage.getItem("facts") ?? localStorage.setItem("facts", "told"); } catch { /* It keeps nothing. */ }"""


class World:
    def __init__(self, browser: Browser, server: Running, writes_pictures: bool, late: int | None = None):
        self.browser = browser
        self.server = server
        self.writes_pictures = writes_pictures
        self.late = late
        self.contexts: list[BrowserContext] = []
        self.screens: list[Screen] = []
        self.held: list[Route] = []

    def person(self, device=DESK, unfolds=True, **settings) -> "Person":
        """Somebody with a browser of their own: its tabs share storage and the service worker."""
        context = self.browser.new_context(base_url=self.server.address, timezone_id="Europe/Berlin", accept_downloads=True,
                                           **{"locale": "en-GB", "reduced_motion": "reduce", **device, **settings})
        context.set_default_timeout(30_000)
        context.add_init_script(MESSAGES_STAY)
        if self.late is not None: context.add_init_script(ANSWERS_LATE % self.late)
        # The facts of a note are unfolded on a desk, as somebody leaves them who uses them; test_looks has them folded.
        if device is not PHONE and unfolds: context.add_init_script(FACTS_UNFOLDED)
        if settings.get("service_workers") == "block":
            # So the requests of its pages are handed over from the first on. Where that begins with a page's own route, a request
            # behind a key that is pressed at once is faster.
            context.route("**/nobody-asks-for-this", lambda route: route.continue_())
        self.contexts.append(context)
        # As if the printed address had been opened once.
        context.request.get(self.server.printed)
        return Person(self, context)

    def close(self) -> None:
        for screen in self.screens:
            screen.must_be_quiet()
        self.end()

    def give_up(self, name: str) -> None:
        FAILURES.mkdir(parents=True, exist_ok=True)
        for number, screen in enumerate(self.screens):
            if not screen.page.is_closed():
                screen.page.screenshot(path=FAILURES / f"{name}-{number}.png")
                print(f"    page: {screen.page.evaluate(TELLS)}")
            for line in screen.complaints:
                print(f"    console: {line}")
        self.end()

    def end(self) -> None:
        for context in self.contexts:
            context.close()
        # Playwright waits for an answer to each of them, and complains where a test has ended without one.
        for route in self.held:
            try:
                route.abort()
            except Error:
                pass  # It was answered.


class Person:
    def __init__(self, world: World, context: BrowserContext):
        self.world = world
        self.context = context

    def opens(self, place: str = "all", note: str | None = None, rows: bool = True) -> "Screen":
        screen = self.begins(place, note)
        screen.has_come_to(place, note)
        if rows:
            expect(screen.page.locator(".list-count")).not_to_be_empty()
        return screen

    def begins(self, place: str = "all", note: str | None = None) -> "Screen":
        """A page that is loaded, and may know nothing yet."""
        screen = Screen(self.world, self.context.new_page())
        self.world.screens.append(screen)
        screen.page.goto(path_of(place, note))
        return screen

    def goes_offline(self, value: bool = True) -> None:
        self.context.set_offline(value)


class Screen:
    """One tab. Names are what a person sees: titles, labels, texts."""

    def __init__(self, world: World, page: Page):
        self.world = world
        self.page = page
        self.complaints: list[str] = []
        self.expected: list[str] = []
        page.on("console", lambda message: message.type in ("error", "warning") and self.complaints.append(f"{message.text} ({message.location['url']})"))
        page.on("pageerror", lambda error: self.complaints.append(f"{error}\n{error.stack}"))

    # What must not happen

    def expects(self, *patterns: str) -> None:
        """The browser itself writes refused and unreachable requests to the console."""
        self.expected += patterns

    def must_be_quiet(self) -> None:
        loud = [line for line in self.complaints if not any(re.search(pattern, line) for pattern in self.expected)]
        assert not loud, "The console says:\n" + "\n".join(loud)

    def is_accessible(self, where: str) -> None:
        results = Axe().run(self.page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
        found = results.response["violations"]
        told = [f"{one['id']}: {one['help']}\n" + "\n".join(f"      {node['html'][:160]}\n      {node['failureSummary'][:300]}" for node in one["nodes"][:3])
                for one in found]
        assert not found, f"{where}:\n" + "\n".join(told)

    # Going about

    def goes_to(self, place: str, note: str | None = None, rows: bool = True) -> None:
        self.page.goto(path_of(place, note))
        self.has_come_to(place, note, rows)

    def has_come_to(self, place: str, note: str | None = None, rows: bool = True) -> None:
        """What was open before looks the same: the place, its rows and the note are those that are asked for."""
        wait_until(lambda: self.page.evaluate(HAS_COME, [place, note, rows]), lambda: f"It did not come to {path_of(place, note)}.", meanwhile=self.page)
        if note:
            expect(self.title).to_be_visible()

    def reloads(self) -> None:
        self.page.reload()
        wait_until(lambda: self.page.evaluate(HAS_BEGUN), lambda: "The page did not begin.", meanwhile=self.page)

    def leaves(self) -> None:
        """For a page of the same process: of one that goes to another process the browser waits half a second to hear what it keeps."""
        self.page.goto("/icon.svg")

    def presses(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def types(self, text: str) -> None:
        self.page.keyboard.type(text)

    def selects_line(self) -> None:
        """Selects the line with the caret, and waits for the editor: the browser tells it of that some time after the keys."""
        self.presses("Home", "Shift+End")
        wait_until(lambda: self.page.evaluate(KNOWS_SELECTION), meanwhile=self.page)

    def button(self, name: str, within: Locator | Page | None = None) -> Locator:
        return (within or self.page).get_by_role("button", name=name, exact=True)

    def chooses(self, button: Locator | str, item: str) -> None:
        (self.button(button) if isinstance(button, str) else button).click()
        self.menu_item(item).click()

    def menu_item(self, name: str) -> Locator:
        return self.page.locator(".menu [role^=menuitem]").filter(has_text=re.compile(rf"^\s*{re.escape(name)}(?!,)"))

    @property
    def dialog(self) -> Locator:
        return self.page.locator("dialog[open]")

    def says(self, text: str) -> Locator:
        toast = self.page.locator(".toast").filter(has_text=text).last
        expect(toast).to_be_visible()
        return toast

    def undoes(self, text: str) -> None:
        self.button("Undo", self.says(text)).click()

    def holds(self, route: Route) -> Route:
        """Holds a request back until the test answers it, or has ended."""
        self.world.held.append(route)
        return route

    def holds_first(self, method: str, path: str) -> list[Route]:
        """Holds the first request of the method back until the test continues it; the others pass."""
        held = []

        def pass_or_hold(route: Route) -> None:
            if route.request.method == method and not held:
                held.append(self.holds(route))
            else:
                route.continue_()

        self.page.route(f"**{path}", pass_or_hold)
        return held

    def holds_answer(self, method: str, path: str) -> list[Callable[[], None]]:
        """Lets the server do what the first request of the method asks, and holds its answer back until the test calls for it."""
        held = []

        def hold(route: Route) -> None:
            if route.request.method != method or held:
                return route.continue_()
            answer = route.fetch()
            self.holds(route)
            held.append(lambda: route.fulfill(response=answer))

        self.page.route(f"**{path}", hold)
        return held

    # The list

    @property
    def rows(self) -> Locator:
        return self.page.locator(".all-rows .row:not(.ghost)")

    def row(self, title: str) -> Locator:
        return self.rows.filter(has=self.page.locator(".row-name", has_text=re.compile(rf"^{re.escape(title)}$")))

    def titles(self) -> list[str]:
        """Of the rows that are drawn, from top to bottom."""
        found = self.page.evaluate("""() => [...document.querySelectorAll('.all-rows .row:not(.ghost)')]
            .map(row => [row.getBoundingClientRect().top, row.querySelector('.row-name').textContent])""")
        return [title for _, title in sorted(found)]

    def shows(self, *titles: str) -> None:
        """The list shows exactly these, in this order."""
        wait_until(lambda: self.titles() == list(titles), lambda: f"The list has {self.titles()}, not {list(titles)}")

    def opens(self, title: str) -> None:
        self.row(title).click()
        expect(self.title).to_have_value(title)

    # The note

    @property
    def title(self) -> Locator:
        return self.page.get_by_role("textbox", name="Title", exact=True)

    @property
    def text(self) -> Locator:
        return self.page.get_by_role("textbox", name="Text of the note")

    @property
    def saving(self) -> Locator:
        return self.page.locator(".saving")

    def is_saved(self) -> None:
        expect(self.saving).to_have_text("Saved")

    def new_note(self, title: str, text: str = "") -> str:
        before = self.page.url
        self.presses("Alt+n")
        self.page.wait_for_url(lambda url: url != before)
        expect(self.title).to_be_focused()
        self.types(title)
        if text:
            self.presses("Enter")
            self.types(text)
        self.is_saved()
        return self.page.url.rsplit("/", 1)[1]

    # Pictures

    def looks(self, name: str) -> None:
        """Keeps a picture for whoever wants to see how it looks."""
        LOOKS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=LOOKS / f"{name}.png", animations="disabled")

    def picture(self, name: str, program: str = "slipbox") -> None:
        """For the documentation, when asked for."""
        if not self.world.writes_pictures:
            return
        self.page.wait_for_timeout(300)
        path = PICTURES / f"{program}-{name}.png"
        self.page.screenshot(path=path, animations="disabled", caret="hide")


def path_of(place: str, note: str | None = None) -> str:
    return f"/#/{place}" + (f"/{note}" if note else "")


def wait_until(is_so, why=lambda: "It did not happen.", seconds: float = 30, meanwhile: Page | None = None) -> None:
    """Routes and events of a page are only heard while Playwright waits: name it in `meanwhile`."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, why()
        if meanwhile:
            meanwhile.wait_for_timeout(50)
        else:
            time.sleep(0.05)
