import CoreDataModel

/// A column that belongs to the model; every table has `Z_PK`, `Z_ENT` and `Z_OPT` before them.
package struct Column: Hashable, Sendable {
  package let name: String
  package let type: ColumnType
  package let role: Role

  package enum Role: Hashable, Sendable {
    /// An attribute's value.
    case value
    /// The key of a row elsewhere.
    case foreignKey
    /// The `Z_ENT` of the row that the column before it points to.
    case foreignEntity
    /// A place in an ordered relationship.
    case order
  }
}

/// Column types as SQLite stores spell them.
package enum ColumnType: String, Hashable, Sendable {
  case integer = "INTEGER"
  case timestamp = "TIMESTAMP"
  case float = "FLOAT"
  case decimal = "DECIMAL"
  case text = "VARCHAR"
  case blob = "BLOB"
}

/// The columns of a table are in groups, in this order.
enum ColumnGroup: Int, CaseIterable {
  /// Whole numbers, and the keys of to-one relationships.
  case integers
  /// Places in ordered relationships, and the keys of relationships without an inverse.
  case orders
  case owners
  case reals
  case decimals
  case strings
  case addresses
  case identifiers
  case transformables
  case binaries
}

extension AttributeType {
  /// Where a value of this type is put; nil when it cannot be stored in one column.
  var column: (group: ColumnGroup, type: ColumnType)? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: (.integers, .integer)
    case .date: (.reals, .timestamp)
    case .double, .float: (.reals, .float)
    case .decimal: (.decimals, .decimal)
    case .string: (.strings, .text)
    case .uri: (.addresses, .text)
    case .uuid: (.identifiers, .blob)
    case .transformable: (.transformables, .blob)
    case .binaryData: (.binaries, .blob)
    case .undefined, .objectID, .composite: nil
    }
  }
}
