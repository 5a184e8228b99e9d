package import Foundation

/// A compiled model, the contents of a `.mom` file: a keyed archive of description objects.
///
///     NSManagedObjectModel
///     └── NSEntities ─ NSEntityDescription "Note"
///                      ├── NSSuperentity, NSSubentities
///                      └── NSProperties ─ NSAttributeDescription "title" …
///
/// An archive holds what the framework needs at run time: a schema that comes back is the
/// `compiled()` one, without code generation and with predicates printed canonically.
package enum ModelArchive {
  package static func decode(_ data: Data) throws(ArchiveError) -> ModelSchema {
    var unarchiver = try ModelUnarchiver(data)
    return try unarchiver.schema().withFittingDefaults
  }

  /// The bytes of a `.mom`, the same for equal schemas.
  package static func encode(_ schema: ModelSchema) throws(ArchiveError) -> Data {
    var archiver = ModelArchiver(schema: schema, form: .model)
    return try archiver.data()
  }
}

/// The model that a store keeps about itself in `Z_MODELCACHE`, so that a later version of the
/// program can migrate from it: a model archive in another form, squeezed.
package enum ModelCache {
  package static func decode(_ data: Data) throws(ArchiveError) -> ModelSchema {
    try ModelArchive.decode(RawDeflate.inflate(data))
  }

  package static func encode(_ schema: ModelSchema) throws(ArchiveError) -> Data {
    var archiver = ModelArchiver(schema: schema, form: .cache)
    return try RawDeflate.deflate(archiver.data())
  }
}
