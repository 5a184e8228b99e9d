import CoreDataModel

/// Where a key path leads from an entity, found without any row.
///
/// ```
/// title            an attribute of Note
/// folder.name      an attribute of Folder
/// folder           one object
/// tags.name        many values
/// ```
struct RecordPath {
  let end: End

  enum End {
    case attribute(EntityLayout, slot: Int)
    /// An element of a composite attribute.
    case element(AttributeSchema)
    case object(EntityLayout)
    case many
    /// A number that an operator such as `@count` makes of many.
    case computed
    /// A property that no store keeps.
    case unstored
    case unknown
  }

  init(_ names: [String], from layout: EntityLayout) {
    end = Self.end(names[...], from: layout)
  }

  var isMany: Bool { if case .many = end { true } else { false } }

  private static func end(_ names: ArraySlice<String>, from start: EntityLayout) -> End {
    var layout = start
    var isMany = false
    var rest = names
    while let name = rest.popFirst() {
      if name.hasPrefix("@") { return isMany ? .computed : .unknown }
      if name == "self" || name == "SELF" || name == "objectID" { continue }
      guard let slot = layout.slot(named: name) else { return .unknown }
      guard layout.slots[slot].isPersistent else { return .unstored }
      switch layout.slots[slot].kind {
      case .toOne, .toMany, .orderedToMany:
        if layout.slots[slot].kind != .toOne { isMany = true }
        guard let end = layout.slots[slot].end, let next = layout.model[number: end.destination]
        else { return .unknown }
        layout = next
      case .composite:
        if isMany { return .many }
        return element(of: layout.slots[slot].attribute, rest) ?? .attribute(layout, slot: slot)
      case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
        .transformable, .object, .fetched:
        let hasOperator = rest.contains { $0.hasPrefix("@") }
        if isMany { return hasOperator ? .computed : .many }
        return rest.isEmpty ? .attribute(layout, slot: slot) : .unknown
      }
    }
    return isMany ? .many : .object(layout)
  }

  private static func element(
    of attribute: AttributeSchema?,
    _ names: ArraySlice<String>
  ) -> End? {
    if names.isEmpty { return nil }
    var found = attribute
    for name in names { found = found?.elements.first { $0.name == name } }
    return found.map(End.element) ?? .unknown
  }
}
