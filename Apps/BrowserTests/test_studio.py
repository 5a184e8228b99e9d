"""Studio: a store that a bookshop writes to, as tables, cards, questions and a picture; by keys, on a phone, in the dark."""

import re
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from server import BUILD
from test_small_programs import Small
from world import DESK, PHONE, wait_until

BOOKS = 3_000


def newest(name: str) -> Path:
    built = [path for path in (BUILD / "debug" / name, BUILD / "release" / name) if path.exists()]
    if not built:
        raise AssertionError(f"There is no program {name} in {BUILD}")
    return max(built, key=lambda path: path.stat().st_mtime)


@contextmanager
def started(name: str, *options):
    process = subprocess.Popen([newest(name), *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        yield re.search(r"http://\S+", process.stdout.readline()).group(0)
    finally:
        process.terminate()
        assert process.wait(timeout=60) == 0


class Shop:
    """A bookshop that writes to the store."""

    def __init__(self, world, address: str):
        self.request = world.browser.new_context(base_url=address).request

    def sells(self, book: int, quantity: int = 1) -> None:
        assert self.request.post("/api/orders", data={"book": book, "quantity": quantity}).ok


@contextmanager
def studio(world):
    """Studio, and the shop whose store it shows."""
    with tempfile.TemporaryDirectory(prefix="studio-browser-tests-") as folder:
        store = Path(folder) / "Books.sqlite"
        with started("bookserver", "--port", "0", "--store", store, "--fill", str(BOOKS)) as shop, \
                started("coredata", "studio", store, "--port", "0") as printed:
            yield Small(world, printed), Shop(world, shop)


def row(screen, text: str):
    return screen.page.get_by_role("row").filter(has_text=text)


def test_a_store_is_looked_through_by_links_and_back(world):
    with studio(world) as (small, shop):
        shop.sells(12, 2)
        screen = small.opens()
        page = screen.page
        expect(page.get_by_role("heading", name="Books.sqlite", level=2)).to_be_visible()
        entities = page.get_by_role("navigation", name="Entities")
        expect(entities.get_by_role("link", name="Book 3,000")).to_be_visible()
        entities.get_by_role("link", name="Book 3,000").click()
        expect(page.locator(".tools .count")).to_contain_text("3,000 objects")
        row(screen, "volume 12").first.get_by_role("link", name="Book/p12").click()
        expect(page.get_by_role("heading", name="History, volume 12")).to_be_visible()
        expect(page.get_by_label("SQL of the row")).to_contain_text('FROM "ZBOOK" WHERE "Z_PK" = 12')
        expect(page.locator(".story .kind").first).to_have_text("updated")
        page.get_by_role("region", name="orders").get_by_role("link").click()
        expect(page.locator("dd time")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("heading", name="History, volume 12")).to_be_visible()
        page.get_by_role("definition").get_by_role("link", name="History").click()
        expect(page.get_by_role("region", name="books").get_by_role("listitem")).to_have_count(20)
        page.get_by_role("button", name=re.compile("Show 20 more")).click()
        expect(page.get_by_role("region", name="books").get_by_role("listitem")).to_have_count(40)
        page.get_by_role("link", name="Show as a table").click()
        expect(page.locator(".tools .count")).to_contain_text("600 objects")
        page.go_back()
        page.go_back()
        page.go_back()
        expect(page.get_by_role("grid", name="Objects of Book")).to_be_visible()


def test_a_table_scrolls_anywhere_and_is_sorted_and_sized(world):
    with studio(world) as (small, _):
        screen = small.opens("/#/objects/Book")
        page = screen.page
        grid = page.get_by_role("grid")
        expect(page.locator(".row").first).to_contain_text("volume 1")
        expect(page.locator(".tools .count")).to_contain_text("3,000 objects")
        assert page.locator(".row").count() < 60, "rows that nobody sees are elements"
        grid.evaluate("grid => grid.scrollTop = grid.scrollHeight")
        expect(row(screen, "volume 3000")).to_be_visible()
        wait_until(lambda: "row=" in page.url, lambda: page.url, meanwhile=page)
        page.reload()
        expect(row(screen, "volume 2999")).to_be_visible()
        page.get_by_label("Go to row").fill("1500")
        screen.presses("Enter")
        expect(row(screen, "volume 1500")).to_be_visible()
        expect(grid).to_be_focused()
        screen.presses("ArrowDown", "Enter")
        expect(page.get_by_role("heading", name=re.compile("volume 1501"))).to_be_visible()
        page.go_back()
        page.get_by_role("button", name="price", exact=True).click()
        expect(page.get_by_role("columnheader", name="price", exact=True)).to_have_attribute("aria-sort", "ascending")
        page.get_by_role("button", name="price", exact=True).click()
        expect(page.get_by_role("columnheader", name="price", exact=True)).to_have_attribute("aria-sort", "descending")
        # The place of the rows comes into the address when scrolling has rested, and not into an address that came meanwhile.
        grid.evaluate("""async (grid) => {
            grid.scrollTop = 9000;
            const order = grid.querySelector("[aria-sort=descending] button");
            const { setTimeout: later } = window;
            await new Promise((done) => { window.setTimeout = (work, ...more) => (window.setTimeout = later, done(work), 0); grid.dispatchEvent(new Event("scroll")); }).then((rested) => { order.click(); rested(); });
        }""")
        expect(page.get_by_role("columnheader", name="price", exact=True)).to_have_attribute("aria-sort", "none")
        title = page.get_by_role("columnheader", name="title", exact=True)
        before = title.bounding_box()["width"]
        title.get_by_role("button").focus()
        screen.presses("Shift+ArrowRight")
        assert title.bounding_box()["width"] == before + 20
        page.get_by_role("button", name="Columns").click()
        page.get_by_role("checkbox", name="stock").uncheck()
        page.get_by_label("Another column, by its key path").fill("category.name")
        page.get_by_role("button", name="Show", exact=True).click()
        expect(page.get_by_role("columnheader", name="category.name")).to_be_visible()
        expect(page.get_by_role("columnheader", name="stock")).to_have_count(0)


def test_a_condition_is_completed_explained_and_corrected(world):
    with studio(world) as (small, _):
        screen = small.opens("/#/objects/Book")
        screen.expects("400")
        page = screen.page
        field = page.get_by_role("combobox", name="Condition")
        field.click()
        screen.types("cate")
        expect(page.get_by_role("option", name="category")).to_be_visible()
        screen.types("gory.n")
        screen.presses("ArrowDown", "Enter")
        expect(field).to_have_value("category.name ")
        screen.presses("ArrowDown", "Enter")
        screen.types('"History" AND stock >')
        screen.presses("Enter")
        expect(page.get_by_role("alert")).to_contain_text("expected a value")
        expect(field).to_have_attribute("aria-invalid", "true")
        field.press("End")
        screen.types(" 10")
        screen.presses("Escape", "Enter")
        expect(page.locator(".tools .count")).to_contain_text("600 objects")
        page.get_by_text("SQL and plan").click()
        expect(page.get_by_label("SQL", exact=True).first).to_contain_text("SELECT")
        expect(page.get_by_label("Plan")).to_contain_text("ZBOOK")
        screen.picture("table", "studio")
        field.fill("titel == 'x' AND stock > 1")
        screen.presses("Enter")
        expect(page.locator(".mistake mark")).to_have_text("t")
        field.fill("stock > 100000")
        screen.presses("Enter")
        expect(page.get_by_text("No object matches this condition.")).to_be_visible()


def test_sql_reads_and_never_writes(world):
    with studio(world) as (small, _):
        screen = small.opens("/#/sql")
        screen.expects("400")
        page = screen.page
        page.get_by_label("SQL statement").fill("SELECT ZNAME FROM ZBOOKCATEGORY ORDER BY ZNAME")
        screen.presses("Control+Enter")
        expect(page.get_by_role("region", name="Result").get_by_role("row")).to_have_count(6)
        page.get_by_label("SQL statement").fill("DELETE FROM ZBOOKCATEGORY")
        page.get_by_role("button", name="Run").click()
        expect(page.locator("main p[role=status]")).to_contain_text("open for reading only")


def test_the_model_is_searched_and_leads_to_objects(world):
    with studio(world) as (small, _):
        screen = small.opens("/#/model")
        page = screen.page
        picture = page.locator("svg.model")
        expect(picture.get_by_role("link")).to_have_count(3)
        before = picture.get_attribute("viewBox")
        page.get_by_label("Find in the model").fill("placed")
        expect(page.locator(".hit")).to_have_count(1)
        assert picture.get_attribute("viewBox") != before
        page.locator(".frame").focus()
        moved = picture.get_attribute("viewBox")
        screen.presses("ArrowRight", "+")
        assert picture.get_attribute("viewBox") != moved
        picture.get_by_role("link", name="Objects of Order").focus()
        screen.presses("Enter")
        expect(page.get_by_text("There are no objects of Order.")).to_be_visible()


def test_a_table_follows_a_program_that_writes(world):
    with studio(world) as (small, shop):
        screen = small.opens("/#/objects/Order")
        expect(screen.page.get_by_text("There are no objects of Order.")).to_be_visible()
        shop.sells(7, 3)
        expect(row(screen, "Order/p1")).to_be_visible()
        expect(screen.page.get_by_role("link", name="Order 1")).to_be_visible()


def test_history_is_filtered_and_rows_are_saved(world):
    with studio(world) as (small, shop):
        shop.sells(12)
        screen = small.opens("/#/history")
        page = screen.page
        changes = page.locator(".changes li")
        expect(changes).to_have_count(50)
        page.get_by_role("button", name="Earlier changes").click()
        expect(changes).to_have_count(100)
        page.get_by_label("Author").fill("customer")
        screen.presses("Enter")
        expect(changes).to_have_count(2)
        page.locator("select").select_option("Order")
        page.get_by_role("button", name="Show", exact=True).click()
        expect(changes).to_have_count(1)
        page.get_by_role("link", name="Order/p1", exact=True).click()
        expect(page.get_by_role("heading", name="Order/p1")).to_be_visible()
        page.goto(small.address + "/#/objects/Book?where=number < 3&columns=title")
        page.get_by_role("button", name="Save as").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="CSV").click()
        assert Path(download.value.path()).read_text() == "object,title\nBook/p1,\"Fiction, volume 1\"\nBook/p2,\"History, volume 2\"\n"


def test_a_check_and_figures_are_made_in_the_background(world):
    with studio(world) as (small, shop):
        shop.sells(12)
        screen = small.opens("/#/health")
        page = screen.page
        page.get_by_role("button", name="Check the store").focus()
        screen.presses("Enter")
        expect(page.get_by_role("region", name="Check")).to_contain_text("The store is sound")
        room = page.get_by_role("region", name="Room of each table")
        expect(room.get_by_role("row").filter(has_text="Book").first).to_contain_text("kB")
        expect(page.get_by_role("region", name="Indexes")).to_contain_text("Finds by")
        page.goto(small.address + "/#/objects/Book")
        page.get_by_role("link", name="Figures").click()
        stock = page.get_by_role("region", name="stock")
        expect(stock).to_contain_text("Most frequent")
        expect(stock.get_by_role("img")).to_be_visible()
        expect(page.get_by_role("region", name="title")).to_contain_text("3,000")


def test_an_object_is_seen_as_it_was_and_taken_away(world):
    with studio(world) as (small, shop):
        shop.sells(12, 2)
        screen = small.opens("/#/object/Book/p12")
        page = screen.page
        page.get_by_role("link", name=re.compile("As it was after change")).last.click()
        expect(page.get_by_role("heading", name=re.compile("As it was on"))).to_be_visible()
        expect(page.locator("dd").filter(has_text="Not known: it changed on").first).to_be_visible()
        expect(page.get_by_text("History, volume 12")).to_be_visible()
        page.get_by_role("link", name="As it is now").click()
        page.get_by_label("How far relationships are followed").select_option("0")
        with page.expect_download() as download:
            page.get_by_role("link", name="Save as JSON").click()
        assert '"id": "Book/p12"' in Path(download.value.path()).read_text()


def test_questions_and_places_are_kept_beside_the_store(world):
    with studio(world) as (small, _):
        screen = small.opens("/#/objects/Book?where=stock > 1&sort=-price")
        page = screen.page
        page.get_by_role("button", name="Questions").click()
        page.get_by_label("Name of the question").fill("In stock")
        screen.presses("Enter")
        expect(page.get_by_role("link", name="In stock")).to_be_visible()
        page.goto(small.address + "/#/objects/Book")
        page.get_by_role("button", name="Questions").click()
        page.get_by_role("link", name="In stock").click()
        expect(page.get_by_role("combobox", name="Condition")).to_have_value("stock > 1")
        page.goto(small.address + "/#/model")
        book = page.locator("svg.model").get_by_role("link", name="Objects of Book", exact=True)
        before = book.locator("g.entity").get_attribute("transform")
        book.focus()
        screen.presses("Shift+ArrowDown", "Shift+ArrowDown")
        expect(book.locator("g.entity")).not_to_have_attribute("transform", before)
        wait_until(lambda: page.evaluate("async (before) => !(await (await fetch('/api/model.svg')).text()).includes(before)", before))
        with page.expect_download() as download:
            page.get_by_role("button", name="Save as PNG").click()
        assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")


def test_changes_wait_until_they_are_saved(world):
    with studio(world) as (small, shop):
        screen = small.opens("/#/object/Book/p12")
        screen.expects("400")
        page = screen.page
        page.get_by_role("link", name="Edit", exact=True).click()
        page.get_by_role("button", name="Allow changes").click()
        title = page.get_by_label(re.compile("^title"))
        expect(title).to_have_value("History, volume 12")
        title.fill("A new title")
        screen.presses("Tab")
        expect(page.get_by_role("link", name="1 pending change")).to_be_visible()
        stock = page.get_by_label(re.compile("^stock"))
        stock.fill("many")
        screen.presses("Tab")
        expect(page.locator(".field .mistake").filter(has_text="whole number")).to_be_visible()
        stock.fill("3")
        screen.presses("Tab")
        page.get_by_role("button", name="Undo").click()
        expect(stock).not_to_have_value("3")
        page.get_by_role("button", name="Redo").click()
        expect(stock).to_have_value("3")
        shop.sells(12)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="Another program has changed the same objects")).to_be_visible()
        page.get_by_role("button", name="Save mine").click()
        expect(page.get_by_text("Nothing is changed.")).to_be_visible()
        page.goto(small.address + "/#/object/Book/p12")
        expect(page.get_by_role("heading", name="A new title")).to_be_visible()
        expect(page.locator(".story")).to_contain_text("coredata studio")
        page.goto(small.address + "/#/objects/BookCategory")
        page.get_by_role("button", name="New object").click()
        page.get_by_label(re.compile("^name")).fill("Poetry")
        screen.presses("Tab")
        screen.presses("Control+s")
        expect(page.get_by_text("The changes are saved.")).to_be_visible()
        page.goto(small.address + "/#/objects/BookCategory?where=name == 'Poetry'")
        expect(row(screen, "Poetry")).to_be_visible()


def test_a_model_is_edited_compared_and_tried(world):
    with studio(world) as (small, _):
        screen = small.opens("/#/editor")
        page = screen.page
        page.get_by_role("button", name="Save as source").click()
        tree = page.get_by_role("navigation", name="Elements of the model")
        page.get_by_role("button", name="New version").click()
        expect(page.get_by_label("Version", exact=True)).to_have_value("Books 2")
        tree.get_by_role("link", name="Book", exact=True).focus()
        screen.presses("Enter")
        page.get_by_role("button", name="Add attribute").click()
        name = page.get_by_label("Name", exact=True)
        expect(name).to_have_value("attribute")
        name.fill("pageCount")
        screen.presses("Enter")
        expect(tree.get_by_role("link", name="pageCount")).to_be_visible()
        page.get_by_label("Type", exact=True).select_option("Integer 32")
        page.get_by_label("Optional").uncheck()
        page.get_by_label("Default", exact=True).fill("0")
        screen.presses("Tab")
        expect(page.locator(".beside svg.model")).to_contain_text("pageCount")
        while page.get_by_role("button", name="Close message").count():
            page.get_by_role("button", name="Close message").first.click()
        screen.picture("editor", "studio")
        page.get_by_role("button", name="Undo").click()
        page.get_by_role("button", name="Redo").click()
        screen.presses("Control+s")
        expect(page.get_by_text("Saved.")).to_be_visible()
        page.get_by_role("link", name="Differences").click()
        expect(page.get_by_role("heading", name="From Books to Books 2")).to_be_visible()
        expect(page.get_by_text("pageCount")).to_be_visible()
        page.get_by_role("button", name="Try Books 2 on a copy of the store").click()
        expect(page.get_by_text("Nothing is lost.")).to_be_visible()


def test_studio_is_accessible_everywhere(world):
    with studio(world) as (small, shop):
        shop.sells(12)
        first = small.opens("/#/changes").page
        first.get_by_role("button", name="Allow changes").click()
        expect(first.locator(".pending li")).to_be_visible()
        first.goto(small.address + "/#/editor")
        first.get_by_role("button", name="Save as source").click()
        expect(first.locator(".options").first).to_be_visible()
        past = first.evaluate("async () => (await (await fetch('/api/objects/Book/p12/history')).json()).changes.at(-1).number")
        first.close()
        for device, scheme in [(DESK, "light"), (DESK, "dark"), (PHONE, "light")]:
            screen = small.opens("/", device, color_scheme=scheme)
            screen.expects("400")
            page = screen.page
            for path, shown in [
                ("#/", ".largest li"),
                ("#/objects/Book?where=stock > 1", ".row"),
                ("#/objects/Book?where=stock", ".mistake"),
                ("#/object/Book/p12", ".story li"),
                ("#/model", "svg.model"),
                ("#/history", ".changes li"),
                ("#/sql?q=SELECT * FROM ZORDER", ".result table"),
                ("#/health", ".indexes li"),
                ("#/figures/Book", ".spread"),
                (f"#/object/Book/p12?at={past}", ".values dd"),
                ("#/changes", ".pending li"),
                ("#/edit/Book/p12", ".field"),
                ("#/editor/Books?at=0", ".options"),
                ("#/difference", ".health h2"),
            ]:
                page.evaluate("hash => location.hash = hash", path)
                expect(page.locator(shown).first).to_be_visible()
                screen.is_accessible(f"{path}, {scheme}, {device['viewport']['width']} wide")
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, f"{path} is {wide} pixels too wide"
            page.close()
