import CoreData
import CoreDataModel
import CoreDataStoreCare
import Foundation

// MARK: - For people

extension StoreReport {
  func print(on terminal: Terminal, to output: Output) throws {
    try output.line(terminal.styled(facts.url.relativePath.inOneLine, .heading))
    for (label, value) in general + file { try item(label, value, terminal, output) }
    try output.line()
    try printEntities(terminal, output)
    try output.line()
    for (label, value) in beside { try item(label, value, terminal, output) }
    let health = health
    try item(
      "health",
      terminal.styled(health.sentence, health.isGood ? .good : .warning)
        + "; run coredata check\(hasOwnModel ? "" : " with --model MODEL") to examine every row",
      terminal,
      output
    )
  }

  private func item(
    _ label: String,
    _ value: String,
    _ terminal: Terminal,
    _ output: Output
  ) throws {
    try output.line("  \(terminal.styled(label.filled(to: 10), .faint))  \(value)")
  }

  private var general: [(String, String)] {
    var lines: [(String, String)] = []
    if let origin {
      lines.append(("format", "that of \(origin.system) (framework version \(origin.number))"))
    }
    lines.append(("UUID", (uuid ?? "none").inOneLine))
    lines.append(("model", modelLine))
    for (key, value) in appKeys {
      lines.append(("metadata", "\(key.inOneLine) = \(Self.short(value))"))
    }
    return lines
  }

  /// Metadata may hold whole archives; `--json` has them in full.
  private static func short(_ value: JSONValue) -> String { value.compact.cut(to: 60) }

  private var modelLine: String {
    switch model {
    case .missing(let reason):
      return "none: \(reason.inOneLine); give one with --model, or try --without-model"
    case .found(let model):
      let names =
        difference == nil
        ? versionIdentifiers : model.schema.versionIdentifiers.filter { !$0.isEmpty }.sorted()
      let version =
        names.isEmpty ? "" : ", version “\(names.joined(separator: "”, “").inOneLine)”"
      let hashes = hashesVersion.map { $0 == 3 ? "" : ", hashes of version \($0)" } ?? ""
      let agreement = difference == nil ? "" : "; it is not the one the store was made with"
      return model.place.inOneLine + version + hashes + agreement
    }
  }

  private var file: [(String, String)] {
    let database = facts.database
    let pages = "\(database.pageCount.of("page")) of \(database.pageSize) bytes"
    let free = database.freePageCount == 0 ? "" : ", \(database.freePageCount.grouped) of them free"
    let size = facts.size(ofFileNamed: "") ?? 0
    var lines = [("size", "\(size.asBytes) (\(pages)\(free))")]
    let name = facts.url.lastPathComponent.inOneLine
    switch (database.journalMode, facts.size(ofFileNamed: "-wal")) {
    case ("wal", let bytes?) where bytes > 0:
      let damage = logDamage.map { "; \($0)" } ?? ""
      lines.append(("journal", "write-ahead log; \(bytes.asBytes) in \(name)-wal\(damage)"))
    case ("wal", .some):
      lines.append(("journal", "write-ahead log, empty"))
    case ("wal", nil):
      // The last program to close a store removes the log, as nothing is left in it.
      let text =
        "write-ahead log, closed: everything is in the file itself, unless the store was copied without "
        + "its \(name)-wal"
      lines.append(("journal", text))
    case (let mode, _):
      lines.append(("journal", "rollback (\(mode))"))
    }
    if let files = facts.externalFiles {
      let text = "\(files.count.of("file")), \(files.bytes.asBytes), beside the store"
      lines.append(("large data", text))
    }
    return lines
  }
}

// MARK: - Entities

extension StoreReport {
  private func printEntities(_ terminal: Terminal, _ output: Output) throws {
    let entries = entries
    let names = entries.map { String(repeating: "  ", count: $0.depth) + $0.name.inOneLine }
    let rows = entries.map { Self.text($0.entity.count) }
    let widths = (
      names: (names + ["entities"]).map(\.displayWidth).max() ?? 0,
      rows: (rows + ["rows"]).map(\.displayWidth).max() ?? 0
    )
    let heading =
      "entities".filled(to: widths.names) + "  "
      + "rows".filled(to: widths.rows, onTheLeft: true)
    try output.line("  " + terminal.styled(heading, .heading))
    for (place, entry) in entries.enumerated() {
      let row = rows[place].filled(to: widths.rows, onTheLeft: true)
      let line = "  \(names[place].filled(to: widths.names))  \(row)"
      let remark = terminal.styled(remark(on: entry), .faint)
      try output.line(remark.isEmpty ? line : "\(line)  \(remark)")
    }
    if entries.isEmpty { try output.line("  none") }
    if entries.contains(where: { $0.entity.count?.isExact == false }) {
      let remark = "about: estimated, because counting would take long; use --exact to count"
      try output.line("  " + terminal.styled(remark, .faint))
    }
  }

  private static func text(_ count: RowCount?) -> String {
    switch count {
    case .exact(let number): number.grouped
    case .about(let number): "about \(number.rounded.grouped)"
    case nil: "no table"
    }
  }

  private func remark(on entry: Entry) -> String {
    let hasMore = facts.entities.contains { $0.superNumber == entry.entity.number }
    let parts = [
      entry.isAbstract ? "abstract" : nil,
      hasMore && entry.total != entry.entity.count
        ? "\(Self.text(entry.total)) with subentities" : nil,
      entry.name != entry.entity.name ? "called \(entry.entity.name.inOneLine) in the file" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }
}

extension Int {
  /// With as many digits as an estimate deserves: three.
  var rounded: Int {
    var (unit, rest) = (1, magnitude)
    while rest >= 1000 { (unit, rest) = (unit * 10, rest / 10) }
    return (self + unit / 2) / unit * unit
  }
}

// MARK: - Files beside the store

extension StoreReport {
  private var beside: [(String, String)] {
    [("history", historyLine), ("CloudKit", cloudKitLine)]
  }

  private var historyLine: String {
    guard let history = facts.history else { return "none" }
    func counted(_ count: RowCount, _ name: String) -> String {
      count.isExact ? count.number.of(name) : "about \(count.number.rounded.of(name))"
    }
    var text = counted(history.transactions, "transaction")
    text += ", \(counted(history.changes, "change"))"
    if let first = history.first, let last = history.last {
      let days = [first, last].map { String($0.iso8601.prefix(10)) }
      text += days[0] == days[1] ? ", on \(days[0])" : ", from \(days[0]) to \(days[1])"
    }
    let named = (history.authors ?? []).compactMap { author in
      author.name.map { "\($0.inOneLine) (\(author.transactions.grouped))" }
    }
    if !named.isEmpty { text += ", by \(named.prefix(5).joined(separator: ", "))" }
    return text
  }

  private var cloudKitLine: String {
    facts.cloudKitTables.isEmpty
      ? "none"
      : "mirrored; \(facts.cloudKitTables.count.of("table")) of CloudKit"
  }
}
