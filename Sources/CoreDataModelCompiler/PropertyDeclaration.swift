import CoreDataModel

/// One generated property.
///
/// ```swift
/// public var title: String? {
///   get { self[slot: ManagedSlot(3, 0x1f2e3d4c5b6a7988, "title")] }
///   set { self[slot: ManagedSlot(3, 0x1f2e3d4c5b6a7988, "title")] = newValue }
/// }
/// ```
struct PropertyDeclaration {
  let name: SwiftName
  let type: PropertyType
  /// The class of the objects that a relationship or fetched property leads to.
  let destination: ClassName?
  /// The place in the object: `self[slot: ManagedSlot(…)]`.
  let place: String

  var text: String {
    """
      public var \(name.spelling): \(type.spelling) {
    \(body.map { "    \($0)" }.joined(separator: "\n"))
      }
    """
  }

  /// The class of the members of a collection.
  private var member: String { destination?.spelling ?? "NSManagedObject" }

  private var body: [String] {
    switch type.access {
    case .slot, .timeInterval, .decimal, .object, .toOne:
      ["get { \(place) }", "set { \(place) = newValue }"]
    case .toMany where type.isTyped:
      [
        "get { \(place)[members: \(member).self] }",
        "set { \(place)[members: \(member).self] = newValue }",
      ]
    case .toMany:
      ["get { \(place).set }", "set { \(place).set = newValue }"]
    case .ordered:
      ["get { \(place).orderedSet }", "set { \(place).orderedSet = newValue }"]
    case .fetched:
      [place]
    }
  }
}

// MARK: - The properties of an entity

extension PropertyDeclaration {
  /// The properties that an entity declares itself, in the model's order.
  static func all(
    of entity: EntityClass,
    in model: ModuleModel
  ) throws(GenerationError) -> [Self] {
    var properties: [Self] = []
    for attribute in entity.schema.attributes {
      let type = PropertyType(of: attribute)
      properties.append(try Self(attribute.name, type, to: nil, of: entity))
    }
    for relationship in entity.schema.relationships {
      let end = try destination(relationship.destinationName, of: relationship.name, entity, model)
      let type = PropertyType(of: relationship, to: end, in: entity.schema)
      properties.append(try Self(relationship.name, type, to: end, of: entity))
    }
    for property in entity.schema.fetchedProperties {
      let end = try destination(property.request.entityName, of: property.name, entity, model)
      let type = PropertyType(ofFetched: end)
      properties.append(try Self(property.name, type, to: end, of: entity))
    }
    return properties
  }

  private init(
    _ name: String,
    _ type: PropertyType,
    to destination: ClassName?,
    of entity: EntityClass
  ) throws(GenerationError) {
    self.name = SwiftName(name)
    guard self.name.isIdentifier else {
      throw .notAnIdentifier(name, place: "entity '\(entity.schema.name)': property")
    }
    guard !self.name.isTakenByManagedObject else {
      throw .nameTaken(name, entity: entity.schema.name)
    }
    self.type = type
    self.destination = destination
    self.place = "self[\(type.access.rawValue): \(entity.slot(of: name))]"
  }

  private static func destination(
    _ name: String,
    of property: String,
    _ entity: EntityClass,
    _ model: ModuleModel
  ) throws(GenerationError) -> ClassName {
    guard let destination = model.schema.entity(named: name) else {
      throw .unknownDestination(name, entity: entity.schema.name, property: property)
    }
    return model.className(of: destination)
  }
}
