/// Collects the entities of a model that is described in Swift.
@resultBuilder
public enum ModelBuilder {
  /// Returns the entities of the lines together.
  ///
  /// - Parameter parts: The entities of each line.
  /// - Returns: All of them.
  public static func buildBlock(_ parts: [ModelEntity]...) -> [ModelEntity] {
    parts.flatMap(\.self)
  }

  /// Returns one entity as a list.
  ///
  /// - Parameter entity: The entity on a line.
  /// - Returns: The list.
  public static func buildExpression(_ entity: ModelEntity) -> [ModelEntity] { [entity] }

  /// Returns the entities under an `if`, or none.
  ///
  /// - Parameter part: The entities if the condition holds.
  /// - Returns: The entities.
  public static func buildOptional(_ part: [ModelEntity]?) -> [ModelEntity] { part ?? [] }

  /// Returns the entities of the first branch of an `if`.
  ///
  /// - Parameter first: The entities.
  /// - Returns: The same entities.
  public static func buildEither(first: [ModelEntity]) -> [ModelEntity] { first }

  /// Returns the entities of the second branch of an `if`.
  ///
  /// - Parameter second: The entities.
  /// - Returns: The same entities.
  public static func buildEither(second: [ModelEntity]) -> [ModelEntity] { second }

  /// Returns the entities of a loop.
  ///
  /// - Parameter parts: The entities of each turn.
  /// - Returns: All of them.
  public static func buildArray(_ parts: [[ModelEntity]]) -> [ModelEntity] { parts.flatMap(\.self) }
}

/// Collects the properties of an entity that is described in Swift.
@resultBuilder
public enum ModelPropertiesBuilder<Object: NSManagedObject> {
  /// Returns the properties of the lines together.
  ///
  /// - Parameter parts: The properties of each line.
  /// - Returns: All of them.
  public static func buildBlock(_ parts: [ModelPart]...) -> [ModelPart] { parts.flatMap(\.self) }

  /// Returns an attribute as a list.
  ///
  /// - Parameter attribute: The attribute on a line.
  /// - Returns: The list.
  public static func buildExpression(_ attribute: ModelAttribute<Object>) -> [ModelPart] {
    [attribute.part]
  }

  /// Returns a to-one relationship as a list.
  ///
  /// - Parameter relationship: The relationship on a line.
  /// - Returns: The list.
  public static func buildExpression<Destination>(
    _ relationship: ModelToOne<Object, Destination>
  ) -> [ModelPart] { [relationship.part] }

  /// Returns a to-many relationship as a list.
  ///
  /// - Parameter relationship: The relationship on a line.
  /// - Returns: The list.
  public static func buildExpression<Destination>(
    _ relationship: ModelToMany<Object, Destination>
  ) -> [ModelPart] { [relationship.part] }

  /// Returns a uniqueness constraint as a list.
  ///
  /// - Parameter constraint: The constraint on a line.
  /// - Returns: The list.
  public static func buildExpression(_ constraint: ModelUnique<Object>) -> [ModelPart] {
    [constraint.part]
  }

  /// Returns an index as a list.
  ///
  /// - Parameter index: The index on a line.
  /// - Returns: The list.
  public static func buildExpression(_ index: ModelIndex<Object>) -> [ModelPart] { [index.part] }

  /// Returns the properties under an `if`, or none.
  ///
  /// - Parameter part: The properties if the condition holds.
  /// - Returns: The properties.
  public static func buildOptional(_ part: [ModelPart]?) -> [ModelPart] { part ?? [] }

  /// Returns the properties of the first branch of an `if`.
  ///
  /// - Parameter first: The properties.
  /// - Returns: The same properties.
  public static func buildEither(first: [ModelPart]) -> [ModelPart] { first }

  /// Returns the properties of the second branch of an `if`.
  ///
  /// - Parameter second: The properties.
  /// - Returns: The same properties.
  public static func buildEither(second: [ModelPart]) -> [ModelPart] { second }
}
