/// The facts about a model that merging needs: its entities by their renaming identifiers.
package struct SyncSchema: Hashable, Sendable {
  package var entities: [String: EntityRules]

  package init(_ entities: [EntityRules]) {
    self.entities = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
  }

  package subscript(entity: String?) -> EntityRules? { entity.flatMap { entities[$0] } }
}

/// The rules of one entity that can have objects, with all that it inherits.
package struct EntityRules: Hashable, Sendable {
  package let name: String
  /// The attributes with the values that new objects have.
  package var attributes: [PropertyID: CellValue] = [:]
  /// References to one object, which are kept with the object that they lead from.
  package var references: [PropertyID: ReferenceRules] = [:]
  /// Sets of pairs that are kept with the objects of this entity.
  package var memberships: [PropertyID: MembershipRules] = [:]
  /// Sets of pairs that are kept with the members, which are the objects of this entity.
  package var ownerships: [PropertyID: MembershipRules] = [:]
  /// The ordered sets that references of others make up here.
  package var orderedChildren: Set<PropertyID> = []
  package var constraints: [UniquenessRule] = []

  package init(name: String) {
    self.name = name
  }
}

/// A relationship that leads to one object.
package struct ReferenceRules: Hashable, Sendable {
  /// Without it the object cannot be.
  package var isRequired = false
  /// Whether the object goes when what it leads to is deleted.
  package var goesWithTarget = false
  /// Whether the target cannot be deleted as long as the reference leads there.
  package var protectsTarget = false
  /// Whether only one object can lead there.
  package var isExclusive = false
  /// Whether the objects that lead there have an order.
  package var isOrdered = false
  /// Whether the store knows of it only from the other end.
  package var isKeptAtTarget = false

  package init() {}
}

/// A many-to-many relationship.
package struct MembershipRules: Hashable, Sendable {
  /// Whether the members have an order with their owner, and the owners with their member.
  package var isOrdered = false
  package var isOrderedInversely = false
  /// Whether a member cannot be deleted while it has owners, and an owner while it has members.
  package var protectsMember = false
  package var protectsOwner = false
  /// Whether the relationship is its own inverse, so that there is one set of pairs without direction.
  package var isSymmetric = false
  /// The order of the owners of a member is kept under a number of its own.
  package var inverse = PropertyID(number: 0)

  package init() {}
}

/// Properties whose values no two objects of an entity and its descendants share.
package struct UniquenessRule: Hashable, Sendable {
  /// The entity that declares it, and its place there.
  package let name: String
  package let properties: [PropertyID]

  package init(name: String, properties: [PropertyID]) {
    self.name = name
    self.properties = properties
  }

  package func isDeclared(by entity: String) -> Bool { name.hasPrefix("\(entity)/") }
}

/// The values that an object claims for itself under a rule.
package struct UniqueClaim: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ rule: UniquenessRule, _ values: [CellValue]) {
    var writer = ByteWriter()
    writer.write(rule.name)
    for value in values { writer.write(counted: value.payload) }
    bytes = writer.bytes
  }
}

extension EntityRules {
  /// The claims of an object of this entity with these cells, whether it is seen or not.
  package func claims(of cells: ObjectCells) -> [UniqueClaim] {
    constraints.compactMap { rule in
      var values: [CellValue] = []
      for property in rule.properties {
        let value = cells.value(property) ?? attributes[property] ?? .null
        // As in SQL: null is not equal to anything.
        if value == .null { return nil }
        values.append(value)
      }
      return UniqueClaim(rule, values)
    }
  }
}
