import Foundation
import RichText

/// A file of Evernote, `.enex`: notes with their pictures and files, in XML.
///
/// The notes are found by their tags, and read one at a time: a file may have all notes of a person.
/// The files in a note stay where they are until each is asked for.
struct EvernoteFile {
  /// The largest file that is read, in bytes.
  static let limit = 1 << 30

  /// Best mapped into memory.
  private let data: Data

  /// The places of the notes.
  let notes: [Range<Int>]

  init(_ data: Data) {
    self.data = data
    notes = data.withUnsafeBytes { bytes in
      var notes: [Range<Int>] = []
      var position = 0
      while let start = bytes.find("<note>", from: position),
        let end = bytes.find("</note>", from: start)
      {
        notes.append(start..<end)
        position = end
      }
      return notes
    }
  }

  /// The title of a note, which comes first in it, and whether there is nothing in the note.
  func outline(of part: Range<Int>) -> (title: String?, isEmpty: Bool) {
    let head = data[(data.startIndex + part.lowerBound)...].prefix(min(part.count, 8_000))
    let note = EvernoteNote(Data(head), files: [])
    let isEmpty =
      part.count == head.count && (note.title ?? "").isEmpty && note.content.isEmpty
      && head.withUnsafeBytes { $0.find("<resource", from: 0) == nil }
    return (note.title, isEmpty)
  }

  /// A note with everything in it except the content of its files.
  ///
  /// - Throws: A ``LibraryProblem`` for one whose words are more than may be read at once.
  func note(_ part: Range<Int>) throws -> EvernoteNote {
    let (words, files) = try data.withUnsafeBytes { try EvernoteParts(of: $0, part).found }
    return EvernoteNote(words, files: files)
  }

  /// The content of a file.
  ///
  /// - Throws: A ``LibraryProblem`` for one that is too large or damaged.
  func content(of resource: EvernoteNote.Resource) throws -> Data {
    // Four letters are three bytes, and there are ends of lines between them.
    guard resource.place.count <= Library.fileLimit * 3 / 2 else {
      throw LibraryProblem.tooLarge("A file has at most \(Library.fileLimit >> 20) MB.")
    }
    let letters = data[(data.startIndex + resource.place.lowerBound)...]
      .prefix(resource.place.count)
    guard let content = Data(base64Encoded: letters, options: .ignoreUnknownCharacters) else {
      throw LibraryProblem.unsuitable("The file is damaged: it is not written in Base64.")
    }
    return content
  }
}

/// The words of a note, and the places of its files, found in one pass over its bytes.
///
/// ```
/// …<resource><data>iVBORw0KGgo…</data></resource>   →   …<resource><data>0</data></resource>
/// ```
private struct EvernoteParts {
  private let bytes: UnsafeRawBufferPointer
  private var words = Data()
  private var files: [Range<Int>] = []
  /// Up to where the words are taken.
  private var taken: Int

  /// A text of one megabyte, with all that may be written around it.
  private static let mostWords = RichText.maximumSize * 16
  private static let mostFiles = 10_000

  init(of file: UnsafeRawBufferPointer, _ part: Range<Int>) throws {
    bytes = UnsafeRawBufferPointer(rebasing: file[..<part.upperBound])
    taken = part.lowerBound
    var position = part.lowerBound
    var hasFiles = true
    while let sign = bytes.find("<", from: position) {
      position = sign + 1
      if bytes.isAt("<![CDATA[", sign) {
        // A text in there that looks like a file is text.
        position = bytes.find("]]>", from: sign) ?? bytes.count
      } else if hasFiles, bytes.isAt("<data", sign) {
        // If one is not closed, none after it is: nothing is looked through again.
        guard let start = bytes.find(">", from: sign), let end = bytes.find("</data>", from: start)
        else {
          hasFiles = false
          continue
        }
        try takeWords(upTo: start + 1)
        try addFile(taken..<end)
        position = end
      }
    }
    try takeWords(upTo: bytes.count)
  }

  var found: (words: Data, files: [Range<Int>]) { (words, files) }

  private mutating func takeWords(upTo end: Int) throws {
    guard words.count + end - taken <= Self.mostWords else {
      throw LibraryProblem.tooLarge(
        "The note has more than \(Self.mostWords / 1_000_000) MB of text."
      )
    }
    words.append(contentsOf: bytes[taken..<end])
    taken = end
  }

  private mutating func addFile(_ place: Range<Int>) throws {
    guard files.count < Self.mostFiles else {
      throw LibraryProblem.tooLarge("The note has more than \(Self.mostFiles) files.")
    }
    words.append(contentsOf: "\(files.count)".utf8)
    files.append(place)
    taken = place.upperBound
  }
}

extension UnsafeRawBufferPointer {
  /// The next place of some letters.
  fileprivate func find(_ letters: String, from start: Int) -> Int? {
    let (letters, first) = (letters, Int32(letters.utf8.first ?? 0))
    guard let baseAddress else { return nil }
    var position = start
    while position <= count - letters.utf8.count,
      let found = memchr(baseAddress + position, first, count - position)
    {
      position = UnsafeRawPointer(found) - baseAddress
      if isAt(letters, position) { return position }
      position += 1
    }
    return nil
  }

  fileprivate func isAt(_ letters: String, _ position: Int) -> Bool {
    guard let baseAddress, position <= count - letters.utf8.count else { return false }
    return memcmp(baseAddress + position, letters, letters.utf8.count) == 0
  }
}
