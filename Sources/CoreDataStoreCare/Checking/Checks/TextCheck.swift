import CoreData
import CoreDataModel
import CoreDataSQL

/// Texts that are not valid UTF-8, which a program cannot read as they are.
struct TextCheck: RowCheck {
  func faults(in table: CheckedTable, of store: CheckedStore) -> [RowFault] {
    table.values.filter { [.string, .uri].contains($0.attribute.type) }
      .map { value in
        RowFault(
          .error,
          .text,
          value.place,
          where: """
            \(value.entity.has("t0")) \
            AND \(CheckFunctions.isUnreadable(own(value.column)))
            """
        ) { "\($0.rows("has", "have")) a text that is not valid UTF-8" }
      }
  }
}
