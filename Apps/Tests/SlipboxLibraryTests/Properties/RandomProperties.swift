import Foundation
import RichText

/// Random properties, which a seed brings back.
enum RandomProperties {
  /// Up to five, of which a link leads to one of the notes.
  static func some(
    _ random: inout SeededNumbers,
    _ notes: [(id: UUID, title: String)] = []
  ) -> [NoteProperty] {
    let count = Int.random(in: 0...5, using: &random)
    let some = names.shuffled(using: &random).prefix(count)
    return some.map { NoteProperty($0, value(&random, notes)) }
  }

  private static let names = [
    "due", "Rating", "status", "date", "due date", "größe", "part-of", "1st", "# sign", "yes",
    "it's", "[x]", "- point", "a/b.c_d",
  ]

  private static let words = [
    "open", "In Progress", "yes", "null", "2nd", "a: b", "a # b", "\"quoted\"", "it's", "[x", "- a",
    "{b}", "C:\\new", "über", "→", "true", "7", "2026-12-01", "[[Nowhere]]", "#tag", ", ", "*a*",
    "~", "%%", "0x1F", "!x",
  ]

  private static let numbers = [
    "0", "-3", "3.10", "007", "1e3", "+5", ".5", "12345678901234567890",
  ]

  private static let dates = [
    "2026-12-01", "2026-12-01T09:30", "2024-02-29T23:59:59Z", "1999-01-01",
  ]

  private static let lines = [
    " |\n  one\n  # no remark\n\n  two", " >-\n  folded\n  words", " {a: 1, b: [2, 3]}",
    "\n  deep:\n    er: 1",
    " &anchor x", " [a, [b]]", "\n  - a: b\n  - c", " .inf",
  ]

  private static func value(
    _ random: inout SeededNumbers,
    _ notes: [(id: UUID, title: String)]
  ) -> PropertyValue {
    func one(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .number(one(numbers))
    case 1: return .date(one(dates))
    case 2: return .checkbox(Bool.random(using: &random))
    case 3: return .list(Array(Set((0..<3).map { _ in one(words) })).sorted().filter(isItem))
    case 4: return .other(one(lines))
    case 5:
      guard let note = notes.randomElement(using: &random) else { return .text("") }
      return .link(
        PropertyLink(note: note.id, title: note.title, rest: one(["", "#Heading", "|w"]))
      )
    case _: return text(one(words))
    }
  }

  /// A text that has another kind if it is read: a date, or a link.
  private static func text(_ words: String) -> PropertyValue {
    let isOther = PropertyValue(.date, text: words) != nil || words.hasPrefix("[[")
    return isOther ? .text("") : PropertyValue(.text, text: words) ?? .text("")
  }

  /// An item of a list that is more than blanks.
  private static func isItem(_ words: String) -> Bool {
    !words.trimmingCharacters(in: .whitespaces).isEmpty && words != ", "
  }
}
