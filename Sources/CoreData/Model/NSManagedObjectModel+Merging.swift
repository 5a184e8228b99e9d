import Foundation

/// Merging models.
extension NSManagedObjectModel {
  /// Merges models into a new model that contains a copy of every entity.
  ///
  /// If several models contain an entity of the same name, it must be equal in all of them;
  /// otherwise the program stops with a message that names the models.
  ///
  /// - Parameter models: The models to merge. The initializer fails only if the value is `nil`.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    guard let models else { return nil }
    self.init()
    for model in models { merge(model) }
  }

  /// Merges the entities with which a store was created into a new model.
  ///
  /// The initializer fails if an entity of the store is in none of the models.
  ///
  /// - Parameters:
  ///   - models: The models that contain the entities.
  ///   - metadata: The metadata of the store.
  public convenience init?(
    byMerging models: [NSManagedObjectModel],
    forStoreMetadata metadata: [String: Any]
  ) {
    guard let wanted = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else {
      return nil
    }
    let parts = models.filter { model in
      let hashes = model.entityVersionHashesByName
      return !hashes.isEmpty && hashes.allSatisfy { wanted[$0.key] == $0.value }
    }
    self.init(byMerging: parts)
    guard entityVersionHashesByName == wanted else { return nil }
  }

  private func merge(_ model: NSManagedObjectModel) {
    let known = entityVersionHashesByName
    let other = model.entityVersionHashesByName
    for (name, hash) in known {
      guard let otherHash = other[name], otherHash != hash else { continue }
      stop("two models to be merged have different entities named \(name); rename one")
    }
    adopt(model, except: Set(known.keys))
  }

  /// Takes over copies of what a model has, except for entities that are here already.
  private func adopt(_ model: NSManagedObjectModel, except known: Set<String>) {
    let new = model.entities.filter { !known.contains($0.nameOrPlaceholder) }
    entities += new.map(\.duplicate)
    let named = entitiesByName
    for (configuration, others) in model.configurationMembers {
      let members = configurationMembers[configuration, default: []]
      let added = others.compactMap { $0.name.flatMap { named[$0] } }
        .filter { entity in !members.contains { $0 === entity } }
      configurationMembers[configuration] = members + added
    }
    for (name, template) in model.templates where !templates.contains(where: { $0.name == name }) {
      templates.append((name, template))
    }
    versionIdentifiers.formUnion(model.versionIdentifiers)
    if let names = model.localizationDictionary {
      localizationDictionary = (localizationDictionary ?? [:]).merging(names) { own, _ in own }
    }
  }
}
