package import CoreDataModel

/// An index of the words in a table's texts, beside the table, for `title CONTAINS[cdw] "crème"`.
///
/// ```
/// ZNOTE                                    COREDATA_ZNOTE_TEXT
/// Z_PK  ZTITLE         ZBODY               brulee   7 ZTITLE
///    7  Crème brûlée   Take six eggs …     creme    7 ZTITLE
///                                          eggs     7 ZBODY
/// ```
///
/// It is of our making: Apple's framework neither knows nor needs it, and its triggers, which every SQLite runs, keep
/// it in step no matter who writes. The texts stay in the table and are not stored twice. Apple does not use names
/// with this beginning: tables of entities begin with Z. A server's database does not need such a table: there the
/// index is one of the table's own (``KeptWords``).
package struct TextIndex: Hashable, Sendable {
  package let table: String
  /// The columns whose words it has.
  package let columns: [String]

  private init(table: String, columns: [String]) {
    self.table = table
    self.columns = columns
  }
}

extension TextIndex {
  /// The indexes that a model asks for: of attributes that are marked "Index in Spotlight", are texts
  /// and are not derived.
  ///
  /// Triggers that derive a value may write it before the index has heard of the row.
  package static func all(in tables: TableMap, _ schema: ModelSchema) -> [TextIndex] {
    tables.tables.compactMap { table in
      guard let root = tables[number: table.rootNumber] else { return nil }
      let columns = root.numbers.flatMap { number -> [String] in
        guard let map = tables[number: number] else { return [] }
        return map.properties.keys.compactMap { name in
          guard case .attribute(let attribute)? = schema.property(name, of: map.name),
            attribute.isIndexedForText
          else { return nil }
          return map.column(of: name)
        }
      }
      let distinct = Set(columns).sorted()
      return distinct.isEmpty ? nil : TextIndex(table: table.name, columns: distinct)
    }
  }
}

extension AttributeSchema {
  fileprivate var isIndexedForText: Bool {
    isIndexedBySpotlight && type == .string && !isTransient && derivationExpression == nil
  }
}

/// The indexes of words that a file has, and that may be asked.
package struct TextIndexes: Hashable, Sendable {
  private let indexes: [String: TextIndex]

  static let none = TextIndexes([])

  package init(_ indexes: [TextIndex]) {
    self.indexes = Dictionary(uniqueKeysWithValues: indexes.map { ($0.table, $0) })
  }

  var isEmpty: Bool { indexes.isEmpty }

  subscript(table: String) -> TextIndex? { indexes[table] }
}
