import CoreDataPredicates
import Foundation

// MARK: - Comparing

extension NSManagedObject {
  /// Whether the object comes before another; false if no descriptor distinguishes them.
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

// MARK: - Lists in order

extension [NSManagedObject] {
  /// The objects in the order that sort descriptors ask for, judged by their values in memory.
  ///
  /// Objects that no descriptor distinguishes stay in the order they have.
  func sorted(by descriptors: [NSSortDescriptor]) -> [NSManagedObject] {
    if descriptors.isEmpty || count < 2 { return self }
    return PreparedSort(self, by: descriptors).places().map { self[$0] }
  }

  /// The first place, not before `start`, behind all that does not come after the object.
  ///
  /// Looks at a few objects only.
  func place(
    of object: NSManagedObject,
    from start: Int = 0,
    _ precedes: (NSManagedObject, NSManagedObject) -> Bool
  ) -> Int {
    var (low, high) = (start, count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(object, self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Puts in objects that are in order among themselves, each behind its equals.
  mutating func insert(
    sorted objects: [NSManagedObject],
    _ precedes: (NSManagedObject, NSManagedObject) -> Bool
  ) {
    var places: [Int] = []
    for object in objects { places.append(place(of: object, from: places.last ?? 0, precedes)) }
    if objects.count <= 8 {
      for (object, place) in zip(objects, places).reversed() { insert(object, at: place) }
      return
    }
    var merged: [NSManagedObject] = []
    merged.reserveCapacity(count + objects.count)
    var start = 0
    for (object, place) in zip(objects, places) {
      merged += self[start..<place]
      merged.append(object)
      start = place
    }
    self = merged + self[start...]
  }
}
