import Foundation

// MARK: - Sources and their results

extension NSMigrationManager {
  /// Returns the destination objects that a mapping has created from source objects.
  ///
  /// - Parameters:
  ///   - mappingName: The name of an entity mapping. An unknown name stops the program.
  ///   - sourceInstances: The source objects, or `nil` for all.
  /// - Returns: The destination objects, in the order of the source objects.
  public func destinationInstances(
    forEntityMappingName mappingName: String,
    sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    requireMapping(mappingName)
    guard let sourceInstances else {
      return associations.all(by: mappingName).map { $0.object(in: destinationContext) }
    }
    return instances(made: sourceInstances, by: [mappingName])
  }

  /// Returns the source objects from which a mapping has created destination objects.
  ///
  /// - Parameters:
  ///   - mappingName: The name of an entity mapping. An unknown name stops the program.
  ///   - destinationInstances: The destination objects, or `nil` for all.
  /// - Returns: The source objects, in the order of the destination objects.
  public func sourceInstances(
    forEntityMappingName mappingName: String,
    destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    requireMapping(mappingName)
    let sources =
      destinationInstances.map { objects in
        objects.flatMap { associations.sources(of: $0, by: mappingName) }
      } ?? associations.all(by: mappingName).flatMap(\.sources)
    var seen: Set<ObjectKey> = []
    return sources.filter { seen.insert($0.key).inserted }
      .map { $0.object(in: sourceContext) }
  }

  private func requireMapping(_ name: String) {
    let names = (work?.mapping.mappings ?? []).map { $0.name ?? "" }
    require(
      names.contains(name),
      "the mapping model has no entity mapping \(name); it has \(names.joined(separator: ", "))"
    )
  }

  /// Returns the objects that some mappings have made of objects, each once.
  func instances(made sources: [NSManagedObject], by mappings: [String]) -> [NSManagedObject] {
    var seen: Set<ObjectKey> = []
    return sources.flatMap { source in
      mappings.flatMap { associations.made(of: source, by: $0) }
    }
    .filter { seen.insert($0.identity.key).inserted }
    .map { $0.object(in: destinationContext) }
  }
}
