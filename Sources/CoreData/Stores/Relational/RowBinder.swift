import CoreDataSQL
import Foundation

extension SQLStatement {
  /// Binds a column's value as a snapshot has it; text and bytes are not copied.
  ///
  /// The snapshot must stay alive until the statement is reset or bound anew.
  func bind(_ column: StoredColumn, of snapshot: Snapshot, at index: Int32) {
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
      bind(.text("\(decimal)"), at: index)
    case .composite, .object, .toMany, .orderedToMany, .fetched:
      bindNull(at: index)
    }
  }
}
