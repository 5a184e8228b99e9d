package import CoreDataModel
import Foundation

/// Stands in for a value transformer that this program does not have: the object is its data.
///
/// It reads the bytes of the store, and accepts only such data.
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
    withBytes { attribute in
      attribute.valueTransformerName.map { ValueTransformer.find($0) == nil } ?? false
    }
  }

  /// The same model with the bytes of each transformable value, for programs without the classes.
  package var withBytesOfTransformables: ModelSchema { withBytes { $0.type == .transformable } }

  private func withBytes(where isUnknown: (AttributeSchema) -> Bool) -> ModelSchema {
    var schema = self
    for entity in schema.entities.indices {
      schema.entities[entity].attributes = schema.entities[entity].attributes.map {
        $0.withBytes(where: isUnknown)
      }
    }
    return schema
  }
}

extension AttributeSchema {
  /// The same attribute, or elements of a composite, with values as their bytes.
  fileprivate func withBytes(where isUnknown: (AttributeSchema) -> Bool) -> AttributeSchema {
    var attribute = self
    attribute.elements = elements.map { $0.withBytes(where: isUnknown) }
    if isUnknown(self) {
      StoredBytes.register()
      attribute.valueTransformerName = StoredBytes.name
    }
    return attribute
  }
}
