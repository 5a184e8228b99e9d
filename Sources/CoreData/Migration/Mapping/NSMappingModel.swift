import CoreDataModel
package import CoreDataModelChanges
public import Foundation

/// A description of how a store of one version of a model is converted to another version.
///
/// A mapping model is read from a file that Xcode created, is inferred from both models, or is
/// built in code:
///
/// ```swift
/// let mapping = try NSMappingModel.inferredMappingModel(
///   forSourceModel: old,
///   destinationModel: new
/// )
/// let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
/// ```
///
/// Use a mapping model on one thread at a time, and do not change it during a migration.
nonisolated open class NSMappingModel: NSObject {
  /// The entity mappings, in the order in which they are performed.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var entityMappings: [NSEntityMapping]! = []

  public override init() {
    super.init()
  }

  /// The mapping classes for a mapping model's values.
  package init(schema: MappingSchema) {
    super.init()
    entityMappings = schema.entityMappings.map(NSEntityMapping.init)
  }

  /// The entity mappings by name.
  ///
  /// If several have the same name, the first one is included.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary(mappings.map { ($0.name, $0) }) { first, _ in first }
  }

  var mappings: [NSEntityMapping] { entityMappings ?? [] }

  /// Whether another mapping model has equal mappings in the same order.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSMappingModel else { return false }
    return self === other || schema == other.schema
  }

  open override var hash: Int { mappings.map(\.name).hashValue }

  /// The mapping model as a value.
  package var schema: MappingSchema { MappingSchema(entityMappings: mappings.map(\.schema)) }
}

// MARK: - Files

extension NSMappingModel {
  /// Reads a mapping model from a file.
  ///
  /// The initializer fails if the file cannot be read; the reason is written to the standard error
  /// output. A source file contains no version hashes, so it is not checked whether it matches the
  /// models.
  ///
  /// - Parameter url: A compiled mapping model (`.cdm`) or a source mapping model
  ///   (`.xcmappingmodel`).
  public convenience init?(contentsOf url: URL?) {
    guard let url else { return nil }
    do {
      try self.init(reading: url)
    } catch {
      // A message that cannot be written, such as to a disk that is full, ends no program.
      try? FileHandle.standardError.write(
        contentsOf: Data("CoreData: \(url.path) cannot be used as a mapping model\n\(error)\n".utf8)
      )
      return nil
    }
  }

  /// The same with the reason as an error.
  package convenience init(reading url: URL) throws {
    self.init(schema: try MappingFile(contentsOf: url).schema)
  }

  /// Finds the mapping model for two models in bundles.
  ///
  /// A compiled mapping model is recognized by the version hashes of its entities, a source one by
  /// the names in both models. Compiled ones are preferred. The initializer fails if none matches.
  ///
  /// - Parameters:
  ///   - bundles: The bundles in which to search, or `nil` for those of the program.
  ///   - sourceModel: The model of the store.
  ///   - destinationModel: The model that the migrated store will have.
  public convenience init?(
    from bundles: [Bundle]?,
    forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let source = sourceModel?.currentSchema,
      let destination = destinationModel?.currentSchema,
      let schema = MappingFile.mapping(in: bundles ?? [.main], from: source, to: destination)
    else { return nil }
    self.init(schema: schema)
  }
}

// MARK: - Inferring

extension NSMappingModel {
  /// Returns a mapping model that is inferred from two models.
  ///
  /// Entities and properties are matched by their names or renaming identifiers. The user info of the mapping of an
  /// entity that both models have contains sets of the names of its properties under the keys `mappedProperties`,
  /// `addedProperties` and `removedProperties`, as at Apple's according to the tests of CoreDataPlus.
  ///
  /// - Parameters:
  ///   - sourceModel: The model of the store.
  ///   - destinationModel: The model that the migrated store will have.
  /// - Returns: The mapping model.
  /// - Throws: 134190, with all reasons and remedies, if the changes are too great to be inferred.
  public class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel,
    destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let comparison = ModelComparison(
      from: sourceModel.currentSchema,
      to: destinationModel.currentSchema
    )
    guard comparison.obstacles.isEmpty else {
      throw MappingFailure.notInferable(comparison.obstacles).error()
    }
    let model = NSMappingModel(schema: MappingSchema(inferring: comparison))
    for (mapping, match) in zip(model.mappings, comparison.entities) { mapping.list(match) }
    return model
  }

  /// Whether this is what would be inferred: nobody has put anything of their own into it.
  func isInferable(from source: ModelSchema, to destination: ModelSchema) -> Bool {
    let comparison = ModelComparison(from: source, to: destination)
    return comparison.obstacles.isEmpty && schema == MappingSchema(inferring: comparison)
  }
}

extension NSEntityMapping {
  /// Lists which properties an inferred mapping keeps, adds and removes.
  fileprivate func list(_ match: EntityMatch) {
    guard sourceEntityName != nil, destinationEntityName == match.destinationName else { return }
    let stored = match.properties.filter { $0.destination.property.isStored }
    let names = { (properties: [PropertyMatch]) in Set(properties.map(\.destination.name)) }
    userInfo = [
      "mappedProperties": names(stored.filter { $0.source != nil }),
      "addedProperties": names(stored.filter { $0.source == nil }),
      "removedProperties": Set(match.removedProperties.filter(\.property.isStored).map(\.name)),
    ]
  }
}

extension PropertySchema {
  /// Whether stores have values of the property.
  fileprivate var isStored: Bool {
    switch self {
    case .attribute(let attribute): !attribute.isTransient
    case .relationship(let relationship): !relationship.isTransient
    case .fetched: false
    }
  }
}
