import Foundation
import RichText

/// The part of a text that a list has room for.
enum Excerpt {
  private static let length = 220
  private static let lead = 60
  /// The letters that a list shows of it in any case: two lines of a narrow one.
  private static let seen = 100
  /// So many characters are enough for a hit near the end of the excerpt; no more of a long text is read.
  private static let enough = length * 2

  /// The beginning of a note.
  static func of(_ note: Note) -> String { cut(beginning(of: note)) }

  /// The beginning of a note's earlier text.
  static func of(_ version: NoteVersion) -> String {
    // A version that cannot be read is shown as nothing, and stays as it is.
    cut(
      words { count in
        version.document_.flatMap { try? RichText(json: $0, enough: count) } ?? RichText()
      }
    )
  }

  /// The beginning of a note, or, if that has none of the words, the part with the first of them.
  static func of(_ note: Note, around words: [String], _ room: ReadingRoom) -> String {
    let beginning = beginning(of: note)
    if words.isEmpty || !SearchWords.hits(of: words, in: String(beginning.prefix(seen))).isEmpty {
      return cut(beginning)
    }
    guard let hit = FirstHit.place(of: words, inSmall: note.bodyText) else { return cut(beginning) }
    // If too much was read already, the text in small letters does as well.
    guard room.takes(note) else { return part(of: note.bodyText, at: hit, with: words) }
    let text = note.formattedBodyText.plainText
    let isAlike = text.utf8.count == note.bodyText.utf8.count
    let place = isAlike ? hit : FirstHit.place(of: words, near: text) ?? hit
    return part(of: text, at: place, with: words)
  }

  private static func beginning(of note: Note) -> String { words { note.beginning($0) } }

  /// The words with which a text begins, as readers see it; `beginning` gives so many characters of it.
  private static func words(_ beginning: (Int) -> RichText) -> String {
    var text = beginning(enough).withEmbedsAsLinks.plainText
    // A remark may end where readers see nothing any more.
    if text.contains(remark) {
      text = beginning(enough * 10).withoutRemarks.withEmbedsAsLinks.plainText
    }
    return oneLine(BlockSign.removed(from: text.prefix(enough))[...])
  }

  private static let remark = "%%"

  /// A part of a text that begins a little before a place, which is counted in bytes.
  ///
  /// A writer who finds her own remark sees it; other remarks are not shown.
  static func part(of text: String, at place: Int, with words: [String]) -> String {
    let hit = text.utf8.index(text.startIndex, offsetBy: min(place, text.utf8.count))
    let start = text.index(hit, offsetBy: -lead, limitedBy: text.startIndex) ?? text.startIndex
    var piece = BlockSign.removed(from: text[start...].prefix(enough))
    if piece.contains(remark) {
      let rest = RichText(plainText: piece).withoutRemarks.plainText
      if !SearchWords.hits(of: words, in: rest).isEmpty { piece = rest }
    }
    let part = oneLine(piece[...])
    guard start > text.startIndex else { return cut(part) }
    let word = part.firstIndex(of: " ").map { part[part.index(after: $0)...] } ?? part[...]
    return "…" + cut(String(word))
  }

  private static func oneLine(_ text: Substring) -> String {
    text.split(whereSeparator: isSpace).joined(separator: " ")
  }

  /// As `isWhitespace` says it, which looks up a table for each letter.
  private static func isSpace(_ character: Character) -> Bool {
    guard let first = character.unicodeScalars.first, first.isASCII else {
      return character.isWhitespace
    }
    return first == " " || ("\t"..."\r").contains(first)
  }

  private static func cut(_ text: String) -> String {
    text.count > length ? String(text.prefix(length)) + "…" : text
  }
}

/// How much of long texts one answer reads to their ends; of the others, it reads the beginnings.
///
/// All who read wait for one another.
final class ReadingRoom {
  private var bytes: Int
  /// How much may still be met, read to its end or not.
  private var rest: Int

  init(bytes: Int = 8_000_000, rest: Int = 32_000_000) {
    self.bytes = bytes
    self.rest = rest
  }

  /// Whether more should be read at all.
  var isOpen: Bool { rest > 0 }

  func takes(_ note: Note) -> Bool {
    let count = note.document_?.utf8.count ?? 0
    rest -= count
    guard count <= bytes else { return false }
    bytes -= count
    return true
  }
}

/// The place of the first of some words in a text, in bytes from its beginning.
enum FirstHit {
  /// Letters with other accents are looked for in so many bytes alone: that takes as long as all else.
  private static let nearby = 65_536

  /// The place in a text of small letters.
  static func place(of words: [String], inSmall text: String) -> Int? {
    var text = text
    let spellings = words.flatMap(SearchWords.spellings).map { $0.lowercased() }
    let exact = text.withUTF8 { bytes in
      spellings.compactMap { place(of: $0, in: UnsafeRawBufferPointer(bytes)) }.min()
    }
    return exact ?? place(of: words, near: text)
  }

  /// The place in the beginning of a text, whatever the letters look like.
  static func place(of words: [String], near text: String) -> Int? {
    let beginning = String(decoding: text.utf8.prefix(nearby), as: UTF8.self)
    return words.flatMap(SearchWords.spellings).compactMap { word in
      beginning.range(of: word, options: [.caseInsensitive, .diacriticInsensitive])
    }.map { beginning.utf8.distance(from: beginning.startIndex, to: $0.lowerBound) }.min()
  }

  private static func place(of word: String, in text: UnsafeRawBufferPointer) -> Int? {
    var word = word
    return word.withUTF8 { word in
      guard let start = text.baseAddress, let letters = word.baseAddress, let first = word.first
      else { return nil }
      let end = start + text.count
      var place = start
      while let found = memchr(place, Int32(first), end - place) {
        let hit = UnsafeRawPointer(found)
        guard end - hit >= word.count else { return nil }
        if memcmp(hit, letters, word.count) == 0 { return hit - start }
        place = hit + 1
      }
      return nil
    }
  }
}
