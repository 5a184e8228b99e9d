"""Parts of the pages on their own, with many random examples."""

from world import World


def test_a_difference_turns_any_text_into_any_other(world: World):
    screen = world.person().opens()
    wrong = screen.page.evaluate("""async () => {
        const { getSchema, pm } = await import("/vendor/editor.js");
        const { extensionsFor, fromJSON, toJSON } = await import("/editor/schema.js");
        const { difference } = await import("/editor/difference.js");
        const schema = getSchema(extensionsFor({}));
        let seed = 7;
        const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
        const words = ["a", "aa", "ab", "b", "heron", "", "é"];
        const text = () => Array.from({ length: random(4) }, () => words[random(words.length)]).join(" ");
        const inline = () => {
            const content = text() ? [{ type: "text", text: text() || "x", ...(random(4) ? {} : { marks: [{ type: "bold" }] }) }] : [];
            return content;
        };
        const block = (depth = 0) => {
            const kind = random(depth > 1 ? 2 : 6);
            if (kind === 1) return { type: "heading", attrs: { level: 1 + random(3) }, content: inline() };
            if (kind === 2) return { type: "blockquote", content: blocks(depth + 1, 1) };
            if (kind === 3) return { type: "bulletList", content: [{ type: "listItem", content: [{ type: "paragraph", content: inline() }] }] };
            if (kind === 4) return { type: "taskList", content: [{ type: "taskItem", attrs: { checked: !random(2) }, content: [{ type: "paragraph", content: inline() }] }] };
            if (kind === 5) return { type: "horizontalRule" };
            return { type: "paragraph", content: inline() };
        };
        const blocks = (depth = 0, least = 1) => Array.from({ length: least + random(5) }, () => block(depth));
        const wrong = [];
        for (let turn = 0; turn < 1500; turn++) {
            const from = blocks();
            // Often most of it stays, as with real edits.
            const to = random(3) ? from.flatMap((one) => (random(4) ? [one] : random(2) ? [] : [block(), one])) : blocks();
            const doc = fromJSON(schema, { content: from });
            const wanted = fromJSON(schema, { content: to });
            const state = pm.state.EditorState.create({ doc });
            const change = difference(state, wanted);
            const result = change ? state.apply(change).doc : doc;
            if (!result.eq(wanted) || (change === null) !== doc.eq(wanted)) wrong.push([JSON.stringify(toJSON(doc)), JSON.stringify(toJSON(wanted)), JSON.stringify(toJSON(result))]);
        }
        return wrong.slice(0, 2);
    }""")
    assert not wrong, wrong


def test_the_caret_left_a_point_where_others_changed_those_around_it(world: World):
    screen = world.person().opens()
    place = screen.page.evaluate("""async () => {
        const { getSchema, pm } = await import("/vendor/editor.js");
        const { extensionsFor, fromJSON } = await import("/editor/schema.js");
        const { difference } = await import("/editor/difference.js");
        const schema = getSchema(extensionsFor({}));
        const item = (text) => ({ type: "listItem", content: [{ type: "paragraph", content: [{ type: "text", text }] }] });
        const list = (...lines) => fromJSON(schema, { content: [{ type: "bulletList", content: lines.map(item) }] });
        const doc = list("first", "second", "third");
        const state = pm.state.EditorState.create({ doc, selection: pm.state.TextSelection.create(doc, 15) });
        const { selection: { $from } } = state.apply(difference(state, list("first here", "second", "third there")));
        return [$from.parent.textContent, $from.parentOffset];
    }""")
    assert place == ["second", 3], place


def test_a_template_agrees_with_any_list_and_keeps_its_elements(world: World):
    screen = world.person().opens()
    wrong = screen.page.evaluate("""async () => {
        const { html, keyed, render } = await import("/view/template.js");
        let seed = 11;
        const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
        const box = document.createElement("div");
        let before = new Map();
        for (let turn = 0; turn < 1000; turn++) {
            const keys = [...Array(random(9)).keys()].map(() => random(12)).filter((key, index, all) => all.indexOf(key) === index);
            const mood = random(2) ? "calm" : null;
            render(html`<ul class=${mood}>${keys.map((key) => keyed(key, html`<li data-key=${key}>${random(3) ? [key, html`<b>${turn}</b>`] : key}</li>`))}</ul>${random(2) ? "tail" : null}`, box);
            const items = [...box.querySelectorAll("li")];
            if (items.map((item) => item.dataset.key).join() !== keys.join()) return ["order", keys.join(), box.innerHTML];
            if (items.some((item) => !item.textContent.startsWith(item.dataset.key))) return ["text", box.innerHTML];
            if (box.firstElementChild.getAttribute("class") !== mood) return ["attribute", box.innerHTML];
            for (const item of items) if (before.has(item.dataset.key) && before.get(item.dataset.key) !== item) return ["element", item.dataset.key];
            before = new Map(items.map((item) => [item.dataset.key, item]));
        }
        return null;
    }""")
    assert wrong is None, wrong


def test_what_the_editor_does_not_know_gives_way_to_the_words(world: World):
    screen = world.person().opens()
    texts = screen.page.evaluate("""async () => {
        const { getSchema } = await import("/vendor/editor.js");
        const { extensionsFor, fromJSON, toJSON, isKept, isSafe } = await import("/editor/schema.js");
        const schema = getSchema(extensionsFor({}));
        const read = (...content) => toJSON(fromJSON(schema, { content }));
        return {
            unknown: read({ type: "marquee", content: [{ type: "paragraph", content: [{ type: "text", text: "cell", marks: [{ type: "blink" }] }] }] }),
            misplaced: read({ type: "text", text: "loose" }),
            nothing: toJSON(fromJSON(schema, null)),
            unsafe: ["javascript:alert(1)", "JavaScript:1", "data:text/html,x", "note:zzz", "/etc"].filter((href) => isSafe(href) || isKept(href)),
            foreign: ["zotero://select/items/1", "tel:+49123", "https://example.org"].filter((href) => isKept(href) && !isSafe(href)),
            heights: read({ type: "paragraph", content: [{ type: "text", text: "6", marks: [{ type: "superscript" }] }, { type: "text", text: "2", marks: [{ type: "subscript" }] }] }),
        };
    }""")
    paragraph = {"type": "paragraph"}
    assert texts["unknown"] == {"version": 5, "type": "doc", "content": [paragraph | {"content": [{"type": "text", "text": "cell"}]}]}
    assert texts["misplaced"]["content"] == [paragraph | {"content": [{"type": "text", "text": "loose"}]}]
    assert texts["nothing"] == {"version": 5, "type": "doc", "content": [paragraph]}
    assert texts["unsafe"] == []
    assert texts["foreign"] == ["zotero://select/items/1", "tel:+49123"]
    assert [piece["marks"][0]["type"] for piece in texts["heights"]["content"][0]["content"]] == ["superscript", "subscript"]


def test_a_long_text_whose_every_line_has_changed_was_compared_for_half_a_minute(world: World):
    screen = world.person().opens()
    compared = screen.page.evaluate("""async () => {
        const { diffOf } = await import("/view/wordDiff.js");
        const lines = (letter) => Array.from({ length: 10 }, (_, at) => `${letter} `.repeat(900) + letter + at);
        return diffOf(lines("a"), lines("b")).map(({ pieces }) => pieces.some(({ kind }) => kind === "same"));
    }""")
    # Word by word as long as somebody would wait, then line by line.
    assert compared == [True] * 4 + [False] * 6


def test_code_of_apostrophes_was_looked_through_again_from_each(world: World):
    screen = world.person().opens()
    kinds = screen.page.evaluate("""async () => {
        const { coloursOf } = await import("/editor/colouring.js");
        const kinds = (code) => coloursOf(code, "javascript").map(({ kind }) => kind);
        return [kinds(`'${"a".repeat(150)}'`), kinds(`'${"\\\\'".repeat(5000)}`), kinds("'a' 'b")];
    }""")
    assert kinds == [["text"], [], ["text"]]


def test_a_map_of_ten_thousand_notes_moved_three_times_a_second(world: World):
    screen = world.person(reduced_motion="no-preference").opens()
    drawn = screen.page.evaluate("""async () => {
        const { Graph } = await import("/view/graph.js");
        const made = (count) => ({
            notes: Array.from({ length: count }, (_, index) => ({ id: String(index), title: `Note ${index}`, group: index })),
            links: Array.from({ length: count }, (_, index) => [index, (index * 7 + 1) % count]),
        });
        const turn = (isSo) => new Promise((resolve) => { const ask = () => (isSo() ? resolve() : setTimeout(ask, 20)); ask(); });
        const told = [];
        for (const count of [10_000, 100]) {
            const canvas = document.body.appendChild(document.createElement("canvas"));
            const graph = new Graph(canvas, made(count), { open() {}, look() {} });
            await turn(() => canvas.dataset.settled !== undefined && canvas.dataset.drawn !== undefined);
            graph.pan(10, 10);
            graph.paint();
            told.push(canvas.dataset.drawn);
            graph.worker.terminate();
            await turn(() => canvas.dataset.drawn === "finely");
            told.push(canvas.dataset.drawn);
            graph.end();
            canvas.remove();
        }
        return told;
    }""")
    # A large one is drawn roughly while it moves, and all of them finely when they stand.
    assert drawn == ["roughly", "finely", "finely", "finely"], drawn


def test_a_map_moved_for_whoever_wants_nothing_to_move(world: World):
    screen = world.person().opens()
    seen = screen.page.evaluate("""async () => {
        const { Graph } = await import("/view/graph.js");
        const count = 500;
        const map = {
            notes: Array.from({ length: count }, (_, index) => ({ id: String(index), title: `Note ${index}`, group: index })),
            links: Array.from({ length: count }, (_, index) => [index, (index * 7 + 1) % count]),
        };
        const canvas = document.body.appendChild(document.createElement("canvas"));
        const graph = new Graph(canvas, map, { open() {}, look() {} });
        const seen = [];
        await new Promise((resolve) => {
            graph.worker.onmessage = ({ data }) => {
                graph.moved(data);
                graph.paint();
                seen.push([data.isDone, canvas.dataset.drawn !== undefined]);
                if (data.isDone) resolve();
            };
        });
        graph.end();
        canvas.remove();
        return seen;
    }""")
    assert len(seen) > 1 and all(is_done == is_drawn for is_done, is_drawn in seen), seen


def test_two_notes_side_by_side_on_a_map_had_one_name(world: World):
    screen = world.person(reduced_motion="no-preference").opens()
    names = screen.page.evaluate("""async () => {
        const { Graph } = await import("/view/graph.js");
        const canvas = document.body.appendChild(document.createElement("canvas"));
        const map = { notes: ["Herons at the lake", "Otters at the lake"].map((title) => ({ id: title, title, group: 0 })), links: [] };
        const graph = new Graph(canvas, map, { open() {}, look() {} });
        graph.worker.terminate();
        graph.isFitted = false;
        graph.places = new Float32Array([-10, 0, 10, 0]);
        const names = [];
        canvas.getContext("2d").fillText = (name) => names.push(name);
        graph.paint();
        graph.end();
        canvas.remove();
        return names.sort();
    }""")
    assert names == ["Herons at the lake", "Otters at the lake"], names
