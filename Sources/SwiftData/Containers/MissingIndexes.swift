import CoreData
import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// Makes the indexes of a schema that an existing file lacks.
///
/// Indexes are not part of a model's version, so that an index that is added to a class leads to no migration.
struct MissingIndexes {
  private let writer: TablesWriter
  private let indexes: [TableIndex]

  init(of model: NSManagedObjectModel) {
    let map = TableMap(model.currentSchema)
    writer = TablesWriter(map)
    indexes = map.tables.flatMap(\.indexes).filter { $0.name.contains("_SwiftDataIndexOn") }
  }

  /// Makes them in the file of a store.
  func make(in file: URL) throws {
    if indexes.isEmpty { return }
    let connection = try Connection(path: file.path)
    let known = try connection.text(
      "SELECT json_group_array(name) FROM sqlite_master WHERE type = 'index'"
    )
    let names = try JSONDecoder().decode(Set<String>.self, from: Data((known ?? "[]").utf8))
    for index in indexes where !names.contains(index.name) {
      try connection.run(writer.statement(for: index))
    }
  }
}
