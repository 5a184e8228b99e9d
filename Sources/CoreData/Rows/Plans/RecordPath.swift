/// The target of a key path from an entity, found without any row.
///
/// ```
/// title            an attribute of Note
/// folder.name      an attribute of Folder
/// place.latitude   an element of a composite attribute, which has a slot as attributes have
/// place            a composite attribute
/// folder           one object
/// tags.name        many values
/// ```
struct RecordPath {
  let end: End

  enum End {
    case attribute(EntityLayout, slot: Int)
    /// A composite attribute, or the one at `path` within it.
    case composite(EntityLayout, slot: Int, path: [String])
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
        if isMany { return rest.contains { $0.hasPrefix("@") } ? .computed : .many }
        return part(Array(rest), of: slot, in: layout)
      case .integer, .boolean, .real, .date, .decimal, .text, .uri, .uuid, .data, .externalData,
        .transformable, .object, .fetched:
        let hasOperator = rest.contains { $0.hasPrefix("@") }
        if isMany { return hasOperator ? .computed : .many }
        return rest.isEmpty ? .attribute(layout, slot: slot) : .unknown
      }
    }
    return isMany ? .many : .object(layout)
  }

  private static func part(_ path: [String], of slot: Int, in layout: EntityLayout) -> End {
    let elements = layout.slots[slot].elements
    if let element = elements.first(where: { $0.path == path }) {
      return .attribute(layout, slot: element.slot)
    }
    let isComposite = path.isEmpty || elements.contains { $0.path.starts(with: path) }
    return isComposite ? .composite(layout, slot: slot, path: path) : .unknown
  }
}
