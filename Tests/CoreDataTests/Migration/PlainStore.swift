import CoreDataModel
import TestSupport

/// A model and its objects as plain values, which change together: the expected result of a
/// migration, in the simplest way.
struct PlainStore {
  struct Entity {
    var name: String
    let identifier: String
    var parent: String?
    var attributes: [Attribute]
  }

  struct Attribute {
    var name: String
    let identifier: String
    let isNumber: Bool
    var standard: Int?
  }

  struct End {
    var entity: String
    var name: String
    let identifier: String
    var isMany: Bool
    var isOrdered = false
  }

  struct Link {
    var there: End
    /// The target entity.
    var target: String
    var back: End?
    var pairs: Set<Pair> = []

    /// Whether two objects may be linked besides those that are.
    func admits(_ pair: Pair) -> Bool {
      // Without an inverse a to-many relationship shares no object.
      let isBackMany = back.map(\.isMany) ?? !there.isMany
      return (there.isMany || !pairs.contains { $0.from == pair.from })
        && (isBackMany || !pairs.contains { $0.to == pair.to }) && !pairs.contains(pair)
    }
  }

  struct Pair: Hashable {
    let from: String
    let to: String
  }

  struct Object {
    var entity: String
    var values: [String: String] = [:]
  }

  var entities: [Entity] = []
  var links: [Link] = []
  var objects: [String: Object] = [:]
  private var count = 0
  /// The objects that were changed since the last migration, and are not changed once more before
  /// the next.
  private var touched: Set<String> = []

  init(_ dice: inout Dice) {
    for _ in 0..<3 { addEntity(below: nil, &dice) }
    for _ in 0..<3 { addEntity(below: entities.randomElement(using: &dice)?.name, &dice) }
    for _ in 0..<5 { addLink(&dice) }
    touched = []
  }

  mutating func begin() { touched = [] }

  private mutating func fresh(_ kind: String, _ dice: inout Dice) -> String {
    count += 1
    // The first letter decides about the number of an entity.
    let letter = ["A", "G", "M", "T"].randomElement(using: &dice) ?? "A"
    return kind == "E" ? "\(letter)e\(count)" : "\(kind)\(count)"
  }

  private mutating func touch(_ name: String) -> Bool { touched.insert(name).inserted }
}

// MARK: - Asking

extension PlainStore {
  func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }

  func lineage(_ name: String) -> [Entity] {
    Array(sequence(first: entity(name)) { $0?.parent.flatMap { entity($0) } }).compactMap { $0 }
  }

  func isKind(_ name: String, of other: String) -> Bool {
    lineage(name).contains { $0.name == other }
  }

  private func leaves() -> [Entity] {
    entities.filter { entity in !entities.contains { $0.parent == entity.name } }
  }

  /// Keys of the objects that a relationship of an entity may lead to, in a fixed order.
  func keys(of entity: String) -> [String] {
    objects.filter { isKind($0.value.entity, of: entity) }.keys.sorted()
  }

  var schema: ModelSchema {
    ModelSchema(
      entities: entities.map { entity in
        var schema = EntitySchema(name: entity.name)
        schema.renamingIdentifier = entity.identifier
        schema.superentityName = entity.parent
        if entity.parent == nil {
          schema.attributes = [AttributeSchema(name: "key", type: .string)]
        }
        schema.attributes += entity.attributes.map { attribute in
          var schema = AttributeSchema(
            name: attribute.name,
            type: attribute.isNumber ? .integer32 : .string
          )
          schema.renamingIdentifier = attribute.identifier
          schema.defaultValue = attribute.standard.map {
            attribute.isNumber ? .integer(Int64($0)) : .text("\($0)")
          }
          return schema
        }
        for link in links {
          if link.there.entity == entity.name {
            schema.relationships.append(Self.relationship(link.there, link.target, link.back?.name))
          }
          if let back = link.back, back.entity == entity.name {
            schema.relationships.append(Self.relationship(back, link.there.entity, link.there.name))
          }
        }
        return schema
      }
    ).canonical
  }

  private static func relationship(
    _ end: End,
    _ destination: String,
    _ inverse: String?
  ) -> RelationshipSchema {
    var schema = RelationshipSchema(
      name: end.name,
      destinationName: destination,
      inverseName: inverse
    )
    schema.maxCount = end.isMany ? 0 : 1
    schema.isOrdered = end.isMany && end.isOrdered
    schema.renamingIdentifier = end.identifier
    return schema
  }

  /// Every object and link, a line for each.
  var lines: [String] {
    var lines: [String] = []
    for (key, object) in objects {
      let values = lineage(object.entity).flatMap(\.attributes)
        .map { "\($0.name)=\(object.values[$0.name] ?? "nil")" }.sorted()
      lines.append("\(key): \(object.entity) \(values.joined(separator: " "))")
    }
    for link in links {
      for pair in link.pairs {
        lines.append("\(link.there.name): \(pair.from) → \(pair.to)")
        if let back = link.back { lines.append("\(back.name): \(pair.to) → \(pair.from)") }
      }
    }
    return lines.sorted()
  }
}

// MARK: - Edits

extension PlainStore {
  /// One random change of the model, which its objects follow.
  mutating func edit(_ dice: inout Dice) -> String {
    let kind = Int.random(in: 0..<17, using: &dice)
    let before = entities.count + links.count
    switch kind {
    case 0, 1: return addAttribute(&dice)
    case 2: return removeAttribute(&dice)
    case 3: return renameAttribute(&dice)
    case 4:
      addEntity(below: nil, &dice)
      return "entity added \(before)"
    case 5:
      addEntity(below: entities.randomElement(using: &dice)?.name, &dice)
      return "subentity added"
    case 6: return removeEntity(&dice)
    case 7: return renameEntity(&dice)
    case 8: return leave(&dice)
    case 9: return addSuperentity(&dice)
    case 10, 11: return widen(&dice)
    case 12: return order(&dice)
    case 13: return changeInverse(&dice)
    case 14:
      addLink(&dice)
      return "relationship added"
    case 15: return removeLink(&dice)
    case _: return moveAttribute(&dice)
    }
  }

  private mutating func addEntity(below parent: String?, _ dice: inout Dice) {
    let name = fresh("E", &dice)
    entities.append(Entity(name: name, identifier: name, parent: parent, attributes: []))
    _ = touch(name)
    for _ in 0..<2 { _ = addAttribute(&dice, to: entities.count - 1) }
  }

  private mutating func addAttribute(_ dice: inout Dice, to place: Int? = nil) -> String {
    guard let place = place ?? entities.indices.randomElement(using: &dice) else { return "" }
    let name = fresh("a", &dice)
    let attribute = Attribute(
      name: name,
      identifier: name,
      isNumber: Bool.random(using: &dice),
      standard: Bool.random(using: &dice) ? Int.random(in: 1..<9, using: &dice) : nil
    )
    entities[place].attributes.append(attribute)
    _ = touch(name)
    give(attribute, toObjectsOf: entities[place].name)
    return "\(entities[place].name).\(name) added"
  }

  private mutating func give(_ attribute: Attribute, toObjectsOf entity: String) {
    for key in keys(of: entity) where objects[key]?.values[attribute.name] == nil {
      objects[key]?.values[attribute.name] = attribute.standard.map(String.init)
    }
  }

  /// An attribute that has not been changed yet.
  private mutating func attribute(_ dice: inout Dice) -> (entity: Int, place: Int)? {
    let all = entities.indices.flatMap { entity in
      entities[entity].attributes.indices.map { (entity: entity, place: $0) }
    }
    guard let found = all.randomElement(using: &dice),
      touch(entities[found.entity].attributes[found.place].name)
    else { return nil }
    return found
  }

  private mutating func forget(_ name: String, in keys: [String]) {
    for key in keys { objects[key]?.values[name] = nil }
  }

  private mutating func removeAttribute(_ dice: inout Dice) -> String {
    guard let (entity, place) = attribute(&dice) else { return "" }
    let name = entities[entity].attributes.remove(at: place).name
    forget(name, in: keys(of: entities[entity].name))
    return "\(name) removed"
  }

  private mutating func renameAttribute(_ dice: inout Dice) -> String {
    guard let (entity, place) = attribute(&dice) else { return "" }
    let (old, new) = (entities[entity].attributes[place].name, fresh("a", &dice))
    entities[entity].attributes[place].name = new
    _ = touch(new)
    for key in keys(of: entities[entity].name) {
      guard let value = objects[key]?.values.removeValue(forKey: old) else { continue }
      objects[key]?.values[new] = value
    }
    return "\(old) renamed \(new)"
  }

  /// Up to the superentity, or down to one of the subentities.
  private mutating func moveAttribute(_ dice: inout Dice) -> String {
    guard let (entity, place) = attribute(&dice) else { return "" }
    let attribute = entities[entity].attributes[place]
    let name = entities[entity].name
    if let parent = entities[entity].parent,
      let above = entities.firstIndex(where: { $0.name == parent })
    {
      entities[entity].attributes.remove(at: place)
      entities[above].attributes.append(attribute)
      let had = Set(keys(of: name))
      for key in keys(of: parent) where !had.contains(key) {
        objects[key]?.values[attribute.name] = attribute.standard.map(String.init)
      }
      return "\(attribute.name) moved up to \(parent)"
    }
    let below = entities.indices.filter { entities[$0].parent == name }
    guard let child = below.randomElement(using: &dice) else { return "" }
    entities[entity].attributes.remove(at: place)
    entities[child].attributes.append(attribute)
    let kept = Set(keys(of: entities[child].name))
    forget(attribute.name, in: keys(of: name).filter { !kept.contains($0) })
    return "\(attribute.name) moved down to \(entities[child].name)"
  }

  private mutating func removeEntity(_ dice: inout Dice) -> String {
    guard entities.count > 3, let leaf = leaves().randomElement(using: &dice), touch(leaf.name)
    else { return "" }
    for key in keys(of: leaf.name) { remove(key) }
    links.removeAll { $0.there.entity == leaf.name || $0.target == leaf.name }
    entities.removeAll { $0.name == leaf.name }
    return "\(leaf.name) removed"
  }

  private mutating func remove(_ key: String) {
    objects[key] = nil
    for place in links.indices {
      links[place].pairs = links[place].pairs.filter { $0.from != key && $0.to != key }
    }
  }

  private mutating func renameEntity(_ dice: inout Dice) -> String {
    guard let place = entities.indices.randomElement(using: &dice), touch(entities[place].name)
    else { return "" }
    let (old, new) = (entities[place].name, fresh("E", &dice))
    _ = touch(new)
    entities[place].name = new
    for index in entities.indices where entities[index].parent == old {
      entities[index].parent = new
    }
    for index in links.indices {
      if links[index].there.entity == old { links[index].there.entity = new }
      if links[index].back?.entity == old { links[index].back?.entity = new }
      if links[index].target == old { links[index].target = new }
    }
    for key in objects.keys where objects[key]?.entity == old { objects[key]?.entity = new }
    return "\(old) renamed \(new)"
  }

  /// A leaf becomes a root, with its inherited properties except relationships.
  private mutating func leave(_ dice: inout Dice) -> String {
    let candidates = leaves().filter { $0.parent != nil }
    guard let leaf = candidates.randomElement(using: &dice), touch(leaf.name),
      let place = entities.firstIndex(where: { $0.name == leaf.name })
    else { return "" }
    let inherited = lineage(leaf.name).dropFirst().flatMap(\.attributes)
    // An attribute that two entities declare is another matter when it moves again.
    for attribute in inherited { _ = touch(attribute.name) }
    for ancestor in lineage(leaf.name) { _ = touch(ancestor.name) }
    let own = Set(keys(of: leaf.name))
    entities[place].parent = nil
    entities[place].attributes += inherited.map { attribute in
      Attribute(
        name: attribute.name,
        identifier: attribute.identifier,
        isNumber: attribute.isNumber,
        standard: attribute.standard
      )
    }
    for index in links.indices {
      let link = links[index]
      links[index].pairs = link.pairs.filter { pair in
        (link.there.entity == leaf.name || !own.contains(pair.from))
          && (link.target == leaf.name || !own.contains(pair.to))
      }
    }
    return "\(leaf.name) left its hierarchy"
  }

  private mutating func addSuperentity(_ dice: inout Dice) -> String {
    let roots = entities.indices.filter { entities[$0].parent == nil }
    guard let root = roots.randomElement(using: &dice), touch(entities[root].name) else {
      return ""
    }
    let name = fresh("E", &dice)
    _ = touch(name)
    entities[root].parent = name
    entities.append(Entity(name: name, identifier: name, parent: nil, attributes: []))
    return "\(entities[root].name) got the superentity \(name)"
  }
}

// MARK: - Edits of relationships

extension PlainStore {
  private mutating func addLink(_ dice: inout Dice) {
    guard let from = entities.randomElement(using: &dice)?.name,
      let to = entities.randomElement(using: &dice)?.name
    else { return }
    let name = fresh("r", &dice)
    _ = touch(name)
    var link = Link(
      there: End(
        entity: from,
        name: name,
        identifier: name,
        isMany: Bool.random(using: &dice),
        isOrdered: Bool.random(using: &dice)
      ),
      target: to
    )
    if Int.random(in: 0..<4, using: &dice) > 0 {
      let back = fresh("r", &dice)
      link.back = End(
        entity: to,
        name: back,
        identifier: back,
        isMany: Bool.random(using: &dice),
        isOrdered: Bool.random(using: &dice)
      )
    }
    links.append(link)
  }

  private mutating func link(_ dice: inout Dice) -> Int? {
    guard let place = links.indices.randomElement(using: &dice), touch(links[place].there.name)
    else { return nil }
    return place
  }

  private mutating func removeLink(_ dice: inout Dice) -> String {
    guard links.count > 2, let place = link(&dice) else { return "" }
    return "\(links.remove(at: place).there.name) removed"
  }

  private mutating func widen(_ dice: inout Dice) -> String {
    guard let place = link(&dice) else { return "" }
    // Without an inverse an object that several have would be lost to all but one.
    guard links[place].back != nil, !links[place].there.isMany else { return "" }
    links[place].there.isMany = true
    return "\(links[place].there.name) is to-many"
  }

  private mutating func order(_ dice: inout Dice) -> String {
    guard let place = link(&dice) else { return "" }
    links[place].there.isOrdered.toggle()
    return "\(links[place].there.name) has another order"
  }

  private mutating func changeInverse(_ dice: inout Dice) -> String {
    guard let place = link(&dice) else { return "" }
    if let back = links[place].back {
      // Only what can be kept without the inverse: to-one, or objects that one alone has.
      guard links[place].there.isMany != back.isMany else { return "" }
      links[place].back = nil
      return "\(links[place].there.name) lost its inverse"
    }
    let name = fresh("r", &dice)
    _ = touch(name)
    links[place].back = End(
      entity: links[place].target,
      name: name,
      identifier: name,
      isMany: !links[place].there.isMany || Bool.random(using: &dice),
      isOrdered: Bool.random(using: &dice)
    )
    return "\(links[place].there.name) got the inverse \(name)"
  }
}
