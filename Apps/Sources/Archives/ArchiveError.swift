public import Foundation

/// Why an archive, or a file in it, cannot be read or written.
public struct ArchiveError: Error, Equatable, Sendable {
  /// One sentence for people.
  public let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }
}

extension ArchiveError: LocalizedError {
  public var errorDescription: String? { sentence }
}
