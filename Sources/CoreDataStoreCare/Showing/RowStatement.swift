package import CoreData
package import CoreDataModel
import CoreDataSQL

/// Statements about single rows, for people who look into tables.
package enum RowStatement {
  /// The statement that selects an object's row; `nil` if the model does not have its entity.
  ///
  /// ```
  /// SELECT * FROM "ZNOTE" WHERE "Z_PK" = 3
  /// ```
  package static func select(_ key: StoredKey, _ schema: ModelSchema) -> String? {
    guard let root = schema.rootEntity(of: key.entity),
      let entity = TableMap(schema).entities.first(where: { $0.name == root.name })
    else { return nil }
    let table = entity.tableName.replacing("\"", with: "\"\"")
    return "SELECT * FROM \"\(table)\" WHERE \"Z_PK\" = \(key.primaryKey)"
  }
}
