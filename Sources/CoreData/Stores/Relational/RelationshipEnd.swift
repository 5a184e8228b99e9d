import CoreDataModel

/// One end of a relationship, with what the other end makes of it.
struct RelationshipEnd {
  let id: ID
  let schema: RelationshipSchema
  let kind: Kind

  /// A relationship by the entity that declares it.
  struct ID: Hashable {
    let entity: Int
    let name: String
  }

  enum Kind {
    /// Transient, or with a destination in another store.
    case unstored
    case toOne(destination: Int, isOrderedBack: Bool)
    case toMany(inverse: ID)
    case toManyWithoutInverse(destination: Int)
    case manyToMany(destination: Int, inverse: ID)
  }
}

extension EntityForest {
  /// The stored relationships that `node` declares, by name.
  func ends(of node: Node) -> [RelationshipEnd] {
    node.schema.relationships
      .sortedByCodePoints(\.name)
      .map { end($0, of: node.number) }
  }

  func end(_ relationship: RelationshipSchema, of number: Int) -> RelationshipEnd {
    RelationshipEnd(
      id: RelationshipEnd.ID(entity: number, name: relationship.name),
      schema: relationship,
      kind: kind(of: relationship)
    )
  }

  private func kind(of relationship: RelationshipSchema) -> RelationshipEnd.Kind {
    guard
      !relationship.isTransient,
      let destination = self.number(of: relationship.destinationName)
    else { return .unstored }
    let inverse = storedInverse(of: relationship, in: destination)
    guard relationship.isToMany else {
      let isOrderedBack = inverse.map { $0.schema.isToMany && $0.schema.isOrdered } ?? false
      return .toOne(destination: destination, isOrderedBack: isOrderedBack)
    }
    guard let inverse else { return .toManyWithoutInverse(destination: destination) }
    return inverse.schema.isToMany
      ? .manyToMany(destination: destination, inverse: inverse.id) : .toMany(inverse: inverse.id)
  }

  /// The inverse, looked for in the destination and then in its superentities.
  private func storedInverse(
    of relationship: RelationshipSchema,
    in destination: Int
  ) -> (id: RelationshipEnd.ID, schema: RelationshipSchema)? {
    guard let name = relationship.inverseName else { return nil }
    var number = destination
    while number != 0 {
      if let found = self[number].schema.relationships.first(where: { $0.name == name }) {
        return found.isTransient ? nil : (RelationshipEnd.ID(entity: number, name: name), found)
      }
      number = self[number].superNumber
    }
    return nil
  }
}
