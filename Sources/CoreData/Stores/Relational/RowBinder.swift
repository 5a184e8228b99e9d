import CoreDataSQL
import Foundation

/// The facts about a column that binding needs: without its name, so that nothing is counted for each value.
package struct BoundColumn {
  package let slot: Int
  package let kind: SlotKind

  package init(_ column: StoredColumn) {
    slot = column.slot
    kind = column.kind
  }
}

extension SQLStatement {
  /// Binds the columns' values as a snapshot has them, one after the other from a place on; text and bytes
  /// are not copied.
  ///
  /// The snapshot must stay alive until the statement is reset or bound again.
  func bind(_ columns: [BoundColumn], of snapshot: Snapshot, from first: Int32) {
    var place = first
    for column in columns {
      bind(column, of: snapshot.bytes, at: place)
      place += 1
    }
  }

  private func bind(_ column: BoundColumn, of snapshot: SnapshotBytes, at index: Int32) {
    guard snapshot.hasValue(column.slot) else {
      bindNull(at: index)
      return
    }
    switch column.kind {
    case .integer, .boolean, .toOne:
      bind(snapshot.integer(column.slot), at: index)
    case .real, .date:
      bind(snapshot.real(column.slot), at: index)
    case .text, .uri:
      bindText(inPlace: snapshot.bytes(column.slot), at: index)
    case .uuid, .data, .externalData, .transformable:
      bindBlob(inPlace: snapshot.bytes(column.slot), at: index)
    case .decimal:
      let decimal = snapshot.bytes(column.slot).loadUnaligned(as: Decimal.self)
      // NaN is NULL, as when it is read and compared.
      bind(decimal.isNaN ? .null : .text("\(decimal)"), at: index)
    case .composite, .object, .toMany, .orderedToMany, .fetched:
      bindNull(at: index)
    }
  }
}
