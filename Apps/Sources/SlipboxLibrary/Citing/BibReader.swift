import Foundation

/// Reads a BibTeX or BibLaTeX file.
///
/// ```
/// @string{acm = "ACM Press"}
/// @book{doe2020,
///   author    = {Doe, Jane and {World Health Organization}},
///   title     = {M{\"u}nster, a {History}},
///   publisher = acm # ", New York",
///   crossref  = {series}
/// }
/// text between entries is a comment
/// ```
///
/// The time is in proportion to the length of the file: an entry that does not end is left out up to the next line that
/// begins one, and that line is where reading goes on.
struct BibReader {
  let bytes: [UInt8]
  var place = 0
  /// The line of `counted`.
  var line = 1
  var counted = 0
  /// Abbreviations, by their names.
  var strings: [String: [UInt8]] = BibReader.months
  /// How many more bytes abbreviations may put in: each can contain another one many times.
  var room = 64 << 20
  private var entries: [BibEntry] = []
  var file = ReferenceFile()

  /// - Throws: A `CancellationError` if nobody waits for the file any more.
  static func file(of data: Data) throws -> ReferenceFile {
    var reader = BibReader(data)
    while reader.findsEntry() {
      if reader.entries.count.isMultiple(of: 1_000) { try Task.checkCancellation() }
      guard reader.entries.count < Reference.mostInFile else {
        reader.add(
          "The file has more than \(Reference.mostInFile) entries. Divide it into smaller ones."
        )
        break
      }
      reader.readEntry()
    }
    return reader.finished()
  }

  private init(_ data: Data) {
    let text = String(validating: data, as: UTF8.self)
    // Old files are in the encoding of Western Europe, which takes all bytes.
    let old = text == nil ? String(data: data, encoding: .windowsCP1252) : nil
    bytes = Array((text ?? old ?? String(decoding: data, as: UTF8.self)).utf8)
  }

  private static let months = Dictionary(
    uniqueKeysWithValues: [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ].enumerated().map { ($1, Array("\($0 + 1)".utf8)) }
  )
}

// MARK: - Entries

extension BibReader {
  /// The reason why an entry is left out.
  struct Fault: Error {
    let sentence: String
  }

  /// Goes to the next `@`; text before it is a comment.
  private mutating func findsEntry() -> Bool {
    guard let next = bytes[place...].firstIndex(of: UInt8(ascii: "@")) else { return false }
    place = next + 1
    return true
  }

  private mutating func readEntry() {
    let start = place
    var key = ""
    do throws(Fault) {
      let kind = word().lowercased()
      skipBlanks()
      guard !kind.isEmpty, let opening = byte, opening == Self.brace || opening == Self.parenthesis
      else { return }
      place += 1
      switch kind {
      case "comment": try skipGroup(opening)
      case "preamble": try skipGroup(opening)
      case "string": try readString(opening)
      default:
        key = entryKey()
        let fields = try readFields(opening)
        guard Reference.isKey(key) else {
          throw Fault(
            sentence: "An entry has no key, or one of more than \(Reference.longestKey) letters."
          )
        }
        entries.append(BibEntry(kind: kind, key: key, line: lineNumber(at: start), fields: fields))
      }
    } catch {
      add((key.isEmpty ? "" : "“\(key.prefix(80))” is left out: ") + error.sentence, at: start)
    }
  }

  private mutating func entryKey() -> String {
    skipBlanks()
    let start = place
    while let byte, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}"),
      byte != UInt8(ascii: "\n"),
      place - start < 4 * Reference.longestKey
    {
      place += 1
    }
    return Reference.tidy(String(decoding: bytes[start..<place], as: UTF8.self))
  }

  private mutating func readString(_ opening: UInt8) throws(Fault) {
    skipBlanks()
    let name = word().lowercased()
    skipBlanks()
    guard byte == UInt8(ascii: "=") else { throw Fault(sentence: "An abbreviation has no “=”.") }
    place += 1
    let value = try readValue()
    skipBlanks()
    guard byte == Self.closing(of: opening) else { throw unended("An abbreviation") }
    place += 1
    if !name.isEmpty { strings[name] = value }
  }

  private mutating func readFields(_ opening: UInt8) throws(Fault) -> [String: [UInt8]] {
    var fields: [String: [UInt8]] = [:]
    while true {
      skipBlanks()
      while byte == UInt8(ascii: ",") {
        place += 1
        skipBlanks()
      }
      if byte == Self.closing(of: opening) {
        place += 1
        return fields
      }
      let name = word().lowercased()
      skipBlanks()
      guard !name.isEmpty, byte == UInt8(ascii: "=") else {
        throw Fault(
          sentence: byte == nil
            ? "It does not end. A brace is missing."
            : "A field is not “name = value”, or a comma or brace is missing before it."
        )
      }
      place += 1
      let value = try readValue()
      // Of two fields of one name the first counts, as for BibTeX.
      if BibEntry.names.contains(name), fields[name] == nil { fields[name] = value }
      skipBlanks()
      guard byte == UInt8(ascii: ",") || byte == Self.closing(of: opening) else {
        throw Fault(
          sentence: "A comma or brace is missing behind the field “\(name.prefix(40))”."
        )
      }
    }
  }
}

// MARK: - Cross-references

extension BibReader {
  /// The references of the entries; one with `crossref` has what it lacks from another.
  private func finished() -> ReferenceFile {
    var file = file
    var places: [String: Int] = [:]
    for (index, entry) in entries.enumerated() {
      if let first = places[entry.key] {
        file.add(
          problem:
            "“\(entry.key.prefix(80))” is there twice. The one in line \(entries[first].line) is used.",
          at: "line \(entry.line)"
        )
      } else {
        places[entry.key] = index
      }
    }
    for (index, entry) in entries.enumerated() where places[entry.key] == index {
      let other = entry.crossref.flatMap { places[$0] }.map { entries[$0] }
      file.references.append((other.map(entry.inheriting) ?? entry).reference)
    }
    return file
  }
}
