/// A data model as values: entities, their properties, configurations and request templates.
///
/// A schema is the content of a model file, in any form: Xcode's XML source, a compiled `.mom`, the
/// model cache inside a store, or description classes built in code all become the same value, and
/// two equal schemas are the same model. It is immutable in use and crosses threads freely; the
/// framework's mutable `NSManagedObjectModel` freezes into one.
package struct ModelSchema: Hashable, Sendable {
  /// The entities, each with the name of its superentity, sorted by name in code-point order.
  package var entities: [EntitySchema]
  /// Each configuration's name and the names of its entities.
  package var configurations: [String: Set<String>]
  package var fetchRequestTemplates: [FetchRequestSchema]
  /// The developer's version identifiers.
  package var versionIdentifiers: Set<String>

  package init(
    entities: [EntitySchema] = [],
    configurations: [String: Set<String>] = [:],
    fetchRequestTemplates: [FetchRequestSchema] = [],
    versionIdentifiers: Set<String> = []
  ) {
    self.entities = entities
    self.configurations = configurations
    self.fetchRequestTemplates = fetchRequestTemplates
    self.versionIdentifiers = versionIdentifiers
  }

  package func entity(named name: String) -> EntitySchema? {
    entities.first(named: name, \.name)
  }
}

/// A fetch request of the model, with its name.
package struct FetchRequestSchema: Hashable, Sendable {
  package var name: String
  package var entityName: String
  package var predicateFormat: String?
  package var sortDescriptors: [Sort] = []
  package var fetchLimit = 0
  package var fetchOffset = 0
  package var fetchBatchSize = 0
  package var includesSubentities = true
  package var includesPropertyValues = true
  package var returnsObjectsAsFaults = true
  package var returnsDistinctResults = false
  /// The raw value of `NSFetchRequestResultType`.
  package var resultType = 0
  package var relationshipKeyPathsForPrefetching: [String] = []

  package init(name: String, entityName: String, predicateFormat: String? = nil) {
    self.name = name
    self.entityName = entityName
    self.predicateFormat = predicateFormat
  }

  package struct Sort: Hashable, Sendable {
    package var key: String
    package var isAscending: Bool
    /// The Objective-C method that compares two values, such as `compare:`.
    package var selector: String

    package init(key: String, isAscending: Bool = true, selector: String = "compare:") {
      self.key = key
      self.isAscending = isAscending
      self.selector = selector
    }
  }
}
