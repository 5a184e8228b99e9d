public import Foundation

/// Why something is not the text of a note, and where.
///
/// ```
/// content[3].content[0].marks[1]: a link leads to a note or an address that a page may have, not to “javascript:x”
/// ```
public struct RichTextError: Error, Hashable, Sendable {
  /// The problem, as a sentence.
  public let sentence: String

  /// The way to it from the whole document; empty when it is the whole document.
  public let path: String

  /// Why a text of more pieces than ``RichText/maximumPieces`` is not taken.
  static let tooManyPieces = RichTextError(
    "this text has more than \(RichText.maximumPieces) pieces, which are paragraphs, items of lists, and words that "
      + "look different from those beside them"
  )

  /// Why a page of more elements than can be read is not taken.
  static let tooManyElements = RichTextError(
    "this page has more than a million elements, or too many inside each other; copy the part that you need into a note"
  )

  static let tooManyAddresses = RichTextError(
    "the links of this text lead to addresses of more than \(RichText.maximumAddresses) bytes, counted for each piece "
      + "of a link"
  )

  init(_ sentence: String, path: String = "") {
    self.sentence = sentence
    self.path = path
  }

  /// The same error, seen from one level further out.
  func inside(_ place: String) -> RichTextError {
    RichTextError(sentence, path: path.isEmpty ? place : "\(place).\(path)")
  }
}

extension RichTextError: LocalizedError, CustomStringConvertible {
  public var description: String {
    path.isEmpty ? sentence : "\(path): \(sentence)"
  }

  public var errorDescription: String? { description }
}
