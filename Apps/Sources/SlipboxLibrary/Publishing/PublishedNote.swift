public import Foundation

/// A note that everybody with a link may read.
public struct PublishedNote: Codable, Sendable, Equatable {
  public let note: UUID
  /// The last part of the link: 32 letters and digits, which are 160 random bits.
  public let secret: String
  /// When the link was made, in seconds since the reference date of `Date`.
  private let made: Double
  /// The language of the browser that has published it, for a note that does not name its own.
  public let language: String?

  init(_ note: UUID, since: Date, language: String?) {
    self.note = note
    made = since.timeIntervalSinceReferenceDate
    self.language = language
    var numbers = SystemRandomNumberGenerator()
    secret = String((0..<Self.length).map { _ in Self.letters[Int(numbers.next() & 31)] })
  }

  private enum CodingKeys: String, CodingKey {
    case note, secret, language
    case made = "since"
  }

  /// When the link was made.
  public var since: Date { Date(timeIntervalSinceReferenceDate: made) }

  private static let length = 32
  /// Those that look alike are left out.
  private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")

  /// Whether it can have been written by this program.
  var isSound: Bool {
    made.isFinite && secret.count == Self.length && secret.allSatisfy(Self.letters.contains)
      && language.map { $0 == LanguageTag.tidy($0) } ?? true
  }

  /// Returns whether `text` is the secret, in a time that does not depend on where the two differ.
  func isOpened(by text: String) -> Bool {
    let (mine, theirs) = (Array(secret.utf8), Array(text.utf8))
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
