"""Files that a note shows: sounds and films play, drawings are pictures, PDFs have pages and are searched."""

import base64
import shutil
import struct

from playwright.sync_api import expect

from world import DESK, PHONE, World, wait_until

LOOKS = ((DESK, "light"), (DESK, "dark"), (PHONE, "light"), (PHONE, "dark"))


def name_of(device, scheme: str) -> str:
    return f"{'phone' if device is PHONE else 'desk'}-{scheme}"


def wav(seconds: int) -> bytes:
    """A sound of 8,000 steps a second."""
    samples = bytes(128 + (index // 20 % 2) * 20 for index in range(8_000 * seconds))
    form = struct.pack("<HHIIHH", 1, 1, 8_000, 8_000, 1, 8)
    return b"RIFF" + struct.pack("<I", 36 + len(samples)) + b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", len(samples)) + samples


def pdf(*pages: str, size=(300, 200)) -> bytes:
    """A page for each line of Latin letters."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(pages)))
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"]
    for index, words in enumerate(pages):
        content = f"BT /F1 18 Tf 20 {size[1] - 40} Td ({words}) Tj ET"
        objects += [f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size[0]} {size[1]}] /Contents {5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
                    f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"]
    file, places = "%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(file))
        file += f"{number} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(file)}\n%%EOF\n"
    return (file + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}").encode()


# Sets a mark in whatever page it can reach, and asks for something elsewhere.
SCRIPTED = b"""<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200" onload="document.documentElement.dataset.ran = 'yes'">
<style>rect { fill: teal }</style><rect width="300" height="200"/>
<script>document.documentElement.dataset.ran = 'yes'; try { parent.document.body.dataset.ran = 'yes'; } catch { }</script>
<image href="https://outside.example/picture.png" width="10" height="10"/>
<foreignObject width="100" height="50"><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="document.documentElement.dataset.ran = 'yes'"/></foreignObject>
</svg>"""

RECORD_FILM = """async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 160, height: 120 });
    const paint = canvas.getContext("2d");
    let step = 0;
    const painting = setInterval(() => { paint.fillStyle = `hsl(${step++ * 9} 60% 50%)`; paint.fillRect(0, 0, 160, 120); }, 40);
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: "video/webm" });
    const pieces = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    const ended = new Promise((done) => (recorder.onstop = done));
    recorder.start();
    await new Promise((done) => setTimeout(done, 1200));
    recorder.stop();
    await ended;
    clearInterval(painting);
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}"""


def is_ready(player) -> bool:
    return player.evaluate("player => player.readyState >= 1")


def test_a_sound_plays_in_the_note_and_jumps(world: World):
    note = world.server.make_note_with_files("A sound", ("Memo of Monday.wav", wav(60)), ("small.wav", wav(2)))
    for device, scheme in LOOKS:
        person = world.person(device, color_scheme=scheme)
        parts = []
        person.context.on("response", lambda answer, parts=parts: "/api/files/" in answer.url and parts.append((answer.status, answer.headers)))
        screen = person.opens("all", note, rows=device is DESK)
        player = screen.text.locator("audio").first
        wait_until(lambda: is_ready(player) and is_ready(screen.text.locator("audio").last), meanwhile=screen.page)
        assert round(player.evaluate("player => player.duration")) == 60
        expect(player).to_have_attribute("aria-label", "Memo of Monday.wav")
        player.evaluate("async (player) => { player.muted = true; player.currentTime = 45; await player.play(); }")
        wait_until(lambda: player.evaluate("player => player.currentTime") > 45.2, meanwhile=screen.page)
        player.evaluate("player => player.pause()")
        assert all(status == 206 and fields["content-type"] == "audio/wav" and fields["x-content-type-options"] == "nosniff" for status, fields in parts), parts
        assert parts
        screen.is_accessible(f"a sound, {scheme}")
        screen.looks(f"sound-{name_of(device, scheme)}")
    # Who types beside it goes on to hear it.
    screen.text.locator("p").last.click()
    screen.types("More")
    screen.is_saved()
    assert player.evaluate("player => player.currentTime") > 45
    with screen.page.expect_download() as download:
        screen.text.get_by_role("link", name="small.wav").click()
    assert open(download.value.path(), "rb").read() == wav(2)


def test_a_film_plays_in_the_note(world: World):
    screen = world.person().opens("all")
    film = base64.b64decode(screen.page.evaluate(RECORD_FILM))
    note = world.server.make_note_with_files("A film", ("Slips.webm", film))
    for device, scheme in LOOKS:
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        player = screen.text.locator("video")
        wait_until(lambda: is_ready(player), meanwhile=screen.page)
        assert player.evaluate("player => [player.videoWidth, player.videoHeight]") == [160, 120]
        player.evaluate("async (player) => { player.muted = true; await player.play(); }")
        wait_until(lambda: player.evaluate("player => player.currentTime") > 0.3, meanwhile=screen.page)
        screen.is_accessible(f"a film, {scheme}")
        screen.looks(f"film-{name_of(device, scheme)}")
    html = screen.page.request.get(f"/api/notes/{note}/export?as=html").text()
    page = world.person().context.new_page()
    page.set_content(html)
    wait_until(lambda: is_ready(page.locator("video")), meanwhile=page)
    page.close()


def test_a_sound_that_cannot_be_played_is_a_file(world: World):
    note = world.server.make_note_with_files("Broken", ("Broken.wav", b"RIFF\0\0\0\0WAVEfmt " + b"\xff" * 500), ("Page.mp3", b"<html><body>no sound"))
    screen = world.person().opens("all", note)
    expect(screen.text.locator(".file-word")).to_have_text("This cannot be played here. Its name above saves the file.")
    expect(screen.text.locator("audio")).to_have_count(0)
    with screen.page.expect_download() as download:
        screen.text.get_by_role("link", name="Page.mp3").click()
    assert download.value.suggested_filename == "Page.mp3"
    screen.is_accessible("a broken sound")


def test_no_script_of_a_drawing_runs(world: World):
    note = world.server.make_note_with_files("A drawing", ("Plan.svg", SCRIPTED))
    file = world.server.note(note)["files"][0]["id"]
    for device, scheme in LOOKS:
        person = world.person(device, color_scheme=scheme)
        asked = []
        # What a policy stops does not come here.
        person.context.route("https://outside.example/**", lambda route, asked=asked: (asked.append(route.request.url), route.abort()))
        screen = person.opens("all", note, rows=device is DESK)
        image = screen.text.locator("figure.text-picture img")
        wait_until(lambda: image.evaluate("image => image.naturalWidth") == 300, meanwhile=screen.page)
        screen.looks(f"svg-{name_of(device, scheme)}")
        screen.text.locator(".text-picture-open").click()
        shown = screen.dialog.locator("img")
        wait_until(lambda: shown.evaluate("image => image.naturalWidth") == 300, meanwhile=screen.page)
        assert screen.page.evaluate("document.querySelectorAll('[data-ran]').length") == 0
        assert screen.page.evaluate("document.querySelectorAll('svg script, foreignObject').length") == 0
        # In a tab of its own.
        tab = person.context.new_page()
        answer = tab.goto(f"/api/files/{file}")
        assert answer.headers["content-type"] == "image/svg+xml" and "sandbox" in answer.headers["content-security-policy"]
        assert tab.evaluate("document.documentElement.localName") == "svg"
        tab.wait_for_timeout(300)
        assert tab.evaluate("document.documentElement.dataset.ran") is None
        tab.close()
        assert asked == [], asked


def test_a_drawing_that_is_chosen_is_a_picture(world: World):
    screen = world.person().opens("all")
    note = screen.new_note("Chosen drawing")
    screen.presses("Enter")
    with screen.page.expect_file_chooser() as chooser:
        screen.page.get_by_role("toolbar", name="Text style").get_by_role("button", name="Picture", exact=True).click()
    chooser.value.set_files([{"name": "Plan.svg", "mimeType": "image/svg+xml", "buffer": SCRIPTED}])
    expect(screen.text.locator("figure.text-picture")).to_be_visible()
    screen.is_saved()
    assert [file["type"] for file in world.server.note(note)["files"]] == ["image/svg+xml"]


def test_the_pages_of_a_pdf_are_turned_in_the_note(world: World):
    note = world.server.make_note_with_files("A letter", ("Letter.pdf", pdf("The first page", "The second page", "The third page")))
    for device, scheme in LOOKS:
        screen = world.person(device, color_scheme=scheme).opens("all", note, rows=device is DESK)
        screen.looks(f"pdf-closed-{name_of(device, scheme)}")
        opener = screen.button("Pages of Letter.pdf", screen.text)
        expect(opener).to_have_attribute("aria-expanded", "false")
        opener.click()
        page = screen.text.locator(".pdf-page img")
        wait_until(lambda: page.evaluate("image => image.complete && image.naturalWidth") == 1200, meanwhile=screen.page)
        expect(screen.text.get_by_role("status")).to_have_text("Page 1 of 3")
        first = page.get_attribute("src")
        screen.button("Next page", screen.text).click()
        expect(screen.text.get_by_role("status")).to_have_text("Page 2 of 3")
        assert page.get_attribute("src") != first
        screen.presses("End")
        expect(screen.text.get_by_role("status")).to_have_text("Page 3 of 3")
        expect(screen.button("Next page", screen.text)).to_have_attribute("aria-disabled", "true")
        screen.button("Next page", screen.text).click(force=True)
        expect(screen.text.get_by_role("status")).to_have_text("Page 3 of 3")
        screen.button("Previous page", screen.text).click()
        expect(screen.text.get_by_role("status")).to_have_text("Page 2 of 3")
        screen.is_accessible(f"a PDF, {scheme}")
        screen.looks(f"pdf-{name_of(device, scheme)}")
        screen.button("Show page 2 of Letter.pdf in full", screen.text).click()
        wait_until(lambda: screen.dialog.locator("img").evaluate("image => image.naturalWidth") == 2400, meanwhile=screen.page)
        screen.presses("Escape")
        opener.click()
        expect(page).to_have_count(0)


def test_a_damaged_pdf_says_so_and_can_be_saved(world: World):
    note = world.server.make_note_with_files("Damaged", ("Torn.pdf", b"%PDF-1.7 a letter"), ("Good.pdf", pdf("Good")))
    screen = world.person().opens("all", note)
    screen.expects("415")
    screen.button("Pages of Torn.pdf", screen.text).click()
    expect(screen.text.get_by_role("alert")).to_contain_text("The PDF cannot be read: it is damaged or locked with a password.")
    screen.button("Pages of Good.pdf", screen.text).click()
    expect(screen.text.get_by_role("status").last).to_have_text("Page 1 of 1")
    screen.is_accessible("a damaged PDF")
    with screen.page.expect_download() as download:
        screen.text.get_by_role("link", name="Torn.pdf").click()
    assert open(download.value.path(), "rb").read() == b"%PDF-1.7 a letter"


def test_the_words_of_a_pdf_are_found_and_its_name_is_told(world: World):
    if not shutil.which("pdftotext"):
        return print("    left out: pdftotext is not installed (Debian: poppler-utils)")
    note = world.server.make_note_with_files("Papers of the club", ("Minutes.pdf", pdf("Greetings", "The kumquat harvest was good")))
    wait_until(lambda: world.server.call("GET", "/notes?text=kumquat")["total"] == 1, lambda: "The text was not read.")
    for device, scheme in LOOKS:
        screen = world.person(device, color_scheme=scheme).opens("all")
        screen.page.get_by_role("combobox", name="Search notes").fill("kumquat")
        screen.shows("Papers of the club")
        row = screen.row("Papers of the club")
        expect(row.locator(".row-excerpt")).to_contain_text("in Minutes.pdf:")
        expect(row.locator("mark")).to_have_text(["kumquat"])
        screen.is_accessible(f"a search, {scheme}")
        screen.looks(f"pdf-found-{name_of(device, scheme)}")
    assert world.server.note(note)["title"] == "Papers of the club"


# The browser of these tests has no microphone, not even a false one: a tone takes its place.
MICROPHONE = """navigator.mediaDevices.getUserMedia = async () => {
    const context = new AudioContext();
    const end = context.createMediaStreamDestination();
    const tone = new OscillatorNode(context, { frequency: 220 });
    tone.connect(new GainNode(context, { gain: 0.2 })).connect(end);
    tone.start();
    await context.resume();
    return end.stream;
};"""
NO_MICROPHONE = """navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("", "%s"));"""


def begins_memo(screen) -> None:
    screen.types("/memo")
    screen.presses("Enter")
    expect(screen.dialog).to_be_visible()


def test_a_memo_is_recorded_into_the_note(world: World):
    for device, scheme in LOOKS:
        person = world.person(device, color_scheme=scheme)
        person.context.add_init_script(MICROPHONE)
        screen = person.opens("all", rows=device is DESK)
        note = world.server.make_note(f"Spoken on {name_of(device, scheme)}", "Before", "After")
        screen.goes_to("all", note, rows=device is DESK)
        screen.text.locator("p").first.click()
        screen.presses("End", "Enter")
        begins_memo(screen)
        expect(screen.dialog.get_by_role("timer")).to_have_text("0:02")
        screen.is_accessible(f"recording, {scheme}")
        screen.looks(f"memo-{name_of(device, scheme)}")
        screen.button("Stop and insert").click()
        player = screen.text.locator("audio")
        wait_until(lambda: player.count() == 1 and is_ready(player), meanwhile=screen.page)
        # A recording does not say how long it is, and the player finds out.
        wait_until(lambda: 1.5 < player.evaluate("player => player.duration === Infinity ? 0 : player.duration") < 30, meanwhile=screen.page)
        screen.is_saved()
        blocks = world.server.note(note)["document"]["content"]
        assert [block["type"] for block in blocks] == ["paragraph", "file", "paragraph"], blocks
        [file] = world.server.note(note)["files"]
        assert file["type"] == "audio/webm" and file["name"].startswith("Memo 2"), file
        screen.looks(f"memo-in-note-{name_of(device, scheme)}")


def test_a_memo_outlasts_a_server_that_went_away(world: World):
    person = world.person()
    person.context.add_init_script(MICROPHONE)
    screen = person.opens("all")
    note = world.server.make_note("Spoken offline", "")
    screen.goes_to("all", note)
    screen.text.click()
    begins_memo(screen)
    expect(screen.dialog.get_by_role("timer")).to_have_text("0:01")
    screen.expects("net::ERR_INTERNET_DISCONNECTED", "Failed to load resource", "net::ERR_FAILED")
    person.goes_offline()
    # Escape keeps what was recorded.
    screen.presses("Escape")
    expect(screen.dialog.get_by_role("alert")).to_contain_text("Slipbox cannot be reached. The memo is still here. Send it again, or save it on this device.")
    screen.is_accessible("a memo that waits")
    screen.looks("memo-waits")
    screen.presses("Escape")
    expect(screen.dialog).to_be_visible()
    with screen.page.expect_download() as download:
        screen.dialog.get_by_role("link", name="Save on this device").click()
    assert open(download.value.path(), "rb").read(4) == b"\x1a\x45\xdf\xa3"
    person.goes_offline(False)
    screen.button("Send again").click()
    expect(screen.text.locator("audio")).to_have_count(1)
    screen.is_saved()


def test_a_memo_without_a_microphone_says_why(world: World):
    note = world.server.make_note("Silent", "")
    for name, words in (("NotAllowedError", "The browser does not let Slipbox use the microphone. Allow it in the browser’s settings"), ("NotFoundError", "There is no microphone. Connect one"),
                        ("NotReadableError", "The microphone cannot be used now; another program may have it.")):
        person = world.person()
        person.context.add_init_script(NO_MICROPHONE % name)
        screen = person.opens("all", note)
        screen.text.click()
        begins_memo(screen)
        expect(screen.dialog.get_by_role("alert")).to_contain_text(words)
        screen.is_accessible("a memo without a microphone")
        screen.button("Record again").click()
        expect(screen.dialog.get_by_role("alert")).to_contain_text(words)
        screen.button("Close", screen.dialog.locator("footer")).click()
        expect(screen.dialog).to_have_count(0)
    answer = screen.page.request.get("/")
    assert answer.headers["permissions-policy"] == "camera=(), geolocation=(), microphone=(self)"


def stroke(screen, *points: tuple[float, float]) -> None:
    """Draws with the mouse; points are parts of the paper."""
    box = screen.page.locator(".sketch-paper").bounding_box()
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in points]
    screen.page.mouse.move(*places[0])
    screen.page.mouse.down()
    for place in places[1:]:
        screen.page.mouse.move(*place, steps=8)
    screen.page.mouse.up()


def strokes(screen):
    return screen.page.locator(".sketch-paper > g > g")


def test_a_drawing_is_made_and_changed(world: World):
    for device, scheme in LOOKS:
        screen = world.person(device, color_scheme=scheme).opens("all", rows=device is DESK)
        note = world.server.make_note(f"Drawn on {name_of(device, scheme)}", "Before", "After")
        screen.goes_to("all", note, rows=device is DESK)
        screen.text.locator("p").first.click()
        screen.presses("End", "Enter")
        screen.types("/drawing")
        screen.presses("Enter")
        expect(screen.button("Insert")).to_be_disabled()
        stroke(screen, (0.3, 0.3), (0.5, 0.5), (0.7, 0.3))
        screen.button("Red").click()
        screen.button("Broad").click()
        stroke(screen, (0.3, 0.6), (0.7, 0.6))
        expect(strokes(screen)).to_have_count(2)
        screen.button("Undo", screen.dialog).click()
        expect(strokes(screen)).to_have_count(1)
        screen.presses("Control+Shift+z")
        expect(strokes(screen)).to_have_count(2)
        # With keys alone.
        screen.button("Blue").click()
        screen.button("Thin").click()
        screen.page.locator(".sketch-paper").focus()
        screen.presses("Space", *["ArrowRight"] * 5, *["ArrowDown"] * 5, "Space")
        expect(strokes(screen)).to_have_count(3)
        screen.button("Eraser").click()
        stroke(screen, (0.5, 0.55), (0.5, 0.65))
        wait_until(lambda: "#c0262d" not in [one.get_attribute("stroke") for one in strokes(screen).all()], meanwhile=screen.page)
        left = strokes(screen).count()
        screen.presses("Control+z")
        expect(strokes(screen)).to_have_count(3)
        screen.presses("Control+y")
        expect(strokes(screen)).to_have_count(left)
        screen.presses("Control+z")
        screen.is_accessible(f"drawing, {scheme}")
        screen.looks(f"drawing-{name_of(device, scheme)}")
        screen.button("Insert").click()
        image = screen.text.locator("figure.text-picture img")
        wait_until(lambda: image.count() == 1 and image.evaluate("image => image.naturalWidth") == 1000, meanwhile=screen.page)
        screen.is_saved()
        [file] = world.server.note(note)["files"]
        assert file["type"] == "image/svg+xml" and file["name"].startswith("Drawing 2"), file
        screen.looks(f"drawing-in-note-{name_of(device, scheme)}")
        # It is opened again and changed.
        screen.text.locator("figure.text-picture").hover()
        screen.button("Change the drawing", screen.text).click()
        expect(strokes(screen)).to_have_count(3)
        screen.button("Green").click()
        stroke(screen, (0.2, 0.8), (0.8, 0.8))
        screen.button("Insert").click()
        expect(screen.dialog).to_have_count(0)
        screen.is_saved()
        wait_until(lambda: file["id"] not in [one["id"] for one in world.server.note(note)["files"]], meanwhile=screen.page)
        blocks = world.server.note(note)["document"]["content"]
        assert [block["type"] for block in blocks] == ["paragraph", "picture", "paragraph"], blocks
        drawn = screen.page.request.get(f"/api/files/{blocks[1]['attrs']['file']}").text()
        assert drawn.count("<g ") == 4 and "#1a7f37" in drawn and "<script" not in drawn, drawn[:500]


def test_a_pen_writes_with_its_pressure_and_a_hand_does_not(world: World):
    note = world.server.make_note("Pen", "")
    screen = world.person().opens("all", note)
    screen.text.click()
    screen.types("/drawing")
    screen.presses("Enter")
    box = screen.page.locator(".sketch-paper").bounding_box()
    session = screen.page.context.new_cdp_session(screen.page)

    def pen(kind: str, part: float, force: float) -> None:
        session.send("Input.dispatchMouseEvent", {
            "type": kind, "x": box["x"] + part * box["width"], "y": box["y"] + box["height"] / 2, "button": "left", "buttons": 1, "clickCount": 1,
            "pointerType": "pen", "force": force})

    pen("mousePressed", 0.2, 0.1)
    for step in range(20):
        pen("mouseMoved", 0.2 + step * 0.03, 0.1 + step * 0.045)
    pen("mouseReleased", 0.8, 0)
    expect(strokes(screen)).to_have_count(1)
    widths = [float(one.get_attribute("stroke-width")) for one in strokes(screen).locator("path").all()]
    assert len(set(widths)) >= 3 and max(widths) > 1.8 * min(widths), widths
    screen.looks("drawing-with-a-pen")
    # A hand that lies on the paper.
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": box["x"] + 50, "y": box["y"] + 50}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": box["x"] + 150, "y": box["y"] + 90}]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(strokes(screen)).to_have_count(1)
    # Escape asks before anything is lost.
    screen.presses("Escape")
    screen.button("Cancel", screen.dialog.last).click()
    expect(strokes(screen)).to_have_count(1)
    screen.presses("Escape")
    screen.button("Discard").click()
    expect(screen.dialog).to_have_count(0)
    screen.is_saved()
    assert world.server.note(note)["files"] == []


def test_a_drawing_outlasts_a_server_that_went_away(world: World):
    note = world.server.make_note("Drawn offline", "")
    person = world.person()
    screen = person.opens("all", note)
    screen.text.click()
    screen.types("/drawing")
    screen.presses("Enter")
    stroke(screen, (0.2, 0.2), (0.8, 0.8))
    screen.expects("net::ERR_INTERNET_DISCONNECTED", "Failed to load resource", "net::ERR_FAILED")
    person.goes_offline()
    screen.button("Insert").click()
    expect(screen.dialog.get_by_role("alert")).to_contain_text("The drawing is still here")
    person.goes_offline(False)
    screen.button("Send again").click()
    expect(screen.text.locator("figure.text-picture")).to_have_count(1)
    screen.is_saved()


def test_a_drawing_of_another_program_is_not_changed_here(world: World):
    note = world.server.make_note_with_files("Foreign", ("Drawing of somebody.svg", SCRIPTED))
    screen = world.person().opens("all", note)
    screen.text.locator("figure.text-picture").hover()
    screen.button("Change the drawing", screen.text).click()
    screen.says("“Drawing of somebody.svg” was not drawn here, so it cannot be changed here.")
    assert screen.page.evaluate("document.querySelectorAll('[data-ran]').length") == 0


def test_the_size_of_a_file_broke_beside_a_long_name(world: World):
    note = world.server.make_note_with_files("Long name", ("A very long name of a file " * 5 + ".bin", b"x" * 2000))
    for device in (DESK, PHONE):
        screen = world.person(device).opens("all", note)
        size = screen.text.get_by_text("2 KB", exact=True)
        expect(size).to_be_visible()
        assert size.evaluate("(element) => element.getClientRects().length === 1 && element.offsetHeight < 2 * parseFloat(getComputedStyle(element).fontSize)")
