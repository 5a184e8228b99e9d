import CoreDataModel
import CoreDataModelChanges
import Foundation

/// A mapping model as a file.
///
/// ```
/// Notes 1-2.cdm               what a program carries; with version hashes
/// Notes 1-2.xcmappingmodel    what Xcode edits; with names alone
/// ```
enum MappingFile {
  case compiled(MappingSchema)
  case source(MappingSource)

  init(contentsOf url: URL) throws {
    if url.pathExtension == "xcmappingmodel" || url.pathExtension == "xml" {
      self = .source(try MappingSource(contentsOf: url))
    } else {
      self = .compiled(try MappingSchema(compiled: Data(contentsOf: url)))
    }
  }

  var schema: MappingSchema {
    switch self {
    case .compiled(let schema): schema
    case .source(let source): source.schema
    }
  }

  /// The mapping between two models that the resources of bundles have.
  static func mapping(
    in bundles: [Bundle],
    from source: ModelSchema,
    to destination: ModelSchema
  ) -> MappingSchema? {
    for kind in ["cdm", "xcmappingmodel"] {
      for url in ModelFile.files(in: bundles, kinds: [kind]) {
        // A file that cannot be read is not the one.
        let file = try? MappingFile(contentsOf: url)
        if let fitting = file?.schema(from: source, to: destination) { return fitting }
      }
    }
    return nil
  }

  /// The mappings, if they are those between two models.
  private func schema(from source: ModelSchema, to destination: ModelSchema) -> MappingSchema? {
    switch self {
    case .compiled(let schema):
      schema.fits(source.entityVersionHashes, destination.entityVersionHashes) ? schema : nil
    case .source(let file):
      file.fits(from: source, to: destination)
        ? file.schema(from: source, to: destination) : nil
    }
  }
}

extension MappingSchema {
  fileprivate func fits(_ source: [String: Data], _ destination: [String: Data]) -> Bool {
    !entityMappings.isEmpty
      && entityMappings.allSatisfy { mapping in
        (mapping.sourceName.map { source[$0] == mapping.sourceHash } ?? true)
          && (mapping.destinationName.map { destination[$0] == mapping.destinationHash } ?? true)
      }
  }
}
