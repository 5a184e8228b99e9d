/// The possible problems of an entity as a whole: its parents, its names, its indexes.
extension ModelChecker {
  /// No model that people work with comes near; a stranger's with thousands would take for ever, because each entity has the
  /// properties of all above it.
  private static var mostSuperentities: Int { 100 }

  /// The problem of an entity that has too many above it, also in a circle.
  ///
  /// Each entity is looked at once, however many there are.
  var depthProblem: ModelProblem? {
    var depths: [String: Int] = [:]
    for entity in schema.entities {
      var path: [String] = []
      var met: Set<String> = []
      var next: String? = entity.name
      while let name = next, depths[name] == nil, let found = entities[name],
        met.insert(name).inserted
      {
        path.append(name)
        next = found.superentityName
      }
      var depth = next.flatMap { depths[$0] } ?? 0
      for name in path.reversed() {
        depth += 1
        depths[name] = depth
      }
      if depth > Self.mostSuperentities + 1 {
        return ModelProblem(
          entity: entity.name,
          message: """
            the entity has more than \(Self.mostSuperentities) entities above it; let it inherit from one \
            that is nearer to the top
            """
        )
      }
    }
    return nil
  }

  func inheritanceProblems(of entity: EntitySchema) -> [ModelProblem] {
    guard let name = entity.superentityName else { return [] }
    guard entities[name] != nil else {
      return [
        ModelProblem(
          entity: entity.name,
          message: "the parent entity \"\(name)\" does not exist; choose another or add it"
        )
      ]
    }
    let chain = chain(of: entity)
    guard let top = chain.last, let next = top.superentityName, next == entity.name else {
      return []
    }
    let circle = (chain.map(\.name) + [entity.name]).joined(separator: " → ")
    return [
      ModelProblem(
        entity: entity.name,
        message: "the entity inherits from itself: \(circle); remove one of the parents"
      )
    ]
  }

  func nameProblems(of entity: EntitySchema) -> [ModelProblem] {
    var problems: [ModelProblem] = []
    if entity.name.isEmpty {
      problems.append(ModelProblem(message: "an entity has no name; give it one"))
    }
    let inherited = chain(of: entity).dropFirst()
    var seen: Set<String> = []
    for name in entity.propertyNames {
      if name.isEmpty {
        problems.append(
          ModelProblem(entity: entity.name, message: "a property has no name; give it one")
        )
      } else if !seen.insert(name).inserted {
        problems.append(
          ModelProblem(
            entity: entity.name,
            property: name,
            message: "the entity has two properties of this name; rename one"
          )
        )
      } else if let ancestor = inherited.first(where: { ownProperty(name, of: $0) != nil }) {
        problems.append(
          ModelProblem(
            entity: entity.name,
            property: name,
            message: """
              the parent entity \(ancestor.name) already has a property of this name; rename one \
              or remove this one
              """
          )
        )
      }
    }
    return problems
  }

  func indexProblems(of entity: EntitySchema) -> [ModelProblem] {
    entity.indexes.flatMap { index in
      index.elements.compactMap { element -> ModelProblem? in
        guard case .property(let name) = element.subject, !hasProperty(name, of: entity) else {
          return nil
        }
        return ModelProblem(
          entity: entity.name,
          message: """
            fetch index "\(index.name)" names a property "\(name)" that the entity does not have; \
            correct the name or remove the element
            """
        )
      }
    }
  }

  func constraintProblems(of entity: EntitySchema) -> [ModelProblem] {
    entity.uniquenessConstraints.flatMap { names in
      names.compactMap { name -> ModelProblem? in
        guard !hasProperty(name, of: entity) else { return nil }
        return ModelProblem(
          entity: entity.name,
          message: """
            the uniqueness constraint (\(names.joined(separator: ", "))) names a property \
            "\(name)" that the entity does not have; correct the name or remove it
            """
        )
      }
    }
  }
}
