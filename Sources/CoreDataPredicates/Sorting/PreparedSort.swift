package import Foundation

/// The order of objects by sort descriptors, for which each value is read once, and only if it is needed.
///
/// Sort descriptors read both values again for each comparison. Reading one takes longer than comparing two.
///
/// ```
/// objects      "b"  "a"  "b"
/// places       1, 0, 2          those that no descriptor distinguishes stay in their order
/// ```
package final class PreparedSort {
  private let objects: [NSObject]
  private let columns: [Column]

  package init(_ objects: [NSObject], by descriptors: [NSSortDescriptor]) {
    self.objects = objects
    columns = descriptors.map { Column($0, objects.count) }
  }

  /// The places of the objects in their new order.
  package func places() -> [Int] {
    objects.indices.sorted { one, other in
      for column in columns {
        switch column.compare(one, other, in: objects) {
        case .orderedAscending: return true
        case .orderedDescending: return false
        case .orderedSame: continue
        }
      }
      return one < other
    }
  }
}

/// The keys that one descriptor compares.
private final class Column {
  private let descriptor: NSSortDescriptor
  private let reader: (any SortTermHolding)?
  private var keys: [SortKey?]

  init(_ descriptor: NSSortDescriptor, _ count: Int) {
    self.descriptor = descriptor
    reader = descriptor as? any SortTermHolding
    keys = Array(repeating: nil, count: reader == nil ? 0 : count)
  }

  func compare(_ one: Int, _ other: Int, in objects: [NSObject]) -> ComparisonResult {
    guard let reader else { return descriptor.compare(objects[one], to: objects[other]) }
    let left = key(one, of: objects[one], reader)
    let right = key(other, of: objects[other], reader)
    let result = reader.order.compare(left, right)
    return descriptor.ascending ? result : result.reversed
  }

  private func key(_ place: Int, of object: NSObject, _ reader: any SortTermHolding) -> SortKey {
    if let key = keys[place] { return key }
    let key = SortKey(reader.value(in: object))
    keys[place] = key
    return key
  }
}

/// A value by which something is sorted, and its kind in a comparison.
struct SortKey {
  let value: Any?
  let operand: Operand

  init(_ value: Any?) {
    self.value = value
    operand = Operand(value)
  }
}
