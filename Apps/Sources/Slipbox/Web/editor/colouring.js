// Colours in code: words of the language, texts, numbers, remarks. Nothing of it is in the note.
//
//   func greet() { print("Hello") }  // says it        keyword · text · remark
//
// One reader for all languages that look alike; blocks are read once, and again when they change.

import { shownWords } from "./shownWords.js";

/// Longer code is not coloured: nobody should wait for it while typing.
const LONGEST = 20_000;

const C_LIKE = "if else for while do switch case default break continue return try catch finally throw throws new class struct enum interface extends implements public private protected internal static final const let var void null true false this super import export from as in of typeof instanceof async await yield function int float double char bool boolean string long short unsigned signed";
const WORDS = {
  swift: "actor any as associatedtype async await break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate final for func guard if import in indirect init inout internal is isolated lazy let mutating nil nonisolated open operator override package private protocol public repeat rethrows return self Self sending some static struct subscript super switch throw throws true try typealias unowned var weak where while",
  python: "and as assert async await break case class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return True try while with yield self",
  javascript: `${C_LIKE} delete export get set undefined`,
  rust: "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while",
  go: "break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var",
  sql: "select from where and or not null is in like between join left right inner outer on group by having order limit offset insert into values update set delete create table index view drop alter as distinct count sum min max case when then else end union all exists primary key references default",
  bash: "if then else elif fi for in do done while until case esac function return local export set unset echo cd exit trap shift source",
  c: `${C_LIKE} typedef sizeof extern register volatile goto union auto include define ifdef ifndef endif`,
  json: "true false null",
  css: "important media import supports keyframes font-face root",
};
const SAME = { js: "javascript", ts: "javascript", typescript: "javascript", jsx: "javascript", tsx: "javascript", py: "python", rs: "rust", sh: "bash", shell: "bash", zsh: "bash", cpp: "c", "c++": "c", h: "c", objc: "c", java: "javascript", kotlin: "javascript", "c#": "javascript", cs: "javascript", php: "javascript", postgresql: "sql", sqlite: "sql", jsonc: "json", scss: "css" };
const HASHES = new Set(["python", "bash", "yaml", "toml", "ruby", "r"]);
const wordSets = new Map(Object.entries(WORDS).map(([name, words]) => [name, new Set(words.split(" "))]));

export const colouring = () => shownWords("colouring", {
  reads: (node) => node.type.name === "codeBlock",
  find: (node) => coloursOf(node.textContent, node.attrs.language),
  look: ({ kind }) => ({ class: `code-${kind}` }),
});

/// {from, to, kind}: "word", "text", "number" or "remark". Without a language there are no colours.
export function coloursOf(code, language) {
  const name = SAME[language?.toLowerCase()] ?? language?.toLowerCase();
  if (!name || code.length > LONGEST) return [];
  const words = wordSets.get(name) ?? wordSets.get("javascript");
  const remark = HASHES.has(name) ? "#.*" : name === "sql" ? "--.*|/\\*[\\s\\S]*?(?:\\*/|$)" : name === "json" ? "(?!)" : "//.*|/\\*[\\s\\S]*?(?:\\*/|$)";
  // Where the second apostrophe is missing, each of a long line would be looked behind to the line's end.
  const text = '"""[\\s\\S]*?(?:"""|$)|"(?:[^"\\\\\\n]|\\\\.)*"?|\'(?:[^\'\\\\\\n]|\\\\.){0,200}\'|`(?:[^`\\\\]|\\\\.)*`?';
  const pieces = new RegExp(`(${remark})|(${text})|\\b(\\d[\\w.]*)|([\\p{L}_$#@][\\p{L}\\p{N}_-]*)`, "gu");
  const found = [];
  for (const match of code.matchAll(pieces)) {
    const kind = match[1] ? "remark" : match[2] ? "text" : match[3] ? "number" : words.has(name === "sql" ? match[4].toLowerCase() : match[4]) ? "word" : null;
    if (kind) found.push({ from: match.index, to: match.index + match[0].length, kind });
  }
  return found;
}
