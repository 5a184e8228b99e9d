import CoreData
import CoreDataModel
import CoreDataSQL

/// Values of another kind than the column is for: a text where a number should be.
///
/// SQLite stores in any column whatever it is given.
struct ValueTypeCheck: RowCheck {
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    table.values.flatMap { value in
      let type = value.attribute.type
      let (classes, unread) = (type.storageClasses, type.unreadableClasses)
      let others = ["integer", "real", "text", "blob"]
        .filter { !classes.contains($0) && !unread.contains($0) }
      return [
        fault(.error, value.place, value.entity, value.column, unread, wanted: classes[0]),
        fault(.warning, value.place, value.entity, value.column, others, wanted: classes[0]),
      ]
      .compactMap(\.self)
    }
      + table.links.flatMap { link in
        link.columns.compactMap {
          fault(.warning, link.place, link.holder, $0, ["real", "text", "blob"], wanted: "integer")
        }
      }
  }

  private func fault(
    _ severity: Finding.Severity,
    _ place: Finding.Place,
    _ entity: EntityMap,
    _ column: String,
    _ classes: [String],
    wanted: String
  ) -> RowFault? {
    if classes.isEmpty { return nil }
    let wrong = classes.map { SQLFragment.value(.text($0)) }.joined(separator: ", ")
    return RowFault(
      severity,
      .valueType,
      place,
      where: "\(entity.has("t0")) AND typeof(\(own(column))) IN (\(wrong))"
    ) { "\($0.rows("has", "have")) a value in \(column) that is not of SQLite's type \(wanted)" }
  }
}

extension AttributeType {
  /// The storage classes of values that a program does not see, or sees as something else.
  fileprivate var unreadableClasses: [String] {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .date: ["text", "blob"]
    case .decimal: ["blob"]
    case .uuid, .transformable: ["integer", "real", "text"]
    case .string, .uri, .binaryData, .undefined, .objectID, .composite: []
    }
  }

  /// The possible results of SQLite's `typeof` for values; the first is the expected one.
  fileprivate var storageClasses: [String] {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: ["integer"]
    case .double, .float, .date: ["real", "integer"]
    // A number that no other class holds exactly enough is kept as its digits.
    case .decimal: ["real", "integer", "text"]
    case .string, .uri: ["text"]
    case .uuid, .binaryData, .transformable: ["blob"]
    case .undefined, .objectID, .composite: ["blob", "text", "integer", "real"]
    }
  }
}
