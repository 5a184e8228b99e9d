package import CoreDataSQL
import Foundation

extension StoreSchema {
  /// The new values of the columns with times of writing, if the database does not set them itself.
  ///
  /// `alias` is the name of the table in the statement. Rows of a subentity may have such a column of their own.
  package func timesOfWriting(
    _ layout: EntityLayout,
    as alias: String? = nil
  ) -> [(column: String, value: SQLFragment)] {
    if queries.dialect.notesTimes { return [] }
    let now = SQLFragment.value(.real(Date().timeIntervalSinceReferenceDate))
    return model.entities.flatMap { entity -> [(column: String, value: SQLFragment)] in
      if layout.isKind(of: entity) { return timeColumns(of: entity).map { ($0, now) } }
      guard entity.isKind(of: layout) else { return [] }
      let (low, high) = (Int64(entity.numbers.lowerBound), Int64(entity.numbers.upperBound))
      return timeColumns(of: entity).map { column in
        let value: SQLFragment = """
          CASE WHEN \(column: "Z_ENT", of: alias) BETWEEN \(.integer(low)) AND \(.integer(high)) \
          THEN \(now) ELSE \(column: column, of: alias) END
          """
        return (column, value)
      }
    }
  }

  /// The columns of the attributes that an entity itself derives as `now()`.
  private func timeColumns(of layout: EntityLayout) -> [String] {
    layout.derivations.compactMap { derivation in
      guard case .now = derivation.source, layout.declarer(of: derivation.slot) == layout.number
      else { return nil }
      return queries.map(layout).column(of: layout.slots[derivation.slot].name)
    }
  }
}
