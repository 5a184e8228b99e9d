public import Foundation

/// Why a document was not made.
public enum WordError: Error, Sendable, Equatable {
  /// The program that makes documents is not installed.
  case noTool
  /// It takes more memory or time than one document may.
  case tooDear
  /// The program has ended with an error.
  case refused
  /// The process with limits cannot be started.
  case noHelper(String)
}

extension WordError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .noTool:
      "The server cannot make documents for Word: pandoc is missing. Debian has it in the package pandoc."
    case .tooDear:
      "The note takes more memory or time than one document may. Export it as HTML, which Word opens, or as Markdown."
    case .refused:
      "Pandoc could not make a document of this note. Export it as HTML, which Word opens, or as Markdown."
    case .noHelper(let reason): "No document can be made now: \(reason)."
    }
  }
}
