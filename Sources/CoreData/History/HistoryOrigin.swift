import Foundation

/// When a transaction was written, and by whom.
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

  /// Creates the origin of a stored transaction, whose texts are read one by one.
  package init(time: Double, text: (Field) -> String?) {
    self.time = time
    author = text(.author)
    contextName = text(.contextName)
    bundleID = text(.bundleID)
    processID = text(.processID)
  }

  /// The present name and author of the context.
  package init(of context: NSManagedObjectContext) {
    self.init(author: context.transactionAuthor, contextName: context.name)
  }

  /// A program without a bundle is known by its process's name.
  private static let program: (bundleID: String?, processID: String?) = {
    let process = ProcessInfo.processInfo.processName
    return (ProgramBundles.main?.bundleIdentifier ?? process, process)
  }()
}

// MARK: - Texts

extension HistoryOrigin {
  /// A text of an origin, named as the property of a transaction, in the order of the columns.
  package enum Field: String, CaseIterable, Sendable {
    case author, bundleID, contextName, processID

    /// The column with the text itself.
    package var column: String { "Z\(rawValue.uppercased())" }

    /// The column with the key of the text, in a file that has a table of texts.
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
}
