package import CoreDataModel

extension MappingSource {
  /// Whether the mappings are those between two versions of a model.
  ///
  /// A source does not have version hashes. It has the names in both models, which are compared
  /// with theirs; it cannot distinguish versions that differ in types alone, compiled mapping
  /// models can.
  package func fits(from source: ModelSchema, to destination: ModelSchema) -> Bool {
    sourceNames.areThose(of: source) && destinationNames.areThose(of: destination)
  }
}
