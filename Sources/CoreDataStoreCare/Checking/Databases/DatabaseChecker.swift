import CoreData
package import CoreDataModel
package import CoreDataSQL
package import Foundation

/// Looks a PostgreSQL database through, and changes nothing: its tables once, the rows of each zone.
///
/// ```
/// the catalog ─▶ tables, columns, indexes ─▶ for each zone: rows, pairs, unique values, keys, history
/// ```
///
/// Another type asks the server: this one only knows the questions. All answers should be of one moment.
package struct DatabaseChecker {
  private let schema: ModelSchema
  private let hashes: [String: Data]
  /// The zone to look at; nil for all.
  private let zone: String?
  private let ask: Ask

  /// The rows that a query gives; `$1` is the zone in it.
  package typealias Ask = (_ query: SQLFragment, _ zone: String) throws -> [[SQLValue]]

  package init(
    model schema: ModelSchema,
    hashes: [String: Data],
    zone: String?,
    ask: @escaping Ask
  ) {
    self.schema = schema.withoutProgram
    self.hashes = hashes
    self.zone = zone
    self.ask = ask
  }
}

extension DatabaseChecker {
  package func report() throws -> CheckReport {
    let tables = TableMap(schema)
    let catalog = try ServerCatalog(ask)
    var findings = modelFindings + catalog.findings(against: tables)
    guard catalog.file.tables.keys.contains("z_zones") else {
      return CheckReport(findings, hasCheckedRows: false)
    }
    let zones = try zones()
    if let zone, zones.isEmpty {
      findings.append(Finding(.error, .table, .table("z_zones"), "there is no zone \(zone)"))
    }
    for name in zones {
      let check = ZoneCheck(schema, tables, catalog.file, zone: name, ask)
      findings += try check.findings().map { $0.located(in: zones.count > 1 ? name : nil) }
    }
    findings += try strangers(tables, catalog.file)
    return CheckReport(findings, hasCheckedRows: true)
  }

  /// Compares the model in the database with the one that the tables are said to be of.
  private var modelFindings: [Finding] {
    let entities = schema.entityVersionHashes.filter { hashes[$0.key] != nil }
    let others = entities.filter { hashes[$0.key] != $0.value }.keys.sorted()
    if others.isEmpty, !hashes.isEmpty { return [] }
    return [
      Finding(
        .error,
        .model,
        .database,
        count: max(others.count, 1),
        .names(Array(others.prefix(Finding.Examples.limit))),
        hashes.isEmpty
          ? "the version hashes in z_model cannot be read, so that no program can open it"
          : "the model in z_model is not that of its version hashes, so that it cannot be migrated"
      )
    ]
  }

  private func zones() throws -> [String] {
    let rows = try ask("SELECT z_zone FROM z_zones ORDER BY 1", zone ?? "")
    let names = rows.compactMap(\.first?.string)
    return zone.map { wanted in names.filter { $0 == wanted } } ?? names
  }

  /// Rows of zones that are not there, such as those that a program has written after its zone was destroyed.
  private func strangers(_ tables: TableMap, _ file: FileSchema) throws -> [Finding] {
    if zone != nil { return [] }
    return try (tables.tables.map(\.name) + tables.joinTables.map(\.name)).compactMap { table in
      guard file.has("z_zone", in: table) else { return nil }
      let query: SQLFragment = """
        SELECT z_zone, COUNT(*) FROM \(name: table) t WHERE NOT EXISTS \
        (SELECT 1 FROM z_zones k WHERE k.z_zone = t.z_zone) GROUP BY 1 ORDER BY 1
        """
      let rows = try ask(query, "")
      let count = rows.compactMap { $0.last?.number }.reduce(0, +)
      if count == 0 { return nil }
      let names = rows.prefix(Finding.Examples.limit).compactMap { $0.first?.string }
      return Finding(
        .warning,
        .table,
        .table(table),
        count: count,
        .names(names),
        "\(count.rows("is", "are")) of a zone that is not in z_zones"
      )
    }
  }
}

extension Finding {
  /// The finding with the zone in which it was found, if there are several.
  fileprivate func located(in zone: String?) -> Finding {
    guard let zone else { return self }
    var finding = self
    finding.sentence += ", in the zone \(zone)"
    return finding
  }
}

extension SQLValue {
  var number: Int? { if case .integer(let number) = self { Int(clamping: number) } else { nil } }

  var string: String? { if case .text(let text) = self { text } else { nil } }
}
