import CoreDataSQL
import CoreDataSQLite

/// A column that no property has any more.
///
/// It harms nobody, but going through all rows to remove it takes time: a migration may leave it for
/// later, and note it in the metadata.
package struct SuperfluousColumn: Hashable, Sendable {
  package let table: String
  package let name: String

  var removal: SQLFragment {
    .description("ALTER TABLE \(identifier(table)) DROP COLUMN \(identifier(name))")
  }
}

// MARK: - In metadata

extension SuperfluousColumn {
  /// As in `ZNOTE.ZSUBTITLE`.
  var text: String { "\(table).\(name)" }

  /// `nil` if the text does not name a table and a column.
  init?(text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(table: String(parts[0]), name: String(parts[1]))
  }

  /// The columns that are noted in a store's metadata, in the order in which they were left.
  static func noted(in metadata: [String: Any]) -> [SuperfluousColumn] {
    (metadata[Self.key] as? [String] ?? []).compactMap(SuperfluousColumn.init)
  }

  /// Notes columns, and that there are some; with none, nothing is left of earlier notes.
  static func note(_ columns: [SuperfluousColumn], in metadata: inout [String: Any]) {
    metadata[Self.key] = columns.isEmpty ? nil : columns.map(\.text)
    metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] = columns.isEmpty ? nil : true
  }

  private static let key = "CoreDataDeferredColumns"
}
