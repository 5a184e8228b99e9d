import CoreDataModel
import CoreDataModelChanges

/// Which elements of a composite attribute were which of an earlier version of it.
///
/// ```
/// place.town ← place.city      place.country is new      place.street is lost
/// ```
extension AttributeSchema {
  /// The path to what an element was; nil for one that is new.
  func formerPath(_ path: ArraySlice<String>, in old: AttributeSchema) -> [String]? {
    guard let name = path.first else { return [] }
    guard let formerName = namesOfElements(in: old)[name],
      let element = elements.first(where: { $0.name == name }),
      let former = old.elements.first(where: { $0.name == formerName })
    else { return nil }
    return element.formerPath(path.dropFirst(), in: former).map { [formerName] + $0 }
  }

  /// The paths to the elements of an earlier version that nothing was made of.
  func lostPaths(of old: AttributeSchema) -> [[String]] {
    let kept = Set(leaves.compactMap { formerPath($0.path[...], in: old) })
    return old.leaves.map(\.path).filter { !kept.contains($0) }
  }
}
