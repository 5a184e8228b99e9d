import CoreData
import CoreDataSyncCore

/// The form in which a relationship is kept.
struct SyncRole {
  let kind: Kind
  /// The number under which cells are kept.
  let property: PropertyID
  /// Nil for the reference that a relationship without an inverse puts into its members.
  let name: String?
  let isOrdered: Bool
  /// The number under which the places of an ordered many-to-many relationship are kept.
  let places: PropertyID
  private(set) var reference = ReferenceRules()
  private(set) var membership = MembershipRules()

  enum Kind {
    /// Leads to one object, and is kept here.
    case reference
    /// The other end of a pair, kept there.
    case mirror
    /// The objects whose references lead here.
    case children
    /// The set of pairs, kept here.
    case members
    /// The other end of the pairs.
    case owners
  }
}

// MARK: - From the model

extension SyncRole {
  init(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription) {
    let own = relationship.number
    name = relationship.name
    isOrdered = relationship.isOrdered
    places = own
    guard let inverse = relationship.inverseRelationship else {
      // A set without an inverse is kept by its members, as the store does.
      kind = relationship.isToMany ? .children : .reference
      property = own
      reference.isRequired = !relationship.isToMany && !relationship.isOptional
      reference.protectsTarget = reference.isRequired
      return
    }
    let other = inverse.number
    switch (relationship.isToMany, inverse.isToMany) {
    case (true, false):
      kind = .children
      property = other
    case (false, true):
      kind = .reference
      property = own
      reference = ReferenceRules(relationship, inverse)
    case (false, false):
      let isHere = relationship.isKept(insteadOf: inverse)
      kind = isHere ? .reference : .mirror
      property = own
      reference = ReferenceRules(relationship, inverse)
    case (true, true):
      let isHere = relationship.isKept(insteadOf: inverse)
      kind = isHere ? .members : .owners
      property = isHere ? own : other
      let (owner, member) = isHere ? (relationship, inverse) : (inverse, relationship)
      membership = MembershipRules(owner, member)
      membership.isSymmetric = relationship === inverse
    }
  }

  private init(hidden relationship: NSRelationshipDescription) {
    kind = .reference
    property = relationship.number
    name = nil
    isOrdered = false
    places = property
    reference.isOrdered = relationship.isOrdered
    reference.isKeptAtTarget = true
    reference.protectsTarget = relationship.deleteRule == .denyDeleteRule
  }

  /// The references that relationships of others put into objects of this entity.
  static func hidden(
    of entity: NSEntityDescription,
    _ model: NSManagedObjectModel,
    _ scope: SyncScope
  ) -> [SyncRole] {
    let lineage = entity.lineage
    return model.entities.filter(scope.has).flatMap { owner in
      owner.relationshipsByName.sorted { $0.key < $1.key }.map(\.value).filter { relationship in
        relationship.isToMany && relationship.inverseRelationship == nil
          && !relationship.isExcluded && relationship.declaringName == owner.stableName
          && lineage.contains { $0 === relationship.destinationEntity }
      }.map { SyncRole(hidden: $0) }
    }
  }

  func add(to rules: inout EntityRules) {
    switch kind {
    case .reference: rules.references[property] = reference
    case .members: rules.memberships[property] = membership
    case .owners: rules.ownerships[property] = membership
    case .children: if isOrdered { rules.orderedChildren.insert(property) }
    case .mirror: break
    }
  }
}

extension SyncRole {
  /// Whether what the relationship shows are the ends that cells name, all of them and without an order.
  func isPlain(in entity: NSEntityDescription) -> Bool {
    guard let name, !isOrdered else { return false }
    switch kind {
    case .reference:
      return !reference.isOrdered && !reference.isExclusive && !reference.isKeptAtTarget
    case .mirror: return false
    case .children: return entity.relationshipsByName[name]?.inverseRelationship != nil
    case .members, .owners:
      return !membership.isOrdered && !membership.isOrderedInversely && !membership.isSymmetric
    }
  }
}

// MARK: - Rules

extension ReferenceRules {
  fileprivate init(
    _ relationship: NSRelationshipDescription,
    _ inverse: NSRelationshipDescription
  ) {
    self.init()
    isRequired = !relationship.isOptional
    isExclusive = !inverse.isToMany
    isOrdered = inverse.isOrdered
    goesWithTarget = isRequired && inverse.deleteRule == .cascadeDeleteRule
    protectsTarget = inverse.deleteRule == .denyDeleteRule || isRequired && !goesWithTarget
  }
}

extension MembershipRules {
  fileprivate init(_ owner: NSRelationshipDescription, _ member: NSRelationshipDescription) {
    self.init()
    isOrdered = owner.isOrdered
    isOrderedInversely = member.isOrdered
    protectsOwner = owner.deleteRule == .denyDeleteRule
    protectsMember = member.deleteRule == .denyDeleteRule
    inverse = member.number
  }
}

extension NSRelationshipDescription {
  /// Decides which of two ends keeps their shared cells: one that is required, else by the names.
  fileprivate func isKept(insteadOf inverse: NSRelationshipDescription) -> Bool {
    if !isToMany, isOptional != inverse.isOptional { return !isOptional }
    let own = (declaringName, stableName)
    let other = (inverse.declaringName, inverse.stableName)
    return own <= other
  }

  /// The number under which its cells are kept.
  ///
  /// It is of the entity too: an object is asked who leads to it, and several entities may call that alike.
  fileprivate var number: PropertyID { PropertyID(name: "\(declaringName)/\(stableName)") }

  /// The entity that declares the relationship, also as it is seen from one that inherits it.
  fileprivate var declaringName: String {
    let declarer = entity.lineage.last { $0.relationshipsByName[name] != nil }
    return (declarer ?? entity).stableName
  }
}
