import CoreDataModel
import CoreDataModelChanges

/// The changes between two models, as a person reads them.
///
///     Notes → Notes 2
///
///     Note
///       + attribute rating added, Integer 16, optional
///       ~ title: renamed from name
///
///     Tag
///       + added
///
///     A lightweight migration can do it in constant time.
struct DiffListing {
  private let comparison: ModelComparison
  private let names: (from: String, to: String)

  init(_ comparison: ModelComparison, from: String, to: String) {
    self.comparison = comparison
    names = (from, to)
  }

  func text(for terminal: Terminal) -> String {
    var parts = ["\(names.from) → \(names.to)"]
    parts += groups.map { name, changes in
      ([terminal.styled(name, .heading)] + changes.map { line($0, terminal) })
        .joined(separator: "\n")
    }
    parts.append(verdict(for: terminal))
    return parts.joined(separator: "\n\n")
  }

  private var groups: [(name: String, changes: [ModelChange])] {
    var groups: [(name: String, changes: [ModelChange])] = []
    for change in comparison.changes {
      let name = change.subject.entityName ?? "the model"
      if let index = groups.firstIndex(where: { $0.name == name }) {
        groups[index].changes.append(change)
      } else {
        groups.append((name, [change]))
      }
    }
    return groups
  }

  private func line(_ change: ModelChange, _ terminal: Terminal) -> String {
    let mark =
      switch change.verdict {
      case .notNeeded, .constantTime: ""
      case .rewritesRows: " (rows)"
      case .impossible: " (impossible)"
      }
    let caution = change.caution.map { "; \($0)" } ?? ""
    let place = change.subject.propertyName.map { "\($0): " } ?? ""
    return terminal.styled("  \(change.sign.rawValue) \(place)\(change.text)", change.sign.role)
      + caution + mark
  }

  private func verdict(for terminal: Terminal) -> String {
    switch comparison.verdict {
    case .notNeeded where comparison.changes.isEmpty:
      "The models are the same."
    case .notNeeded:
      "No migration is needed: each model opens the stores of the other."
    case .constantTime:
      "A lightweight migration can do it in constant time: tables change, rows do not."
    case .rewritesRows where comparison.changes.allSatisfy({ $0.verdict < .rewritesRows }):
      """
      A lightweight migration can do it. Entities get other numbers in the store, so that each row of \
      \(comparison.renumberedEntityNames.joined(separator: ", ")) is updated.
      """
    case .rewritesRows:
      "A lightweight migration can do it; it rewrites all rows of some tables."
    case .impossible:
      ([terminal.styled("A lightweight migration cannot do it:", .heading)]
        + comparison.obstacles.map(reason))
        .joined(separator: "\n")
    }
  }

  private func reason(_ change: ModelChange) -> String {
    guard case .impossible(let reason, let remedy) = change.verdict else { return "" }
    return "  \(reason);\n    \(remedy)"
  }
}

extension ModelChange.Subject {
  fileprivate var propertyName: String? {
    if case .property(let name, _) = self { name } else { nil }
  }
}

extension ModelChange.Sign {
  fileprivate var role: TextRole {
    switch self {
    case .added: .good
    case .removed: .bad
    case .changed: .warning
    }
  }
}

// MARK: - JSON

extension DiffListing {
  var json: [String: Any] {
    [
      "from": names.from,
      "to": names.to,
      "changes": comparison.changes.map(\.json),
      "needsMigration": comparison.needsMigration,
      "verdict": comparison.verdict.word,
    ]
  }
}

extension ModelChange {
  fileprivate var json: [String: Any] {
    var json: [String: Any] = [
      "sign": sign.rawValue, "sentence": sentence, "verdict": verdict.word,
      "entersVersionHash": entersVersionHash,
    ]
    json["entity"] = subject.entityName
    json["property"] = subject.propertyName
    json["caution"] = caution
    if case .impossible(let reason, let remedy) = verdict {
      json["reason"] = reason
      json["remedy"] = remedy
    }
    return json
  }
}

extension LightweightVerdict {
  fileprivate var word: String {
    switch self {
    case .notNeeded: "notNeeded"
    case .constantTime: "constantTime"
    case .rewritesRows: "rewritesRows"
    case .impossible: "impossible"
    }
  }
}
