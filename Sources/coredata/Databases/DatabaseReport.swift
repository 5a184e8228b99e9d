import CoreData
import CoreDataPostgreSQL
import Foundation

/// The report of `coredata inspect` about a PostgreSQL database.
struct DatabaseReport {
  private let facts: PostgreSQLFacts

  init(of database: DatabaseAddress) throws {
    facts = try refusing {
      try PostgreSQLFacts(at: database.url, options: database.options)
    }
  }

  private var identifier: String { facts.metadata[NSStoreUUIDKey] as? String ?? "none" }

  private var versionNames: [String] {
    facts.metadata[NSStoreModelVersionIdentifiersKey] as? [String] ?? []
  }
}

// MARK: - For people

extension DatabaseReport {
  func print(on terminal: Terminal, to output: Output) throws {
    try output.line(terminal.styled(facts.address.inOneLine, .heading))
    for (label, value) in lines {
      try output.line("  \(terminal.styled(label.filled(to: 10), .faint))  \(value.inOneLine)")
    }
    try output.line()
    let columns = [
      TextTable.Column(title: "entity"), TextTable.Column(title: "rows", isNumeric: true),
    ]
    let table = TextTable(columns, terminal: terminal, output: output)
    for entity in facts.entities { try table.add([entity.name, entity.rows.grouped]) }
    try table.finish()
  }

  private var lines: [(String, String)] {
    let names = versionNames
    let version = names.isEmpty ? "" : ", version “\(names.joined(separator: "”, “"))”"
    let model = facts.schema == nil ? "none that can be read" : "in the database\(version)"
    let history = facts.lastTransaction.map { "to transaction \($0.grouped)" } ?? "none"
    return [
      ("server", "PostgreSQL \(facts.server)"), ("UUID", identifier), ("model", model),
      ("zones", facts.zones.joined(separator: ", ")), ("history", history),
      ("size", "\(facts.bytes.asBytes), with all zones"),
    ]
  }
}

// MARK: - For programs

extension DatabaseReport {
  var json: JSONValue {
    let entities = facts.entities.map { entity -> JSONValue in
      ["name": .text(entity.name), "rows": .integer(entity.rows)]
    }
    return [
      "store": [
        "address": .text(facts.address), "UUID": .text(identifier), "server": .text(facts.server),
      ],
      "model": ["versions": .array(versionNames.map(JSONValue.text))],
      "zones": .array(facts.zones.map(JSONValue.text)),
      "entities": .array(entities),
      "history": facts.lastTransaction.map { ["lastTransaction": .integer($0)] } ?? .null,
      "bytes": .integer(facts.bytes),
    ]
  }
}
