import Foundation

extension [NSManagedObject] {
  /// Puts an object into a list that is in order, behind what no descriptor tells from it.
  ///
  /// Looks at the values of a few objects only.
  mutating func insert(_ object: NSManagedObject, inOrderOf descriptors: [NSSortDescriptor]) {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if object.precedes(self[middle], by: descriptors) { high = middle } else { low = middle + 1 }
    }
    insert(object, at: low)
  }

  /// The objects in the order that sort descriptors ask for, judged by their values in memory.
  ///
  /// Objects that no descriptor tells apart stay in the order they have.
  func sorted(by descriptors: [NSSortDescriptor]) -> [NSManagedObject] {
    guard !descriptors.isEmpty else { return self }
    return enumerated()
      .sorted { one, other in
        for descriptor in descriptors {
          switch descriptor.compare(one.element, to: other.element) {
          case .orderedAscending: return true
          case .orderedDescending: return false
          case .orderedSame: continue
          }
        }
        return one.offset < other.offset
      }
      .map(\.element)
  }
}

extension NSManagedObject {
  /// Whether the object comes before another; false where no descriptor tells them apart.
  func precedes(_ other: NSManagedObject, by descriptors: [NSSortDescriptor]) -> Bool {
    for descriptor in descriptors {
      switch descriptor.compare(self, to: other) {
      case .orderedAscending: return true
      case .orderedDescending: return false
      case .orderedSame: continue
      }
    }
    return false
  }
}
