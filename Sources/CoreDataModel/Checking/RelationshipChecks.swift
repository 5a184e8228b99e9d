/// The possible problems of a relationship: its destination, its inverse, its counts.
extension ModelChecker {
  func problems(
    of relationship: RelationshipSchema,
    in entity: EntitySchema
  ) -> [ModelProblem] {
    var messages: [String] = []
    if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
      messages.append(
        """
        the minimum count \(relationship.minCount) is greater than the maximum count \
        \(relationship.maxCount); swap them or set the maximum to 0 for no limit
        """
      )
    }
    if let message = destinationProblem(of: relationship, in: entity) { messages.append(message) }
    var problems = messages.map {
      ModelProblem(entity: entity.name, property: relationship.name, message: $0)
    }
    if relationship.inverseName == nil {
      problems.append(
        ModelProblem(
          .warning,
          entity: entity.name,
          property: relationship.name,
          message: """
            the relationship has no inverse; without one, deleting the destination leaves a \
            reference to nothing
            """
        )
      )
    }
    return problems
  }

  private func destinationProblem(
    of relationship: RelationshipSchema,
    in entity: EntitySchema
  ) -> String? {
    guard let destination = entities[relationship.destinationName] else {
      return relationship.destinationName.isEmpty
        ? "the relationship has no destination entity; choose one"
        : """
        the destination entity "\(relationship.destinationName)" does not exist; choose another \
        or add it
        """
    }
    guard let name = relationship.inverseName else { return nil }
    guard case .relationship(let inverse)? = property(name, of: destination) else {
      return """
        the inverse \(destination.name).\(name) does not exist; choose another or add a \
        relationship of this name
        """
    }
    guard isRelated(inverse.destinationName, to: entity) else {
      return """
        the inverse \(destination.name).\(name) leads to \(inverse.destinationName), not to \
        \(entity.name); choose another inverse or change its destination
        """
    }
    guard inverse.inverseName == relationship.name else {
      let actual = inverse.inverseName.map { "the inverse \($0)" } ?? "no inverse"
      return """
        the inverse \(destination.name).\(name) has \(actual), not \(relationship.name); make the \
        two name each other
        """
    }
    return nil
  }

  /// Whether an entity is another one, inherits from it, or passes something on to it: a
  /// relationship and its inverse may be declared on different levels of one tree.
  private func isRelated(_ name: String, to entity: EntitySchema) -> Bool {
    if chain(of: entity).contains(where: { $0.name == name }) { return true }
    guard let other = entities[name] else { return false }
    return chain(of: other).contains { $0.name == entity.name }
  }
}
