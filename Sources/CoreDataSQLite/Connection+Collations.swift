import CoreDataCSQLite
package import Foundation

// MARK: - Collations

extension Connection {
  /// Makes an order of texts a collation of SQL, on this connection: `ORDER BY "ZTITLE" COLLATE …`.
  ///
  /// The order must be total and must not change, since indexes may be built on it.
  ///
  /// The closure reads the UTF-8 of both texts where SQLite has it, and only during the call.
  package func define(
    collation name: String,
    _ compare: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> ComparisonResult
  ) {
    let box = Unmanaged.passRetained(TextOrder(compare))
    sqlite3_create_collation_v2(
      handle,
      name,
      SQLITE_UTF8,
      box.toOpaque(),
      { opaque, leftCount, left, rightCount, right in
        guard let opaque else { return 0 }
        return Unmanaged<TextOrder>.fromOpaque(opaque)._withUnsafeGuaranteedRef { order in
          let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
          let right = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
          return Int32(order.compare(left, right).rawValue)
        }
      },
      { opaque in opaque.map { Unmanaged<TextOrder>.fromOpaque($0).release() } }
    )
  }
}

private final class TextOrder {
  let compare: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> ComparisonResult

  init(_ compare: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> ComparisonResult) {
    self.compare = compare
  }
}
