// MARK: - Models described in Swift

extension NSManagedObjectModel {
  /// Creates a model from a description in Swift.
  ///
  /// The model is the same as one from a file that says the same: it has the same version hashes, so each
  /// opens the other's stores. See ``ModelEntity`` for an example.
  ///
  /// A description that contradicts itself stops the program, as does one whose relationships lead to
  /// classes without an entity.
  ///
  /// - Parameter entities: The entities, in any order.
  public convenience init(@ModelBuilder describing entities: () -> [ModelEntity]) {
    self.init()
    let pairs = entities().map { ($0, $0.description()) }
    let found = ModelEntities(pairs)
    for (described, entity) in pairs {
      guard let parent = described.parent else { continue }
      found.entity(of: parent, for: described.entityName).subentities.append(entity)
    }
    self.entities = pairs.map(\.1)
    for (described, entity) in pairs {
      for part in described.parts { part.add(entity, found) }
    }
  }
}
