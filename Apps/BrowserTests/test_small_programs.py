"""Notes and SavedColours: two tabs that follow each other, keys, the way back, the phone, the dark."""

import json
import re
import subprocess
import tempfile
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from server import BUILD, entrance
from world import DESK, PHONE, Screen, wait_until


class Small:
    """A small program, and pages of it."""

    def __init__(self, world, printed: str):
        self.world = world
        self.printed = printed
        self.address, self.cookie = entrance(printed)

    def opens(self, path: str = "/", device=DESK, **settings) -> Screen:
        context = self.world.browser.new_context(base_url=self.address, locale="en-GB", **{**device, **settings})
        context.set_default_timeout(30_000)
        context.request.get(self.printed)
        self.world.contexts.append(context)
        screen = Screen(self.world, context.new_page())
        self.world.screens.append(screen)
        screen.page.goto(path)
        return screen

    def has(self, path: str, **fields) -> dict:
        request = urllib.request.Request(self.address + path, json.dumps(fields).encode(),
                                         {"Content-Type": "application/json", "Cookie": self.cookie})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


@contextmanager
def running(world, name: str):
    built = [path for path in (BUILD / "debug" / name, BUILD / "release" / name) if path.exists()]
    if not built:
        raise AssertionError(f"There is no program: swift build --package-path Apps --product {name}")
    program = max(built, key=lambda path: path.stat().st_mtime)
    with tempfile.TemporaryDirectory(prefix=f"{name}-browser-tests-") as folder:
        command = [program, "--port", "0", "--store", Path(folder) / "Store.sqlite"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            address = re.search(r"http://\S+", process.stdout.readline()).group(0)
            yield Small(world, address)
        finally:
            process.terminate()
            assert process.wait(timeout=60) == 0


def every_look():
    return [(device, scheme) for device in (DESK, PHONE) for scheme in ("light", "dark")]


def test_notes_are_accessible_everywhere(world):
    with running(world, "notes") as notes:
        empty = notes.opens()
        expect(empty.page.locator("#none")).to_be_visible()
        empty.is_accessible("no notes")
        note = notes.has("/api/notes", title="Shopping", contents="Bread and milk")
        notes.has("/api/notes", title="Garden", contents="")
        notes.has("/api/categories", name="Home")
        for device, scheme in every_look():
            for path, shown in [
                ("/#/", "#notes li"),
                (f"/#/note/{note['id']}", ".note textarea"),
                (f"/#/note/{note['id']}/categories", ".categories li"),
                ("/#/categories", ".categories li"),
            ]:
                screen = notes.opens(path, device, color_scheme=scheme)
                expect(screen.page.locator(shown).first).to_be_visible()
                screen.is_accessible(f"{path}, {scheme}, {device['viewport']['width']} wide")
                wide = screen.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, f"{path} is {wide} pixels too wide"
                screen.page.close()


def test_a_note_is_written_by_keys_and_seen_in_another_tab(world):
    with running(world, "notes") as notes:
        here, there = notes.opens(), notes.opens()
        here.presses("Alt+n")
        expect(here.page.get_by_label("Title")).to_be_focused()
        here.types("By keys")
        here.presses("Enter")
        here.types("and more")
        expect(here.page.get_by_text("Saved")).to_be_visible()
        there.page.get_by_role("link", name="By keys").click()
        expect(there.page.get_by_label("Contents")).to_have_value("and more")
        here.types(", later")
        expect(there.page.get_by_label("Contents")).to_have_value("and more, later")


def test_the_link_that_skips_the_list_closed_the_note(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="Bread and milk")
        screen = notes.opens(f"/#/note/{note['id']}")
        expect(screen.page.get_by_label("Contents")).to_have_value("Bread and milk")
        screen.page.get_by_role("link", name="Skip to the note").focus()
        screen.presses("Enter")
        expect(screen.page.locator("#page")).to_be_focused()
        expect(screen.page.get_by_label("Contents")).to_have_value("Bread and milk")


def test_the_page_of_a_note_that_is_gone_had_no_list_and_tried_again_for_ever(world):
    with running(world, "notes") as notes:
        notes.has("/api/notes", title="Shopping", contents="")
        screen = notes.opens("/#/note/00000000-0000-4000-8000-000000000000")
        screen.expects("status of 404")
        expect(screen.page.get_by_text("This note is not there any more.")).to_be_visible()
        expect(screen.page.locator("#notes .title")).to_have_text(["Shopping"])
        expect(screen.page.locator("#state")).to_have_text("")


def test_a_note_that_was_gone_took_the_place_of_one_that_was_opened_after_it(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="Bread and milk")
        gone = "00000000-0000-4000-8000-000000000000"
        screen = notes.opens()
        screen.expects("status of 404")
        held = screen.holds_first("GET", f"/api/notes/{gone}")
        screen.page.goto(f"/#/note/{gone}")
        wait_until(lambda: held, meanwhile=screen.page)
        screen.page.goto(f"/#/note/{note['id']}")
        expect(screen.page.get_by_label("Contents")).to_have_value("Bread and milk")
        with screen.page.expect_response(f"**/api/notes/{gone}"):
            held[0].continue_()
        screen.page.wait_for_timeout(300)
        expect(screen.page.get_by_label("Contents")).to_have_value("Bread and milk")


def test_a_category_is_chosen_renamed_deleted_and_brought_back(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="")
        here, there = notes.opens(f"/#/note/{note['id']}"), notes.opens(f"/#/note/{note['id']}")
        label = there.page.locator("#category")
        expect(label).to_have_text("No Category")
        here.page.get_by_role("link", name="Edit category").click()
        here.page.get_by_label("Name of a new category").fill("Home")
        here.presses("Enter")
        here.button("Choose Home").click()
        expect(label).to_have_text("Home")
        # Choosing leads back to the note; only then elsewhere.
        expect(here.page.locator("#category")).to_have_text("Home")
        here.page.goto("/#/categories")
        here.page.get_by_label("Name of Home").fill("House")
        here.presses("Enter")
        expect(label).to_have_text("House")
        here.button("Delete House").click()
        expect(label).to_have_text("No Category")
        here.undoes("“House” was deleted")
        expect(label).to_have_text("House")


def test_the_focus_was_lost_with_what_was_deleted_or_left(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="")
        for name in ("Garden", "Home"):
            notes.has("/api/categories", name=name)
        screen = notes.opens("/#/categories")
        screen.button("Delete Home").focus()
        screen.presses("Enter")
        expect(screen.button("Delete Garden")).to_be_focused()
        expect(screen.page.locator(".categories li")).to_have_count(1)
        screen.presses("Enter")
        expect(screen.page.get_by_label("Name of a new category")).to_be_focused()
        screen.page.goto(f"/#/note/{note['id']}")
        screen.page.get_by_role("link", name="Edit category").focus()
        screen.presses("Enter")
        expect(screen.page.get_by_label("Name of a new category")).to_be_visible()
        expect(screen.page.locator("#page")).to_be_focused()


def test_all_tabs_had_the_same_name(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="")
        screen = notes.opens(f"/#/note/{note['id']}")
        expect(screen.page).to_have_title("Shopping – Notes")
        screen.page.get_by_label("Title").fill("Market")
        expect(screen.page).to_have_title("Market – Notes")
        screen.page.get_by_role("link", name="Categories", exact=True).click()
        expect(screen.page).to_have_title("Categories – Notes")
        screen.page.get_by_role("link", name="Notes", exact=True).click()
        expect(screen.page).to_have_title("Notes")


def test_on_a_phone_the_focus_was_lost_with_the_list(world):
    with running(world, "notes") as notes:
        notes.has("/api/notes", title="Shopping", contents="")
        screen = notes.opens("/", PHONE)
        screen.page.get_by_role("link", name="Shopping").focus()
        screen.presses("Enter")
        expect(screen.page.get_by_label("Contents")).to_be_visible()
        expect(screen.page.locator("#page")).to_be_focused()


def test_which_category_is_chosen_was_told_by_its_colour_alone(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="")
        for name in ("Garden", "Home"):
            notes.has("/api/categories", name=name)
        screen = notes.opens(f"/#/note/{note['id']}/categories")
        pressed = screen.page.locator("[aria-pressed=true]")
        expect(pressed).to_have_text(["No category"])
        screen.button("Choose Home").click()
        screen.page.get_by_role("link", name="Edit category").click()
        expect(pressed).to_have_text(["Choose"])
        expect(pressed).to_have_attribute("aria-label", "Choose Home")
        screen.is_accessible("a chosen category")


def test_a_deleted_note_comes_back_and_a_title_is_needed(world):
    with running(world, "notes") as notes:
        for title in ("first", "second"):
            notes.has("/api/notes", title=title, contents=f"text of the {title}")
        screen = notes.opens()
        rows = screen.page.locator("#notes .title")
        expect(rows).to_have_text(["second", "first"])
        screen.page.locator("#notes a").first.focus()
        screen.presses("ArrowDown", "Delete")
        expect(rows).to_have_text(["second"])
        expect(screen.page.locator("#notes a").first).to_be_focused()
        screen.undoes("“first” was deleted")
        expect(screen.page.get_by_label("Contents")).to_have_value("text of the first")
        screen.page.get_by_label("Title").fill("")
        expect(screen.page.get_by_text("A note needs a title")).to_be_visible()
        screen.page.get_by_label("Title").fill("renamed")
        expect(rows).to_have_text(["renamed", "second"])


def test_a_text_was_lost_that_was_written_while_the_note_had_no_title(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="")
        screen = notes.opens(f"/#/note/{note['id']}")
        screen.page.get_by_label("Title").fill("")
        screen.page.get_by_label("Contents").fill("Bread and milk")
        expect(screen.page.get_by_text("A note needs a title")).to_be_visible()
        screen.page.get_by_role("link", name="Categories", exact=True).click()
        expect(screen.page.get_by_label("Name of a new category")).to_be_visible()
        screen.page.get_by_role("link", name="Shopping").click()
        expect(screen.page.get_by_label("Contents")).to_have_value("Bread and milk")
        expect(screen.page.get_by_label("Title")).to_have_value("Shopping")


def test_a_text_without_a_title_was_lost_when_its_note_was_deleted_and_brought_back(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="")
        screen = notes.opens(f"/#/note/{note['id']}")
        screen.page.get_by_label("Title").fill("")
        screen.page.get_by_label("Contents").fill("Bread and milk")
        screen.button("Delete").click()
        screen.undoes("“Shopping” was deleted")
        expect(screen.page.get_by_label("Contents")).to_have_value("Bread and milk")
        expect(screen.page.get_by_label("Title")).to_have_value("Shopping")


def test_the_last_words_were_lost_when_a_tab_was_closed_behind_them(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="")
        here, there = notes.opens(f"/#/note/{note['id']}"), notes.opens(f"/#/note/{note['id']}")
        here.page.get_by_label("Contents").fill("Bread and milk")
        here.page.goto("about:blank")
        expect(there.page.get_by_label("Contents")).to_have_value("Bread and milk")


def test_a_tab_whose_text_could_not_be_saved_was_closed_without_a_question(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="")
        screen = notes.opens(f"/#/note/{note['id']}")
        asked = []
        screen.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        screen.expects("Failed to load resource")
        screen.page.route("**/api/notes/*", lambda route: route.abort() if route.request.method == "PATCH" else route.continue_())
        # Browsers ask only those who have done something.
        screen.page.get_by_label("Contents").click()
        screen.types("Bread")
        expect(screen.page.get_by_text("Not saved:")).to_be_visible()
        screen.page.goto("about:blank")
        assert asked == ["beforeunload"], asked


def test_a_title_that_was_written_in_one_tab_took_back_the_text_of_another(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="")
        here, there = notes.opens(f"/#/note/{note['id']}"), notes.opens(f"/#/note/{note['id']}")
        expect(here.page.get_by_label("Title")).to_have_value("Shopping")
        there.page.get_by_label("Contents").click()
        # Both are saved when nothing was written for a moment.
        here.page.get_by_label("Title").fill("Market")
        there.types("Bread")
        expect(here.page.get_by_label("Contents")).to_have_value("Bread")
        expect(there.page.get_by_label("Title")).to_have_value("Market")
        expect(here.page.get_by_label("Title")).to_have_value("Market")
        expect(there.page.get_by_label("Contents")).to_have_value("Bread")


def test_a_note_with_line_ends_of_windows_was_changed_by_being_read(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="Bread\r\nMilk")
        notes.has("/api/notes", title="Garden", contents="")
        screen = notes.opens(f"/#/note/{note['id']}")
        asked = []
        screen.page.on("request", lambda request: request.method == "PATCH" and asked.append(request))
        expect(screen.page.get_by_label("Contents")).to_have_value("Bread\nMilk")
        screen.page.get_by_role("link", name="Garden").click()
        expect(screen.page.get_by_label("Contents")).to_have_value("")
        assert not asked, asked
        expect(screen.page.locator("#notes .title")).to_have_text(["Garden", "Shopping"])


def composes(field, key: str) -> None:
    """A key that belongs to letters of Chinese, Japanese or Korean that are being put together."""
    field.focus()
    field.dispatch_event("keydown", {"key": key, "code": key, "isComposing": True, "bubbles": True, "cancelable": True})


def test_keys_of_letters_that_are_being_put_together_were_commands(world):
    with running(world, "notes") as notes, running(world, "saved-colours") as colours:
        note = notes.has("/api/notes", title="Shopping", contents="")
        notes.has("/api/categories", name="Home")
        colours.has("/api/colours", name="Sea", color="#2b5f8c")
        screen = notes.opens(f"/#/note/{note['id']}")
        for key in ("Enter", "Escape"):
            composes(screen.page.get_by_label("Title"), key)
            expect(screen.page.get_by_label("Title")).to_be_focused()
        screen.page.goto("/#/categories")
        composes(screen.page.get_by_label("Name of Home"), "Enter")
        expect(screen.page.get_by_label("Name of Home")).to_be_focused()
        grid = colours.opens()
        for key in ("Enter", "Escape"):
            composes(grid.page.locator("#grid input"), key)
            expect(grid.page.locator("#grid input")).to_be_focused()


def test_a_key_that_was_held_deleted_one_after_the_other(world):
    with running(world, "notes") as notes, running(world, "saved-colours") as colours:
        for name in ("first", "second", "third"):
            notes.has("/api/notes", title=name, contents="")
            colours.has("/api/colours", name=name, color="#2b5f8c")
        for screen, rows, first in [
            (notes.opens(), "#notes li", "#notes a"),
            (colours.opens(), "#grid li", ".swatch"),
        ]:
            expect(screen.page.locator(rows)).to_have_count(3)
            screen.page.locator(first).first.focus()
            screen.page.keyboard.down("Delete")
            expect(screen.page.locator(rows)).to_have_count(2)
            expect(screen.page.locator(first).first).to_be_focused()
            screen.page.keyboard.down("Delete")
            screen.page.wait_for_timeout(500)
            expect(screen.page.locator(rows)).to_have_count(2)
            screen.page.keyboard.up("Delete")


def test_a_note_that_was_deleted_elsewhere_was_saved_again_and_again(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="")
        here, there = notes.opens(f"/#/note/{note['id']}"), notes.opens()
        here.expects("status of 404")
        asked = []
        here.page.on("request", lambda request: request.method == "PATCH" and asked.append(request))
        there.page.locator("#notes a").first.focus()
        there.presses("Delete")
        # Under a pointer it stays.
        there.page.get_by_text("“Shopping” was deleted").hover()
        expect(here.page.get_by_text("This note was deleted elsewhere.")).to_be_visible()
        here.page.get_by_label("Contents").fill("Bread and milk")
        expect(here.page.get_by_text("Not saved: this note was deleted elsewhere.")).to_be_visible()
        here.page.wait_for_timeout(5_500)
        assert len(asked) == 1, asked
        there.undoes("“Shopping” was deleted")
        expect(here.page.get_by_text("Saved")).to_be_visible()
        expect(there.page.get_by_label("Contents")).to_have_value("Bread and milk")


def test_a_note_that_was_back_was_said_to_be_deleted(world):
    with running(world, "notes") as notes:
        note = notes.has("/api/notes", title="Shopping", contents="")
        here, there = notes.opens(f"/#/note/{note['id']}"), notes.opens()
        here.page.get_by_label("Title").fill("")
        expect(here.page.get_by_text("A note needs a title")).to_be_visible()
        there.page.locator("#notes a").first.focus()
        there.presses("Delete")
        expect(here.page.get_by_text("This note was deleted elsewhere.")).to_be_visible()
        there.undoes("“Shopping” was deleted")
        expect(here.page.get_by_text("A note needs a title")).to_be_visible()


def test_colours_are_accessible_everywhere(world):
    with running(world, "saved-colours") as colours:
        colours.opens().is_accessible("no colours")
        for name, color in [("Sea", "#2b5f8c"), ("Snow", "#ffffff"), ("Coal", "#000000")]:
            colours.has("/api/colours", name=name, color=color)
        for device, scheme in every_look():
            screen = colours.opens("/", device, color_scheme=scheme)
            expect(screen.page.locator("#grid li")).to_have_count(3)
            screen.is_accessible(f"the grid, {scheme}, {device['viewport']['width']} wide")
            wide = screen.page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"the grid is {wide} pixels too wide"


def test_a_name_that_was_typed_while_another_was_saved_was_lost(world):
    with running(world, "saved-colours") as colours:
        screen = colours.opens()
        names = screen.page.locator("#grid input")
        field = screen.page.get_by_label("Name", exact=True)
        held = screen.holds_first("POST", "/api/colours")
        field.fill("Sea")
        screen.presses("Enter")
        wait_until(lambda: held, meanwhile=screen.page)
        field.fill("Sky")
        with screen.page.expect_response("**/api/colours"):
            held[0].continue_()
        screen.page.wait_for_timeout(300)
        expect(field).to_have_value("Sky")
        expect(names).to_have_count(1)
        screen.presses("Enter")
        expect(names.last).to_have_value("Sky")


def test_the_focus_was_lost_with_the_message_that_brought_a_colour_back(world):
    with running(world, "saved-colours") as colours:
        for name in ("Sea", "Sky"):
            colours.has("/api/colours", name=name, color="#2b5f8c")
        screen = colours.opens()
        expect(screen.page.locator("#grid li")).to_have_count(2)
        screen.button("Cut Sea").focus()
        screen.presses("Enter")
        screen.button("Undo", screen.says("“Sea” was cut")).focus()
        screen.presses("Enter")
        expect(screen.page.locator("#grid li")).to_have_count(2)
        expect(screen.button("Copy Sky, #2b5f8c")).to_be_focused()


def test_a_browser_that_copies_nothing_said_so_in_words_of_javascript(world):
    with running(world, "saved-colours") as colours:
        colours.has("/api/colours", name="Sea", color="#2b5f8c")
        screen = colours.opens()
        screen.page.evaluate("() => void Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        screen.button("Copy Sea, #2b5f8c").click()
        screen.says("The browser copies only at localhost or over https. This is #2b5f8c.")


def test_a_colour_is_saved_renamed_cut_and_brought_back(world):
    with running(world, "saved-colours") as colours:
        here, there = colours.opens(), colours.opens()
        names = there.page.locator("#grid input")
        field = here.page.get_by_label("Name", exact=True)
        for name in ("Sea", "Sky"):
            field.fill(name)
            here.presses("Enter")
            expect(names.last).to_have_value(name)
            expect(field).to_have_value("")
        here.button("Save colour").click()
        here.says("A colour needs a name.")
        here.page.locator("#grid input").first.fill("Lake")
        here.presses("Enter")
        expect(names.first).to_have_value("Lake")
        here.page.locator(".swatch").first.focus()
        here.presses("Delete")
        expect(names).to_have_count(1)
        expect(here.page.locator(".swatch").first).to_be_focused()
        here.undoes("“Lake” was cut")
        expect(names.first).to_have_value("Lake")
        expect(names).to_have_count(2)
