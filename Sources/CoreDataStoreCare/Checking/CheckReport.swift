import CoreData

/// The findings of a store's checks.
package struct CheckReport: Hashable, Sendable {
  /// The most serious first.
  package let findings: [Finding]
  /// Whether the rows were held against a model at all.
  package let hasCheckedRows: Bool
  /// The differences between the given model and the one that the store was made with; `nil` if they do not differ, or
  /// no model was given.
  package let modelDifference: String?
  /// Whether the file lacks a model, and only a part of the checks could be made with one that was derived from its
  /// tables.
  package let isPartial: Bool

  init(
    _ findings: [Finding],
    hasCheckedRows: Bool,
    modelDifference: String? = nil,
    isPartial: Bool = false
  ) {
    self.isPartial = isPartial
    // The order of equals is the order in which they were looked for.
    self.findings = Finding.Severity.allCases.flatMap { severity in
      findings.filter { $0.severity == severity }
    }
    self.hasCheckedRows = hasCheckedRows
    self.modelDifference = modelDifference
  }

  /// Whether no object is lost, unreadable or impossible to save.
  ///
  /// Warnings are not in the way: programs go on with such a store, and Apple's own leave some behind.
  package var isSound: Bool { findings.allSatisfy { $0.severity != .error } }

  /// Whether no error was found, and everything was looked at in which there could be one.
  package var isKnownSound: Bool { isSound && hasCheckedRows }

  /// Whether SQLite cannot read a part of the file, or reads it through another store's log, so that
  /// nothing must be written to it.
  package var isDamagedFile: Bool {
    findings.contains { finding in
      finding == LogCheck.ofAnother
        || finding.check == .database && finding.severity == .error && finding.remedy == nil
    }
  }

  /// How many rows, pairs, pages and files are concerned.
  package func count(_ severity: Finding.Severity) -> Int {
    findings.filter { $0.severity == severity }.map(\.count).reduce(0, +)
  }
}

extension CheckReport {
  /// Whether a repair has made it worse: an error that was not there, or more of one that was.
  func isWorse(than before: CheckReport) -> Bool {
    let known = before.errors
    if errors.contains(where: { $0.value > known[$0.key, default: 0] }) { return true }
    return count(.error) >= before.count(.error) && count(.warning) > before.count(.warning)
  }

  private var errors: [Kind: Int] {
    findings.filter { $0.severity == .error }
      .reduce(into: [:]) { $0[Kind(check: $1.check, place: $1.place), default: 0] += $1.count }
  }

  private struct Kind: Hashable {
    let check: CheckName
    let place: Finding.Place
  }
}
