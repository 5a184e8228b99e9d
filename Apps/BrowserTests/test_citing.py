"""Works that a note cites, from files of references in notes."""

import re

from playwright.sync_api import expect

from server import link, paragraph
from test_together import LOST, offline_ready
from world import DESK, PHONE, Screen, World, wait_until

BIB = r"""
@book{doe2020, author = {Doe, Jane}, title = {Slots and seats}, address = {Vienna}, publisher = {Example Press}, year = 2020}
@article{doe2020more, author = {Doe, Jane}, title = {More slots}, journal = {Journal of Slots}, volume = 3, pages = {1--9}, year = 2020, doi = {10.1000/1}}
@inproceedings{roe_1999, author = {Roe, Richard and M{\"u}ller, Eva}, title = {A part}, booktitle = {The whole}, year = 1999}
@misc{https://example.org/x, title = {A page}, url = {https://example.org/x}, year = 2022}
@book{broken, title = {No end
"""


def sources(world: World, bib: str = BIB) -> str:
    """A note with the only file of references that there is: those of tests before are in the trash."""
    for source in world.server.call("GET", "/references")["sources"]:
        world.server.call("DELETE", f"/notes/{source['note']}")
    return world.server.make_note_with_files("Sources", ("library.bib", bib.encode()))


def references(screen: Screen):
    return screen.page.locator("section.references")


def lines(screen: Screen):
    return references(screen).locator("li")


def test_citations_have_short_forms_and_a_list(world: World):
    sources(world)
    note = world.server.make_note(
        "It cites works", "A line before.",
        "It fires [see @doe2020, p. 12; -@roe_1999]. As @doe2020more [p. 3] says, [@{https://example.org/x}].",
        "Unknown: [@nobody2000; @doe2020], jane@doe2020.org, @handle, %%[@remark]%%.")
    for device, scheme in ((DESK, "light"), (DESK, "dark"), (PHONE, "light")):
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        expect(screen.text.locator(".citation")).to_have_text(["(see Doe 2020b, p. 12; 1999)", "Doe (2020a, p. 3)", "(“A page” 2022)"])
        expect(screen.text.locator(".citation-unknown")).to_have_text(["@nobody2000"])
        expect(lines(screen)).to_have_text([
            "“A page.” 2022. https://example.org/x.",
            "Doe, Jane. 2020a. “More slots.” Journal of Slots 3: 1–9. https://doi.org/10.1000/1.",
            "Doe, Jane. 2020b. Slots and seats. Vienna: Example Press.",
            "Roe, Richard, and Eva Müller. 1999. “A part.” In The whole.",
        ])
        expect(lines(screen).nth(2).locator("em")).to_have_text("Slots and seats")
        name = f"citing-{'desk' if device is DESK else 'phone'}-{scheme}"
        screen.is_accessible(name)
        screen.looks(name)
        assert screen.page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]
    # The text of the note is what was written.
    assert "[see @doe2020, p. 12; -@roe_1999]" in world.server.text(note)


def test_the_page_and_an_export_show_the_same_citations(world: World):
    sources(world)
    written = [
        "[@doe2020]", "[see @doe2020, p. 12; -@roe_1999]", "[@doe2020 ch. 2]", "@doe2020 [p. 3]", "-@doe2020", "(@roe_1999)",
        "[[@doe2020]]", "[@doe2020; nobody]", "[@nobody; @doe2020]", "a@doe2020", "@doe2020@example.org", "https://x.org/@doe2020",
        "[@{https://example.org/x}]", "@doe2020: so", "@doe2020's", "“@doe2020”", "[ @doe2020 ]", "[-@doe2020]", "[@doe2020",
        "$a [@doe2020]$", "%%[@doe2020]%%", "[@doe2020](x)", "x[@doe2020]y", "@doe2020 [^1]", "@doe2020 [see @roe_1999]", "—@doe2020—",
        "[@doe2020,]", "[@doe2020;]", "@DOE2020", "[*@doe2020*]",
    ]
    note = world.server.make_note("The same citations", *written)
    screen = world.person().opens("all", note)
    expect(lines(screen)).to_have_count(3)
    shown = screen.text.evaluate("""(text) => [...text.querySelectorAll("p")].map((line) => {
      const copy = line.cloneNode(true);
      for (const one of copy.querySelectorAll(".citation-source, .formula, .formula-source, .remark")) one.remove();
      return copy.textContent.trim();
    }).filter(Boolean)""")
    page = screen.page.evaluate(f"fetch('/api/notes/{note}/export?as=html').then((answer) => answer.text())")
    body = page[page.index("<main>"):page.index("<h2>References")]
    exported = [re.sub(r"<math.*?</math>", "", line, flags=re.S) for line in re.findall(r"<p[^>]*>(.*?)</p>", body, re.S)]
    exported = [re.sub(r"<[^>]+>", "", line).replace("&#39;", "'").replace("&quot;", '"').strip() for line in exported]
    assert shown == [line for line in exported if line], (shown, exported)


def test_a_work_is_completed_while_one_types(world: World):
    sources(world)
    note = world.server.make_note("It types citations", "")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.types("See [@")
    menu = screen.page.get_by_role("listbox", name="Reference to cite")
    expect(menu.get_by_role("option")).to_have_count(4)
    screen.types("more")
    expect(menu.get_by_role("option")).to_have_count(1)
    screen.looks("citing-completion")
    screen.presses("Enter")
    expect(menu).to_have_count(0)
    # The caret is before the bracket, for the page of the work; the reference is below.
    card = screen.page.locator(".citation-card")
    expect(card).to_contain_text("Doe, Jane. 2020. “More slots.”")
    screen.looks("citing-caret")
    screen.types(", p. 3] and @mul")
    expect(menu.get_by_role("option")).to_contain_text("Roe and Müller 1999")
    screen.presses("Enter")
    screen.types(" says. @al")
    expect(menu).to_have_count(0)
    screen.types("ice is no work.")
    expect(card).to_have_count(0)
    expect(screen.text.locator(".citation")).to_have_text(["(Doe 2020, p. 3)", "Roe and Müller (1999)"])
    screen.is_saved()
    assert world.server.text(note).strip() == "See [@doe2020more, p. 3] and @roe_1999 says. @alice is no work."
    # The caret goes into a citation with an arrow, and the written words are there.
    screen.presses("Home", *["ArrowRight"] * 6)
    expect(screen.text.locator(".citation-source.near")).to_be_visible()
    expect(screen.text.locator(".citation").first).to_be_hidden()
    expect(card).to_contain_text("More slots")
    screen.presses("Control+z")
    expect(lines(screen)).not_to_have_count(0)


def test_a_work_is_chosen_from_the_palette_and_the_menu(world: World):
    sources(world)
    note = world.server.make_note("It chooses works", "Words")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.presses("Control+End")
    screen.presses("Control+k")
    screen.types("Cite")
    screen.dialog.get_by_role("option", name="Cite…").click()
    field = screen.dialog.get_by_role("combobox", name="Cite a work")
    expect(field).to_be_focused()
    expect(screen.dialog.get_by_role("option")).to_have_count(4)
    problems = screen.dialog.locator("details")
    expect(problems.locator("summary")).to_have_text("1 problem in files of references")
    problems.locator("summary").click()
    expect(problems.locator("li")).to_contain_text("library.bib, line 6: “broken” is left out:")
    screen.is_accessible("citing-chooser")
    screen.looks("citing-chooser")
    field.focus()
    screen.types("slots")
    expect(screen.dialog.get_by_role("option")).to_have_count(2)
    screen.presses("ArrowDown", "Enter")
    expect(screen.text).to_contain_text("Words")
    screen.is_saved()
    wait_until(lambda: world.server.text(note).strip() == "Words [@doe2020more]")
    screen.types(" and /citation")
    screen.presses("Enter")
    expect(field).to_be_focused()
    screen.types("roe")
    expect(screen.dialog.get_by_role("option")).to_have_count(1)
    screen.presses("Enter")
    expect(lines(screen)).to_have_count(2)
    screen.is_saved()
    assert world.server.text(note).strip() == "Words [@doe2020more] and [@roe_1999]"


def test_without_references_the_dialog_says_what_to_do(world: World):
    world.server.call("DELETE", f"/notes/{sources(world)}")
    note = world.server.make_note("It has no works", "See [@doe2020].")
    screen = world.person(PHONE).opens("all", note, rows=False)
    expect(screen.text.locator(".citation-unknown")).to_have_attribute("title", "No file of references has the key “doe2020”.")
    expect(references(screen)).to_have_count(0)
    screen.text.click()
    screen.types(" /cit")
    screen.page.get_by_role("listbox", name="Put in").get_by_role("option", name="Citation").click()
    expect(screen.dialog.locator(".dialog-text")).to_contain_text("Insert a BibTeX (.bib) or CSL JSON (.csl.json) file into any note.")
    screen.looks("citing-nothing")
    screen.is_accessible("citing-nothing")
    screen.presses("Escape")
    # A file that comes is known at once.
    sources(world)
    expect(screen.text.locator(".citation")).to_have_text(["(Doe 2020)"])
    expect(lines(screen)).to_have_count(1)


def test_who_reads_comes_to_citations_by_tab(world: World):
    sources(world)
    note = world.server.make_note("It is read", "It fires [@doe2020; @roe_1999].")
    for device in (DESK, PHONE):
        screen = world.person(device).opens("all", note, rows=device is DESK)
        expect(lines(screen)).to_have_count(2)
        screen.chooses("More for this note", "Read")
        citation = screen.text.locator(".citation")
        expect(citation).to_have_attribute("tabindex", "0")
        expect(lines(screen).first).to_be_visible()
        citation.focus()
        card = screen.page.get_by_role("region", name="Preview of the reference")
        expect(card.locator("p")).to_have_count(2)
        expect(card).to_contain_text("Slots and seats")
        screen.looks(f"citing-reading-{'desk' if device is DESK else 'phone'}")
        screen.is_accessible(f"citing-reading-{'desk' if device is DESK else 'phone'}")
        screen.presses("Escape")
        expect(card).to_have_count(0)
        if device is DESK:
            citation.hover()
            expect(card).to_contain_text("Slots and seats")
    screen.page.emulate_media(media="print")
    expect(lines(screen).first).to_be_visible()
    expect(screen.text.locator(".citation")).to_be_visible()


def test_citations_follow_their_file(world: World):
    source = sources(world)
    note = world.server.make_note("It follows a file", "It fires [@doe2020] and [@late1].")
    screen = world.person().opens("all", note)
    expect(screen.text.locator(".citation")).to_have_text(["(Doe 2020)"])
    other = world.server.make_note_with_files("Later sources", ("z.csl.json", b'[{"id": "late1", "type": "book", "title": "Late", "author": [{"family": "Late"}]}]'))
    expect(screen.text.locator(".citation")).to_have_text(["(Doe 2020)", "(Late n.d.)"])
    world.server.call("DELETE", f"/notes/{source}")
    expect(screen.text.locator(".citation")).to_have_text(["(Late n.d.)"])
    world.server.call("POST", f"/notes/{source}/restore")
    expect(screen.text.locator(".citation")).to_have_text(["(Doe 2020)", "(Late n.d.)"])
    world.server.call("DELETE", f"/notes/{other}")
    # A text that is shown in another has short forms, too.
    outer = world.server.make_note("It shows one that cites", paragraph("!", link("It follows a file", note)))
    screen.goes_to("all", outer)
    expect(screen.text.locator(".embed .citation")).to_have_text(["(Doe 2020)"])


def test_short_forms_stay_while_the_server_is_away(world: World):
    sources(world)
    note = world.server.make_note("It cites offline", "It fires [@doe2020].")
    person = world.person()
    screen = person.opens("all", note)
    screen.expects(*LOST)
    expect(lines(screen)).to_have_count(1)
    offline_ready(screen)
    screen.reloads()
    expect(lines(screen)).to_have_count(1)
    person.goes_offline()
    screen.reloads()
    expect(screen.text.locator(".citation")).to_have_text(["(Doe 2020)"])
    expect(lines(screen)).to_have_count(1)
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" More words.")
    expect(screen.text.locator(".citation")).to_have_text(["(Doe 2020)"])
    person.goes_offline(False)
    screen.is_saved()
