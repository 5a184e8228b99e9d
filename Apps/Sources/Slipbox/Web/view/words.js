// Numbers and dates as people write them in their language.

import { language, locale, pluralOf, say } from "./say.js";

const clock = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const dayAndYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });
const full = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });
const long = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const number = new Intl.NumberFormat(locale);

export function shortDate(text, now = new Date()) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return "";
  if (date.toDateString() === now.toDateString()) return clock.format(date);
  return (date.getFullYear() === now.getFullYear() ? day : dayAndYear).format(date);
}

/// A day as it was written, "2026-12-01" or "2026-12-01T09:30", wherever it is read; another text as it is.
export function shortDay(text) {
  const [, year, month, date, clocked] = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d))?/.exec(text) ?? [];
  if (!year) return text;
  const written = dayAndYear.format(new Date(Number(year), month - 1, Number(date)));
  return clocked ? `${written}, ${clocked}` : written;
}

export const time = (date) => clock.format(date);
export const longDate = (text) => long.format(new Date(text));
export const fullDate = (text) => full.format(new Date(text));

/// "2026-11-20", the name of a day's section, as "Friday, 20 November 2026".
export function dayTitle(name) {
  const [year, month, date] = name.split("-").map(Number);
  return new Intl.DateTimeFormat(locale, { dateStyle: "full" }).format(new Date(year, month - 1, date));
}

/// How many minutes this clock is ahead of UTC.
export const utcOffset = () => -new Date().getTimezoneOffset();

export const count = (value) => number.format(value);
export const counted = (value, one, many) => pluralOf(value, one, many).replace("{0}", number.format(value));
/// "3 notes and 2 subfolders", without what is not there.
export const listed = (parts) => new Intl.ListFormat(language).format(parts.filter(Boolean));
export const kilobytes = (bytes) =>
  bytes < 1_000_000 ? say`${number.format(Math.max(1, Math.round(bytes / 1000)))} KB`
    : say`${new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }).format(bytes / 1_000_000)} MB`;

/// Without case and accents, as the server compares names.
export const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export const titleOf = (note) => note.title?.trim() || say`Untitled`;

export function wordCount(text) {
  if (Intl.Segmenter) {
    let words = 0;
    for (const piece of new Intl.Segmenter(locale, { granularity: "word" }).segment(text)) {
      if (piece.isWordLike) words += 1;
    }
    return words;
  }
  return text.split(/\s+/).filter(Boolean).length;
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
export const commandKey = isMac ? "⌘" : "Ctrl";

/// The letter on the key: a German Z lies where others have Y. Where no Latin letter comes, its place counts.
export const letterOf = ({ key, code }) => (/^[a-z]$/i.test(key) ? key.toUpperCase() : code.replace(/^Key/, ""));
