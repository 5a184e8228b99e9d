import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// A store as checks see it: an open file, the model its rows are compared with, and the tables and
/// columns of the model that the file really has.
///
/// Checks ask only for columns that are there; a missing one is reported once.
struct CheckedStore {
  let connection: Connection
  let url: URL
  let model: ModelLayout
  let tables: TableMap
  let file: FileSchema
  let metadata: CheckedMetadata
  /// Whether to look at everything, however long it takes.
  let isDeep: Bool
  let checkedTables: [CheckedTable]
  let checkedJoins: [CheckedJoin]
  /// By the names of their tables.
  private let witnesses: [String: EntityWitnesses]

  init(
    _ connection: Connection,
    at url: URL,
    model: ModelLayout,
    metadata: CheckedMetadata,
    isDeep: Bool
  ) throws(SQLiteError) {
    self.connection = connection
    self.url = url
    self.model = model
    self.metadata = metadata
    self.isDeep = isDeep
    file = try FileSchema(connection)
    tables = TableMap(model.schema, in: try FileTables(on: connection))
    checkedTables = CheckedTable.all(in: model.schema, tables, file)
    checkedJoins = CheckedJoin.all(in: model.schema, tables, file)
    var witnesses: [String: EntityWitnesses] = [:]
    for table in checkedTables {
      do throws(SQLiteError) {
        witnesses[table.name] = try EntityWitnesses(
          of: table,
          checkedTables,
          checkedJoins,
          tables,
          on: connection
        )
      } catch {
        // The checks of the rows say that they cannot be read.
        guard error.isDamage else { throw error }
      }
    }
    self.witnesses = witnesses
  }

  var schema: ModelSchema { model.schema }

  /// Returns the other evidence for the entity of each row of a table, or `nil` if there is none.
  func witnesses(of entity: EntityMap) -> EntityWitnesses? { witnesses[entity.tableName] }

  /// Whether an entity is kept in this file: a configuration may have only some.
  func keeps(_ entity: EntityMap) -> Bool {
    guard let entities = metadata.entities, !entities.isEmpty else { return true }
    return entities.contains(entity.name)
  }
}

// MARK: - Asking

extension CheckedStore {
  /// The numbers in the first column, and no more of them than examples show.
  func examples(_ query: SQLFragment) throws(SQLiteError) -> [Int64] {
    let statement = try connection.statement(query)
    defer { statement.reset() }
    var numbers: [Int64] = []
    while numbers.count < Finding.Examples.limit, try statement.step() {
      numbers.append(statement.integer(0))
    }
    return numbers
  }

  /// Looks at each by itself: that one cannot be read is a finding, and the others are looked at.
  func each<Element>(
    of elements: [Element],
    _ check: CheckName,
    at place: (Element) -> Finding.Place,
    _ find: (Element) throws(SQLiteError) -> [Finding]
  ) throws(SQLiteError) -> [Finding] {
    var findings: [Finding] = []
    for element in elements {
      do throws(SQLiteError) {
        findings += try find(element)
      } catch {
        guard error.isDamage else { throw error }
        findings.append(Finding(unreadable: place(element), check, error))
      }
    }
    return findings
  }

  func count(_ query: SQLFragment) throws(SQLiteError) -> Int {
    Int(try connection.integer(query) ?? 0)
  }
}

// MARK: - Words

extension Int {
  /// "1 row leads" or "3 rows lead".
  func rows(_ one: String, _ many: String) -> String {
    self == 1 ? "1 row \(one)" : "\(self) rows \(many)"
  }

  func of(_ one: String, _ many: String) -> String { self == 1 ? "1 \(one)" : "\(self) \(many)" }
}

/// A column of the row that a condition speaks of.
func own(_ column: String) -> SQLFragment { .column(column, of: "t0") }

extension EntityMap {
  /// Whether the row `alias` is of this entity or one below it.
  func has(_ alias: String) -> SQLFragment {
    let entity = SQLFragment.column("Z_ENT", of: alias)
    let (low, high) = (Int64(numbers.lowerBound), Int64(numbers.upperBound))
    return low == high
      ? "\(entity) = \(.integer(low))"
      : "\(entity) BETWEEN \(.integer(low)) AND \(.integer(high))"
  }
}
