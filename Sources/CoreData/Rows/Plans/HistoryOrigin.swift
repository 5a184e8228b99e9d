import Foundation

/// The time and the author of a transaction.
///
/// ```
/// author       context.transactionAuthor   "import"
/// contextName  context.name                "viewContext"
/// bundleID     the program                 "org.example.Notes"
/// processID    the process                 "notes"
/// ```
package struct HistoryOrigin: Sendable {
  /// Seconds since 1 January 2001.
  package let time: Double
  package let author: String?
  package let contextName: String?
  package let bundleID: String?
  package let processID: String?

  package init(author: String? = nil, contextName: String? = nil) {
    self.author = author
    self.contextName = contextName
    time = Date().timeIntervalSinceReferenceDate
    (bundleID, processID) = Self.program
  }

  /// A program without a bundle is known by its process's name.
  private static let program: (bundleID: String?, processID: String?) = {
    let process = ProcessInfo.processInfo.processName
    return (ProgramBundles.main?.bundleIdentifier ?? process, process)
  }()
}

extension HistoryOrigin {
  /// The texts of an origin, in the order of their columns; the raw values are their names in predicates.
  package enum Field: String, CaseIterable {
    case author
    case bundleID
    case contextName
    case processID

    /// The column with the text itself.
    package var column: String { "Z\(rawValue.uppercased())" }
    /// The column with the key of a text that transactions share.
    package var keyColumn: String { "\(column)TS" }
  }

  package subscript(field: Field) -> String? {
    switch field {
    case .author: author
    case .bundleID: bundleID
    case .contextName: contextName
    case .processID: processID
    }
  }

  /// Creates the origin of a transaction that a history has.
  package init(time: Double, _ text: (Field) -> String?) {
    self.time = time
    author = text(.author)
    bundleID = text(.bundleID)
    contextName = text(.contextName)
    processID = text(.processID)
  }
}
