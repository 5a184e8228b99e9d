"""Formulas and diagrams, which the page draws from words of the text, and headings of all six levels."""

from playwright.sync_api import expect

from server import heading, paragraph
from test_together import LOST, offline_ready
from world import DESK, PHONE, World, wait_until

FLOW = "flowchart LR\n  A[Idea] --> B[Note]"


def code(language: str, text: str):
    return {"type": "codeBlock", "attrs": {"language": language}} | ({"content": [{"type": "text", "text": text}]} if text else {})


def lines(world: World, note: str) -> list[str]:
    """The blocks of a note as words, code with its language before it."""
    def words(node):
        return node.get("text", "") + "".join(words(child) for child in node.get("content", []))
    blocks = world.server.note(note)["document"]["content"]
    return [f"{block.get('attrs', {}).get('language', '')}: {words(block)}" if block["type"] == "codeBlock" else words(block) for block in blocks]


def begins_writing(world: World, title: str, device=DESK):
    screen = world.person(device).opens("all", rows=False)
    note = screen.new_note(title)
    screen.presses("Enter")
    expect(screen.text).to_be_focused()
    return screen, note


def test_formulas_and_diagrams_are_drawn(world: World):
    note = world.server.make_note(
        "Drawn", r"Euler: $e^{i\pi} + 1 = 0$ for $5 or $6.", r"$$\int_0^1 x\,dx$$", code("math", "a &= b \\\\\n &= c".join(["\\begin{aligned}", "\\end{aligned}"])),
        code("mermaid", FLOW), "The end.")
    for device, scheme in ((DESK, "light"), (DESK, "dark"), (PHONE, "light"), (PHONE, "dark")):
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        expect(screen.text.locator(".formula .katex")).to_have_count(2)
        expect(screen.text.locator(".formula-block .katex")).to_have_count(1)
        expect(screen.text.locator(".formula math annotation").first).to_have_text(r"e^{i\pi} + 1 = 0")
        diagram = screen.text.locator(f".diagram img.diagram-{scheme}")
        expect(diagram).to_be_visible()
        assert diagram.evaluate("async (picture) => { await picture.decode(); return picture.naturalWidth; }") > 100
        assert "A[Idea]" in diagram.get_attribute("alt")
        expect(screen.text.locator(".drawn-source").first).to_be_hidden()
        expect(screen.text).to_contain_text("for $5 or $6.")
        screen.is_accessible(f"formulas, {scheme}")
        screen.looks(f"drawn-{'phone' if device is PHONE else 'desk'}-{scheme}")


def test_a_page_without_formulas_loads_nothing_for_them(world: World):
    note = world.server.make_note("Plain", "Costs $5 or $6.")
    person = world.person(service_workers="block")
    asked = []
    person.context.on("request", lambda request: asked.append(request.url))
    screen = person.opens("all", note)
    screen.expects("registration blocked")
    expect(screen.text).to_contain_text("Costs")
    assert not [url for url in asked if "katex" in url or "mermaid" in url or "diagramFrame" in url], asked


def test_a_formula_is_drawn_as_one_types_and_one_undo_leaves_it_as_words(world: World):
    screen, note = begins_writing(world, "Typed formula")
    screen.types("Area $x^2$")
    # The source is there while the caret touches it, and the drawing below.
    expect(screen.text.locator(".formula-source")).to_be_visible()
    expect(screen.text.locator(".formula .katex")).to_be_visible()
    screen.types(" ")
    expect(screen.text.locator(".formula-source")).to_be_hidden()
    screen.looks("formula-typed")
    screen.presses("Control+z")
    expect(screen.text.locator(".formula")).to_have_count(0)
    expect(screen.text).to_contain_text("Area $\u2060x^2$")
    screen.types("and $y$ too.")
    expect(screen.text.locator(".formula .katex")).to_have_count(1)
    screen.is_saved()
    assert lines(world, note) == ["Area $\u2060x^2$ and $y$ too."]
    screen.reloads()
    expect(screen.text.locator(".formula .katex")).to_have_count(1)
    exported = screen.page.request.get(f"/api/notes/{note}/export?as=markdown").text()
    assert r"Area \$x^2\$ and $y$ too." in exported, exported


def test_what_costs_something_is_no_formula(world: World):
    screen, note = begins_writing(world, "Prices")
    screen.types("From $5 to $6, $ a$ and $b $, $1$2, ")
    expect(screen.text.locator(".formula")).to_have_count(0)
    screen.types("`$a$` and [[$b$]] ")
    screen.presses("Escape")
    expect(screen.text.locator(".formula")).to_have_count(0)


def test_arrows_and_clicks_lead_into_a_formula_and_out(world: World):
    note = world.server.make_note("Into a formula", "One $a+b$ two.", code("math", "c"), "Last line.")
    screen = world.person().opens("all", note)
    source = screen.text.locator(".formula-source")
    screen.text.click(position={"x": 4, "y": 12})
    screen.presses("Home", *["ArrowRight"] * 5)
    expect(source).to_be_visible()
    screen.types("2")
    screen.presses("End")
    expect(source).to_be_hidden()
    expect(screen.text.locator(".formula math annotation")).to_have_text("2a+b")
    # Down into the block, whose source was hidden, and on.
    screen.presses("ArrowDown")
    expect(screen.text.locator("pre")).to_be_visible()
    screen.types("d + ")
    expect(screen.text.locator(".formula-block math annotation")).to_have_text("d + c")
    screen.looks("formula-block-edited")
    screen.presses("End", "ArrowRight")
    expect(screen.text.locator("pre")).to_be_hidden()
    screen.types("The ")
    # A key that would join the paragraph to the hidden source shows the source instead.
    screen.presses("Home", "Backspace")
    expect(screen.text.locator("pre")).to_be_visible()
    screen.presses("ArrowRight")
    expect(screen.text.locator("pre")).to_be_hidden()
    screen.text.locator(".formula .base").first.click()
    expect(source).to_be_visible()
    screen.types("-1")
    screen.text.locator(".formula-block .base").first.click()
    screen.types("+e")
    screen.is_saved()
    assert lines(world, note) == ["One $2a+b-1$ two.", "math: d + c+e", "The Last line."]
    screen.is_accessible("in a formula")


def test_a_wrong_formula_says_so_and_keeps_its_source(world: World):
    for device in (DESK, PHONE):
        note = world.server.make_note("Wrong", r"See $\frac{1}{$ and $\foo x$.", code("math", "x^1^2"), code("mermaid", "flowchart LR\n  A -->"), code("mermaid", "Hello"))
        screen = world.person(device).opens("all", note, rows=device is DESK)
        wrong = screen.text.locator(".drawn-complaint")
        expect(wrong).to_have_text([
            "A closing } is missing.", r"There is no command \foo.", "Two superscripts at one place: put the first part in { }.",
            "Line 2 of the diagram cannot be read.", "The first line must name the kind of diagram, such as “flowchart LR”, “sequenceDiagram” or “pie”."])
        expect(screen.text.locator(".formula code")).to_have_text([r"$\frac{1}{$", r"$\foo x$"])
        # The source of a block is there to be mended.
        expect(screen.text.locator("pre:visible")).to_have_count(3)
        screen.is_accessible("wrong formulas")
        screen.looks(f"formulas-wrong-{'phone' if device is PHONE else 'desk'}")
        screen.text.locator("pre").last.click()
        screen.presses("Control+Home" if device is PHONE else "Home")
    assert lines(world, note)[1] == "math: x^1^2"


def test_signs_alone_make_a_block(world: World):
    screen, note = begins_writing(world, "Blocks typed")
    screen.types("$$x^2$$")
    expect(screen.text.locator(".formula-block .katex")).to_be_visible()
    screen.presses("Control+z")
    expect(screen.text.locator("pre")).to_have_count(0)
    expect(screen.text).to_contain_text("$$x^2$$")
    screen.presses("Control+End", "Enter")
    screen.types("$$")
    screen.presses("Enter")
    screen.types("y")
    screen.presses("Enter")
    screen.types("+z")
    expect(screen.text.locator(".formula-block math annotation")).to_have_text("y\n+z")
    screen.is_saved()
    assert lines(world, note)[:2] == ["$$x^2$$", "math: y\n+z"], lines(world, note)


def test_formulas_diagrams_and_small_headings_are_put_in(world: World):
    screen, note = begins_writing(world, "Put in")
    screen.types("/formula")
    expect(screen.page.locator(".slash .choice-name")).to_have_text(["Formula", "Formula block"])
    screen.presses("Enter")
    screen.types("E=mc^2")
    screen.presses("End", "Enter")
    screen.types("/diagram")
    screen.presses("Enter")
    expect(screen.text.locator(".diagram img")).to_be_visible()
    screen.types("pie\n\"Notes\": 3")
    expect(screen.text.locator(".diagram img")).to_have_attribute("alt", "Diagram (pie chart): pie\n\"Notes\": 3")
    screen.looks("diagram-edited")
    screen.presses("Control+End")
    screen.presses("ArrowDown")
    for level in (4, 5, 6):
        screen.types(f"/heading {level}")
        screen.presses("Enter")
        screen.types(f"Level {level}")
        screen.presses("Enter")
    screen.types("##### Typed")
    expect(screen.text.locator("h4, h5, h6")).to_have_text(["Level 4", "Level 5", "Level 6", "Typed"])
    screen.is_saved()
    assert lines(world, note) == ["$E=mc^2$", 'mermaid: pie\n"Notes": 3', "Level 4", "Level 5", "Level 6", "Typed"], lines(world, note)
    screen.looks("headings-small")


def test_a_hostile_formula_or_diagram_runs_nothing(world: World):
    note = world.server.make_note(
        "Hostile", r"$\href{javascript:window.hacked=1}{x}$ $\htmlData{a=b}{x}$ $\includegraphics{https://evil.invalid/a.png}$ $\url{javascript:hacked=1}$",
        code("math", r"\def\a{\a\a}\a"),
        code("mermaid", 'flowchart LR\n  A["<img src=x onerror=\'parent.hacked=1\'>"] --> B["<script>parent.hacked=1</script>"]\n  click A "javascript:parent.hacked=1"\n  click B call hack()'),
        code("mermaid", '%%{init: {"securityLevel": "loose", "htmlLabels": true, "themeCSS": "@import url(https://evil.invalid/a.css); * { background: url(https://evil.invalid/b.png) }"}}%%\nflowchart LR\n  A["<iframe src=https://evil.invalid></iframe>"] --> B\n  click A "javascript:parent.hacked=1"'),
        code("mermaid", 'sequenceDiagram\n  participant A as <img src=x onerror=parent.hacked=1>\n  A->>A: <svg onload=parent.hacked=1>'))
    person = world.person()
    asked = []
    person.context.on("request", lambda request: asked.append(request.url))
    screen = person.opens("all", note)
    screen.expects("Content Security Policy", "Refused to", "violates the following")
    wait_until(lambda: screen.page.evaluate("document.querySelectorAll('.diagram :is(img, .drawn-complaint)').length") == 3, meanwhile=screen.page)
    for picture in screen.text.locator(".diagram img").all():
        picture.click()
    expect(screen.text.locator(".formula-block .drawn-complaint")).to_be_attached()
    assert screen.page.evaluate("window.hacked") is None
    assert screen.text.locator("a, iframe, script, .drawn svg:not(.katex svg)").count() == 0
    assert not [url for url in asked if "evil" in url], asked
    assert all(frame.evaluate("window.hacked") is None for frame in screen.page.frames)


def test_long_formulas_and_diagrams_are_not_drawn(world: World):
    note = world.server.make_note("Long", f"$a{'+a' * 1500}$", code("math", "x" + "+x" * 6000), code("mermaid", "flowchart LR\n" + "  A --> B\n" * 3000))
    screen = world.person().opens("all", note)
    expect(screen.text.locator(".drawn-complaint")).to_have_text([
        "The formula is too long: 12,001 characters, at most 10,000 are drawn.", "The diagram is too long: 30,013 characters, at most 20,000 are drawn."])
    expect(screen.text.locator(".formula")).to_have_count(0)


def test_formulas_and_diagrams_are_drawn_without_a_network(world: World):
    plain = world.server.make_note("Seen before", "Words.")
    note = world.server.make_note("Drawn in the tunnel", "So $x^2$.", code("mermaid", FLOW))
    person = world.person()
    screen = person.opens("all", note)
    offline_ready(screen)
    screen.goes_to("all", plain)
    screen.reloads()
    kept = """async () => {
        const cache = await caches.open("slipbox-shell-1");
        const files = await (await fetch("/vendor/drawing.json")).json();
        return (await Promise.all(files.map((file) => cache.match(file)))).every(Boolean);
    }"""
    wait_until(lambda: screen.page.evaluate(kept), lambda: "Not all is kept.", seconds=90, meanwhile=screen.page)
    screen.goes_to("all", note)
    screen.expects(*LOST)
    person.goes_offline()
    screen.reloads()
    expect(screen.text.locator(".formula .katex")).to_be_visible()
    expect(screen.text.locator(".diagram img")).to_be_visible()


def test_paper_and_readers_see_the_drawings_in_light_colours(world: World):
    note = world.server.make_note("On paper", "$a$", code("math", "b"), code("mermaid", FLOW))
    screen = world.person(color_scheme="dark").opens("all", note)
    expect(screen.text.locator(".diagram .diagram-dark")).to_be_visible()
    screen.text.click()
    screen.presses("Control+Home")
    screen.page.emulate_media(media="print")
    expect(screen.text.locator(".formula-source, pre").locator("visible=true")).to_have_count(0)
    expect(screen.text.locator(".formula .katex")).to_be_visible()
    expect(screen.text.locator(".diagram-light")).to_be_visible()
    expect(screen.text.locator(".diagram-dark")).to_be_hidden()
    screen.page.emulate_media(media="screen")
    screen.chooses("More for this note", "Read")
    expect(screen.text).to_have_attribute("contenteditable", "false")
    expect(screen.text.locator(".formula-source, pre").locator("visible=true")).to_have_count(0)
    screen.text.locator(".formula .base").first.click()
    expect(screen.text.locator(".formula-source")).to_be_hidden()


def test_a_page_that_becomes_dark_draws_its_diagrams_anew(world: World):
    note = world.server.make_note("Evening", code("mermaid", FLOW))
    screen = world.person(color_scheme="light").opens("all", note)
    expect(screen.text.locator(".diagram-light")).to_be_visible()
    screen.page.emulate_media(color_scheme="dark")
    expect(screen.text.locator(".diagram-dark")).to_be_visible()
    expect(screen.text.locator(".diagram-light")).to_be_hidden()


def test_formulas_are_found_exported_and_pasted(world: World):
    note = world.server.make_note("Out and in", r"So $\alpha+1$ is.", code("math", "b"))
    screen = world.person().opens("all", note)
    expect(screen.text.locator(".formula .katex")).to_be_visible()
    page = screen.page.request.get(f"/api/notes/{note}/export?as=html").text()
    assert r'<annotation encoding="application/x-tex">\alpha+1</annotation>' in page and "<math display=\"block\">" in page
    assert screen.page.request.get(f"/api/notes/{note}/export?as=markdown").text().endswith("So $\\alpha+1$ is.\n\n$$\nb\n$$\n")
    screen.text.click(position={"x": 4, "y": 12})
    screen.presses("Control+f")
    screen.types("alpha")
    expect(screen.text.locator(".formula-source.chosen-match")).to_be_visible()
    screen.presses("Escape")
    expect(screen.text).to_be_focused()
    page = '<p>Then <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>y</mi></mrow><annotation encoding="application/x-tex">y</annotation></semantics></math></span><span class="katex-html">y</span></span>.</p>'
    screen.presses("Control+Home")
    at_start = """() => import("/parts/panes.js").then(({ front }) => front().editor.state.selection.empty && front().editor.state.selection.from === 1)"""
    wait_until(lambda: screen.page.evaluate(at_start), meanwhile=screen.page)
    screen.page.evaluate("""(html) => {
        const data = new DataTransfer();
        data.setData("text/html", html);
        data.setData("text/plain", "Then y.");
        document.querySelector(".ProseMirror").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    }""", page)
    expect(screen.text.locator(".formula math annotation").first).to_have_text("y")
    screen.is_saved()
    assert lines(world, note)[0].startswith("Then $y$."), lines(world, note)


def test_an_earlier_version_shows_its_formulas(world: World):
    note = world.server.make_note("Earlier", "First $a$.")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" More.")
    screen.is_saved()
    screen.button("History of the note").click()
    expect(screen.dialog.locator(".formula .katex").first).to_be_visible()


def test_headings_of_all_levels_are_in_the_outline(world: World):
    note = world.server.make_note("Six levels", *[block for level in range(1, 7) for block in (heading(level, f"Level {level}"), paragraph("Words."))])
    for device in (DESK, PHONE):
        screen = world.person(device).opens("all", note, rows=device is DESK)
        sizes = screen.text.locator("h1, h2, h3, h4, h5, h6").evaluate_all("all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))")
        assert len(sizes) == 6 and sizes == sorted(sizes, reverse=True), sizes
        screen.is_accessible("six levels")
        screen.looks(f"headings-{'phone' if device is PHONE else 'desk'}")
