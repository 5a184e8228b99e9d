package import CoreDataSQL

/// The kind of a value in a column or of an expression.
///
/// Values of two kinds are never equal and do not have an order, except that all numbers are of one.
package enum ValueKind: Hashable {
  case integer
  case real
  case decimal
  case text
  case date
  case uuid
  case url
  case data
  /// An object whose row is in the table of a root entity.
  case object(root: Int)
  case entity
  /// An archive of something that the database cannot look into.
  case archive
  /// Several values in one attribute; `element` is the path of one of them.
  case composite(element: String)

  var isNumber: Bool {
    switch self {
    case .integer, .real, .decimal: true
    case .text, .date, .uuid, .url, .data, .object, .entity, .archive, .composite: false
    }
  }

  var isOrdered: Bool {
    switch self {
    case .integer, .real, .decimal, .text, .date, .uuid, .url, .data: true
    case .object, .entity, .archive, .composite: false
    }
  }

  func isComparable(with other: ValueKind) -> Bool {
    self == other || (isNumber && other.isNumber)
  }

  /// As sentences call it.
  var word: String {
    switch self {
    case .integer, .real, .decimal: "a number"
    case .text: "a text"
    case .date: "a date"
    case .uuid: "a UUID"
    case .url: "a URL"
    case .data: "data"
    case .object: "an object"
    case .entity: "an entity"
    case .archive: "a transformed value"
    case .composite: "a composite attribute"
    }
  }
}

/// A single value in SQL: a column, a constant, or what is computed of them.
package struct CompiledValue {
  package var sql: SQLFragment
  package var kind: ValueKind
  var isNullable: Bool
  /// The column with the text as `[cd]` compares it.
  var canonical: CanonicalText?
  /// The place of its words in an index.
  var indexed: IndexedText?
}

/// A constant as the columns have it.
enum CompiledConstant {
  case null
  case value(SQLValue, ValueKind)
  case entity(ClosedRange<Int>)
  /// Equals no row: an object of another store, or NaN.
  case unequalled
  case list([Any?])
}

/// One side of a comparison, compiled.
enum Side {
  case constant(CompiledConstant)
  case value(CompiledValue)
  /// An object; going on from here reads its properties.
  case object(RowPlace)
  case many(RowSet)
  /// `{stars, 3}`, with elements that are not all constants.
  case list([Side])
}
