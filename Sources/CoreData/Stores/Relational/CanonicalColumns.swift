import CoreDataPredicates
import CoreDataSQL

/// The columns that hold texts as `[cd]` compares them: derived attributes such as
/// `canonical:(title)`.
///
/// ```
/// title BEGINSWITH[cd] "Café"
///
/// without   COREDATA_BEGINSWITH("ZTITLE", 'cafe', 3)               folds every title
/// with      "ZSEARCHTITLE" >= 'cafe' AND "ZSEARCHTITLE" < 'caff'   an index serves
/// ```
package struct CanonicalColumns: Sendable {
  /// By entity, then by the attribute that the text is of.
  private var columns: [String: [String: CanonicalColumn]] = [:]

  package static let none = CanonicalColumns()

  private init() {}

  init(_ queries: RowQueries) {
    for layout in queries.model.entities {
      for derivation in layout.derivations {
        guard case .ownText(.canonical, let source) = derivation.source else { continue }
        let map = queries.map(layout)
        let name = layout.slots[source].name
        guard let text = map.column(of: name),
          let column = map.column(of: layout.slots[derivation.slot].name)
        else { continue }
        columns[layout.name, default: [:]][name] = CanonicalColumn(
          table: map.tableName,
          text: text,
          column: column,
          numbers: map.numbers
        )
      }
    }
  }

  subscript(attribute: String, of entity: EntityMap) -> CanonicalColumn? {
    columns[entity.name]?[attribute]
  }

  mutating func remove(_ column: CanonicalColumn) {
    columns = columns.mapValues { $0.filter { $0.value != column } }
  }
}

/// The canonical form of a text in a statement: its column, of the row that the statement means.
struct CanonicalText {
  let sql: SQLFragment
  let column: CanonicalColumn
}

/// A column with the canonical form of another, in the rows of an entity and those below it.
struct CanonicalColumn: Hashable, Sendable {
  let table: String
  let text: String
  let column: String
  let numbers: ClosedRange<Int>

  /// Finds a row in which the column is not what we would write.
  func difference(in dialect: any SQLDialect) -> SQLFragment {
    let folded = dialect.folded(.column(text), [.caseInsensitive, .diacriticInsensitive])
    return """
      SELECT 1 FROM \(table: table) WHERE \(dialect.differ(.column(column), folded)) \
      AND \(column: "Z_ENT") BETWEEN \(.integer(Int64(numbers.lowerBound))) \
      AND \(.integer(Int64(numbers.upperBound))) LIMIT 1
      """
  }
}
