/// The problems of a model, wherever it came from.
extension ModelSchema {
  /// Every problem of the model, entity by entity; empty when it can be used.
  ///
  /// Places are entities and properties: a reader of files adds the lines.
  package var problems: [ModelProblem] {
    let checker = ModelChecker(schema: self)
    return checker.problems()
  }
}

/// The data that the checks of one model share: the model, with its entities by name.
struct ModelChecker {
  let schema: ModelSchema
  let entities: [String: EntitySchema]
  /// Each entity's own properties by their names.
  private let properties: [String: [String: PropertySchema]]

  init(schema: ModelSchema) {
    self.schema = schema
    entities = Dictionary(schema.entities.map { ($0.name, $0) }) { first, _ in first }
    properties = entities.mapValues { entity in
      Dictionary(entity.properties.map { ($0.name, $0) }) { first, _ in first }
    }
  }

  func problems() -> [ModelProblem] {
    // Everything else asks each entity for all above it.
    if let problem = depthProblem { return [problem] }
    var seen: Set<String> = []
    var problems: [ModelProblem] = []
    for entity in schema.entities {
      if !seen.insert(entity.name).inserted {
        problems.append(
          ModelProblem(
            entity: entity.name,
            message: "the model has two entities of this name; rename one"
          )
        )
      }
      problems += self.problems(of: entity)
    }
    return problems + configurationProblems + templateProblems
  }

  private func problems(of entity: EntitySchema) -> [ModelProblem] {
    var problems = inheritanceProblems(of: entity) + nameProblems(of: entity)
    for attribute in entity.attributes {
      problems += self.problems(of: attribute, in: entity)
    }
    for relationship in entity.relationships {
      problems += self.problems(of: relationship, in: entity)
    }
    for property in entity.fetchedProperties {
      problems += self.problems(of: property.request, in: entity, property: property.name)
    }
    return problems + indexProblems(of: entity) + constraintProblems(of: entity)
  }

  /// An entity followed by its superentities; ends before an unknown or repeated one.
  func chain(of entity: EntitySchema) -> [EntitySchema] {
    var chain = [entity]
    while let name = chain.last?.superentityName, let next = entities[name],
      !chain.contains(where: { $0.name == name })
    {
      chain.append(next)
    }
    return chain
  }

  /// Whether an entity has a property, or an element of a composite, as `place.latitude`.
  func hasProperty(_ path: String, of entity: EntitySchema) -> Bool {
    let keys = path.split(separator: ".").map(String.init)
    guard let first = keys.first, let property = property(first, of: entity) else { return false }
    guard keys.count > 1 else { return true }
    guard case .attribute(var attribute) = property else { return false }
    for key in keys.dropFirst() {
      guard let element = attribute.elements.first(where: { $0.name == key }) else { return false }
      attribute = element
    }
    return true
  }

  func property(_ name: String, of entity: EntitySchema) -> PropertySchema? {
    for entity in chain(of: entity) {
      if let property = ownProperty(name, of: entity) { return property }
    }
    return nil
  }

  func ownProperty(_ name: String, of entity: EntitySchema) -> PropertySchema? {
    properties[entity.name]?[name]
  }
}

// MARK: - Configurations and templates

extension ModelChecker {
  private var configurationProblems: [ModelProblem] {
    schema.configurations.sortedByCodePoints(\.key).flatMap { name, members in
      members.sortedByCodePoints().filter { entities[$0] == nil }.map { member in
        ModelProblem(
          message: """
            configuration "\(name)" lists an entity "\(member)" that the model does not have; \
            remove it from the configuration or add the entity
            """
        )
      }
    }
  }

  private var templateProblems: [ModelProblem] {
    var seen: Set<String> = []
    return schema.fetchRequestTemplates.flatMap { request -> [ModelProblem] in
      var problems: [ModelProblem] = []
      if !seen.insert(request.name).inserted {
        problems.append(
          ModelProblem(
            message: "there are two fetch requests named \"\(request.name)\"; rename one"
          )
        )
      }
      if entities[request.entityName] == nil {
        problems.append(
          ModelProblem(
            message: """
              fetch request "\(request.name)" asks for an entity "\(request.entityName)" that the \
              model does not have; choose another or add the entity
              """
          )
        )
      }
      return problems
    }
  }

  private func problems(
    of request: FetchRequestSchema,
    in entity: EntitySchema,
    property: String
  ) -> [ModelProblem] {
    guard entities[request.entityName] == nil else { return [] }
    return [
      ModelProblem(
        entity: entity.name,
        property: property,
        message: """
          the fetched property asks for an entity "\(request.entityName)" that the model does not \
          have; choose another or add the entity
          """
      )
    ]
  }
}
