import CoreData
import CoreDataStoreCare
import Foundation

extension RepairPlan {
  /// The repairs, step by step, and the findings that are left.
  func text(for report: CheckReport) -> String {
    if report.isKnownSound, steps.isEmpty { return report.closingLine }
    var parts: [String] = []
    if !steps.isEmpty {
      let lines = steps.enumerated().map { "  \($0 + 1)  \($1.text)" }
      parts.append((["to do"] + lines).joined(separator: "\n"))
    }
    if !left.isEmpty {
      parts.append((["left as it is"] + left.map(\.text)).joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n")
  }

  func json(for report: CheckReport) -> [String: Any] {
    [
      "isSound": report.isKnownSound,
      "steps": steps.map(\.json),
      "left": left.map(\.json),
    ]
  }
}

extension RepairPlan.Step {
  /// The findings, and below them the repair.
  var text: String {
    findings.map(\.line).joined(separator: "\n     ") + "\n     → \(remedy.sentence.inOneLine)"
  }

  var json: [String: Any] {
    ["remedy": remedy.sentence, "findings": findings.map(\.json)]
  }
}

extension RepairOutcome {
  var text: String {
    var lines: [String] = []
    if let backup { lines.append("A copy of the store before the repair is at \(backup.path).") }
    if let damagedLog { lines.append("A copy of the damaged -wal is at \(damagedLog.path).") }
    guard wasKept else {
      let sentence =
        losses.isEmpty
        ? "Nothing was changed: the repair would have made the store worse."
        : "Nothing was changed: the repair would have taken away what can be read now: "
          + "\(losses.joined(separator: ", "))."
      return (lines + [sentence, "", after.text]).joined(separator: "\n")
    }
    let count = performed.count
    if count > 0 {
      lines.append("\(count.of("step was", "steps were")) made.")
    } else if lostAndFound == nil {
      lines.append("Nothing was changed.")
    }
    lines += refused.map { "Not made: \($0.step.remedy.sentence) (\($0.reason))." }
    lines += deletedRows.sorted { $0.key < $1.key }
      .map { "Deleted: \($1) \($1 == 1 ? "object" : "objects") of \($0)." }
    if let lostAndFound {
      let files = movedFiles.count.of("file")
      lines.append("Moved to \(lostAndFound.path): \(files) that no row named.")
    }
    if bypassesHistory {
      lines.append(
        "The repair is not in the store's history: programs that follow the history should read"
          + " everything again."
      )
    }
    return (lines + ["", after.text]).joined(separator: "\n")
  }

  var json: [String: Any] {
    var object: [String: Any] = [
      "wasKept": wasKept, "isSound": after.isKnownSound,
      "performed": performed.map(\.json), "deletedRows": deletedRows, "movedFiles": movedFiles,
      "losses": losses,
      "refused": refused.map { ["remedy": $0.step.remedy.sentence, "reason": $0.reason] },
      "bypassesHistory": bypassesHistory, "findings": after.findings.map(\.json),
    ]
    object["backup"] = backup?.path
    object["damagedLog"] = damagedLog?.path
    object["lostAndFound"] = lostAndFound?.path
    return object
  }
}

extension SalvageOutcome {
  func text(for target: URL) -> String {
    let lines = tables.map(\.text)
    let indexes = refusedIndexes.map { "index not built, because of duplicate values: \($0)" }
    let list = isListComplete ? [] : ["Only a part of the list of tables could be read."]
    let others = leftOut.isEmpty ? [] : ["not copied: \(leftOut.joined(separator: ", "))"]
    let closing =
      isComplete
      ? "Every row was read, with every column that the file has." : "Some of the store is lost."
    return
      ((["\(target.path)"] + basis.lines + lines + indexes + others + list + log.lines + [
        closing, "",
      ])
      + [report.text])
      .joined(separator: "\n")
  }

  var json: [String: Any] {
    [
      "isComplete": isComplete, "isListComplete": isListComplete, "isLogComplete": log != .part,
      "isLogLeftOut": log == .leftOut,
      "tablesBy": basis.word, "refusedIndexes": refusedIndexes, "leftOut": leftOut,
      "tables": tables.map { table in
        [
          "name": table.name, "copied": table.copied, "partial": table.partial,
          "isReadable": table.isReadable, "carriedColumns": table.carriedColumns,
          "lostColumns": table.lostColumns, "missingColumns": table.missingColumns,
          "lost": table.lost.map { [$0.lowerBound, $0.upperBound] },
        ] as [String: Any]
      },
      "isSound": report.isSound, "findings": report.findings.map(\.json),
    ]
  }
}

extension SalvagedLog {
  fileprivate var lines: [String] {
    switch self {
    case .whole: []
    case .part: ["Only a part of the -wal could be read: the newest changes are missing."]
    case .leftOut:
      [
        "The -wal beside the file is another store's and was not read. If the store has one of its own, put"
          + " it there and salvage again: the newest changes stand in it."
      ]
    }
  }
}

extension SalvageBasis {
  /// The basis of the tables, if that is not the model in the file.
  fileprivate var lines: [String] {
    switch self {
    case .stored: []
    case .given: ["The tables were made from the model that was given."]
    case .file(let reason):
      [
        "The tables were copied as they are, because \(reason).",
        "That model was not copied; the application has its own, which coredata takes with --model.",
      ]
    }
  }

  fileprivate var word: String {
    switch self {
    case .stored: "the model in the file"
    case .given: "the model that was given"
    case .file: "the file"
    }
  }
}

extension SalvagedTable {
  var text: String {
    guard isReadable else { return "  \(name): nothing could be read" }
    let rows = "\(copied) \(copied == 1 ? "row" : "rows")"
    let partly = partial == 0 ? "" : ", \(partial) more only in part"
    let ranges = lost.prefix(10)
      .map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
    let more = lost.count > 10 ? ", …" : ""
    let missing =
      ranges.isEmpty
      ? "" : "; rows with the keys \(ranges.joined(separator: ", "))\(more) cannot be read"
    return "  \(name): \(rows)\(partly)\(missing)" + columns
  }

  private var columns: String {
    [
      ("that the model does not have, copied", carriedColumns),
      ("that could not be copied, and so are lost", lostColumns),
      ("that the model has and the file does not, left empty", missingColumns),
    ]
    .filter { !$0.1.isEmpty }
    .map { "\n    \($0.1.count.of("column")) \($0.0): \($0.1.joined(separator: ", "))" }
    .joined()
  }
}
