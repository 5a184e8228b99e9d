/// The answer to a request: source text that takes the macro's place, and messages for the compiler to print.
struct Expansion: Hashable, Sendable {
  var source = ""
  var diagnostics: [Diagnostic] = []

  var answer: JSONValue {
    [
      "expandMacroResult": [
        "expandedSource": .string(source),
        "diagnostics": .array(diagnostics.map(\.json)),
      ]
    ]
  }
}

/// A message about a place in the source.
struct Diagnostic: Hashable, Sendable {
  enum Severity: String, Hashable, Sendable {
    case error, warning
  }

  let severity: Severity
  let message: String
  let file: String
  /// The offset of the place in the file.
  let offset: Int

  /// Creates a message about a place in a piece of source text.
  ///
  /// - Parameters:
  ///   - severity: Whether the compiler shall fail.
  ///   - message: A sentence that names the thing and the remedy.
  ///   - place: The offset in the text, in bytes.
  ///   - source: The text.
  init(_ severity: Severity, _ message: String, at place: Int, in source: SourceText) {
    self.severity = severity
    self.message = message
    file = source.file
    offset = source.offset.addingReportingOverflow(place).partialValue
  }

  fileprivate var json: JSONValue {
    [
      "message": .string(message),
      "severity": .string(severity.rawValue),
      "position": ["fileName": .string(file), "offset": .number(Double(offset))],
      "highlights": [],
      "notes": [],
      "fixIts": [],
    ]
  }
}
