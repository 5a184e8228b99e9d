package import CoreDataModel

extension MappingSource {
  /// Whether the mappings are those between two versions of a model.
  ///
  /// A source has no version hashes. It has the names in both models, which are held against theirs;
  /// versions that differ in types alone cannot be told apart by it, compiled mapping models can.
  package func fits(from source: ModelSchema, to destination: ModelSchema) -> Bool {
    sourceNames.areThose(of: source) && destinationNames.areThose(of: destination)
  }
}
