import CoreDataCSQLite
package import Foundation

// MARK: - Collations

extension Connection {
  /// Makes an order of texts a collation of SQL, on this connection: `ORDER BY "ZTITLE" COLLATE …`.
  ///
  /// The order must be total and must not change, since indexes may be built on it.
  package func define(
    collation name: String,
    _ compare: @escaping (String, String) -> ComparisonResult
  ) {
    let box = Unmanaged.passRetained(TextOrder(compare))
    sqlite3_create_collation_v2(
      handle,
      name,
      SQLITE_UTF8,
      box.toOpaque(),
      { opaque, leftCount, left, rightCount, right in
        guard let opaque else { return 0 }
        let order = Unmanaged<TextOrder>.fromOpaque(opaque).takeUnretainedValue()
        return Int32(order.compare(decoded(left, leftCount), decoded(right, rightCount)).rawValue)
      },
      { opaque in opaque.map { Unmanaged<TextOrder>.fromOpaque($0).release() } }
    )
  }
}

private func decoded(_ start: UnsafeRawPointer?, _ count: Int32) -> String {
  String(decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
}

private final class TextOrder {
  let compare: (String, String) -> ComparisonResult

  init(_ compare: @escaping (String, String) -> ComparisonResult) {
    self.compare = compare
  }
}
