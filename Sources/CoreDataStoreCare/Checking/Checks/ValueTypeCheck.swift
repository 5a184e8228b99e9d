import CoreData
import CoreDataModel
import CoreDataSQL

/// Values of another kind than the column is for: a text where a number should be.
///
/// SQLite stores in any column whatever it is given.
struct ValueTypeCheck: RowCheck {
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    table.values.map { value in
      fault(value.place, value.entity, value.column, value.attribute.type.storageClasses)
    }
      + table.links.flatMap { link in
        link.columns.map { fault(link.place, link.holder, $0, ["integer"]) }
      }
  }

  private func fault(
    _ place: Finding.Place,
    _ entity: EntityMap,
    _ column: String,
    _ classes: [String]
  ) -> RowFault {
    let allowed = (classes + ["null"]).map { SQLFragment.value(.text($0)) }
    let wanted = classes[0]
    return RowFault(
      .warning,
      .valueType,
      place,
      where: """
        \(entity.has("t0")) AND typeof(\(own(column))) NOT IN (\(allowed.joined(separator: ", ")))
        """
    ) { "\($0.rows("has", "have")) a value in \(column) that is not of SQLite's type \(wanted)" }
  }
}

extension AttributeType {
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
