import CoreData
import CoreDataModel

/// An element of a composite attribute, which is a column of its own as in a dump: `place.latitude`.
struct ImportedElement {
  /// The slot of the composite attribute.
  let slot: Int
  /// The names behind that of the composite attribute.
  let path: ArraySlice<String>
  let attribute: AttributeSchema

  /// `nil` for a name that is not an element, and for one that has elements itself.
  init?(_ name: String, of layout: EntityLayout) {
    let names = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count > 1, let slot = layout.slot(named: names[0]),
      var attribute = layout.slots[slot].attribute
    else { return nil }
    for name in names.dropFirst() {
      guard let element = attribute.elements.first(where: { $0.name == name }) else { return nil }
      attribute = element
    }
    guard attribute.type != .composite else { return nil }
    self.slot = slot
    path = names.dropFirst()
    self.attribute = attribute
  }
}
