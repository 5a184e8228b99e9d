import CoreDataModel
import CoreDataModelCompiler

/// The part of a model that classes of SwiftData can express, and a list of the rest.
///
/// ```
/// Core Data                                SwiftData
/// tags: ordered to many Tag          ─▶    tags: to many Tag           a gap: the order
/// recent: fetched property           ─▶                                a gap: the property
/// ```
struct SwiftDataFit {
  /// The model of the classes.
  private(set) var schema: ModelSchema
  private(set) var gaps: [SwiftDataGap] = []
  /// The entities whose version hashes differ from those of the model.
  let changedEntities: [String]

  init(_ original: ModelSchema) {
    var fit = Fitting(schema: original)
    fit.run()
    schema = fit.schema
    gaps = fit.gaps
    let (before, after) = (original.entityVersionHashes, fit.schema.entityVersionHashes)
    changedEntities = original.entities.map(\.name).filter { before[$0] != after[$0] }
  }
}

private struct Fitting {
  var schema: ModelSchema
  var gaps: [SwiftDataGap] = []
  private var entity = ""

  init(schema: ModelSchema) { self.schema = schema }

  mutating func run() {
    let names = Set(schema.entities.map(\.name))
    for (name, members) in schema.configurations.sorted(by: { $0.key < $1.key })
    where members != names {
      gap(
        "the configuration '\(name)' has only some of the entities; give each ModelConfiguration a schema of its classes"
      )
    }
    for request in schema.fetchRequestTemplates {
      gap("the fetch request '\(request.name)' is not written; write it as a FetchDescriptor")
    }
    schema.fetchRequestTemplates = []
    for index in schema.entities.indices { fitEntity(at: index) }
  }

  private mutating func gap(_ reason: String, _ part: String? = nil) {
    let owner = entity.isEmpty ? nil : entity
    gaps.append(SwiftDataGap(entity: owner, part: part, reason: reason))
  }

  // MARK: - Entities

  private mutating func fitEntity(at index: Int) {
    var fitted = schema.entities[index]
    entity = fitted.name
    fitHead(of: &fitted)
    fitted.attributes = fitted.attributes.compactMap { fit($0) }
    fitted.relationships = fitted.relationships.compactMap { fit($0) }
    for property in fitted.fetchedProperties {
      gap("SwiftData has no fetched properties; write a method that fetches", property.name)
    }
    fitted.fetchedProperties = []
    let names = Set(fitted.attributes.map(\.name) + fitted.relationships.map(\.name))
    fitted.uniquenessConstraints = fitted.uniquenessConstraints.filter { constraint in
      if names.isSuperset(of: constraint) { return true }
      let list = constraint.joined(separator: ", ")
      gap("the constraint names a property that the class does not declare", "unique(\(list))")
      return false
    }
    fitted.indexes = fitted.indexes.compactMap { fit($0, names) }
    schema.entities[index] = fitted
  }

  private mutating func fitHead(of fitted: inout EntitySchema) {
    let className = fitted.className.split(separator: ".").last.map(String.init) ?? ""
    if !["", "NSManagedObject", fitted.name].contains(className) {
      gap("the class \(className) of the model becomes \(fitted.name), the name of the entity")
    }
    if fitted.isAbstract {
      gap("the entity is abstract, and a class of SwiftData cannot be; create no objects of it")
    }
    if fitted.versionHashModifier?.isEmpty == false {
      gap("the entity has a hash modifier, and a class of SwiftData cannot have one")
    }
    if let former = fitted.renamingIdentifier, former != fitted.name {
      gap("the entity was called \(former) before, and a class of SwiftData has no original name")
    }
    if let parent = fitted.superentityName, schema.entity(named: parent) == nil {
      gap("the model does not contain the superentity '\(parent)'")
      fitted.superentityName = nil
    }
    leaveOut(fitted.userInfo, of: nil)
    fitted.isAbstract = false
    fitted.versionHashModifier = nil
    fitted.renamingIdentifier = nil
  }

  /// Lists the entries of a user info, but for those of SwiftData's own.
  private mutating func leaveOut(_ userInfo: [String: String], of part: String?) {
    let keys = userInfo.keys.filter { !["EnumType", "enum"].contains($0) }.sorted()
    guard !keys.isEmpty else { return }
    gap("the user info is left out: \(keys.joined(separator: ", "))", part)
  }

  // MARK: - Attributes

  private mutating func fit(_ attribute: AttributeSchema) -> AttributeSchema? {
    var fitted = attribute
    guard SwiftName(attribute.name).isIdentifier else {
      gap("the name is not one of Swift's, and the attribute is left out", attribute.name)
      return nil
    }
    guard ![.undefined, .objectID].contains(attribute.type) else {
      gap("SwiftData has no type \(attribute.type.word), and it is left out", attribute.name)
      return nil
    }
    if let expression = attribute.derivationExpression {
      gap(
        "it is derived from '\(expression)' in the model, and SwiftData derives nothing; assign it when the source changes",
        attribute.name
      )
    }
    fitted.derivationExpression = nil
    fitted.derivationFilterFormat = nil
    for validation in attribute.validations {
      let rule = validation.predicateFormat
      gap("SwiftData does not check the rule '\(rule)'; check it in the program", attribute.name)
    }
    fitted.validations = []
    if case .archived = attribute.defaultValue {
      gap("the default value is an archived object, and it is left out", attribute.name)
      fitted.defaultValue = nil
    }
    leaveOut(attribute.userInfo, of: attribute.name)
    if attribute.type == .transformable, let missing = TransformableType(attribute).missing {
      gap(
        "the model does not contain its type \(missing); declare it where the class uses it",
        attribute.name
      )
    }
    guard attribute.type == .composite else { return fitted }
    fitted.hasFormerComposites = false
    fitted.elements = attribute.elements.compactMap { element($0, in: attribute.name) }
    if fitted.elements.isEmpty {
      gap("no element of the composite attribute is left, and it is left out", attribute.name)
      return nil
    }
    return fitted
  }

  private mutating func element(_ element: AttributeSchema, in path: String) -> AttributeSchema? {
    let place = "\(path).\(element.name)"
    let unknown: [AttributeType] = [.undefined, .objectID, .transformable]
    guard SwiftName(element.name).isIdentifier, !unknown.contains(element.type) else {
      gap("the element cannot be part of a struct, and it is left out", place)
      return nil
    }
    if !element.isOptional {
      gap("the element is required in the model, and optional in SwiftData", place)
    }
    var fitted = AttributeSchema(name: element.name, type: element.type)
    fitted.userInfo = element.userInfo
    fitted.elements = element.elements.compactMap { self.element($0, in: place) }
    return element.type == .composite && fitted.elements.isEmpty ? nil : fitted
  }

  // MARK: - Relationships

  private mutating func fit(_ relationship: RelationshipSchema) -> RelationshipSchema? {
    let name = relationship.name
    guard SwiftName(name).isIdentifier else {
      gap("the name is not one of Swift's, and the relationship is left out", name)
      return nil
    }
    guard schema.entity(named: relationship.destinationName) != nil else {
      gap("the model has no entity '\(relationship.destinationName)', and it is left out", name)
      return nil
    }
    guard !relationship.isTransient else {
      gap("SwiftData has no transient relationships, and it is left out", name)
      return nil
    }
    var fitted = relationship
    if relationship.isOrdered {
      gap("it is ordered in the model, and SwiftData keeps no order; sort by a property", name)
    }
    fitted.isOrdered = false
    if relationship.isIndexedBySpotlight {
      gap("only attributes of SwiftData are in the word index", name)
    }
    leaveOut(relationship.userInfo, of: name)
    guard let inverse = relationship.inverseName else { return fitted }
    let back = schema.property(inverse, of: relationship.destinationName)
    if inverse == name, schema.isEntity(entity, kindOf: relationship.destinationName) {
      gap("it is its own inverse, and SwiftData cannot express that; set both ends", name)
      fitted.inverseName = nil
    } else if case .relationship(let back) = back, back.inverseName == name, !back.isTransient {
      return fitted
    } else {
      gap("the inverse '\(inverse)' does not lead back, and is left out", name)
      fitted.inverseName = nil
    }
    return fitted
  }

  // MARK: - Indexes

  private mutating func fit(_ index: FetchIndexSchema, _ names: Set<String>) -> FetchIndexSchema? {
    let subjects = index.elements.compactMap { element -> String? in
      guard case .property(let name) = element.subject else { return nil }
      return name
    }
    let part = "index(\(index.name))"
    guard subjects.count == index.elements.count, names.isSuperset(of: subjects) else {
      gap("the index is not over properties of the class alone, and it is left out", part)
      return nil
    }
    if let condition = index.partialPredicateFormat {
      gap("SwiftData has no index with the condition '\(condition)'; it is left out", part)
      return nil
    }
    guard Set(index.elements.map(\.collation)).count == 1 else {
      gap("the index mixes binary and R-tree elements, and it is left out", part)
      return nil
    }
    if index.elements.contains(where: { !$0.isAscending }) {
      gap("an index of SwiftData is ascending", part)
    }
    return index
  }
}
