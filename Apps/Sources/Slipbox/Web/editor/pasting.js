// What comes from other programs, said in the elements our schema knows.
//
//   <span style="font-weight:700">a</span>     <strong>a</strong>
//   <b style="font-weight:normal">b</b>        <span>b</span>        Google Docs wraps all it copies in one
//   <tr><td>Pears<td>14</tr>                   <p>Pears | 14</p>
//
// Styles have to become elements here: our strict policy blocks them before the editor looks, and says so.

const BLOCKS = "p, div, ul, ol, h1, h2, h3, blockquote, pre, hr";

export function tidyPasted(html) {
  // What was copied from a note is as it should be.
  if (html.includes("data-pm-slice")) return html;
  const { body } = new DOMParser().parseFromString(withoutStyles(html), "text/html");
  for (const element of body.querySelectorAll("script, title, meta, template")) element.remove();
  for (const element of body.querySelectorAll("[data-style]")) styleToElements(element);
  for (const heading of body.querySelectorAll("h4, h5, h6")) rename(heading, "h3");
  for (const summary of body.querySelectorAll("summary")) rename(summary, "p");
  for (const list of body.querySelectorAll("ul")) markTasks(list);
  // The innermost first: mails are tables in tables.
  for (const table of [...body.querySelectorAll("table")].reverse()) tableToLines(table);
  return body.innerHTML;
}

/// Office programs add a picture of what they copy: with words and their form beside it, the words are meant.
export const isPicture = (transfer) =>
  !(transfer.getData("text/html") && transfer.getData("text/plain").trim());

// MARK: - Styles

const withoutStyles = (html) =>
  html.replace(/<style[\s\S]*?<\/style>/gi, "").replace(/<[^>]*>/g, (tag) => tag.replace(/\sstyle\s*=/gi, " data-style="));

function styleToElements(element) {
  const style = stylesOf(element);
  element.removeAttribute("data-style");
  const weight = style.get("font-weight");
  const isHeading = element.closest("h1, h2, h3, h4, h5, h6");
  if (/^(normal|[1-4]00)$/.test(weight) && element.matches("b, strong")) element = rename(element, "span");
  if (style.get("font-style") === "normal" && element.matches("i, em")) element = rename(element, "span");
  if (!element.matches("span, a, font, code, u, s, em, i, b, strong")) return;
  if (/^(bold|bolder|[6-9]00)$/.test(weight) && !isHeading) wrapContents(element, "strong");
  if (style.get("font-style") === "italic") wrapContents(element, "em");
  const lines = `${style.get("text-decoration")} ${style.get("text-decoration-line")}`;
  if (lines.includes("line-through")) wrapContents(element, "s");
  if (lines.includes("underline") && !element.closest("a") && !element.querySelector("a")) wrapContents(element, "u");
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

// MARK: - Tasks and tables

function markTasks(list) {
  const items = [...list.children].map((item) => [item, item.querySelector(":scope > input[type=checkbox], :scope > :is(p, label) > input[type=checkbox]")]);
  if (items.length === 0 || items.some(([, box]) => !box)) return;
  list.dataset.type = "taskList";
  for (const [item, box] of items) {
    Object.assign(item.dataset, { type: "taskItem", checked: String(box.checked) });
    box.remove();
  }
}

function tableToLines(table) {
  const lines = [...table.rows].flatMap((row) => {
    const cells = [...row.cells];
    // A row that holds paragraphs and lists is the layout of a page, not a line of a table.
    if (cells.some((cell) => cell.querySelectorAll(BLOCKS).length > 1)) return cells.flatMap((cell) => [...cell.childNodes]);
    return cells.some((cell) => cell.textContent.trim()) ? [lineOf(cells)] : [];
  });
  table.replaceWith(...lines);
}

function lineOf(cells) {
  const line = cells[0].ownerDocument.createElement("p");
  cells.forEach((cell, index) => {
    if (index > 0) line.append(" | ");
    line.append(...(cell.querySelector(BLOCKS) ?? cell).childNodes);
  });
  return line;
}
