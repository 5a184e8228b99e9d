/// One thing that is wrong with a model, told as a compiler tells it.
///
///     Notes.xcdatamodeld/Notes.xcdatamodel/contents:12: error: Note.title: unknown attribute type
///     "Strin"; …
package struct ModelProblem: Hashable, Sendable, CustomStringConvertible {
  package var severity: Severity
  /// The file, from the model's own name on; nil for a model that was built in code.
  package var file: String?
  package var line: Int?
  package var entity: String?
  package var property: String?
  /// The problem, and how to mend it.
  package var message: String

  package init(
    _ severity: Severity = .error,
    file: String? = nil,
    line: Int? = nil,
    entity: String? = nil,
    property: String? = nil,
    message: String
  ) {
    self.severity = severity
    self.file = file
    self.line = line
    self.entity = entity
    self.property = property
    self.message = message
  }

  package enum Severity: String, Hashable, Sendable {
    case error
    case warning
  }

  /// The same problem, of a part that is left out.
  package var asWarning: ModelProblem {
    var warning = self
    warning.severity = .warning
    return warning
  }

  package var description: String {
    let place = file.map { file in line.map { "\(file):\($0): " } ?? "\(file): " } ?? ""
    let subject = [entity, property].compactMap(\.self).joined(separator: ".")
    return "\(place)\(severity.rawValue): \(subject.isEmpty ? "" : subject + ": ")\(message)"
  }
}

/// Why a model cannot be used: every problem that was found, not only the first.
package struct ModelError: Error, Hashable, CustomStringConvertible {
  package var problems: [ModelProblem]

  package init(problems: [ModelProblem]) {
    self.problems = problems
  }

  package init(_ problem: ModelProblem) {
    problems = [problem]
  }

  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}
