package import CoreDataModel
import CoreDataSQL
import CoreDataSQLite
import Foundation

/// Makes indexes of a model that an existing file lacks.
///
/// Indexes are not part of a model's version, so that an index that is added leads to no migration.
package struct MissingIndexes {
  private let writer: TablesWriter
  private let indexes: [TableIndex]

  /// Creates the work for a model.
  ///
  /// - Parameters:
  ///   - schema: The model.
  ///   - word: The part of a name by which an index is known to be one that may be made.
  package init(of schema: ModelSchema, named word: String) {
    let map = TableMap(schema)
    writer = TablesWriter(map)
    indexes = map.tables.flatMap(\.indexes).filter { $0.name.contains(word) }
  }

  /// Makes them in the file of a store.
  package func make(in file: URL) throws {
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
