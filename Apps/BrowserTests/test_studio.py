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
        page.get_by_role("link", name="Order/p1").click()
        expect(page.get_by_role("heading", name="Order/p1")).to_be_visible()
        page.goto(small.address + "/#/objects/Book?where=number < 3&columns=title")
        page.get_by_role("button", name="Save as").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="CSV").click()
        assert Path(download.value.path()).read_text() == "object,title\nBook/p1,\"Fiction, volume 1\"\nBook/p2,\"History, volume 2\"\n"


def test_studio_is_accessible_everywhere(world):
    with studio(world) as (small, shop):
        shop.sells(12)
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
            ]:
                page.evaluate("hash => location.hash = hash", path)
                expect(page.locator(shown).first).to_be_visible()
                screen.is_accessible(f"{path}, {scheme}, {device['viewport']['width']} wide")
                wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, f"{path} is {wide} pixels too wide"
            page.close()
