/// How far a note has come.
///
/// The raw value is the store's; sections by status are in the order of the cases.
public enum Status: String, Identifiable, CaseIterable, Sendable {
  case draft = "Draft"
  case review = "Review"
  case archived = "Archived"

  public var id: Self { self }

  /// The word that programs use: `draft`.
  public var word: String { rawValue.lowercased() }

  /// The status of a word as programs write it; nil for any other.
  public init?(word: String) {
    guard let status = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = status
  }
}
