// The words of a text as they were written, for whoever reads or copies them where the text itself cannot be shown.
//
// Signs stand where one types them: `# `, `- `, `> `. Blocks that this version does not know come with the words in them.

export const writtenText = (document) => blocksOf(document).join("\n\n");

const inside = (node) => (Array.isArray(node?.content) ? node.content : []);

/// The text of each block within another, without those that have no words.
const blocksOf = (node) => inside(node).map(textOf).filter((text) => text !== "");

function textOf(node) {
  const { type, attrs = {} } = node ?? {};
  switch (type) {
    case "heading": return `${"#".repeat(attrs.level ?? 1)} ${wordsOf(node)}`;
    case "codeBlock": return `\`\`\`${attrs.language ?? ""}\n${wordsOf(node)}\n\`\`\``;
    case "bulletList": case "orderedList": case "taskList": return inside(node).map((item, index) => hung(signOf(node, item, index), item)).join("\n");
    case "blockquote": return quoted(blocksOf(node).join("\n\n"));
    case "callout": return quoted(`[!${attrs.kind ?? "note"}] ${blocksOf(node).join("\n\n")}`);
    case "footnote": return hung(`[^${attrs.label}]: `, node);
    case "table": return blocksOf(node).join("\n");
    case "tableRow": return inside(node).map((cell) => blocksOf(cell).join(" ")).join("\t");
    case "picture": return attrs.caption ?? "";
    case "file": return attrs.name ?? "";
    case "horizontalRule": return "---";
    default: return inside(node).some(isInLine) ? wordsOf(node) : blocksOf(node).join("\n\n");
  }
}

const isInLine = (node) => typeof node?.text === "string" || ["hardBreak", "footnoteMark"].includes(node?.type);

/// The words of a line, and where its links lead to.
const wordsOf = (node) => inside(node).map((piece) => {
  if (piece?.type === "hardBreak") return "\n";
  if (piece?.type === "footnoteMark") return `[^${piece.attrs?.label}]`;
  const text = typeof piece?.text === "string" ? piece.text : textOf(piece);
  const href = piece?.marks?.find?.((mark) => mark?.type === "link")?.attrs?.href;
  return href && href !== text && !href.startsWith("note:") ? `[${text}](${href})` : text;
}).join("");

function signOf(list, item, index) {
  if (list.type === "orderedList") return `${(list.attrs?.start ?? 1) + index}. `;
  return item?.type === "taskItem" ? `- [${item.attrs?.checked ? "x" : " "}] ` : "- ";
}

/// What belongs to a point stands below its words, not below its sign.
const hung = (sign, node) => sign + blocksOf(node).join("\n").replaceAll("\n", `\n${" ".repeat(sign.length)}`);

const quoted = (text) => text.replace(/^/gm, "> ");
