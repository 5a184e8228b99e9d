import Foundation
import RichText

/// The file in which a search found words that the note itself does not have.
public struct FileHit: Encodable, Sendable, Equatable {
  public let name: String
  /// The part of its text with the first of the words.
  public let excerpt: String
  /// The places of the words in it, in UTF-16 units.
  public let hits: [TextRange]

  /// So many files of a note are looked through, which have so many bytes of text in all.
  private static let mostFiles = 50
  private static let mostBytes: Int64 = 4_000_000

  /// `nil` if title and text have all words, or no file has one of the others.
  init?(_ note: Note, _ words: [String]) {
    let missing = words.filter { word in
      SearchWords.hits(of: [word], in: note.title).isEmpty
        && FirstHit.place(of: [word], inSmall: note.bodyText) == nil
    }
    if missing.isEmpty { return nil }
    let read = note.files.filter { ($0.text?.byteCount ?? 0) > 0 }
    if read.isEmpty { return nil }
    let named = note.formattedBodyText.files
    // A file that was taken out of the text is still a file of its earlier versions.
    let places = Dictionary(zip(named, 0...)) { first, _ in first }
    let files = read.sorted { (places[$0.uuid] ?? .max) < (places[$1.uuid] ?? .max) }
    guard let (file, part) = Self.part(of: files.prefix(Self.mostFiles), with: missing) else {
      return nil
    }
    name = file.name
    excerpt = part
    hits = SearchWords.hits(of: missing, in: part)
  }

  /// The first of some files with one of the words, and the part of its text with it.
  private static func part(
    of files: some Sequence<Attachment>,
    with words: [String]
  ) -> (Attachment, String)? {
    var rest = mostBytes
    for file in files {
      guard let text = file.text, rest >= text.byteCount else { return nil }
      rest -= text.byteCount
      if let place = FirstHit.place(of: words, inSmall: text.words.lowercased()) {
        return (file, Excerpt.part(of: text.words, at: place, with: words))
      }
    }
    return nil
  }
}
