import CoreData
import CoreDataModel
import CoreDataSQL

/// Transformable values that are not archives, although the attribute is kept as archives.
///
/// Without a deep check, only archives that are empty or end too early are found.
///
/// Whether a program has the classes of the objects in an archive is the program's affair, and so
/// is the form of data that a transformer of its own makes.
struct ArchiveCheck: RowCheck {
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    table.values.filter { $0.attribute.isKeptAsArchive }
      .map { value in
        let isBroken =
          store.isDeep
          ? CheckFunctions.isBrokenArchive(own(value.column))
          : CheckFunctions.isCutArchive(own(value.column))
        return RowFault(
          .error,
          .archive,
          value.place,
          where: "\(value.entity.has("t0")) AND \(isBroken)"
        ) { "\($0.rows("has", "have")) data that cannot be unarchived" }
      }
  }
}

extension AttributeSchema {
  fileprivate var isKeptAsArchive: Bool {
    guard type == .transformable else { return false }
    let archiving = [
      "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer",
      "NSSecureUnarchiveFromDataTransformerName", "NSKeyedUnarchiveFromData",
      "NSKeyedUnarchiveFromDataTransformerName", "",
    ]
    return valueTransformerName.map(archiving.contains) ?? true
  }
}
