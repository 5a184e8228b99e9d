"""The texts of the pages in other languages: none is left out, and each language is chosen, kept and fits."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Locator, expect

from server import Server, heading, link, paragraph
from world import DESK, HAS_BEGUN, HAS_COME, PHONE, Person, World, path_of, wait_until

TABLES = Path(__file__).parents[1] / "Sources/Slipbox/Web/languages"
CODES = sorted(file.stem for file in TABLES.glob("*.json"))

# All that is written on a page, but what is in brackets, in Greek, a formula, the name of a key or of the program, or a name that the server gives.
UNTRANSLATED = r"""() => {
    const usual = /\b(Alt|Ctrl|Shift|Enter|Esc|Tab|Home|End|PgUp|PgDn|F\d+|Slipbox|KB|MB|English|Deutsch|Español|Français|Italiano|Português|Markdown|HTML|BibTeX|Daily notes|copy)\b|https:\/\//g;
    const rest = (text) => {
        // The sign that was typed into the palette.
        text = text.replace("“⟦”", "");
        for (let before = null; before !== text; ) [before, text] = [text, text.replace(/⟦[^⟦⟧]*⟧/g, "")];
        return text.replace(usual, "");
    };
    const found = new Set();
    const look = (text, where) => /[A-Za-z]{2,}/.test(rest(text)) && found.add(`${where}: ${text.trim().slice(0, 120)}`);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()); ) {
        const { parentElement: parent } = node;
        if (parent.closest("script, style, noscript, code, kbd, dt, option[lang], .katex, .formula-source")) continue;
        // A sentence may have a key or a piece of code in it.
        if (node.data.trim()) look(parent.closest("p, .choice-name")?.textContent ?? node.data, `${parent.localName}.${parent.className}`);
    }
    for (const element of document.body.querySelectorAll("[aria-label], [title], [placeholder], [alt], [aria-valuetext]")) {
        for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext"]) if (element.hasAttribute(name)) look(element.getAttribute(name), `${element.localName}[${name}]`);
    }
    return [...found];
}"""

# Dates have words, too, which are the browser's.
DATES_WITHOUT_WORDS = """
    Object.defineProperty(Intl.DateTimeFormat.prototype, "format", { get: () => () => "0" });
    localStorage.setItem("language", "de");
    localStorage.setItem("facts", "told");
"""


def bracketed(table: dict) -> dict:
    """A language that nobody can mistake for English."""
    return {text: {case: f"⟦{text}⟧" for case in ("one", "other")} if isinstance(said, dict) else f"⟦{text}⟧" for text, said in table.items()}


class Sweep:
    """Looks at one thing after the other in a slip box of a Greek, whose notes have no letter of ours, and says at the end all
    that was in English."""

    def __init__(self, world: World, server: Server):
        self.server = server
        person = world.person(DESK, service_workers="block")
        person.context.add_init_script(DATES_WITHOUT_WORDS)
        table = bracketed(json.loads((TABLES / "de.json").read_text()))
        person.context.route("**/languages/de.json", lambda route: route.fulfill(json=table))
        self.folder = server.make_folder("Φάκελος")
        self.known = server.make_note("Άλλο", "Κείμενο")
        self.note = self.makes_note()
        self.screen = person.begins(f"folder:{self.folder}", self.note)
        self.page = self.screen.page
        self.screen.expects("Service Worker registration blocked", "400 .Bad Request.*in=nowhere", "ERR_CONNECTION_REFUSED")
        self.left: dict[str, str] = {}
        self.comes(f"folder:{self.folder}", self.note)

    def makes_note(self) -> str:
        note = self.server.make_note("Σημείωμα", heading(1, "Τίτλος"), paragraph(link("Άλλο", self.known)), "Κείμενο", folder=self.folder, keywords=["λέξη"])
        self.server.call("PATCH", f"/notes/{note}", {"properties": [{"name": "τιμή", "kind": "text", "value": "αξία"}]})
        return note

    def comes(self, place: str, note: str | None = None) -> None:
        self.page.goto(path_of(place, note))
        wait_until(lambda: self.page.evaluate(HAS_COME, [place, note, False]), meanwhile=self.page)

    def looks(self, where: str) -> None:
        for text in self.page.evaluate(UNTRANSLATED):
            self.left.setdefault(text, where)

    def must_be_done(self) -> None:
        assert not self.left, "In English:\n" + "\n".join(f"{where}: {text}" for text, where in self.left.items())

    def looks_into_menus(self, where: str) -> None:
        """Each button that opens a menu, one after the other."""
        buttons = self.page.locator("button[aria-haspopup=menu]:visible")
        for place in range(buttons.count()):
            if not buttons.nth(place).is_enabled():
                continue
            buttons.nth(place).click()
            expect(self.page.locator(".menu")).to_be_visible()
            self.looks(f"{where}, menu {place}")
            self.page.keyboard.press("Escape")

    def asks_palette(self) -> Locator:
        self.page.keyboard.press("Control+k")
        self.page.locator("dialog.switcher input").fill("⟦")
        names = self.page.locator("dialog.switcher [role=option]")
        expect(names.first).to_be_visible()
        return names

    def does(self, name: str) -> None:
        """Does one thing of the palette, and looks at the dialog, menu or message that comes of it."""
        if self.server.call("GET", f"/notes/{self.note}")["trashed"]:
            self.note = self.makes_note()
        self.comes(f"folder:{self.folder}", self.note)
        chosen = self.asks_palette().filter(has_text=re.compile(re.escape(name)))
        if chosen.count() == 0:
            return
        chosen.first.dispatch_event("click")
        self.page.wait_for_timeout(150)
        self.looks(name)
        self.page.keyboard.press("Escape")


@contextmanager
def sweeping(world: World) -> Iterator[Sweep]:
    server, away = Server.started("--no-samples"), world.server
    world.server = server
    try:
        sweep = Sweep(world, server)
        yield sweep
        sweep.must_be_done()
    finally:
        world.server = away
        server.stop()


def test_no_text_of_the_pages_is_left_in_english(world: World):
    with sweeping(world) as sweep:
        sweep.looks("a note")
        sweep.looks_into_menus("a note")
        for place in ["all", "favourites", "recent", "unfiled", "trash", f"folder:{sweep.server.make_folder('Κενό')}", "nowhere"]:
            sweep.comes(place)
            sweep.page.wait_for_timeout(100)
            sweep.looks(place)
            sweep.looks_into_menus(place)


def test_nothing_that_can_be_done_is_said_in_english(world: World):
    with sweeping(world) as sweep:
        # Notes that changed lately are there until what was typed has been looked for.
        names = [name for name in sweep.asks_palette().locator(".choice-name").all_text_contents() if "⟦" in name]
        sweep.looks("the palette")
        assert len(names) > 50, names
        for name in names:
            sweep.does(name)


def said(code: str, text: str) -> str:
    """What the pages say in a language."""
    return text if code == "en" else json.loads((TABLES / f"{code}.json").read_text())[text]


def choose_language(screen, now: str, code: str) -> None:
    screen.chooses(said(now, "Settings and help"), said(now, "Appearance…"))
    with screen.page.expect_navigation():
        screen.dialog.get_by_label(said(now, "Language")).select_option(code)
    wait_until(lambda: screen.page.evaluate(HAS_BEGUN), meanwhile=screen.page)


def test_each_language_is_chosen_and_kept(world: World):
    note = world.server.make_note("Who reads what", "Some words")
    screen = world.person(DESK).opens("all", note)
    now = "en"
    for code in [*CODES, ""]:
        choose_language(screen, now, code)
        now = code or "en"
        for _ in range(2):
            expect(screen.page.locator("html")).to_have_attribute("lang", now)
            expect(screen.page.get_by_role("textbox", name=said(now, "Text of the note"))).to_have_text("Some words")
            expect(screen.page.locator(".list-title")).to_contain_text(said(now, "All notes"))
            expect(screen.page.locator(".list-count")).to_have_text(re.compile(r"\d"))
            screen.reloads()


def test_the_pages_are_in_the_first_language_of_the_browser_that_they_have(world: World):
    for locale, code in [("de-AT", "de"), ("pt-BR", "pt"), ("ja-JP", "en")]:
        screen = world.person(DESK, locale=locale).begins("all")
        expect(screen.page.locator("html")).to_have_attribute("lang", code)
        expect(screen.page.locator(".list-title")).to_contain_text(said(code, "All notes"))
        # Whose language the pages do not have reads dates in it nevertheless.
        assert screen.page.evaluate("import('/view/words.js').then(({ fullDate }) => fullDate('2026-02-03T04:05:06Z'))") == screen.page.evaluate(
            f"new Intl.DateTimeFormat('{locale}', {{ dateStyle: 'full', timeStyle: 'short' }}).format(new Date('2026-02-03T04:05:06Z'))")


def test_every_language_fits_a_desk(world: World):
    note = world.server.make_note("Ein Zettel", "Some words", keywords=["garden"])
    for code in CODES:
        person = world.person(DESK)
        person.context.add_init_script(f"localStorage.setItem('language', '{code}')")
        screen = person.begins("all", note)
        wait_until(lambda: screen.page.evaluate(HAS_COME, ["all", note, True]), meanwhile=screen.page)
        must_fit(screen, f"{code}-desk")
        screen.presses("?")
        expect(screen.dialog).to_be_visible()
        must_fit(screen, f"{code}-keys")


def test_every_language_fits_a_phone(world: World):
    note = world.server.make_note("Ein Zettel", "Some words", keywords=["garden"])
    for code in CODES:
        person = world.person(PHONE)
        person.context.add_init_script(f"localStorage.setItem('language', '{code}')")
        screen = person.begins("all")
        wait_until(lambda: screen.page.evaluate(HAS_BEGUN), meanwhile=screen.page)
        must_fit(screen, f"{code}-list")
        screen.button(said(code, "More for this list")).click()
        must_fit(screen, f"{code}-list-menu")
        screen.presses("Escape")
        screen.button(said(code, "Back to folders")).click()
        must_fit(screen, f"{code}-places")
        screen.chooses(said(code, "Settings and help"), said(code, "Appearance…"))
        must_fit(screen, f"{code}-appearance")
        screen.presses("Escape")
        screen.page.goto(path_of("all", note))
        wait_until(lambda: screen.page.evaluate(HAS_COME, ["all", note, False]), meanwhile=screen.page)
        must_fit(screen, f"{code}-note")
        screen.button(said(code, "More for this note")).click()
        must_fit(screen, f"{code}-note-menu")
        screen.menu_item(said(code, "Publish…")).click()
        expect(screen.dialog).to_be_visible()
        must_fit(screen, f"{code}-publishing")
        screen.is_accessible(f"Publishing in {code}")


def must_fit(screen, name: str) -> None:
    """Nothing is wider than the screen, and no button or item of a menu than its words."""
    screen.looks(f"language-{name}")
    wide = screen.page.evaluate("""() => [...document.querySelectorAll("button, .menu [role^=menuitem], dialog[open] *")].filter((element) => {
        const { right, left, width } = element.getBoundingClientRect();
        const isWide = right > innerWidth + 1 || left < -1 || (element.localName === "button" && element.scrollWidth > element.clientWidth + 1);
        return width > 0 && element.checkVisibility() && isWide && !element.closest(".tabs, .toolbar, pre, .ProseMirror");
    }).map((element) => `${element.className} ${element.textContent.trim().slice(0, 60)}`)""")
    assert not wide and screen.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"), f"{name}: {wide}"


def test_sentences_of_the_server_are_in_the_language_of_the_pages(world: World):
    server = world.server
    outer = server.make_folder("Outer")
    inner = server.make_folder("Inner", outer)
    for code in CODES:
        person = world.person(DESK)
        person.context.add_init_script(f"localStorage.setItem('language', '{code}')")
        screen = person.begins("all")
        screen.expects("400 .Bad Request", "409 .Conflict")
        wait_until(lambda: screen.page.evaluate(HAS_BEGUN), meanwhile=screen.page)
        ask = "([path, body]) => import('/server/call.js').then(({ patch }) => patch(path, body)).then(() => null, ({ message }) => message)"
        heard = screen.page.evaluate(ask, [f"/folders/{outer}", {"parent": inner}])
        assert heard == said(code, "“{0}” cannot be moved into “{1}”, which lies in it.").replace("{0}", "Outer").replace("{1}", "Inner"), heard
        # One that is not known stays as it is.
        assert screen.page.evaluate(ask, [f"/folders/{outer}", {"name": ""}]) == "A folder needs a name."
