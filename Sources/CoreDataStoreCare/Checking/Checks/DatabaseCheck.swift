import CoreData
import CoreDataSQL
import CoreDataSQLite

/// The faults that SQLite itself finds in the file.
///
/// The quick way looks at every page; the full one compares every index with its table as well.
struct DatabaseCheck {
  let isFull: Bool

  func findings(on connection: Connection) throws(SQLiteError) -> [Finding] {
    var messages: [String] = []
    do throws(SQLiteError) {
      let statement = try connection.statement("PRAGMA \(isFull ? "integrity" : "quick")_check")
      defer { statement.reset() }
      while try statement.step() {
        // One row may have several lines.
        messages += statement.text(0).split(separator: "\n").map(String.init)
      }
    } catch {
      // An index by a function or an order of letters that only its program has.
      if error.primaryCode == 1 { return [Self.unchecked(error)] }
      if error.isTooLarge { return [Finding(unreadable: .file, .database, error)] }
      guard error.isDamage else { throw error }
      // The findings from before SQLite could not go on say more than that it could not.
      messages.append(error.message)
    }
    return Self.findings(for: messages.filter { $0 != "ok" && !$0.hasPrefix("***") })
  }

  static func findings(for messages: [String]) -> [Finding] {
    let indexes = Dictionary(grouping: messages, by: \.indexName)
    var findings = damage(indexes[nil] ?? [])
    for (index, messages) in indexes.sorted(by: { $0.key ?? "" < $1.key ?? "" }) {
      guard let index else { continue }
      findings.append(
        Finding(
          .error,
          .database,
          .file,
          count: messages.count,
          .names([index]),
          "the index \(index) does not agree with its table: \(messages[0])",
          remedy: Remedy("builds the index anew", .indexes, ["REINDEX \(name: index)"])
        )
      )
    }
    return findings
  }

  private static func unchecked(_ error: SQLiteError) -> Finding {
    Finding(
      .warning,
      .database,
      .file,
      "its pages were not checked, for SQLite needs what only a program has: \(error.message)"
    )
  }

  static let advice =
    "coredata repair STORE --salvage NEWFILE copies what can be read of it into a new store"

  private static func damage(_ messages: [String]) -> [Finding] {
    let unused = messages.filter { $0.hasSuffix("is never used") }
    let broken = messages.filter { !$0.hasSuffix("is never used") }
    var findings: [Finding] = []
    if let first = broken.first {
      let pages = Array(Set(broken.flatMap(\.pages))).sorted()
      var finding = Finding(
        .error,
        .database,
        .file,
        count: broken.count,
        .pages(Array(pages.prefix(Finding.Examples.limit))),
        "SQLite finds the file damaged: \(first)"
      )
      finding.advice = advice
      findings.append(finding)
    }
    if !unused.isEmpty {
      findings.append(
        Finding(
          .note,
          .database,
          .file,
          count: unused.count,
          .pages(Array(unused.flatMap(\.pages).prefix(Finding.Examples.limit))),
          "\(unused.count.of("page is", "pages are")) neither used nor free"
        )
      )
    }
    return findings
  }
}

extension SQLiteError {
  /// Whether the file itself is the reason: damaged, or shorter than it should be.
  ///
  /// Most of the system's refusals are not caused by the file: no room for the files beside it, no lock, no permission.
  var isDamage: Bool { primaryCode == 11 || Self.unreadable.contains(code) }

  /// A read that failed, one that ended too early, and file systems' reports of their own damage.
  private static let unreadable: Set<Int32> = [10, 266, 522, 8202, 8458]

  /// Whether something in the file makes more than there is memory for, or than a value may be.
  var isTooLarge: Bool { [7, 18].contains(primaryCode) }
}

extension String {
  /// The index that one of SQLite's messages is about.
  fileprivate var indexName: String? {
    for words in ["missing from index ", "# of entries in index ", "non-unique entry in index "] {
      if let range = range(of: words) { return String(self[range.upperBound...]) }
    }
    return nil
  }

  /// The pages that one of SQLite's messages names.
  fileprivate var pages: [Int64] {
    matches(of: #/[Pp]age (?:number )?(\d+)/#).compactMap { Int64($0.output.1) }
  }
}
