package import CoreData
package import CoreDataSyncCore

/// A model as the engine sees it: the form in which each property is kept, and the rules for merging.
///
/// ```
/// to-one                              a reference, kept with the object
/// pair of to-ones                     a reference, kept with one of the two
/// to-many, inverse to-one             the references of the others; their place, if it is ordered
/// to-many without inverse             as if the members had a reference to the owner
/// many-to-many                        pairs, kept with one of the two
/// ```
package struct SyncModel {
  package var schema: SyncSchema
  /// By the renaming identifiers of entities.
  let entities: [String: SyncEntity]
  /// Those that others lead to before the others.
  let inOrder: [SyncEntity]
  /// Whether there are objects that stay on this device, and to which others may lead.
  private let isPartial: Bool

  /// Describes a model, or what of it a store of one configuration has.
  package init(_ model: NSManagedObjectModel, configuration: String? = nil) throws {
    let all = model.entities.filter { !$0.isAbstract }
    let scope = SyncScope(model, configuration: configuration)
    var entities: [String: SyncEntity] = [:]
    for entity in all where scope.has(entity) {
      entities[entity.stableName] = try SyncEntity(entity, model, scope)
    }
    isPartial = entities.count < all.count
    self.entities = entities
    schema = SyncSchema(entities.values.map(\.rules))
    inOrder = Self.order(entities.values.sorted { $0.name < $1.name })
  }

  private static func order(_ entities: [SyncEntity]) -> [SyncEntity] {
    var (rest, ordered) = (entities, [SyncEntity]())
    while !rest.isEmpty {
      let next = rest.firstIndex { entity in
        !rest.contains { $0.name != entity.name && entity.leads(to: $0) }
      }
      // In a circle somebody has to be first.
      ordered.append(rest.remove(at: next ?? 0))
    }
    return ordered
  }

  func entity(of object: NSManagedObject) -> SyncEntity? { entities[object.entity.stableName] }

  /// Whether an object is kept on this device only, because its entity is excluded.
  func isLocal(_ object: NSManagedObject) -> Bool { isPartial && entity(of: object) == nil }

  /// Changes whenever cells would have to be read or written differently.
  var fingerprint: String {
    entities.values.sorted { $0.name < $1.name }
      .map { entity in
        let numbers = (entity.attributes.flatMap(\.numbers) + entity.roles.map(\.property)).sorted()
        let words = numbers.map { String($0.number, radix: 36) }
        return "\(entity.name):\(words.joined(separator: ","))"
      }
      .joined(separator: ";")
  }
}

/// One entity that can have objects.
struct SyncEntity {
  let description: NSEntityDescription
  let name: String
  private(set) var attributes: [SyncAttribute] = []
  private(set) var roles: [SyncRole] = []
  private(set) var rules: EntityRules
  /// The values by which several devices know that they have made the same object.
  let identity: UniquenessRule?
  private(set) var isSteady = false
  private(set) var isPlain = false
  private let attributeNames: [String: Int]
  private let roleNames: [String: Int]

  init(_ entity: NSEntityDescription, _ model: NSManagedObjectModel, _ scope: SyncScope) throws {
    description = entity
    name = entity.stableName
    rules = EntityRules(name: name)
    let properties = entity.propertiesByName.sorted { $0.key < $1.key }.map(\.value)
    for property in properties where !property.isExcluded {
      if let attribute = property as? NSAttributeDescription {
        guard let kept = try SyncAttribute(attribute) else { continue }
        attributes.append(kept)
        rules.attributes[kept.property] = try kept.defaultValue
      } else if let relationship = property as? NSRelationshipDescription, scope.has(relationship) {
        roles.append(SyncRole(relationship, of: entity))
      }
    }
    roles += SyncRole.hidden(of: entity, model, scope)
    for role in roles { role.add(to: &rules) }
    rules.constraints = UniquenessRule.all(of: entity)
    identity = try UniquenessRule(identityOf: entity) ?? rules.constraints.first
    attributeNames = Self.places(attributes.map(\.name))
    roleNames = Self.places(roles.compactMap(\.name))
    (isSteady, isPlain) = (Self.isSteady(self), Self.isPlain(self))
    try refuseEqualNumbers()
  }

  /// Properties without a name come last.
  private static func places(_ names: [String]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
  }

  private func refuseEqualNumbers() throws {
    let own = roles.filter { $0.kind == .reference || $0.kind == .members }
    let numbers = attributes.map(\.property) + own.map(\.property)
    var seen: Set<PropertyID> = []
    for number in numbers where !seen.insert(number).inserted {
      throw SyncFailure.unusableModel(
        """
        Two properties of the entity \(name) have one renaming identifier, so that their values cannot \
        be told apart. Give one of them another in the model.
        """
      )
    }
  }
}

extension SyncEntity {
  func attribute(named name: String) -> SyncAttribute? {
    attributeNames[name].map { attributes[$0] }
  }

  /// The relationships that lead to one object and are kept here.
  var referenceNames: [String] { roles.filter { $0.kind == .reference }.compactMap(\.name) }

  func role(named name: String) -> SyncRole? { roleNames[name].map { roles[$0] } }

  /// Whether its objects keep where they lead to objects of the other.
  fileprivate func leads(to other: SyncEntity) -> Bool {
    roles.contains { role in
      guard role.kind == .reference || role.kind == .members, let name = role.name,
        let end = description.relationshipsByName[name]?.destinationEntity
      else { return false }
      return other.description.lineage.contains { $0 === end }
    }
  }

  /// Whether a living object is always seen as itself: no other may represent it, and it does not need any other.
  private static func isSteady(_ entity: SyncEntity) -> Bool {
    entity.rules.constraints.isEmpty && entity.identity == nil
      && !entity.roles.contains { $0.kind == .reference && $0.reference.isRequired }
  }

  /// Whether an object is seen as its own cells say, where the ends of its relationships are steady: nothing in it
  /// has an order, a place that others may take, or a value that others may have.
  private static func isPlain(_ entity: SyncEntity) -> Bool {
    entity.rules.constraints.isEmpty && entity.identity == nil
      && entity.roles.allSatisfy { $0.isPlain(in: entity.description) }
  }
}

// MARK: - What stays on this device

/// The part of a model that a store has and gives to others.
struct SyncScope {
  /// The names of a configuration's entities; `nil` if the store has all.
  private let names: Set<String>?

  init(_ model: NSManagedObjectModel, configuration: String?) {
    let entities = configuration.flatMap { model.entities(forConfigurationName: $0) }
    names = entities.map { Set($0.compactMap(\.name)) }
  }

  func has(_ entity: NSEntityDescription) -> Bool {
    guard !entity.isExcluded else { return false }
    return names.map { entity.name.map($0.contains) == true } ?? true
  }

  /// Whether a relationship is given to others, which it is with both of its ends or not at all.
  func has(_ relationship: NSRelationshipDescription) -> Bool {
    guard !relationship.isExcluded, relationship.inverseRelationship?.isExcluded != true else {
      return false
    }
    return relationship.destinationEntity.map(hasAny) == true
  }

  /// Whether a store has objects of an entity or of one that descends from it: a configuration need not name the abstract
  /// ones.
  private func hasAny(_ entity: NSEntityDescription) -> Bool {
    has(entity)
      || entity.isAbstract && !entity.isExcluded && entity.subentities.contains(where: hasAny)
  }
}

// MARK: - Names that stay

extension NSEntityDescription {
  var stableName: String { renamingIdentifier ?? name ?? "" }

  /// The model says so by `CoreDataSync.exclude` in the entity's user info.
  var isExcluded: Bool { userInfo?["CoreDataSync.exclude"] != nil }

  /// The entity and those it descends from, itself first.
  var lineage: [NSEntityDescription] {
    Array(sequence(first: self) { $0.superentity })
  }
}

extension NSPropertyDescription {
  var stableName: String { renamingIdentifier ?? name }

  var isExcluded: Bool {
    isTransient || self is NSDerivedAttributeDescription || userInfo?["CoreDataSync.exclude"] != nil
  }
}

extension UniquenessRule {
  /// The attributes that the model names by `CoreDataSync.identity` in the entity's user info, with commas between
  /// them; `nil` if it names none.
  ///
  /// Objects of two devices with the same values are one object, without being refused within one store.
  fileprivate init?(identityOf entity: NSEntityDescription) throws {
    let declarer = entity.lineage.first { $0.userInfo?["CoreDataSync.identity"] != nil }
    guard let declarer, let text = declarer.userInfo?["CoreDataSync.identity"] as? String else {
      return nil
    }
    let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    let attributes = names.compactMap { entity.attributesByName[$0] }.filter { !$0.isExcluded }
    guard attributes.count == names.count, !names.isEmpty else {
      throw SyncFailure.unusableModel(
        """
        The entity \(declarer.stableName) names '\(text)' as CoreDataSync.identity in its user info, which are not \
        attributes that are kept in step. Name attributes of the entity, with commas between them.
        """
      )
    }
    self.init(
      name: "\(declarer.stableName)/identity",
      properties: attributes.map { PropertyID(name: $0.stableName) }
    )
  }

  /// The constraints of an entity, with those it inherits.
  static func all(of entity: NSEntityDescription) -> [UniquenessRule] {
    entity.lineage.flatMap { declarer in
      declarer.uniquenessConstraints.enumerated().compactMap { index, names in
        let properties = names.compactMap { name -> NSAttributeDescription? in
          if let attribute = name as? NSAttributeDescription { return attribute }
          return (name as? String).flatMap { entity.attributesByName[$0] }
        }
        guard properties.count == names.count, !properties.contains(where: \.isExcluded) else {
          return nil
        }
        return UniquenessRule(
          name: "\(declarer.stableName)/\(index)",
          properties: properties.map { PropertyID(name: $0.stableName) }
        )
      }
    }
  }
}
