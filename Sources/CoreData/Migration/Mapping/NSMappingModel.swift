import CoreDataModel
package import CoreDataModelChanges
public import Foundation

/// How a store of one version of a model becomes one of another.
///
/// It comes from a file that Xcode made, is inferred from both models, or is built in code:
///
/// ```swift
/// let mapping = try NSMappingModel.inferredMappingModel(
///   forSourceModel: old,
///   destinationModel: new
/// )
/// let manager = NSMigrationManager(sourceModel: old, destinationModel: new)
/// ```
///
/// A mapping model is used by one thread at a time, and not changed while it is used.
open class NSMappingModel: NSObject {
  /// The mappings, in the order in which they are carried out.
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

  /// The mappings by name; of two that have the same name, the first.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary(mappings.map { ($0.name, $0) }) { first, _ in first }
  }

  var mappings: [NSEntityMapping] { entityMappings ?? [] }

  /// The mapping model as a value.
  package var schema: MappingSchema { MappingSchema(entityMappings: mappings.map(\.schema)) }
}

// MARK: - Files

extension NSMappingModel {
  /// Reads a mapping model that Xcode's compiler made, `.cdm`, or one that is not compiled,
  /// `.xcmappingmodel`.
  ///
  /// One that is not compiled has no version hashes, so nobody checks that it is for the models at
  /// hand. Nil when the file cannot be read; the reason goes to the standard error output.
  public convenience init?(contentsOf url: URL?) {
    guard let url else { return nil }
    do {
      try self.init(reading: url)
    } catch {
      FileHandle.standardError.write(
        Data("CoreData: \(url.path) cannot be used as a mapping model\n\(error)\n".utf8)
      )
      return nil
    }
  }

  /// The same with the reason as an error.
  package convenience init(reading url: URL) throws {
    self.init(schema: try MappingFile(contentsOf: url).schema)
  }

  /// The mapping model from one model to another, of all in the resources of bundles, those of the
  /// program for nil.
  ///
  /// A compiled one is recognised by the version hashes of its entities, one that is not compiled by the
  /// names in both models; the compiled ones come first. Nil when there is none.
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
  /// The mapping model that follows from both models.
  ///
  /// Entities and properties belong together by name, or by renaming identifier. Throws 134190 with
  /// every reason, and what would help, where the change is more than can be inferred (108).
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
    return NSMappingModel(schema: MappingSchema(inferring: comparison))
  }

  /// Whether this is what would be inferred: nobody has put anything of their own into it.
  func isInferable(from source: ModelSchema, to destination: ModelSchema) -> Bool {
    let comparison = ModelComparison(from: source, to: destination)
    return comparison.obstacles.isEmpty && schema == MappingSchema(inferring: comparison)
  }
}
