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

  /// Creates the origin of a transaction that a history has.
  package init(
    time: Double,
    author: String?,
    contextName: String?,
    bundleID: String?,
    processID: String?
  ) {
    self.time = time
    self.author = author
    self.contextName = contextName
    self.bundleID = bundleID
    self.processID = processID
  }

  /// A program without a bundle is known by its process's name.
  private static let program: (bundleID: String?, processID: String?) = {
    let process = ProcessInfo.processInfo.processName
    return (ProgramBundles.main?.bundleIdentifier ?? process, process)
  }()

  /// The texts in the order of their columns.
  package var texts: [String?] { [author, bundleID, contextName, processID] }
}
