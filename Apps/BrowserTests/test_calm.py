"""A calm page: one line above the text, writing without distraction, and how texts and lists look."""

from playwright.sync_api import expect

from world import PHONE, World, wait_until

TABLET = {"viewport": {"width": 820, "height": 1180}, "has_touch": True}


def top_of_text(screen) -> float:
    return screen.text.locator("p").first.bounding_box()["y"]


def test_the_text_begins_soon_and_the_facts_unfold(world: World):
    note = world.server.make_note("Seeds", "They want warmth.", keywords=["seedbed"])
    desk = world.person(unfolds=False).opens("all", note)
    assert top_of_text(desk) <= 175, top_of_text(desk)
    line = desk.page.locator(".facts-line")
    expect(line).to_contain_text("seedbed")
    expect(desk.button("Review")).to_be_hidden()
    desk.is_accessible("facts folded")
    desk.looks("calm-desk")
    line.click()
    expect(desk.button("Review")).to_be_visible()
    desk.is_accessible("facts unfolded")
    # It stays so, in other notes, too.
    desk.reloads()
    expect(desk.button("Review")).to_be_visible()
    tablet = world.person(TABLET, unfolds=False).opens("all", note)
    assert top_of_text(tablet) <= 0.2 * 1180, top_of_text(tablet)
    tablet.looks("calm-tablet")


def test_the_line_one_writes_in_stays_in_the_middle(world: World):
    note = world.server.make_note("Long", *[f"Line {number} of a long text." for number in range(60)])
    screen = world.person().opens("all", note)
    screen.presses("Alt+f")
    screen.presses("Control+End")
    screen.types(" More.")

    def caret() -> float:
        return screen.page.evaluate("""() => {
            const { top } = getSelection().getRangeAt(0).getBoundingClientRect();
            const room = document.querySelector(".page-scroll").getBoundingClientRect();
            return (top - room.top) / room.height;
        }""")

    wait_until(lambda: 0.35 < caret() < 0.55, caret, meanwhile=screen.page)
    screen.presses("Enter")
    screen.types("And another line")
    wait_until(lambda: 0.35 < caret() < 0.55, caret, meanwhile=screen.page)
    screen.is_saved()


def test_words_are_counted_towards_a_goal_and_in_a_selection(world: World):
    note = world.server.make_note("Counted", "one two three four")
    screen = world.person().opens("all", note)
    expect(screen.page.locator("#facts")).to_contain_text("4 words")
    screen.text.click()
    screen.presses("Control+End", "Control+Shift+ArrowLeft", "Control+Shift+ArrowLeft")
    expect(screen.page.locator("#facts")).to_contain_text("2 of 4 words")
    screen.presses("Alt+f")
    foot = screen.page.locator(".writing-foot")
    expect(foot).to_contain_text("2 of 4 words")
    foot.get_by_role("button", name="Set a goal").click()
    screen.dialog.get_by_label("Number of words").fill("3")
    screen.button("Set", screen.dialog).click()
    expect(foot).to_contain_text("0 of 3")
    screen.text.click()
    screen.presses("Control+End")
    screen.types(" five six seven")
    expect(foot).to_contain_text("3 of 3, done")
    screen.is_accessible("a goal")
    screen.looks("calm-focus")


def test_typeface_size_and_rows_are_chosen_and_stay(world: World):
    note = world.server.make_note("Chosen", "Some words.")
    screen = world.person().opens("all", note)
    serif = screen.text.evaluate("(text) => getComputedStyle(text).fontFamily")
    roomy = screen.row("Chosen").bounding_box()["height"]
    screen.chooses("Settings and help", "Appearance…")
    screen.is_accessible("appearance")
    for group, value in (("Typeface of texts", "Sans serif"), ("Size of texts", "Large"), ("Width of texts", "Narrow"), ("Lines of texts", "Loose"), ("Rows of lists", "Compact")):
        button = screen.dialog.get_by_role("group", name=group).get_by_role("button", name=value)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
    screen.looks("calm-appearance")
    screen.button("Done", screen.dialog).click()

    def looks() -> None:
        style = screen.text.evaluate("(text) => { const { fontFamily, fontSize, lineHeight } = getComputedStyle(text); return [fontFamily, parseFloat(fontSize), parseFloat(lineHeight)]; }")
        assert style[0] != serif and style[1] == 22 and style[2] > 40, style
        assert screen.row("Chosen").bounding_box()["height"] < roomy * 0.6
        assert screen.page.locator(".sheet").bounding_box()["width"] < 640

    looks()
    screen.reloads()
    looks()
    screen.is_accessible("compact rows")


def test_a_phone_has_the_choices_too(world: World):
    world.server.make_note("On a phone", "Some words.")
    screen = world.person(PHONE).opens("all")
    screen.button("Back to folders").tap()
    screen.chooses("Settings and help", "Appearance…")
    screen.is_accessible("appearance on a phone")
    screen.looks("calm-phone-appearance")
    screen.button("Compact", screen.dialog).click()
    screen.button("Done", screen.dialog).click()
