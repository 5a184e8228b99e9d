package import CoreDataModel
import CoreDataPredicates
package import Foundation

/// A mapping model as Xcode keeps it in a project: a store in XML, of Xcode's own model.
///
///     Notes 1-Notes 2.xcmappingmodel/xcmapping.xml
///
///     XDDEVMAPPINGMODEL ─ what is known of both models
///     └── XDDEVENTITYMAPPING ─ sourcename, destinationname, migrationpolicyclassname
///         └── XDDEVATTRIBUTEMAPPING ─ name, valueexpressiondata
///
/// The file has only the differences from Xcode's defaults: an attribute mapping without an
/// expression takes the source's attribute of that name, a relationship mapping the objects that were
/// made of those of the source's relationship.
package struct MappingSource: Sendable {
  /// The mappings, without the version hashes of their entities, which the file does not have.
  package let schema: MappingSchema
  /// The names of both models in the file.
  let sourceNames: NamesOfModel
  let destinationNames: NamesOfModel
  /// The copies of both models in the file, as archives of Xcode's editor.
  private let copies: [Data]

  /// Reads a `.xcmappingmodel` folder, or the XML file in it.
  package init(contentsOf url: URL) throws(ModelError) {
    let file =
      url.pathExtension == "xcmappingmodel" ? url.appending(path: "xcmapping.xml") : url
    do {
      try self.init(xml: Data(contentsOf: file))
    } catch {
      let reason = (error as? ArchiveError)?.description ?? error.localizedDescription
      throw ModelError(
        ModelProblem(
          file: url.lastPathComponent,
          message: "the mapping model cannot be read: \(reason)"
        )
      )
    }
  }

  package init(xml: Data) throws(ArchiveError) {
    let objects = try MappingObjects(xml)
    guard let model = objects.all.first(where: { $0.type == "XDDEVMAPPINGMODEL" }) else {
      throw ArchiveError("the file holds no mapping model")
    }
    let mappings = try objects.related(to: model, by: "entitymappings")
      .enumerated()
      .sorted {
        ($0.element.number ?? .max, $0.offset) < ($1.element.number ?? .max, $1.offset)
      }
      .map(\.element)
    sourceNames = try model.names("sourcemodeldata")
    destinationNames = try model.names("destinationmodeldata")
    copies = [
      try model.data("sourcemodeldata"), try model.data("destinationmodeldata"),
    ].compactMap(\.self)
    let builder = EntityMappingBuilder(objects: objects, source: sourceNames)
    var entityMappings: [EntityMappingSchema] = []
    for mapping in mappings { entityMappings.append(try builder.mapping(of: mapping)) }
    schema = MappingSchema(entityMappings: entityMappings)
  }

  /// The copies of both models in the file; `nil` if it does not have both, or they cannot be read.
  package var models: (source: ModelSchema, destination: ModelSchema)? {
    let schemas = copies.compactMap { archive -> ModelSchema? in
      var reader = SchemaReader()
      let schema = reader.schema(fromElements: archive)
      return reader.problems.contains { $0.severity == .error } ? nil : schema
    }
    return schemas.count == 2 ? (schemas[0], schemas[1]) : nil
  }

  /// The mappings between two versions of a model, with the version hashes of their entities, as
  /// they are compiled.
  ///
  /// A mapping that changes nothing becomes a copy then.
  package func schema(from source: ModelSchema, to destination: ModelSchema) -> MappingSchema {
    let (old, new) = (source.entityVersionHashes, destination.entityVersionHashes)
    return MappingSchema(
      entityMappings: schema.entityMappings.map { mapping in
        var mapping = mapping
        mapping.sourceHash = mapping.sourceName.flatMap { old[$0] }
        mapping.destinationHash = mapping.destinationName.flatMap { new[$0] }
        let isSame = mapping.sourceHash != nil && mapping.sourceHash == mapping.destinationHash
        if mapping.kind == .transform, isSame { mapping.kind = .copy }
        return mapping
      }
    )
  }
}
