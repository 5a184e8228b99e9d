import CoreDataModel
import CoreDataModelChanges

/// A relationship as an entity declares it, with the place where it is kept.
struct LinkEnd: Hashable {
  let entity: String
  let relationship: RelationshipSchema
  let mapping: PropertyMapping

  var name: String { relationship.name }

  func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(name)
  }

  static func == (left: LinkEnd, right: LinkEnd) -> Bool {
    left.entity == right.entity && left.name == right.name
  }
}

extension LinkEnd {
  /// The end that a property is; `nil` if it is not a relationship, or not in a store.
  init?(_ property: DeclaredProperty?, in map: TableMap) {
    guard let property, case .relationship(let relationship) = property.property,
      !relationship.isTransient, let mapping = map[property.entityName]?[property.name],
      mapping != PropertyMapping.none
    else { return nil }
    self.init(entity: property.entityName, relationship: relationship, mapping: mapping)
  }

  /// The other end, when it is stored too.
  func inverse(in schema: ModelSchema, _ map: TableMap) -> LinkEnd? {
    guard let name = relationship.inverseName else { return nil }
    let properties = schema.declaredProperties(of: relationship.destinationName)
    return LinkEnd(properties.first { $0.name == name }, in: map)
  }
}

// MARK: - Where a relationship comes from

extension MatchedTables {
  /// The end that a relationship of a moved entity was; nil for one that is new to it.
  func source(of name: String, in move: EntityMove) -> LinkEnd? {
    LinkEnd(move.match.property(named: name)?.source, in: source)
  }

  /// All ends that a declared relationship was, each with the entities for which it was.
  ///
  /// Several, when subentities had each their own and the superentity has it now.
  func sources(of end: LinkEnd) -> [(end: LinkEnd, moves: [EntityMove])] {
    guard let entity = destination[end.entity] else { return [] }
    var sources: [(end: LinkEnd, moves: [EntityMove])] = []
    for move in moves(atOrBelow: entity) {
      guard let source = source(of: end.name, in: move) else { continue }
      if let known = sources.firstIndex(where: { $0.end == source }) {
        sources[known].moves.append(move)
      } else {
        sources.append((source, [move]))
      }
    }
    return sources
  }

  /// Every stored relationship of the destination with the entity that declares it.
  var destinationEnds: [LinkEnd] {
    destination.entities.flatMap { entity -> [LinkEnd] in
      let schema = comparison.destination.entity(named: entity.name)
      return (schema?.relationships ?? []).compactMap { relationship -> LinkEnd? in
        guard let mapping = entity[relationship.name], mapping != PropertyMapping.none else {
          return nil
        }
        return LinkEnd(entity: entity.name, relationship: relationship, mapping: mapping)
      }
    }
  }

  /// Whether the other end of a relationship is what the other end of its source was.
  func keepsInverse(_ old: LinkEnd, _ new: LinkEnd) -> Bool {
    let before = old.inverse(in: comparison.source, source)
    let after = new.inverse(in: comparison.destination, destination)
    guard let after else { return before == nil }
    guard let before else { return false }
    return sources(of: after).contains { $0.end == before }
  }
}
