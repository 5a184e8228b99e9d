import CoreDataModel

extension ModelDocument {
  /// Gives an entity or a property another name, everywhere in the model.
  ///
  /// Superentities, destinations, inverses, configurations, indexes, constraints and the places in Xcode's editor follow.
  /// Predicates and derivations do not: the model's problems show those that name something that is gone.
  ///
  /// - Parameters:
  ///   - name: The new name.
  ///   - place: The place of the entity, or of the property in it.
  /// - Returns: The place of the renamed element.
  /// - Throws: A ``Mistake`` if the name is taken, or the place does not exist.
  package mutating func rename(to name: String, at place: [Int]) throws -> [Int] {
    let element = try existing(at: place)
    guard let old = element["name"], old != name else { return place }
    let siblings = try existing(at: Array(place.dropLast())).children
    if siblings.contains(where: { Self.sharesNames($0, element) && $0["name"] == name }) {
      throw Mistake("There is a “\(name)” already; choose another name.")
    }
    var edits = [Self.edit("name", name, of: element)].compactMap(\.self)
    if element.name == "entity" {
      edits += editsOfReferences(toEntity: old, name, besides: place)
    } else if place.count == 2, let entity = self.element(at: [place[0]])?["name"] {
      edits += editsOfReferences(to: element, of: entity, name)
    } else if element.name == "composite" {
      edits += editsOfUses(ofComposite: old, name)
    }
    try replace(edits)
    return try sort(at: place)
  }

  /// Moves an element to the place that its name gives it, if its siblings are in the order of their names.
  private mutating func sort(at place: [Int]) throws -> [Int] {
    let element = try existing(at: place)
    let kinds: Set = ["attribute", "relationship", "fetchedProperty", "fetchIndex", "entity"]
    guard kinds.contains(element.name), let own = place.last else { return place }
    var others = try existing(at: Array(place.dropLast())).children
    others.remove(at: own)
    let names = others.filter { $0.name == element.name }.map { $0["name"] ?? "" }
    guard names == names.sorted() else { return place }
    let target = ModelXMLOrder.place(of: element.name, element["name"] ?? "", among: others)
    guard target != own, !others.isEmpty else { return place }
    let lines = lineStart(of: element)..<lineEnd(behind: element)
    let start =
      target < others.count ? lineStart(of: others[target]) : lineEnd(behind: others[target - 1])
    let text = String(decoding: data[lines], as: UTF8.self)
    try replace([(lines, ""), (start..<start, text)])
    return Array(place.dropLast()) + [target]
  }

  /// Whether two elements may not have the same name.
  private static func sharesNames(_ one: ModelXMLElement, _ other: ModelXMLElement) -> Bool {
    let properties: Set = ["attribute", "relationship", "fetchedProperty"]
    return one.name == other.name || properties.isSuperset(of: [one.name, other.name])
  }

  private typealias Edit = (range: Range<Int>, text: String)

  private func editsOfReferences(
    toEntity old: String,
    _ name: String,
    besides place: [Int]
  ) -> [Edit] {
    var edits: [Edit] = []
    func follow(_ attribute: String, in element: ModelXMLElement) {
      guard element[attribute] == old else { return }
      if let edit = Self.edit(attribute, name, of: element) { edits.append(edit) }
    }
    for (number, child) in root.children.enumerated() {
      switch child.name {
      case "entity":
        follow("parentEntity", in: child)
        if [number] == place { follow("representedClassName", in: child) }
        for property in child.children {
          follow("destinationEntity", in: property)
          follow("inverseEntity", in: property)
          for request in property.children where request.name == "fetchRequest" {
            follow("entity", in: request)
          }
        }
      case "fetchRequest": follow("entity", in: child)
      case "configuration", "elements":
        for member in child.children { follow("name", in: member) }
      case _: continue
      }
    }
    return edits
  }

  private func editsOfReferences(
    to property: ModelXMLElement,
    of entity: String,
    _ name: String
  ) -> [Edit] {
    let old = property["name"] ?? ""
    let family = entities(below: entity)
    var edits: [Edit] = []
    func follow(_ attribute: String, in element: ModelXMLElement) {
      guard element[attribute] == old else { return }
      if let edit = Self.edit(attribute, name, of: element) { edits.append(edit) }
    }
    for owner in root.children where owner.name == "entity" {
      if family.contains(owner["name"] ?? "") {
        for child in owner.children.flatMap({ [$0] + $0.children }) {
          follow("property", in: child)
          for constraint in child.children where constraint.name == "constraint" {
            follow("value", in: constraint)
          }
        }
      }
      guard property.name == "relationship" else { continue }
      for relationship in owner.children
      where relationship.name == "relationship" && relationship["destinationEntity"] == entity {
        follow("inverseName", in: relationship)
      }
    }
    return edits
  }

  private func editsOfUses(ofComposite old: String, _ name: String) -> [Edit] {
    root.children.flatMap(\.children).compactMap { attribute in
      guard attribute.name == "attribute", attribute["composite"] == old else { return nil }
      return Self.edit("composite", name, of: attribute)
    }
  }

  /// An entity and all below it.
  private func entities(below name: String) -> Set<String> {
    var family: Set = [name]
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for entity in root.children where entity.name == "entity" {
        if let parent = entity["parentEntity"], family.contains(parent), let own = entity["name"] {
          isGrowing = family.insert(own).inserted || isGrowing
        }
      }
    }
    return family
  }

  /// Makes a relationship the inverse of another one, on both sides; `nil` takes the inverse away.
  ///
  /// A former inverse of either relationship loses it.
  package mutating func setInverse(_ inverse: String?, at place: [Int]) throws {
    let own = try existing(at: place)
    guard own.name == "relationship", place.count == 2, let entity = element(at: [place[0]]),
      let ownName = own["name"], let entityName = entity["name"]
    else { throw Mistake("Only relationships have inverses.") }
    let destination = own["destinationEntity"] ?? ""
    var edits: [Edit] = []
    func set(_ name: String?, _ entity: String?, in relationship: ModelXMLElement) {
      // Both attributes may have to be inserted at the same place.
      let changes = [
        Self.edit("inverseName", name, of: relationship),
        Self.edit("inverseEntity", name == nil ? nil : entity, of: relationship),
      ].compactMap(\.self)
      if changes.count == 2, changes[0].range == changes[1].range {
        edits.append((changes[0].range, changes[0].text + changes[1].text))
      } else {
        edits += changes
      }
    }
    let other = self.place(ofEntity: destination).flatMap { owner in
      inverse.flatMap { self.place(of: $0, in: owner) }
    }
    if let inverse, other == nil {
      throw Mistake("\(destination) has no relationship “\(inverse)”.")
    }
    for owner in root.children where owner.name == "entity" {
      for relationship in owner.children where relationship.name == "relationship" {
        let isOwn = relationship.whole == own.whole
        let isOther = other.flatMap { element(at: $0) }?.whole == relationship.whole
        if isOwn {
          set(inverse, destination, in: relationship)
        } else if isOther {
          set(ownName, entityName, in: relationship)
        } else if relationship["inverseName"] == ownName,
          relationship["destinationEntity"] == entityName
            || inverse != nil && relationship["inverseEntity"] == entityName
        {
          set(nil, nil, in: relationship)
        }
      }
    }
    try replace(edits)
  }
}
