import Foundation

extension [NSManagedObject] {
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
