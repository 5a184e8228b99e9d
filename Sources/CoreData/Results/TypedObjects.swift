import Foundation

/// The objects of an arrangement as an array of their own class, made once for each revision.
struct TypedObjects<Element> {
  private var made: (revision: Int, objects: [Element])?

  mutating func objects(of arrangement: Arrangement, _ revision: Int) -> [Element] {
    if let made, made.revision == revision { return made.objects }
    let objects = arrangement.objects
    let typed = (objects as? [Element]) ?? objects.compactMap { $0 as? Element }
    made = (revision, typed)
    return typed
  }
}
