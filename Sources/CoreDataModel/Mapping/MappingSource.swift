import CoreDataPredicates
package import Foundation

/// A mapping model as Xcode keeps it in a project: a store in XML, of Xcode's own model.
///
///     Notes 1-Notes 2.xcmappingmodel/xcmapping.xml
///
///     XDDEVMAPPINGMODEL ─ both models, archived
///     └── XDDEVENTITYMAPPING ─ sourcename, destinationname, migrationpolicyclassname
///         └── XDDEVATTRIBUTEMAPPING ─ name, valueexpressiondata
///
/// The file says only what differs from what Xcode makes by itself: an attribute mapping without an
/// expression takes the source's attribute of that name, a relationship mapping the objects that were
/// made of those of the source's relationship.
package struct MappingSource: Sendable {
  package let schema: MappingSchema
  package let sourceModel: ModelSchema
  package let destinationModel: ModelSchema

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
    sourceModel = try model.model("sourcemodeldata")
    destinationModel = try model.model("destinationmodeldata")
    let mappings = try objects.related(to: model, by: "entitymappings")
      .enumerated()
      .sorted {
        ($0.element.number ?? .max, $0.offset) < ($1.element.number ?? .max, $1.offset)
      }
      .map(\.element)
    let builder = EntityMappingBuilder(
      objects: objects,
      source: sourceModel,
      destination: destinationModel
    )
    var entityMappings: [EntityMappingSchema] = []
    for mapping in mappings { entityMappings.append(try builder.mapping(of: mapping)) }
    schema = MappingSchema(entityMappings: builder.completed(entityMappings))
  }
}
