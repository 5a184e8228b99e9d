package import CoreDataModel
import Foundation

/// Stands in for a value transformer that this program does not have: the object is its data.
///
/// What is read is what stands in the store, and what is set must be such data.
final class StoredBytes: ValueTransformer {
  static let name = "CoreDataStoredBytes"

  override class func allowsReverseTransformation() -> Bool { true }

  /// Makes the transformer known; models that name it call this.
  static func register() {
    let name = NSValueTransformerName(name)
    if ValueTransformer(forName: name) == nil { setValueTransformer(StoredBytes(), forName: name) }
  }
}

extension ModelSchema {
  /// The same model with values as their bytes where the program lacks the transformer; version hashes
  /// stay the same.
  package var withKnownTransformers: ModelSchema {
    var schema = self
    for entity in schema.entities.indices {
      for attribute in schema.entities[entity].attributes.indices {
        guard let name = schema.entities[entity].attributes[attribute].valueTransformerName,
          ValueTransformer.find(name) == nil
        else { continue }
        StoredBytes.register()
        schema.entities[entity].attributes[attribute].valueTransformerName = StoredBytes.name
      }
    }
    return schema
  }
}
