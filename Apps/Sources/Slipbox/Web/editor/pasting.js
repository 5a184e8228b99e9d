// What comes from other programs, said in the elements our schema knows.
//
//   <span style="font-weight:700">a</span>     <strong>a</strong>
//   <b style="font-weight:normal">b</b>        <span>b</span>        Google Docs wraps all it copies in one
//   <td><p>Pears<p>sweet</td>                  <td>Pears<br>sweet</td>            a cell is one line
//   <p style="mso-list:…">·  Pears</p>         <ul><li>Pears</ul>    Word
//
// Styles have to become elements here: our strict policy blocks them before the editor looks, and says so.

import { picturesOf } from "./pictures.js";

const BLOCKS = "p, div, ul, ol, h1, h2, h3, h4, h5, h6, blockquote, pre, hr";

/// {html, pictures: files or promises of them, elsewhere: how many pictures lie where nothing is fetched from}.
export function readPasted(html) {
  // What was copied from a note is as it should be.
  if (html.includes("data-pm-slice")) return { html };
  const { body } = new DOMParser().parseFromString(withoutStyles(html), "text/html");
  for (const element of body.querySelectorAll("script, title, meta, template")) element.remove();
  readFormulas(body);
  markBoxes(body);
  const pictures = picturesOf(body);
  listsOfWord(body);
  for (const element of body.querySelectorAll("[data-style]")) styleToElements(element);
  for (const summary of body.querySelectorAll("summary")) rename(summary, "p");
  for (const list of body.querySelectorAll("ul")) markTasks(list);
  for (const raised of body.querySelectorAll("sup, sub")) raisedToText(raised);
  // The innermost first: mails are tables in tables.
  for (const table of [...body.querySelectorAll("table")].reverse()) readTable(table);
  return { html: body.innerHTML, ...pictures };
}

/// The page with the pictures that came with it, now that they are files; what stands below one is its caption.
export function withPictures(html, files) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  files.forEach((file, index) => {
    const picture = body.querySelector(`[data-coming="${index}"]`);
    picture?.removeAttribute("data-coming");
    if (!picture || !file) return;
    picture.setAttribute("src", `/api/files/${file.id}`);
    const figure = picture.closest("figure");
    const words = figure?.querySelectorAll("img").length === 1 ? figure.querySelector("figcaption") : null;
    const caption = words?.textContent.trim().replace(/\s+/g, " ") ?? "";
    if (!caption || caption.length > 1000) return;
    picture.dataset.caption = caption;
    words.remove();
  });
  return body.innerHTML;
}

/// Office programs add a picture of what they copy: with words and their form beside it, the words are meant.
export const isPicture = (transfer) =>
  !(transfer.getData("text/html") && transfer.getData("text/plain").trim());

// MARK: - Styles

const withoutStyles = (html) =>
  html.replace(/<style[\s\S]*?<\/style>/gi, "").replace(/<[^>]*>/g, (tag) => tag.replace(/\s(style|on[a-z]+)\s*=/gi, " data-$1="));

function styleToElements(element) {
  const style = stylesOf(element);
  element.removeAttribute("data-style");
  const weight = style.get("font-weight");
  const isHeading = element.closest("h1, h2, h3, h4, h5, h6");
  if (/^(normal|[1-4]00)$/.test(weight) && element.matches("b, strong")) element = rename(element, element.querySelector(BLOCKS) ? "div" : "span");
  if (style.get("font-style") === "normal" && element.matches("i, em")) element = rename(element, "span");
  if (!element.matches("span, a, font, code, u, s, em, i, b, strong")) return;
  if (/^(bold|bolder|[6-9]00)$/.test(weight) && !isHeading) wrapContents(element, "strong");
  if (style.get("font-style") === "italic") wrapContents(element, "em");
  const lines = `${style.get("text-decoration")} ${style.get("text-decoration-line")}`;
  if (lines.includes("line-through")) wrapContents(element, "s");
  if (lines.includes("underline") && !element.closest("a") && !element.querySelector("a")) wrapContents(element, "u");
  // Other backgrounds are those of the page that the words stand on.
  if (!/^(none|transparent|auto)?$/.test(style.get("mso-highlight") ?? "")) wrapContents(element, "mark");
  const raised = { super: "sup", sub: "sub" }[style.get("vertical-align")];
  if (raised) wrapContents(element, raised);
}

function stylesOf(element) {
  const rules = element.dataset.style.split(";").map((rule) => rule.split(":").map((part) => part.trim().toLowerCase()));
  return new Map(rules.filter(([, value]) => value));
}

function rename(element, name) {
  const renamed = element.ownerDocument.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
  return renamed;
}

function wrapContents(element, name) {
  const inner = element.ownerDocument.createElement(name);
  inner.append(...element.childNodes);
  element.append(inner);
}

// MARK: - Raised and lowered

const RAISED = signs("0123456789+-−=()abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ");
const LOWERED = signs("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ");

function signs(plain, raised) {
  return new Map([...plain].map((sign, index) => [sign, [...raised][index]]));
}

/// 10⁶ must not become 106. What has no such letters in all of it is framed, "x^(A/B)"; words do not change what stands
/// before them, as the "th" of "5th" or a sign of trade, which stay raised, and a mark that leads to a note at the foot stays a link.
function raisedToText(element) {
  const text = element.textContent.trim();
  // Small print is set in this way, too: it is on the line.
  if (text.length > 20 && !element.dataset.footnoteMark) return element.replaceWith(...element.childNodes);
  if (!text || element.dataset.footnoteMark || element.querySelector("a, img") || element.closest("a") || /^(\[.*\]|st|nd|rd|th|[™®©*†‡]+)$/.test(text)) return;
  const isRaised = element.localName === "sup";
  const known = isRaised ? RAISED : LOWERED;
  const letters = [...text].map((sign) => known.get(sign));
  element.replaceWith(letters.every(Boolean) ? letters.join("") : `${isRaised ? "^" : "_"}(${text})`);
}

// MARK: - Formulas

/// A formula of another page is its source in TeX, if it has that beside its MathML; HTMLBuilder does the same in Swift.
function readFormulas(body) {
  for (const annotation of body.querySelectorAll('math annotation[encoding="application/x-tex"]')) {
    const math = annotation.closest("math");
    const tex = annotation.textContent.trim().replace(/^\{\\(?:display|text)style\s*([^]*)\}$/, "$1").trim();
    if (!tex || tex.includes("$")) continue;
    const { ownerDocument } = body;
    const isBlock = math.getAttribute("display") === "block";
    const formula = ownerDocument.createElement(isBlock && tex.includes("\n") ? "pre" : "span");
    if (formula.localName === "pre") formula.append(Object.assign(ownerDocument.createElement("code"), { className: "language-math", textContent: tex }));
    else formula.textContent = isBlock ? `$$${tex}$$` : `$${tex.replace(/\s+/g, " ")}$`;
    // KaTeX and Wikipedia show a formula twice, once for screen readers.
    (math.closest(".katex-display") ?? math.closest(".katex, .mwe-math-element") ?? math).replaceWith(formula);
  }
}

// MARK: - Tasks and tables

/// Google Docs draws its boxes; those that others wrote come as inputs.
function markBoxes(body) {
  for (const item of body.querySelectorAll("li[role=checkbox]")) {
    item.querySelector("img")?.remove();
    const box = item.ownerDocument.createElement("input");
    box.type = "checkbox";
    box.toggleAttribute("checked", item.getAttribute("aria-checked") === "true");
    item.prepend(box);
  }
}

function markTasks(list) {
  const items = [...list.children].map((item) => [item, item.querySelector(":scope > input[type=checkbox], :scope > :is(p, label) > input[type=checkbox]")]);
  if (items.length === 0 || items.some(([, box]) => !box)) return;
  list.dataset.type = "taskList";
  for (const [item, box] of items) {
    Object.assign(item.dataset, { type: "taskItem", checked: String(box.checked) });
    box.remove();
  }
}

/// A table of a few words in each cell stays one; one that a page is laid out with becomes what is in it.
function readTable(table) {
  liftCaption(table);
  const cells = [...table.rows].flatMap((row) => [...row.cells]);
  const isLayout = cells.length < 2 || cells.some((cell) => cell.querySelector("table, ul, ol, pre, h1, h2, hr, blockquote") || cell.querySelectorAll(BLOCKS).length > 6);
  if (isLayout) return tableToLines(table);
  for (const cell of cells) {
    const blocks = [...cell.querySelectorAll(BLOCKS)];
    blocks.forEach((block) => {
      if (block.previousSibling && cell.textContent.trim()) block.before(cell.ownerDocument.createElement("br"));
      block.replaceWith(...block.childNodes);
    });
    const columns = Math.min(Number(cell.getAttribute("colspan")) || 1, 20);
    cell.removeAttribute("rowspan");
    cell.removeAttribute("colspan");
    for (let index = 1; index < columns; index++) cell.after(cell.ownerDocument.createElement(cell.localName));
  }
  for (const other of table.querySelectorAll("colgroup")) other.remove();
}

/// What a table is called stands above it.
function liftCaption(table) {
  for (const caption of table.querySelectorAll(":scope > caption")) {
    if (caption.textContent.trim()) table.before(rename(caption, "p"));
    caption.remove();
  }
}

function tableToLines(table) {
  const lines = [...table.rows].flatMap((row) => {
    const cells = [...row.cells];
    // A row that holds paragraphs and lists is the layout of a page, not a line of a table.
    if (cells.some(isPartOfPage)) return cells.flatMap((cell) => [...cell.childNodes]);
    return cells.some((cell) => cell.textContent.trim()) ? [lineOf(cells)] : [];
  });
  table.replaceWith(...lines);
}

/// Whether there is more in a cell than a paragraph.
function isPartOfPage(cell) {
  const blocks = [...cell.querySelectorAll(BLOCKS)];
  return blocks.length > 1 || blocks.some((block) => block.textContent.trim() !== cell.textContent.trim());
}

function lineOf(cells) {
  const line = cells[0].ownerDocument.createElement("p");
  cells.forEach((cell, index) => {
    if (index > 0) line.append(" | ");
    line.append(...(cell.querySelector(BLOCKS) ?? cell).childNodes);
  });
  return line;
}

// MARK: - Lists of Word
//
//   <p style="mso-list:l0 level2 lfo1"><span style="mso-list:Ignore">o  </span>Pears</p>      a paragraph with a sign

function listsOfWord(body) {
  let open = [];
  for (const paragraph of body.querySelectorAll("p[data-style]")) {
    const level = Number(/mso-list:\s*l\d+\s+level(\d+)/i.exec(paragraph.dataset.style)?.[1] ?? 0);
    if (level === 0) continue;
    const sign = takeSign(paragraph);
    const kind = /^\(?(\d+|[a-z]{1,5})[.)]/i.test(sign) ? "ol" : "ul";
    if (paragraph.previousElementSibling !== open[0]?.list) open = [];
    while (open.length > 0 && (open.at(-1).level > level || (open.at(-1).level === level && open.at(-1).kind !== kind))) open.pop();
    if (open.at(-1)?.level !== level) open.push({ level, kind, list: newList(paragraph, kind, sign, open.at(-1)?.list) });
    const item = paragraph.ownerDocument.createElement("li");
    open.at(-1).list.append(item);
    item.append(paragraph);
  }
}

function takeSign(paragraph) {
  const sign = [...paragraph.querySelectorAll("[data-style]")].find((element) => /mso-list:\s*ignore/i.test(element.dataset.style));
  sign?.remove();
  return sign?.textContent.trim() ?? "";
}

/// Inside the last item of the list it belongs to, or where the paragraph stands.
function newList(paragraph, kind, sign, outer) {
  const list = paragraph.ownerDocument.createElement(kind);
  const start = Number.parseInt(sign.replace("(", ""), 10);
  if (start > 1) list.setAttribute("start", start);
  if (outer) outer.lastElementChild.append(list);
  else paragraph.before(list);
  return list;
}

// MARK: - Markdown and plain text

const SIGNS = [/^#{1,6} \S/m, /^\s*[-*+] \S.*\n\s*[-*+] \S/m, /^\s*[-*+] \[[ x]\] /m, /^\s*1[.)] \S.*\n\s*2[.)] \S/m, /^(```|~~~)/m, /^> \S/m, /\[[^\]\n]+\]\((https?:|mailto:)[^)\s]+\)/, /\[\[[^\]\n]+\]\]/, /\*\*\S[^*\n]*\*\*/, /^\|.*\|\s*\n\|[\s:|-]+\|/m, /^\[\^[^\s\]]+\]: /m, /^> ?\[![\w-]+\]/m, /^\$\$[^$]+\$\$\s*$/m];

export const looksLikeMarkdown = (text) => text.length < 900_000 && (HEAD.test(text) || SIGNS.some((sign) => sign.test(text)));

/// The lines that other programs keep before a text: a rule and a heading, if they were read as Markdown.
const HEAD = /^\uFEFF?---[ \t]*\r?\n(?=[\p{L}_][^\n:]*:)((?:(?:[\p{L}_][^\n:]*:.*|[ \t].*|- .*|#.*)?\r?\n)*?)---[ \t]*(?:\r?\n|$)/u;

/// Those lines as they are written, in a block of their own.
export const withFramedHead = (text) => text.replace(HEAD, (head, lines) => (lines.includes("```") ? head : `\`\`\`yaml\n${lines}\`\`\`\n\n`));

/// What is copied, for programs that know words only: lists with their signs, rows with tabs.
export function plainText(content) {
  const lines = [];
  let number = 0;
  const numbers = new Map(content.content.filter((block) => block.type.name === "footnote").map((block) => [block.attrs.label, (number += 1)]));
  content.forEach((block) => lines.push(...linesOf(block, 0, null, numbers)));
  return lines.join("\n");
}

const numberOf = ({ attrs }, numbers) => `[${numbers.get(attrs.label) ?? attrs.label}]`;

function linesOf(block, index = 0, list = null, numbers = new Map()) {
  const { name } = block.type;
  if (block.isText) return [block.text];
  if (block.isTextblock) return [...block.textBetween(0, block.content.size, "\n", (leaf) => (leaf.type.name === "hardBreak" ? "\n" : leaf.type.name === "footnoteMark" ? numberOf(leaf, numbers) : "")).split("\n"), ...(list ? [] : [""])];
  if (name === "horizontalRule") return ["---", ""];
  if (name === "picture") return block.attrs.caption ? [block.attrs.caption, ""] : [];
  if (name === "file") return [block.attrs.name, ""];
  if (name === "tableRow") return [block.children.map((cell) => linesOf(cell, 0, block, numbers).join(" ")).join("\t")];
  const inside = block.children.flatMap((child, place) => linesOf(child, place, /List$|Item$/.test(name) ? block : list, numbers));
  if (name === "footnote") return [`${numberOf(block, numbers)} ${inside[0]}`, ...inside.slice(1)];
  if (name === "listItem" || name === "taskItem") {
    const sign = list?.type.name === "orderedList" ? `${list.attrs.start + index}. ` : name === "taskItem" ? `- [${block.attrs.checked ? "x" : " "}] ` : "- ";
    return inside.map((line, place) => (place === 0 ? sign + line : line && " ".repeat(sign.length) + line));
  }
  if (name === "blockquote" || name === "callout") return inside.map((line) => (line ? `> ${line}` : line));
  return /List$|^table$/.test(name) && !list ? [...inside, ""] : inside;
}
