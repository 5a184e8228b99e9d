import Foundation
import RichText

/// A file of Evernote, `.enex`: notes with their pictures and files, in XML.
///
/// The notes are found by their tags, and read one at a time: a file may have all that somebody has ever written.
struct EvernoteFile {
  /// The largest file that is read, in bytes.
  static let limit = 1 << 30

  private let data: Data

  /// Where the notes stand.
  let notes: [Range<Int>]

  init(_ data: Data) {
    self.data = data
    notes = Self.notes(in: data)
  }

  private static func notes(in data: Data) -> [Range<Int>] {
    data.withUnsafeBytes { bytes in
      var notes: [Range<Int>] = []
      var position = 0
      while let start = find("<note>", in: bytes, from: position),
        let end = find("</note>", in: bytes, from: start)
      {
        notes.append(start..<end)
        position = end
      }
      return notes
    }
  }

  private static func find(
    _ tag: String,
    in bytes: UnsafeRawBufferPointer,
    from start: Int
  ) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    var position = start
    while position <= bytes.count - tag.utf8.count,
      let found = memchr(base + position, Int32(UInt8(ascii: "<")), bytes.count - position)
    {
      position = UnsafeRawPointer(found) - base
      guard position <= bytes.count - tag.utf8.count else { return nil }
      if memcmp(base + position, tag, tag.utf8.count) == 0 { return position }
      position += 1
    }
    return nil
  }

  /// The title of a note, which comes first in it.
  func title(of part: Range<Int>) -> String? {
    let head = data[(data.startIndex + part.lowerBound)...].prefix(min(part.count, 8_000))
    return EvernoteNote(Data(head)).title
  }

  /// A note with everything in it.
  ///
  /// - Throws: A ``LibraryProblem`` for one that is larger than what is read at once.
  func note(_ part: Range<Int>) throws -> EvernoteNote {
    guard part.count <= Self.noteLimit else {
      throw LibraryProblem.tooLarge("The note has more than \(Self.noteLimit >> 20) MB.")
    }
    let first = data.startIndex + part.lowerBound
    return EvernoteNote(Data(data[first..<(first + part.count)]))
  }

  private static let noteLimit = 160 << 20
}

/// A note of Evernote.
struct EvernoteNote {
  struct Resource {
    var data = Data()
    var name = ""
  }

  private(set) var title: String?
  private(set) var content = ""
  private(set) var created: Date?
  private(set) var updated: Date?
  private(set) var tags: [String] = []
  private(set) var source: String?
  private(set) var resources: [Resource] = []

  init(_ data: Data) {
    for (path, text) in XMLTexts(data) {
      switch path {
      case "note/title": title = text.trimmingCharacters(in: .whitespacesAndNewlines)
      case "note/content": content = text
      case "note/created": created = Self.date(text)
      case "note/updated": updated = Self.date(text)
      case "note/tag": if tags.count < 500 { tags.append(text) }
      case "note/note-attributes/source-url": source = text
      case "note/resource/data":
        let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        resources.append(Resource(data: data ?? Data()))
      case "note/resource/resource-attributes/file-name":
        if !resources.isEmpty { resources[resources.count - 1].name = text }
      default: break
      }
    }
  }

  /// `20261121T071233Z`.
  private static func date(_ text: String) -> Date? {
    let digits = text.filter(\.isNumber)
    guard digits.count == 14 else { return nil }
    func number(_ offset: Int, _ length: Int) -> Int? {
      Int(digits.dropFirst(offset).prefix(length))
    }
    var parts = DateComponents(year: number(0, 4), month: number(4, 2), day: number(6, 2))
    (parts.hour, parts.minute, parts.second) = (number(8, 2), number(10, 2), number(12, 2))
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: parts)
  }
}
